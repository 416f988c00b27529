import type { Exchange } from '../../../ports/exchange.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { DomainError } from '../../domain-error.js';
import { ExchangeUnavailable, LiveTradingNotEnabled, StrategyNotFound } from '../../errors.js';
import type { AccountId, DecisionId, OrderId, StrategyId, VenueName } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import { checkLease, leaseOf } from '../../ledger/decision.js';
import { jobOf } from '../../ledger/job.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import type { RequestKey } from '../../ledger/request.js';
import type { EquityMark } from '../../limits/counted.js';
import { dayIn } from '../../limits/counted.js';
import { isLimited } from '../../limits/limits.js';
import { NO_GROUP, type RiskGroup, riskGroupOf } from '../../limits/risk.js';
import type { BookView } from '../../market/book.js';
import { isNetted, type Market, marketName, refOf } from '../../market/market.js';
import { intentToSend, type OrderDraft } from '../../order/draft.js';
import type { BoughtFor, KnownPrices } from '../../order/market-at-order.js';
import type { Order } from '../../order/order.js';
import {
  type Again,
  type Beside,
  type Checked,
  checkLive,
  checkOrder,
  gainOf,
  isAgain,
  type Lacking,
  lackingFor,
  type OrderFacts,
} from '../../posting/order-checks.js';
import { recordStatusReport } from '../../posting/outcome.js';
import { Posting } from '../../posting/posting.js';
import { boundsOf } from '../../posting/strategy-limits.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import { isHeld, type MarketSet, otherSide, stateFor, stateOf } from '../../posting/trading-stop.js';
import { isCountedByDay, type Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import { MarkEquity, type MarkedHolder } from '../limits/mark-equity.js';
import { marketGroup } from '../limits/read-limits.js';

/** What is fixed before the write of an order. */
export interface PlacementTerms {
  /** The lease of the exchange, as `OrderPlacement.lease` gave it before the write. */
  readonly lease: LeaseInHand;
  /** What it is compared with beside what is on record, as `recording` gave it. */
  readonly beside: Beside;
}

/** An order to be placed in a write. */
export interface PlacementRequest extends PlacementTerms {
  readonly draft: OrderDraft;
  readonly market: Market;
  /** Whether the credential may move real money. */
  readonly mayTradeLive: boolean;
  /** What decided on it; absent where a client did. */
  readonly decisionId?: DecisionId | undefined;
  /** By what; absent where a client did. */
  readonly bought?: BoughtFor | undefined;
}

/** For whom an order is placed, what it trades, and with which money: all that has to be known of it before it is decided. */
export type PlacedFor = Pick<OrderDraft, 'account' | 'outcome' | 'paper' | 'strategyId'>;

/** An order that was begun: nothing of it is reserved, and nothing is on record. */
interface BegunOrder {
  readonly posting: Posting;
  readonly exchange: Exchange | null;
  readonly facts: OrderFacts;
}

/** The only way for an order onto the record, whichever client places it: checked against every limit, its money reserved. */
export class OrderPlacement {
  readonly #reads: ReadForOrder;

  constructor(
    private readonly venues: Venues,
    private readonly context: PlacementPorts,
  ) {
    this.#reads = new ReadForOrder(venues, context);
  }

  /** The lease under which the order's exchange acts now. */
  lease(venue: VenueName, paper: boolean): LeaseInHand {
    return leaseOf(this.venues.exchangeOf({ venue, paper }));
  }

  /** What `decide` reads. */
  scope(
    { account, outcome, paper, strategyId }: PlacedFor,
    { venue, id: marketId }: Pick<Market, 'venue' | 'id'>,
    { lease, beside }: PlacementTerms,
    request?: RequestKey,
  ): Scope {
    const whole = { account, paper, venue, marketId, outcome, strategyId: null };
    const positions = [otherSide(account, whole), whole];
    if (strategyId !== null) positions.push({ account, paper, venue, marketId, outcome, strategyId });
    const kind = paper ? 'paper' : 'live';
    return {
      account,
      service: true,
      lease: lease?.name,
      holdings: beside.groups === undefined ? undefined : kind,
      second: comparedWith(paper, strategyId),
      strategies: strategyId === null ? [] : [strategyId],
      positions,
      request,
    };
  }

  /**
   * Runs a write that records an order. One that lacks something has decided nothing: it is run again with what it lacks, at most twice.
   * `market` is null where only an earlier request may be answered.
   */
  recording<T>(by: PlacedFor, market: Market | null, write: (beside: Beside) => Promise<T | Again>): Promise<T> {
    return this.#reads.run(by, market, write);
  }

  /** Fetches what an exchange in this process needs to decide the order. Never throws. */
  async prepare(market: Market, paper: boolean): Promise<void> {
    await this.venues.exchangeOf({ venue: market.venue, paper })?.local?.prepare(market);
  }

  /**
   * Records the order: denied where a check refuses it, else with its money reserved, and with the answer of an exchange in
   * this process that decides at once.
   * @throws StrategyNotFound, LiveTradingNotEnabled, ExchangeUnavailable, PaperElsewhere
   */
  decide(now: Snapshot, request: PlacementRequest): Decision<Order> | Again {
    const begun = this.#begin(now, request);
    if (isAgain(begun)) return begun;
    const { posting, exchange, facts } = begun;
    const checked = checkOrder(facts);
    if (isAgain(checked)) return checked;
    const { refusal, changes } = checked;
    if (refusal === null) bookOrder(posting, exchange, facts);
    else posting.deny(refusal);
    const jobs = posting.isLocal || refusal !== null ? [] : [jobOf(request.draft.account, posting.order.id)];
    const decided = posting.decision(posting.order);
    const { accounts = [], positions = decided.positions ?? [] } = changes;
    return { ...decided, jobs, accounts, positions };
  }

  /**
   * The code of what would keep `decide` from handing the order to its venue; null where nothing would. It decides nothing.
   * @throws StrategyNotFound
   */
  obstacle(now: Snapshot, request: PlacementRequest): string | null | Again {
    const checked = this.#checked(now, request);
    return typeof checked === 'string' || isAgain(checked) ? checked : (checked.refusal?.code ?? null);
  }

  #checked(now: Snapshot, request: PlacementRequest): Checked | string {
    try {
      const begun = this.#begin(now, request);
      return isAgain(begun) ? begun : checkOrder(begun.facts);
    } catch (error) {
      if (error instanceof LiveTradingNotEnabled || error instanceof ExchangeUnavailable) return error.code;
      throw error;
    }
  }

  /** Begins the order, and gathers all that it is checked against. @throws as `decide` */
  #begin(now: Snapshot, request: PlacementRequest): BegunOrder | Again {
    const { draft, market, lease, mayTradeLive, beside, decisionId } = request;
    const { outcome } = draft;
    checkLease(now, lease);
    const { paper, strategyId, account: owner } = draft;
    const wall = this.context.wallClock.now();
    const state = stateFor({ paper, strategyId, sport: market.sport }, now, wall);
    const exchange = this.venues.exchangeOf({ venue: market.venue, paper });
    if (!paper) checkLive(now.account, { isOn: exchange !== null, mayTradeLive, state });
    const strategy = strategyOf(now, draft);
    const lacking = lackingFor(now, strategy, draft.side, beside);
    if (lacking !== null) return lacking;
    const closedForMs = exchange?.closedForMs() ?? null;
    if (closedForMs !== null) throw new ExchangeUnavailable(closedForMs);
    const at = this.context.clock.now();
    const ofAccount = draft.side === 'BUY' && now.account.limits !== undefined;
    const ofDay = ofAccount || (strategy !== null && isCountedByDay(draft.side));
    const of = refOf(market);
    const byHand = (): BoughtFor => ({
      side: 'BACK',
      probability: null,
      quoted: exchange?.local?.quoted?.(of, outcome) ?? this.context.followed?.quoted(of, outcome) ?? null,
    });
    const bought = request.bought ?? byHand();
    const sent = { at, decisionId, bought, day: ofDay ? dayIn(this.context, at) : undefined };
    const { intent, inexpressible } = intentToSend(draft, market, strategy, exchange, sent);
    const posting = Posting.begin(now, this.context, this.context.ids.next() as OrderId, owner, intent, at);
    const facts: OrderFacts = {
      now,
      order: posting.order,
      market,
      strategy,
      isByClient: request.bought === undefined && decisionId === undefined,
      books: posting.books,
      state,
      inexpressible,
      beside,
      at,
      wall,
      context: this.context,
    };
    return { posting, exchange, facts };
  }
}

