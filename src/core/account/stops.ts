import { isInForce, strictest, type TradingMode, type TradingState } from '../trading/state.js';
import { type Account, stateOfHalt, tradingFor } from './account.js';

/** What stops orders of an account, whoever asks: the API, the page and the command line show the same. */
export interface TradingNow {
  /** Whether an operator lets it trade with real money. */
  readonly liveEnabled: boolean;
  /** What an order with real money meets that names no strategy, in a market without a sport, where that is let. */
  readonly effective: TradingMode;
  /** Every state in force, those that hold for every account first; a halt of the account is among them. */
  readonly states: readonly TradingState[];
}

/** All that stops orders of the account at this moment: its halt, and what was set of it, of its parts and of the service. */
export function stopsOf(account: Account, service: Account, at: Date): TradingNow {
  const halts = account.halt === null ? [] : [stateOfHalt(account.halt)];
  const all = [...tradingFor(service).states, ...halts, ...tradingFor(account).states];
  const states = all.filter((one) => isInForce(one, at));
  const effective = strictest(states.filter(isOfAll))?.state ?? 'active';
  return { liveEnabled: account.liveEnabled, effective, states };
}

/** True of a state that is about every order with real money of an account. */
export const isOfAll = ({ scope }: Pick<TradingState, 'scope'>): boolean => scope === 'service' || scope === 'account';

/** How what a release of the account does not lift is lifted. */
export function liftingOf({ scope, until }: TradingState): string {
  if (until !== null) return `It ends by itself at ${until.toISOString()}.`;
  const whose =
    scope === 'account' || scope.startsWith('strategy:') ? 'of the account that has risk:write' : 'that has admin';
  return `Remove the cause, then: stakeport resume --scope ${quoted(scope)}, with a key ${whose}.`;
}

const quoted = (scope: string): string => (/^[\w:-]+$/.test(scope) ? scope : `'${scope.replaceAll("'", "'\\''")}'`);
