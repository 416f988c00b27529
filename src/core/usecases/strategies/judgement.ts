import type { SignalSource } from '../../../ports/signals.js';
import { cashOf, freeCash } from '../../account/account.js';
import type { PositionKey } from '../../account/position.js';
import type { VenueName } from '../../ids.js';
import type { Scope, Snapshot } from '../../ledger/decision.js';
import { dayIn } from '../../limits/counted.js';
import { riskGroupOf } from '../../limits/risk.js';
import { bestPrices } from '../../market/book.js';
import { isNetted, type Market, marketName, type OutcomeSide } from '../../market/market.js';
import { NO_SHARES, NO_USDC, type Price, type Shares, type Usdc } from '../../money.js';
import { limitsLeft } from '../../posting/account-limits.js';
import { heldOf } from '../../posting/own-orders.js';
import { boundsOf, eventLossLeft } from '../../posting/strategy-limits.js';
import { type OrderContext, otherSide, stateFor } from '../../posting/trading-stop.js';
import type { SignalName } from '../../signal/signal.js';
import type {
  BetInputs,
  BetsMade,
  Estimate,
  LimitLeft,
  Proposer,
  SetMember,
} from '../../strategy/conditions/candidate.js';
import { type ApprovalsKey, type HeldSlot, heldSlot } from '../../strategy/record/approval.js';
import { REAL_MONEY, type Slot, type SlotsKey } from '../../strategy/record/decision-record.js';
import { tradingRules } from '../../strategy/rules/trading-rules.js';
import { noExposure, type Strategy } from '../../strategy/strategy.js';
import type { MarketView } from '../../strategy/watch/watched-market.js';
import type { Watcher } from '../../strategy/watch/watcher.js';

/** An outcome that a strategy judges, and all that is known of it from outside of the record. */
export interface Judgement {
  readonly strategy: Strategy;
  readonly view: MarketView;
  /** The outcome to judge. */
  readonly outcome: OutcomeSide;
  readonly estimates: Estimates;
  /** The best offer when the strategy first saw it; null where it is not known. */
  readonly firstPrice: BetInputs['firstPrice'];
  /** Whether a condition was false since the last bet on the outcome, */
  readonly rearmed: boolean;
  /** which was the one of this number: if there was a later one, it is not known. Absent: whichever was the last. */
  readonly knownBets?: number;
  readonly benched: boolean;
  /** When the price last moved so far that what was refused may be asked again; null or absent where it is not known. */
  readonly movedAt?: Date | null;
  /** The codes by which orders of this bet were denied before: one that is denied so again is not put on record again. */
  readonly denied?: ReadonlySet<string>;
  /** Where rules that name no venue bet; null or absent where the market was found by them. */
  readonly defaultVenue?: VenueName | null | undefined;
  /** Decides in place of odds, edge and sizing; absent, the rules do. */
  readonly proposer?: Proposer | undefined;
}

/** What decides: the judgement, and what is on record. */
export function betInputs(judgement: Judgement, bounds: BetBounds, now: Date): BetInputs {
  const { strategy, view, estimates, rearmed, knownBets } = judgement;
  const { bets } = bounds;
  const isRearmed = rearmed && (knownBets ?? bets.onOutcome) === bets.onOutcome;
  return {
    strategy,
    rules: tradingRules(strategy),
    market: view.market,
    defaultVenue: judgement.defaultVenue,
    outcome: judgement.outcome,
    book: view.book,
    others: estimates.others,
    estimate: estimates.estimate,
    held: bounds.held,
    otherHeld: bounds.otherHeld,
    committed: bounds.committed,
    freeCash: bounds.freeCash,
    limitsLeft: bounds.limitsLeft,
    // No known venue has one. It stays in the decision for a venue that does, whose market would bring it.
    venueMaximum: null,
    bets: { ...bets, rearmed: isRearmed },
    benched: judgement.benched,
    firstPrice: judgement.firstPrice,
    now,
    proposer: judgement.proposer,
  };
}

/** The best offer of what would be bought; null without one. */
export function bestOffer({ book }: Pick<MarketView, 'book'>, buys: OutcomeSide): Price | null {
  return book === null ? null : (bestPrices(buys, book).ask ?? null);
}

/** What the judgement would buy: BACK the outcome, LAY its complement. */
export function possibleBet({
  strategy,
  view,
  outcome,
}: Pick<Judgement, 'strategy' | 'view' | 'outcome'>): PossibleBet {
  const complement = outcome === 'YES' ? 'NO' : 'YES';
  const buys = strategy.rules.filter.side === 'BACK' ? outcome : complement;
  return { strategy, market: view.market, buys, paper: strategy.automationPaper };
}

