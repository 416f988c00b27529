import { tradingFor } from '../account/account.js';
import { awaited, emptyPosition, type PositionKey } from '../account/position.js';
import { InvariantBroken } from '../errors.js';
import type { AccountId, StrategyId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import { minus, NO_SHARES, type Shares } from '../money.js';
import type { Intent } from '../order/intent.js';
import { type Order, type Refusal, refusal, reservedShares, wantedShares } from '../order/order.js';
import {
  isInForce,
  sportScope,
  strategyScope,
  strictest,
  type TradingScope,
  type TradingState,
} from '../trading/state.js';
import { type MarketSet, othersOfSet } from './market-set.js';
import { type HeldMarket, lowersWorstCase } from './reducing.js';

/** What a state of trading may be about. */
export interface Placed {
  readonly paper: boolean;
  readonly strategyId: StrategyId | null;
  /** Of the market; null where it has none, and then no state of a sport is about it. */
  readonly sport: string | null;
}

/** The strictest state that is about an order; null where there is none. @throws InvariantBroken for a scope without `service` */
export function stateFor({ paper, strategyId, sport }: Placed, now: Snapshot, at: Date): TradingState | null {
  const { account, service } = now;
  if (service === undefined) throw new InvariantBroken('what may stop an order is read with it');
  if (account.trading === undefined && service.trading === undefined) return null;
  const scopes = new Set<TradingScope>(['service', 'account']);
  if (strategyId !== null) scopes.add(strategyScope(strategyId));
  if (sport !== null) scopes.add(sportScope(sport));
  const states = [...tradingFor(service).states, ...tradingFor(account).states];
  const isAbout = ({ scope, stops }: TradingState) => scopes.has(scope) && (stops === 'all' || !paper);
  return strictest(states.filter((one) => isAbout(one) && isInForce(one, at)));
}

/** What stops an order that is on record. */
export const stateOf = ({ paper, strategy, sport }: Intent, now: Snapshot, at: Date): TradingState | null =>
  stateFor({ paper, strategyId: strategy?.id ?? null, sport: sport ?? null }, now, at);

/** Names what the account holds of the other outcome of the market of an order. */
export function otherSide(account: AccountId, { paper, venue, marketId, outcome }: Beside): PositionKey {
  return { account, paper, venue, marketId, outcome: outcome === 'YES' ? 'NO' : 'YES', strategyId: null };
}

type Beside = Pick<Intent, 'paper' | 'venue' | 'marketId' | 'outcome'>;

/** What an order itself has reserved of the shares, or may still bring: nothing before it is on record. */
interface Kept {
  readonly onSale: Shares;
  readonly wanted: Shares;
}

/** Of an order that is on record. */
export const keptBy = (order: Order): Kept => ({ onSale: reservedShares(order), wanted: wantedShares(order) });
const NOTHING_KEPT: Kept = { onSale: NO_SHARES, wanted: NO_SHARES };

/**
 * Why a state denies an order; null where it does not. The scope has to name both outcomes, and, where the market is of a set,
 * all that is held, unless the order is stopped either way. `set` is asked for only where it decides.
 */
export function refusedBy(
  state: TradingState,
  intent: Intent,
  now: Snapshot,
  set: () => MarketSet,
  kept = NOTHING_KEPT,
): Refusal | null {
  const sentence = `${beginning(sentenceOf(state))}.`;
  if (state.state === 'halted') return refusal('trading_halted', sentence);
  if (state.state === 'active' || lowersFor(intent, now, set(), kept)) return null;
  return refusal('trading_reducing', sentence);
}

/** Whether an order lowers a worst case. The scope has to name what `refusedBy` needs. */
export const lowersFor = (intent: Intent, now: Snapshot, set: MarketSet, kept = NOTHING_KEPT): boolean =>
  lowersWorstCase(intent, heldHere(intent, now, set, kept), othersOfSet(intent, now, set));

function heldHere(intent: Intent, now: Snapshot, { group }: MarketSet, { onSale, wanted }: Kept): HeldMarket {
  const other = otherSide(now.account.id, intent);
  const held = (key: PositionKey) => now.position(key) ?? emptyPosition(key);
  const found = held({ ...other, outcome: intent.outcome });
  const own = awaited({ ...found, reserved: minus(found.reserved, onSale) }, minus(NO_SHARES, wanted));
  const { role } = group;
  return intent.outcome === 'YES' ? { role, YES: own, NO: held(other) } : { role, YES: held(other), NO: own };
}

const beginning = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What was set, by whom, since when and why, to go on after other words. */
export function sentenceOf({ scope, state, by, since, until, reason }: TradingState): string {
  const what = state === 'halted' ? 'trading is halted' : 'only orders that lower the worst case are taken';
  const end = until === null ? '' : ` until ${until.toISOString()}`;
  return `${what} for ${wordsOf(scope)}${end}, by ${by} since ${since.toISOString()}: ${reason}`;
}

function wordsOf(scope: TradingState['scope']): string {
  if (scope === 'service' || scope === 'account') return `the ${scope}`;
  const at = scope.indexOf(':');
  return `the ${scope.slice(0, at)} ${scope.slice(at + 1)}`;
}