/** The placement of a program, or one for this use case alone. */
export const placementOf = (
  ledger: PlacementPorts['ledger'],
  venues: Venues,
  context: Omit<PlacementPorts, 'ledger'>,
): OrderPlacement => context.placement ?? new OrderPlacement(venues, { ...context, ledger });

function strategyOf(now: Snapshot, { strategyId, paper }: OrderDraft): Strategy | null {
  if (strategyId === null) return null;
  const strategy = now.strategy(strategyId);
  if (strategy === undefined || strategy.archivedAt !== null) throw new StrategyNotFound();
  if (!paper && strategy.paperOnly) throw new LiveTradingNotEnabled('the strategy is paper only.');
  return strategy;
}

/** Reserves the money, and counts the order; an exchange in this process decides at once. */
function bookOrder(posting: Posting, exchange: Exchange | null, facts: OrderFacts): void {
  const { books, order } = posting;
  books.belongsTo(riskGroupOf(facts.market), isNetted(facts.market));
  if (typeof facts.now.account.limits?.ordersPerMinute === 'number') books.countForMinute();
  posting.reserve(books.countForDay(order.intent.side, gainOf(facts)));
  const result = exchange?.local?.decide(posting.order) ?? null;
  if (result !== null) recordStatusReport(posting, result);
}

