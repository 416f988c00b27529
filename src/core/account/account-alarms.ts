import { type AlarmKey, type AlarmRecord, withAlarm, withoutAlarm } from '../alarm/alarm.js';
import type { TradingState } from '../trading/state.js';
import { type Account, BY_OPERATOR, type Halt, tradingFor } from './account.js';

const CONTRADICTION = 'contradiction';

/**
 * What is wrong with an account now. What its record says already is not kept again: an alarm about a halt begins and ends
 * with it, in the same write, and one about an unknown order ends once it is known.
 */
export function alarmsOf(account: Account): readonly AlarmRecord[] {
  const { halt, alarms = [] } = account;
  const { states, unknown = [] } = tradingFor(account);
  return [
    ...alarms.filter(({ kind, subject }) => kind !== 'unknown_order' || unknown.includes(subject)),
    ...(halt === null || halt.code === BY_OPERATOR ? [] : [haltAlarm(halt)]),
    ...states.filter(isByItself).map(stopAlarm),
  ];
}

/** The account with an alarm; the very same where it has it already. */
export function alarmed(account: Account, alarm: AlarmRecord): Account {
  const kept = keptOf(account);
  const next = withAlarm(kept, alarm);
  return next === kept ? account : { ...account, alarms: next };
}

/** The account without an alarm; the very same where it has none of this name. */
export function unalarmed(account: Account, key: AlarmKey): Account {
  const kept = keptOf(account);
  const next = withoutAlarm(kept, key);
  return next === kept ? account : { ...account, alarms: next.length === 0 ? undefined : next };
}

/** The alarms of an account, without those that are over. */
function keptOf(account: Account): readonly AlarmRecord[] {
  const { alarms = [] } = account;
  const inForce = alarmsOf(account);
  return alarms.every((one) => inForce.includes(one)) ? alarms : alarms.filter((one) => inForce.includes(one));
}

/** A state that lasts until a person ends it, and that no person set; one that ends by itself has an alarm of its own. */
const isByItself = ({ by, until, code }: TradingState): boolean => by === 'service' && until === null && code !== null;

const stopAlarm = ({ scope, state, stops, reason, since, code }: TradingState): AlarmRecord => ({
  kind: 'trading_stopped',
  subject: `${scope} ${code}`,
  detail: `${state === 'halted' ? 'Halted' : 'Reducing'}${stops === 'live' ? ' (live)' : ''}: ${reason}.`,
  since,
  until: null,
});

const haltAlarm = ({ code, message, at: since }: Halt): AlarmRecord => ({
  kind: code === CONTRADICTION ? 'contradiction' : 'trading_stopped',
  subject: `account ${code}`,
  detail: message,
  since,
  until: null,
});
