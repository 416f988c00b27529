import { sha256 } from '../../src/adapters/system/system.js';
import type { AccountId, MarketId, OrderId, StrategyId } from '../../src/core/ids.js';
import { CENTI_SHARE, type Market, type MarketRef, NO_VENUE, unlistedMarket } from '../../src/core/market/market.js';
import { price, type Shares, shares, type Usdc, usdc } from '../../src/core/money.js';
import { applyEvent } from '../../src/core/order/apply.js';
import type { LooseTerms } from '../../src/core/order/draft.js';
import { intentOf, type OrderDraft } from '../../src/core/order/draft.js';
import type { OrderChange, OrderEvent } from '../../src/core/order/event.js';
import { chainText } from '../../src/core/order/event.js';
import type { Envelope, Execution, Order } from '../../src/core/order/order.js';
import type { OrderContext } from '../../src/core/posting/trading-stop.js';
import { createStrategy, type Strategy, type StrategyDraft } from '../../src/core/strategy/strategy.js';
import type { Clock, Ids } from '../../src/ports/system.js';

export { price, shares, usdc };

export const ALICE = 'alice' as AccountId;
export const BOB = 'bob' as AccountId;
export const MARKET = 'will-it-rain' as MarketId;
export const WHERE: MarketRef = { venue: NO_VENUE, marketId: MARKET };
export const LIVE_CASH = { paper: false, venue: NO_VENUE } as const;
export const NOON = '2026-03-01T12:00:00.000Z';

/** A clock that stands still until a test advances it. */
export interface FixedClock extends Clock {
  tick(ms: number): void;
}

export function clockAt(iso: string): FixedClock {
  let at = Date.parse(iso);
  return {
    now: () => new Date(at),
    tick: (ms) => {
      at += ms;
    },
  };
}

let made = 0;

/** Ids in the form of UUIDv7, rising over the whole process, so that no two stages ever give the same one. */
export const countingIds: Ids = {
  next: () => {
    made += 1;
    return `019573a0-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
  },
};

export const newOrderId = (): OrderId => countingIds.next() as OrderId;
export const newStrategyId = (): StrategyId => countingIds.next() as StrategyId;

/** A stage at noon that opens paper accounts with 1000 USDC. By default it has one clock. */
export function anOrderContext(changes: Partial<OrderContext> = {}): OrderContext {
  const { clock = clockAt(NOON) } = changes;
  return {
    clock,
    wallClock: clock,
    ids: countingIds,
    digest: sha256,
    stopwatch: () => 0,
    openingCash: usdc('1000'),
    liveOrderCap: null,
    venues: { isLocal: ({ paper }) => paper },
    ...changes,
  };
}

export function aDraft(changes: Partial<StrategyDraft> = {}): StrategyDraft {
  return {
    name: 'Home favourites',
    sport: 'soccer',
    rules: { match: {}, filter: {}, sizing: { method: 'flat', value: usdc('10') } },
    bankrollCap: usdc('100'),
    stakeCap: usdc('50'),
    ...changes,
  };
}

export function aStrategy(changes: Partial<Strategy> = {}): Strategy {
  return { ...createStrategy(newStrategyId(), ALICE, aDraft(), new Date(NOON)), ...changes };
}

/** The order request of a test, valid or not. */
export type DraftChanges = Partial<Omit<OrderDraft, keyof LooseTerms> & LooseTerms>;

/** By default a paper purchase of 20 shares at 0.5 for 10 USDC. */
export function anOrderDraft(changes: DraftChanges = {}): OrderDraft {
  const draft = {
    account: ALICE,
    venue: null,
    marketId: MARKET,
    outcome: 'YES',
    side: 'BUY',
    price: price('0.5'),
    size: usdc('10'),
    timeInForce: 'GTC',
    expiresAt: null,
    postOnly: false,
    paper: true,
    strategyId: null,
    ...changes,
  };
  return draft as OrderDraft;
}

export function aMarket(changes: Partial<Market> = {}): Market {
  return { ...unlistedMarket(MARKET), ...changes };
}

let trades = 0;

/** An execution of 20 shares at 0.5 without a fee, provisional, under a trade id of its own. */
export function anExecution(changes: Partial<Execution> = {}): Execution {
  trades += 1;
  const tradeId = `trade-${trades}`;
  const money = { shares: shares('20'), price: price('0.5'), fee: 0n as Usdc };
  return { tradeId, ...money, liquidity: 'TAKER', confirmed: false, model: null, ...changes };
}

/** An order's history in the making: every `add` seals the next event and applies it. */
export class History {
  readonly events: OrderEvent[] = [];
  #order: Order | undefined;

  constructor(
    draft: OrderDraft = anOrderDraft(),
    strategy: Strategy | null = null,
    private readonly clock: Clock = clockAt(NOON),
    private readonly id = newOrderId(),
    envelope: Envelope | null = null,
  ) {
    this.account = draft.account;
    const market = aMarket({ id: draft.marketId, ...(draft.venue !== null && { venue: draft.venue }) });
    this.add({ type: 'requested', intent: intentOf(draft, market, strategy, { envelope }) });
  }

  private readonly account: AccountId;

  get order(): Order {
    if (this.#order === undefined) throw new Error('a history starts with its request');
    return this.#order;
  }

  add(...changes: OrderChange[]): this {
    for (const change of changes) {
      const seq = this.events.length + 1;
      const event = { orderId: this.id, account: this.account, seq, at: this.clock.now(), change };
      const hash = sha256(chainText(this.events.at(-1)?.hash ?? '', event));
      this.#order = applyEvent(this.#order, { ...event, hash });
      this.events.push({ ...event, hash });
    }
    return this;
  }
}

/** The last share of a lot: how far apart two share counts can be. */
export const ONE_LOT: Shares = CENTI_SHARE;
