import type { WireHalt, WireTradingState } from '../../adapters/http/answers.js';

const STRICTNESS: readonly WireTradingState['state'][] = ['active', 'reducing', 'halted'];
const strictness = ({ state }: Pick<WireTradingState, 'state'>): number => STRICTNESS.indexOf(state);

/**
 * What stops trading after a state was set: it takes the place of what a person set for the same scope and the same orders,
 * or fewer; what the service set by itself ends only where the new state is less strict.
 */
export function afterTrading(states: readonly WireTradingState[], set: WireTradingState): readonly WireTradingState[] {
  const covers = (one: WireTradingState) => one.scope === set.scope && (set.stops === 'all' || one.stops === 'live');
  const ends = (one: WireTradingState) =>
    one.code === set.code || (set.code === null && strictness(set) < strictness(one) && !isHaltOfAccount(one));
  const kept = states.filter((one) => !(covers(one) && ends(one)));
  return set.state === 'active' ? kept : [...kept, set];
}

/** True of a halt of the account, which events of its own report. */
const isHaltOfAccount = ({ scope, code, stops, until }: WireTradingState): boolean =>
  scope === 'account' && code !== null && HALTS.has(code) && stops === 'live' && until === null;

/** The codes of such halts; what else halts an account is read again when it is reported. */
const HALTS: ReadonlySet<string> = new Set(['halted_by_operator', 'contradiction']);

/** What stops trading after the account was halted with this reason, or released. */
export function afterHalt(states: readonly WireTradingState[], halt: WireHalt | null): readonly WireTradingState[] {
  const others = states.filter((one) => !isHaltOfAccount(one));
  if (halt === null) return others;
  const { code, message, at } = halt;
  const by = code === 'halted_by_operator' ? 'operator' : 'service';
  const state = { scope: 'account', state: 'halted', stops: 'live', reason: message, by } as const;
  return [...others, { ...state, since: at, until: null, code }];
}

/** The strictest state that is in force for the whole account at this moment; null where nothing stops it. */
export function accountStop(states: readonly WireTradingState[], now: number, paper: boolean): WireTradingState | null {
  const whole = states.filter(
    (one) => ['account', 'service'].includes(one.scope) && isInForceAt(one, now) && (!paper || one.stops === 'all'),
  );
  return whole.reduce<WireTradingState | null>(
    (found, one) => (found === null || strictness(one) > strictness(found) ? one : found),
    null,
  );
}

/** Whether a state has not ended by itself. */
export const isInForceAt = ({ until }: WireTradingState, now: number): boolean =>
  until === null || now < Date.parse(until);
