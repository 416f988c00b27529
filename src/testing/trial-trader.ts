import { createHash } from 'node:crypto';
import type { AccountId, MarketId } from '../core/ids.js';
import { NO_VENUE, unlistedMarket } from '../core/market/market.js';
import { NO_USDC, price, usdc } from '../core/money.js';
import type { OrderDraft } from '../core/order/draft.js';
import type { Order } from '../core/order/order.js';
import { type UseCases, useCases } from '../core/usecases/compose.js';
import { Venues } from '../core/venues/venues.js';
import type { Exchange, PlaceResult } from '../ports/exchange.js';
import type { Ledger } from '../ports/ledger.js';
import type { MarketData } from '../ports/market-data.js';

/** The account that trades in a check. */
export const TRIER = 'trier' as AccountId;
/** The market in which it trades. */
export const TRIAL_MARKET = 'trial-market' as MarketId;
/** The moment at which all of it happens. */
export const TRIAL_MOMENT = new Date(Date.UTC(2026, 0, 1));

/** The use cases on a store under test, with 100 USDC for each account. */
export interface TrialTrader {
  readonly ledger: Ledger;
  readonly use: UseCases;
  /** By default 10 USDC at 0.5, filled in full at once; a post-only order rests. */
  place(changes?: Partial<OrderDraft>, idempotencyKey?: string | null): Promise<Order>;
}

/** Makes a trader whose orders never leave this process. */
export function trialTrader(ledger: Ledger): TrialTrader {
  const clock = { now: () => TRIAL_MOMENT };
  const use = useCases({
    ledger,
    clock,
    wallClock: clock,
    stopwatch: () => 0,
    ids: { next: nextId },
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    openingCash: usdc('100'),
    liveOrderCap: null,
    venues: new Venues(WHOLE_OR_REST, [{ marketData: NO_BOOKS, live: null, settlesInCash: false, redemption: null }]),
  });
  return {
    ledger,
    use,
    async place(changes = {}, idempotencyKey = null) {
      const draft = {
        account: TRIER,
        venue: null,
        marketId: TRIAL_MARKET,
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
      } as OrderDraft;
      return (await use.orders.place.execute({ draft, mayTradeLive: false, idempotencyKey })).record;
    },
  };
}

let made = 0;

/** The form of a UUIDv7 whose moment is 1. */
function nextId(): string {
  made += 1;
  return `00000000-0001-7000-8000-${made.toString(16).padStart(12, '0')}`;
}

const NO_BOOKS: MarketData = {
  venue: NO_VENUE,
  find: async (id) => unlistedMarket(id),
  search: async () => ({ items: [], next: null }),
  book: async () => undefined,
  follow: async () => ({ stop: () => {} }),
};

const WHOLE_OR_REST: Exchange = {
  venue: NO_VENUE,
  signing: null,
  closedForMs: () => null,
  local: { lease: () => undefined, arrival: () => null, prepare: async () => {}, decide: answer },
  place: async (order) => answer(order),
  cancel: async () => ({ kind: 'cancelled' }),
  find: async () => ({ kind: 'absent' }),
};

function answer({ id, intent }: Order): PlaceResult {
  const venueOrderId = `trial-${id}`;
  if (intent.postOnly) return { kind: 'accepted', venueOrderId, executions: [], failed: [], rest: 'open' };
  const { shares, price: at } = intent;
  const money = { shares, price: at, fee: NO_USDC, liquidity: 'TAKER', confirmed: true, model: null } as const;
  return {
    kind: 'accepted',
    venueOrderId,
    executions: [{ tradeId: `${venueOrderId}-1`, ...money }],
    failed: [],
    rest: 'none',
  };
}
