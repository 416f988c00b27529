import type { Clock, DayOf, Digest, Ids, Stopwatch } from '../../ports/system.js';
import { tradingFor } from '../account/account.js';
import { awaited, emptyPosition, freeShares, type Position, type PositionKey } from '../account/position.js';
import { InvariantBroken } from '../errors.js';
import type { AccountId, StrategyId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import { isExhaustive, NO_GROUP, type RiskGroup, setName } from '../limits/risk.js';
import { marketName } from '../market/market.js';
import { minus, NO_SHARES, plus, type Shares, type Usdc } from '../money.js';
import {
  type Intent,
  leastProceeds,
  mostCost,
  type Order,
  type Refusal,
  refusal,
  reservedShares,
  wantedShares,
} from '../order/order.js';
import {
  isInForce,
  sportScope,
  strategyScope,
  strictest,
  type TradingScope,
  type TradingState,
} from '../trading/state.js';
import type { Venues } from '../venues/venues.js';

/** What a state of trading may be about. */
export interface Placed {
  readonly paper: boolean;
  readonly strategyId: StrategyId | null;
  /** The sport of the market; null where it has none, and then no state of a sport applies. */
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

/** What an order on record keeps. */
export const keptBy = (order: Order): Kept => ({ onSale: reservedShares(order), wanted: wantedShares(order) });
const NOTHING_KEPT: Kept = { onSale: NO_SHARES, wanted: NO_SHARES };

/**
 * Why a state denies an order; null where it does not, and `unread` where what decides was not read. The scope has to name both
 * outcomes, and, where the market is of a set, all that is held, unless the order is stopped either way.
 */
export function refusedBy(
  state: TradingState,
  intent: Intent,
  now: Snapshot,
  set: MarketSet,
  kept = NOTHING_KEPT,
): Refusal | null | 'unread' {
  if (state.state === 'halted') return refusal('trading_halted', `${beginning(sentenceOf(state))}.`);
  if (state.state === 'active') return null;
  const lowers = lowersFor(intent, now, set, kept);
  if (lowers === 'unread') return lowers;
  return lowers ? null : reducingOnly(state);
}

/** Why an order is denied that lowers no worst case. */
export const reducingOnly = (state: TradingState): Refusal =>
  refusal('trading_reducing', `${beginning(sentenceOf(state))}.`);

/** Whether an order lowers a worst case; `unread` where a market is among the holdings of which nothing was read. */
export function lowersFor(intent: Intent, now: Snapshot, set: MarketSet, kept = NOTHING_KEPT): boolean | 'unread' {
  const others = othersOfSet(intent, now, set);
  return others === 'unread' ? others : lowersWorstCase(intent, heldHere(intent, now, set, kept), others);
}

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

/** What the market of an order belongs to, and each other market in which its account holds something, by name; null where that was not read. */
export interface MarketSet {
  readonly group: RiskGroup;
  readonly groups: ReadonlyMap<string, RiskGroup> | null;
}

/** The set of a market that is an event of its own, as far as is known. */
export const NO_SET: MarketSet = { group: NO_GROUP, groups: new Map() };

/**
 * What the account holds in the other markets of the set of an order. The scope has to name all that it holds, unless the
 * market is of no set.
 */
function othersOfSet(intent: Intent, now: Snapshot, { group, groups }: MarketSet): readonly HeldMarket[] | 'unread' {
  if (group.exclusiveSet === null) return [];
  if (groups === null) return 'unread';
  const name = marketName(intent);
  const set = setName(name, group);
  const found = new Map<string, HeldMarket>();
  for (const position of now.positions(intent.paper).filter(isHeld)) {
    const other = marketName(position);
    if (other === name) continue;
    const known = groups.get(other) ?? position.risk?.group;
    if (known === undefined) return 'unread';
    if (setName(other, known) !== set) continue;
    const { role } = known;
    const none = (outcome: Position['outcome']) => emptyPosition({ ...position, outcome });
    const market = found.get(other) ?? { role, YES: none('YES'), NO: none('NO') };
    found.set(other, { ...market, [position.outcome]: position });
  }
  return [...found.values()];
}

/** Whether a result may change what comes back from it. */
export const isHeld = ({ strategyId, shares, wanted = NO_SHARES }: Position): boolean =>
  strategyId === null && (shares > 0n || wanted > 0n);

/** What an account holds of the two outcomes of one market, without what the order itself has reserved or may bring. */
export interface HeldMarket {
  readonly role: RiskGroup['role'];
  readonly YES: Position;
  readonly NO: Position;
}

/** A result: the market that resolves YES, none of those that are known, or one half for every share. */
type Result = HeldMarket | 'none' | 'split';

/**
 * Whether an order raises the least that comes back from an event, whichever of its results comes true and whichever of the
 * orders that rest there are filled, in part or whole. `own` is the market of the order, `others` are those of which one
 * excludes it; what other markets of the event may lose is added, and does not change. Prices of resting orders make no
 * difference between two results, so that shares alone decide. A part of the order raises it by a part.
 */
export function lowersWorstCase(intent: Intent, own: HeldMarket, others: readonly HeldMarket[] = []): boolean {
  if (intent.shares === 0n) return false;
  const markets = [own, ...others];
  const beyond = others.length > 0 && isExhaustive(markets) ? [] : (['none'] as const);
  const results: readonly Result[] = [...markets, ...beyond, 'split'];
  return results.every((result) => {
    const needed = twiceNeeded(intent, own, result);
    return needed < 0n || results.some((worse) => worse !== result && twiceBetter(markets, result, worse) > needed);
  });
}

/**
 * By how much more than with a worse result, twice, has to come back with this one, so that the order does not make it the
 * worst: what it takes. Where its shares lose whole, all of them, whatever their price: nobody hedges more than is held.
 */
function twiceNeeded(intent: Intent, own: HeldMarket, result: Result): bigint {
  const { side, shares, outcome } = intent;
  const wins = result !== 'split' && (result === own) === (outcome === 'YES');
  if (result !== 'split' && wins === (side === 'SELL')) return 2n * shares - 1n;
  return -twiceGain(intent, own, result);
}

/** Twice what the order brings by a result, once it is filled. */
function twiceGain(intent: Intent, own: HeldMarket, result: Result): bigint {
  const { side, shares, outcome } = intent;
  const pays = result === 'split' ? 1n : (result === own) === (outcome === 'YES') ? 2n : 0n;
  if (side === 'BUY') return shares * pays - 2n * mostCost(intent);
  return 2n * leastProceeds(intent, shares) - shares * pays;
}

/** Twice the least by which more comes back with one result than with another one, whatever is filled. */
function twiceBetter(markets: readonly HeldMarket[], result: Result, worse: Result): bigint {
  if (result === 'split') return sum(markets, (market) => (market === worse ? ifNot(market) : ifYes(market)));
  if (worse === 'split') return sum(markets, (market) => (market === result ? ifYes(market) : ifNot(market)));
  return 2n * ((result === 'none' ? 0n : ifYes(result)) + (worse === 'none' ? 0n : ifNot(worse)));
}

/** The least by which more comes back from a market if it resolves YES, and not NO. */
const ifYes = ({ YES, NO }: HeldMarket): bigint => freeShares(YES) - most(NO);
/** The least by which more comes back from a market if it resolves NO, and not YES. */
const ifNot = ({ YES, NO }: HeldMarket): bigint => freeShares(NO) - most(YES);
const most = ({ shares, wanted = NO_SHARES }: Position): Shares => plus(shares, wanted);
const sum = (markets: readonly HeldMarket[], of: (market: HeldMarket) => bigint): bigint =>
  markets.reduce((all, market) => all + of(market), 0n);

/** What every use case about orders needs besides its ports to storage and venues. */
export interface OrderContext {
  /** Determines which orders are decided in this process. */
  readonly venues: Pick<Venues, 'isLocal'>;
  /** The time in which orders are placed and markets move: the machine's, or that of a tape. */
  readonly clock: Clock;
  /** The machine's time, in which idempotency keys are stamped, tested and forgotten; `clock` may be a tape's. */
  readonly wallClock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly stopwatch: Stopwatch;
  /** The cash of a paper account before its first order. */
  readonly openingCash: Usdc;
  /** The most that one order with real money may be worth, at whatever venue; null for no limit. */
  readonly liveOrderCap: Usdc | null;
  /** The day of a moment, such as 2026-11-22, in the zone by which limits count days; by default UTC. */
  readonly dayOf?: DayOf | undefined;
  /** Why this process must not decide for strategies, such as a newer version at work; null while it may. By default it may. */
  readonly outdated?: () => string | null;
}

/** Why this process must not decide for strategies; null while it may. */
export const outdatedBy = ({ outdated }: Pick<OrderContext, 'outdated'>): string | null => outdated?.() ?? null;