/** What the model of a strategy says of a market, and of the other results of its game. */
export interface Estimates {
  readonly estimate: Estimate | null;
  readonly others: readonly SetMember[];
}

/** The estimates without a model: none. */
export const unestimated = ({ others }: Pick<MarketView, 'others'>): Estimates => ({
  estimate: null,
  others: others.map((other) => ({ ...other, estimate: null })),
});

/** Asks the model that the rules name; without one there is no estimate. @throws StorageUnavailable, or what the model throws */
export async function readEstimates(
  signals: SignalSource,
  { account, rules }: Pick<Strategy, 'account' | 'rules'>,
  { market, others }: MarketView,
): Promise<Estimates> {
  const { signal } = rules;
  if (signal === undefined) return unestimated({ others });
  const ask = async (asked: Market): Promise<Estimate | null> => {
    const { venue, id: marketId } = asked;
    return (await signals.find({ account, name: signal.name as SignalName, venue, marketId, market: asked })) ?? null;
  };
  const [estimate = null, ...rest] = await Promise.all([market, ...others.map((other) => other.market)].map(ask));
  return { estimate, others: others.map((other, index) => ({ ...other, estimate: rest[index] ?? null })) };
}

/** A bet that a strategy may make: what would be bought, with which money. */
export interface PossibleBet {
  readonly strategy: Strategy;
  readonly market: Market;
  /** What would be bought. */
  readonly buys: OutcomeSide;
  readonly paper: boolean;
}

/** The bets of a strategy that are on record, and how often the paper money of its account had begun anew by then. */
export type RecordedBets = Omit<BetsMade, 'rearmed'> & { readonly paperResets: number };

/** What a strategy holds and has bet, as far as it bounds one more bet. */
export interface BetBounds {
  readonly held: Shares;
  /** What the account holds, or may still buy, of the other outcome; absent where it may hold both. */
  readonly otherHeld?: Shares | undefined;
  readonly committed: Usdc;
  readonly freeCash: Usdc;
  /** What the server, the limits of the rules and those of the account leave for one more purchase. */
  readonly limitsLeft: readonly LimitLeft[];
  /** Whether conditions were false since the last bet is not on record. */
  readonly bets: RecordedBets;
}

/** The bounds of a strategy before the record is read: that is read only for what would bet within them. */
export function boundsWithoutRecord({ strategy, made }: Watcher): BetBounds {
  const { onOutcome, lastAt, paperResets } = made;
  return {
    held: NO_SHARES,
    committed: NO_USDC,
    limitsLeft: NO_LIMITS,
    freeCash: strategy.bankrollCap,
    bets: { onMarket: 0, onEvent: 0, today: 0, open: 0, onOutcome, lastAt, paperResets },
  };
}

const NO_LIMITS: BetBounds['limitsLeft'] = [];

/** What fixes the day that a bet counts for, and the cash of a paper account before its first order. */
type Setting = Pick<OrderContext, 'openingCash' | 'dayOf' | 'liveOrderCap'>;

/** The bets that bound one at this moment. */
function slotsKeyOf({ strategy, market }: Pick<PossibleBet, 'strategy' | 'market'>, day: string): SlotsKey {
  const { id: marketId, venue, event } = market;
  return { strategyId: strategy.id, venue, marketId, eventId: event?.id ?? null, day };
}

/** The approvals that bound a bet. */
function approvalsKeyOf({ strategy, market }: Pick<PossibleBet, 'strategy' | 'market'>): ApprovalsKey {
  return { strategyId: strategy.id, venue: market.venue, marketId: market.id };
}

/** What `betBoundsOf` reads, but for what the account may lose, which matters only where it has limits. */
export function betBoundsScope(bet: PossibleBet, at: Date, setting: Setting): Scope {
  const { strategy, market, buys, paper } = bet;
  const { account, id: strategyId } = strategy;
  const held = { account, paper, venue: market.venue, marketId: market.id, outcome: buys };
  const countsOpen = tradingRules(strategy).limits.maxOpen !== null;
  const mayWait = countsOpen || strategy.automation === 'approve';
  const kind = paper ? 'paper' : 'live';
  return {
    account,
    strategies: [strategyId],
    positions: [
      ...[null, strategyId].map((part) => ({ ...held, strategyId: part })),
      ...(isNetted(market) ? [otherSide(account, held)] : []),
    ],
    slots: slotsKeyOf(bet, dayIn(setting, at)),
    risks: boundsOf(strategy).eventLoss === null ? [] : [{ paper, strategyId }],
    holdings: countsOpen ? kind : undefined,
    approvals: mayWait ? approvalsKeyOf(bet) : undefined,
  };
}

/** Whether a state of trading lets nothing be ordered. The scope has to name the service. */
export function isHalted({ paper, strategy, market }: PossibleBet, now: Snapshot, wall: Date): boolean {
  return stateFor({ paper, strategyId: strategy.id, sport: market.sport }, now, wall)?.state === 'halted';
}

