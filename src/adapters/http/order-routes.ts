import * as v from 'valibot';
import { checkUnrestrained } from '../../core/access/session-restraint.js';
import { StrategyNotFound } from '../../core/errors.js';
import type { MarketId, OrderId, StrategyId, VenueName } from '../../core/ids.js';
import type { OrderFilter } from '../../core/ledger/query.js';
import type { Order } from '../../core/order/order.js';
import { statusOf } from '../../core/order/order.js';
import type { CancelOrder } from '../../core/usecases/orders/cancel-order.js';
import type { PlaceOrder } from '../../core/usecases/orders/place-order.js';
import type { ReadOrders } from '../../core/usecases/orders/read-orders.js';
import { requireScope } from './guard.js';
import type { AnsweredOrder } from './metrics.js';
import { orderEventWithChangeOut, presentOrderEvent, presentWithChange } from './order-event-wire.js';
import { orderDraftOf, orderFilters, orderOut, placeOrderBody, presentOrder } from './order-wire.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { Problem } from './problem.js';
import { RESTRAINED, type Reply, type Route, type RouteCall, route } from './route.js';
import { booleanText, means } from './schema.js';

/** The use cases behind `/v1/exchange/orders`. */
export interface OrderUseCases {
  readonly placeOrder: PlaceOrder;
  readonly cancelOrder: CancelOrder;
  readonly readOrders: ReadOrders;
}

const LIST = '/v1/exchange/orders';
const ONE = '/v1/exchange/orders/{id}';
const answer = { answer: orderOut, answerName: 'Order' } as const;
const common = { tag: 'orders', status: 200 } as const;

/** Everything under `/v1/exchange/orders`. */
export function orderRoutes(use: OrderUseCases): Route[] {
  return [placement(use), ...reading(use), cancellation(use, 'POST'), cancellation(use, 'DELETE')];
}

function placement({ placeOrder }: OrderUseCases): Route {
  return route({
    ...answer,
    method: 'POST',
    path: LIST,
    operationId: 'placeOrder',
    tag: 'orders',
    status: 201,
    answerHeaders: ['location'],
    summary: 'Place an order',
    description:
      'A paper order unless `paper` is exactly `false`. An order that our limits refuse is recorded as `denied`, one that the venue refuses as `rejected`, both with `error`. `paper: true` needs the scope `orders:paper`, `paper: false` the scope `orders:live`.',
    scopes: ['orders:paper', 'orders:live'],
    body: placeOrderBody,
    problems: ['market-not-found', 'strategy-not-found', 'live-trading-not-enabled', 'paper-elsewhere', ...RESTRAINED],
    async handle({ principal, body, idempotencyKey }) {
      requireScope(principal, body.paper ? 'orders:paper' : 'orders:live');
      if (!body.paper) checkUnrestrained(principal.restraint);
      const draft = orderDraftOf(principal.account, body);
      const mayTradeLive = principal.kind !== 'dev';
      const placed = await placeOrder.execute({ draft, mayTradeLive, idempotencyKey }).catch(unknownStrategy);
      const { record, replayed } = placed;
      const headers = { location: `${LIST}/${record.id}` };
      return { status: 201, body: presentOrder(record), headers, replayed, order: named(record) };
    },
  });
}

