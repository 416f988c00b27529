import { OrderInvalid } from '../core/errors.js';
import type { OrderId } from '../core/ids.js';
import type { Slice } from '../core/ledger/query.js';
import type { OutcomeSide, TimeInForce } from '../core/market/market.js';
import type { Side } from '../core/market/side.js';
import { isPrice, type Price, type Usdc } from '../core/money.js';
import type { OrderDraft } from '../core/order/draft.js';
import { orderDraft } from '../core/order/draft.js';
import type { OrderEvent } from '../core/order/event.js';
import type { OrderStatus } from '../core/order/lifecycle.js';
import type { Order } from '../core/order/order.js';
import type { UseCases } from '../core/usecases/compose.js';
import {
  ABOVE_ZERO,
  accountId,
  type Decimal,
  keyOf,
  marketId,
  micro,
  onlyMembers,
  orderId,
  type PageRequest,
  pageOf,
  type Refuse,
  strategyId,
  venueName,
} from './input.js';

/** An order as a program requests it. Absent members have the defaults of the HTTP interface: a BUY, GTC, on paper. */
export interface OrderRequest {
  readonly account: string;
  /** The id, the slug or the venue's number of the market. */
  readonly market: string;
  /** Where it trades; by default the default venue. */
  readonly venue?: string;
  /** YES is the market's first outcome, NO its second. */
  readonly outcome: OutcomeSide;
  readonly side?: Side;
  /** The limit in dollars a share, above 0 and below 1. */
  readonly price: Decimal;
  /** Dollars at the limit: what a BUY spends at most, without fees; what a SELL is to bring. */
  readonly usdc: Decimal;
  readonly timeInForce?: TimeInForce;
  /** When a GTD order ends; for GTD only. */
  readonly expiresAt?: Date | null;
  readonly postOnly?: boolean;
  /** False requests a live order, for an account that may trade live. */
  readonly paper?: boolean;
  /** The strategy whose caps and pause apply to it. */
  readonly strategy?: string | null;
  /** A key that makes a repeated request the same order, however often it is sent. */
  readonly idempotencyKey?: string | null;
}

/** Which orders to list; an absent member does not restrict. */
export interface OrderListRequest extends PageRequest<OrderId> {
  readonly status?: OrderStatus;
  readonly market?: string;
  /** Only orders at this venue. */
  readonly venue?: string;
  readonly strategy?: string;
  readonly paper?: boolean;
  readonly placedAfter?: Date;
  readonly placedBefore?: Date;
}

/** Places, cancels and reads orders. */
export interface Orders {
  /**
   * Places an order. An order that a limit or the venue refuses is on record as `denied` or `rejected`, with its `refusal`.
   * @throws OrderInvalid for what is not an order; MarketNotFound, StrategyNotFound, LiveTradingNotEnabled
   *
   * @example
   * ```ts
   * const order = await stakeport.orders.place({ account: 'me', market: 'rain', outcome: 'YES', price: '0.57', usdc: 20 });
   * ```
   */
  place(request: OrderRequest): Promise<Order>;
  /** Cancels what is left of it. @throws OrderNotFound, OrderNotCancellable */
  cancel(account: string, order: string): Promise<Order>;
  /** @throws OrderNotFound */
  get(account: string, order: string): Promise<Order>;
  /** Newest first. */
  list(account: string, request?: OrderListRequest): Promise<Slice<Order, OrderId>>;
  /** Everything that happened to it, in order; `after` is a sequence number. @throws OrderNotFound */
  events(account: string, order: string, page?: PageRequest<number>): Promise<Slice<OrderEvent, number>>;
}

/** Performs an action now, in its own time: that of the machine or of a tape. */
export type Perform = <Result>(action: () => Promise<Result>) => Promise<Result>;

const MEMBERS = [
  'account',
  'market',
  'outcome',
  'side',
  'price',
  'usdc',
  'timeInForce',
  'expiresAt',
  'postOnly',
  'paper',
  'strategy',
  'idempotencyKey',
  'venue',
];
const FILTERS = ['status', 'market', 'venue', 'strategy', 'paper', 'placedAfter', 'placedBefore'];
const PRICE = [isPrice, 'above 0 and below 1: it is the price of a share that pays 1'] as const;

/** The names in a request of the members of a draft. */
const CALLED: Readonly<Record<string, string>> = { marketId: 'market', size: 'usdc' };
const no: Refuse = (member, words) => new OrderInvalid(member, words);

/** The methods that act upon orders. */
export function ordersOf({ orders }: UseCases, perform: Perform): Orders {
  return {
    async place(request) {
      const command = { draft: draftOf(request), mayTradeLive: true, idempotencyKey: keyOf(request.idempotencyKey) };
      const placed = perform(() => orders.place.execute(command));
      return (await placed.catch(inItsWords)).record;
    },
    async cancel(account, order) {
      const command = { account: accountId(account), orderId: orderId(order), idempotencyKey: null };
      return (await perform(() => orders.cancel.execute(command))).record;
    },
    async get(account, order) {
      return orders.read.one(accountId(account), orderId(order));
    },
    async list(account, request = {}) {
      const page = pageOf(request, FILTERS);
      const { limit, after, market, venue, strategy, ...filter } = request;
      const named = {
        ...filter,
        ...(market !== undefined && { marketId: marketId(market) }),
        ...(venue !== undefined && { venue: venueName(venue) }),
        ...(strategy !== undefined && { strategyId: strategyId(strategy) }),
      };
      return orders.read.many(accountId(account), named, page);
    },
    async events(account, order, page = {}) {
      return orders.read.events(accountId(account), orderId(order), pageOf(page));
    },
  };
}

function draftOf(request: OrderRequest): OrderDraft {
  onlyMembers(request, MEMBERS, no);
  const { account, market, outcome, side = 'BUY', price, usdc, strategy = null, paper = true } = request;
  const { venue, timeInForce = 'GTC', expiresAt = null, postOnly = false } = request;
  return orderDraft({
    account: accountId(account),
    marketId: marketId(market),
    timeInForce,
    expiresAt,
    postOnly,
    outcome,
    side,
    paper,
    venue: venue === undefined ? null : venueName(venue),
    price: micro('price', price, PRICE, no) as Price,
    size: micro('usdc', usdc, ABOVE_ZERO, no) as Usdc,
    strategyId: strategy === null ? null : strategyId(strategy),
  });
}

/** A refusal names the member as the caller wrote it. */
function inItsWords(error: unknown): never {
  if (error instanceof OrderInvalid) throw new OrderInvalid(CALLED[error.member] ?? error.member, error.words);
  throw error;
}