/** Reads the risk groups of the markets in which an account holds something, for orders that have to lower a worst case. */
export class ReadSet {
  constructor(
    private readonly ledger: Pick<Ledger, 'read'>,
    private readonly markets: Pick<MarketDirectory, 'find'>,
  ) {}

  /** Risk groups by the names of the markets; one that cannot be looked up is an event of its own. */
  async groups({ account, paper }: Pick<OrderDraft, 'account' | 'paper'>): Promise<ReadonlyMap<string, RiskGroup>> {
    const held = await this.ledger.read({ account, holdings: paper ? 'paper' : 'live' }, (now) =>
      now.positions(paper).filter(isHeld),
    );
    const groups = new Map<string, RiskGroup>();
    for (const { risk, venue, marketId } of held) {
      const name = marketName({ venue, marketId });
      if (groups.has(name)) continue;
      groups.set(name, risk?.group ?? (await marketGroup(this.markets, { venue, marketId }, account)) ?? NO_GROUP);
    }
    return groups;
  }

  /** For an order on record; null while nothing makes it lower a worst case, or its market is of no set. */
  async beside({ account, intent }: Order, at: Date): Promise<MarketSet | null> {
    const isReducing = (now: Snapshot) => stateOf(intent, now, at)?.state === 'reducing';
    if (!(await this.ledger.read({ account, service: true }, isReducing))) return null;
    const group = await marketGroup(this.markets, intent, account);
    if (group === null || group.exclusiveSet === null) return null;
    return { group, groups: await this.groups({ account, paper: intent.paper }) };
  }
}