function reading({ readOrders }: OrderUseCases): Route[] {
  const scopes = ['orders:read'] as const;
  return [
    route({
      ...common,
      method: 'GET',
      path: LIST,
      operationId: 'listOrders',
      scopes,
      summary: 'List orders, newest first unless `order` is `oldest`',
      description: 'With `placed_after` or `placed_before` in the order of `placed_at`, otherwise of their ids.',
      query: listQuery(orderFilters, 'id'),
      answer: listOut(orderOut),
      answerName: 'OrderList',
      problems: ['market-not-found', 'market-data-unavailable'],
      async handle({ principal, query }) {
        const page = await readOrders.many(
          principal.account,
          filterOf(query),
          pageFrom(query, (key) => key as OrderId),
        );
        return { status: 200, body: presentPage(page, presentOrder) };
      },
    }),
    route({
      ...common,
      ...answer,
      method: 'GET',
      path: ONE,
      uuid: true,
      operationId: 'getOrder',
      scopes,
      summary: 'Read an order',
      description: 'As it is now, with what it filled, what it paid in fees, and why it was refused if it was.',
      problems: ['not-found'],
      handle: async ({ principal, id }) => reply(presentOrder(await readOrders.one(principal.account, id as OrderId))),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${ONE}/events`,
      uuid: true,
      operationId: 'listOrderEvents',
      scopes,
      summary: "List an order's events, in the order in which they happened",
      description: 'Each event is chained to the one before by its hash; applied in turn, they give the order.',
      query: listQuery({ changes: v.optional(means(booleanText, 'True: each event also has its `change`.')) }, 'place'),
      answer: listOut(orderEventWithChangeOut),
      answerName: 'OrderEventList',
      problems: ['not-found'],
      async handle({ principal, id, query }) {
        const page = await readOrders.events(principal.account, id as OrderId, pageFrom(query, Number));
        return { status: 200, body: presentPage(page, query.changes ? presentWithChange : presentOrderEvent) };
      },
    }),
  ];
}

function cancellation({ cancelOrder }: OrderUseCases, method: 'POST' | 'DELETE'): Route {
  const post = method === 'POST';
  return route({
    ...common,
    ...answer,
    method,
    path: post ? `${ONE}/cancel` : ONE,
    uuid: true,
    operationId: post ? 'cancelOrder' : 'deleteOrder',
    summary: 'Cancel the rest of an order',
    description: 'The answer is the order at that moment: `cancelled`, or unchanged while the venue has not answered.',
    scopes: ['orders:cancel'],
    problems: ['not-found', 'order-not-cancellable', 'paper-elsewhere'],
    async handle({ principal, id, idempotencyKey }: RouteCall<unknown, unknown>) {
      const { record, replayed } = await cancelOrder.execute({
        account: principal.account,
        orderId: id as OrderId,
        idempotencyKey,
      });
      return { ...reply(presentOrder(record)), replayed, order: named(record) };
    },
  });
}

const named = (order: Order): AnsweredOrder => ({
  id: order.id,
  status: statusOf(order),
  code: order.refusal?.code ?? null,
  venueOrderId: order.venueOrderId,
});

/** In the body of an order, an unknown strategy is a wrong reference; in a path, it would be a wrong address. */
function unknownStrategy(error: unknown): never {
  if (error instanceof StrategyNotFound) throw new Problem('strategy-not-found', error.message);
  throw error;
}

/** What lists of orders and of bets are filtered by alike. */
export interface TradeQuery {
  readonly market_id?: MarketId | undefined;
  readonly venue?: VenueName | undefined;
  readonly strategy_id?: string | undefined;
  readonly paper?: boolean | undefined;
  readonly placed_after?: Date | undefined;
  readonly placed_before?: Date | undefined;
}

/** The same in the words of the core; an absent member does not restrict. */
export function tradeFilterOf(query: TradeQuery): Omit<OrderFilter, 'status' | 'oldestFirst'> {
  const { market_id, venue, strategy_id, paper, placed_after, placed_before } = query;
  return {
    ...(market_id !== undefined && { marketId: market_id }),
    ...(venue !== undefined && { venue }),
    ...(strategy_id !== undefined && { strategyId: strategy_id as StrategyId }),
    ...(paper !== undefined && { paper }),
    ...(placed_after !== undefined && { placedAfter: placed_after }),
    ...(placed_before !== undefined && { placedBefore: placed_before }),
  };
}

interface OrderQuery extends TradeQuery {
  readonly status?: OrderFilter['status'] | undefined;
  readonly order?: 'newest' | 'oldest' | undefined;
}

const filterOf = ({ status, order, ...query }: OrderQuery): OrderFilter => ({
  ...(status !== undefined && { status }),
  ...(order === 'oldest' && { oldestFirst: true }),
  ...tradeFilterOf(query),
});

const reply = (body: object): Reply => ({ status: 200, body });