/** What is on record of it. */
export function betBoundsOf(now: Snapshot, bet: PossibleBet, at: Date, setting: Setting): BetBounds {
  const { strategy, market, buys, paper } = bet;
  const { account, id: strategyId } = strategy;
  const { venue, id: marketId } = market;
  const part = now.position({ account, paper, venue, marketId, outcome: buys, strategyId });
  const balance = now.balance(cashOf({ paper, venue }));
  const unopened = paper ? setting.openingCash : NO_USDC;
  return {
    held: part?.shares ?? NO_SHARES,
    otherHeld: isNetted(market)
      ? heldOf(now, otherSide(account, { paper, venue, marketId, outcome: buys }))
      : undefined,
    committed: now.exposure(strategyId, paper)?.committed ?? NO_USDC,
    limitsLeft: [...ofServer(bet, setting), ...leftOf(now, bet, dayIn(setting, at))],
    freeCash: balance === undefined ? unopened : freeCash(balance),
    bets: betsMade(now, bet, at, dayIn(setting, at)),
  };
}

/** What one order with real money may be worth, at whatever venue. */
function ofServer({ paper }: PossibleBet, { liveOrderCap }: Setting): readonly LimitLeft[] {
  return paper || liveOrderCap === null ? [] : [{ name: 'live_order_cap', left: liveOrderCap, isSize: true }];
}

/** What the limits of the strategy, and then those of its account, leave. */
function leftOf(now: Snapshot, { strategy, market, buys, paper }: PossibleBet, today: string): readonly LimitLeft[] {
  const { account, id: strategyId } = strategy;
  const group = riskGroupOf(market);
  const key = { account, paper, venue: market.venue, marketId: market.id, outcome: buys, strategyId };
  const exposure = now.exposure(strategyId, paper) ?? noExposure(strategy, paper);
  const ofStrategy = { bounds: boundsOf(strategy), exposure, risks: now.risks({ paper, strategyId }), group };
  const { limits } = now.account;
  if (limits === undefined) return eventLossLeft(key, ofStrategy);
  const [risks, balances] = [now.risks({ paper, strategyId: null }), now.balances(paper)];
  const ofAccount = limitsLeft({ ...key, strategyId: null }, { limits, risks, group, balances, today });
  return [...eventLossLeft(key, ofStrategy), ...ofAccount];
}

function betsMade(now: Snapshot, bet: PossibleBet, at: Date, today: string): BetBounds['bets'] {
  const { market, buys, strategy, paper } = bet;
  const isHere = ({ venue, marketId }: HeldSlot) => venue === market.venue && marketId === market.id;
  const isSame = (slot: HeldSlot) => isHere(slot) && slot.outcome === buys;
  const { paperResets = 0 } = now.account;
  // A paper reset frees the slots of the paper money before it.
  const used = now.slots().filter(({ reset }) => reset === REAL_MONEY || reset === paperResets);
  const same = used.filter(isSame);
  // What waits for approval on the same outcome is this very bet.
  const waiting = now.approvals().flatMap((one) => heldSlot(one, at) ?? []);
  const others = waiting.filter((slot) => !isSame(slot));
  const slots = [...used, ...others];
  const eventId = market.event?.id ?? null;
  return {
    onOutcome: same.length,
    lastSlot: Math.max(0, ...same.map(({ n }) => n)),
    onMarket: slots.filter(isHere).length,
    onEvent: eventId === null ? null : slots.filter((slot) => slot.eventId === eventId).length,
    today: slots.filter(({ day }) => day === today).length,
    open: openBets(
      now,
      strategy,
      paper,
      others.filter((one) => one.paper === paper),
    ),
    lastAt: lastOf(same),
    paperResets,
  };
}

function lastOf(slots: readonly Slot[]): Date | null {
  return slots.reduce<Date | null>((last, { at }) => (last === null || at > last ? at : last), null);
}

/** An outcome of a market. */
type Outcome = Pick<PositionKey, 'venue' | 'marketId' | 'outcome'>;

/**
 * How many bets of a strategy are open: the outcomes of which it holds shares, which an order of its may still buy, or for
 * which a bet waits for approval, each counted once. The scope has to name all holdings of this kind.
 */
export function openBets(now: Snapshot, strategy: Strategy, paper: boolean, waiting: readonly Outcome[]): number {
  const parts = now.positions(paper).filter(({ strategyId }) => strategyId === strategy.id);
  const open = parts.filter(({ shares, risk }) => shares > 0n || (risk?.working.bids.length ?? 0) > 0);
  return new Set([...open, ...waiting].map((one) => `${marketName(one)} ${one.outcome}`)).size;
}