/** What orders are placed with. */
export interface PlacementPorts extends OrderContext {
  readonly ledger: Pick<Ledger, 'read'>;
  /** Quotes what holdings could be sold for; by default the venues. */
  readonly quotes?: Pick<MarketDirectory, 'find' | 'book'>;
  /** What accounts are worth; by default marks of its own. */
  readonly marks?: MarkEquity;
  /** Has the prices of orders by hand, where their exchange has none; without it they have none either. */
  readonly followed?: KnownPrices;
  /** The placement of all use cases of one program; by default one of their own. */
  readonly placement?: OrderPlacement;
}

/** How often missing inputs are fetched for one write. */
const MOST_AGAIN = 2;

/** The records that an order's write reads for limits and states of trading, chosen by the current rows of its account and strategy. */
const comparedWith =
  (paper: boolean, strategyId: StrategyId | null): NonNullable<Scope['second']> =>
  ({ account: { limits }, strategy }) => {
    const placedBy = strategyId === null ? undefined : strategy(strategyId);
    const ofAccount = limits !== undefined && isLimited(limits);
    const ofPart = placedBy !== undefined && boundsOf(placedBy).eventLoss !== null;
    return {
      risks: [...(ofAccount ? [{ paper, strategyId: null }] : []), ...(ofPart ? [{ paper, strategyId }] : [])],
    };
  };

/** Fetches inputs from outside the store that the write of an order reported as missing. */
class ReadForOrder {
  readonly #marks: Pick<MarkEquity, 'recent' | 'forget' | 'young'>;
  readonly #set: ReadSet;

  constructor(
    private readonly venues: Pick<MarketDirectory, 'find' | 'book'>,
    { ledger, quotes = venues, clock, marks = new MarkEquity(ledger, quotes, clock) }: PlacementPorts,
  ) {
    this.#marks = marks;
    this.#set = new ReadSet(ledger, venues);
  }

  /** Runs a write until it lacks nothing. `market` is null where only an earlier request may be answered. */
  async run<T>(by: PlacedFor, market: Market | null, write: (beside: Beside) => Promise<T | Again>): Promise<T> {
    let beside: Beside = market === null ? { isLast: true } : await this.#young(by, market);
    for (let again = 1; ; again += 1) {
      const written = await write(beside);
      if (!isAgain(written) || market === null) return written as T;
      beside = { ...beside, isLast: again >= MOST_AGAIN, ...(await this.#bring(written.again, by, market, beside)) };
    }
  }

  /** Existing recent marks: most orders need none, and those that do need them again soon. */
  async #young(by: PlacedFor, market: Market): Promise<Beside> {
    const { account, paper, strategyId } = by;
    const [mark, partMark] = await Promise.all([
      this.#marks.young({ account, paper }, market),
      strategyId === null ? undefined : this.#marks.young(by, market),
    ]);
    return {
      isLast: false,
      ...(mark !== undefined && { mark }),
      ...(partMark !== undefined && { partMark }),
    };
  }

  async #bring(lacking: readonly Lacking[], by: PlacedFor, market: Market, before: Beside): Promise<Partial<Beside>> {
    const { account, paper } = by;
    const found: { -readonly [Name in Lacking]?: Beside[Name] } = {};
    if (lacking.includes('book')) found.book = await this.#book(market, account);
    if (lacking.includes('mark')) found.mark = await this.#mark({ account, paper }, market, before.mark);
    if (lacking.includes('partMark')) found.partMark = await this.#mark(by, market, before.partMark);
    if (lacking.includes('groups')) found.groups = await this.#set.groups(by);
    return found as Partial<Beside>;
  }

  /** A recent mark; a new one where the write already had a mark. */
  #mark(holder: MarkedHolder, market: Market, before: EquityMark | null | undefined): Promise<EquityMark | null> {
    if (before !== undefined) this.#marks.forget(holder);
    return this.#marks.recent(holder, market);
  }

  /** A source that does not answer has no book. */
  async #book(market: Market, account: AccountId): Promise<BookView | null> {
    try {
      return (await this.venues.book(market, { account, purpose: 'order' })) ?? null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
