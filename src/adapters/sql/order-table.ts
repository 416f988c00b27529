import type { AccountId, OrderId, VenueName } from '../../core/ids.js';
import {
  decodeChange,
  decodeMarketAtOrder,
  decodeQuoted,
  encodeChange,
  encodeMarketAtOrder,
  encodeQuoted,
  type OrderEvent,
} from '../../core/order/event.js';
import type { Envelope, Filled, Intent, Order, Refusal, Settlement, StrategyRef } from '../../core/order/order.js';
import { statusOf } from '../../core/order/order.js';
import {
  as,
  type Cell,
  countedOrderColumn,
  document,
  either,
  flagColumn,
  group,
  listIn,
  microColumn,
  momentColumn,
  orAbsent,
  orNull,
  textColumn,
  unless,
  wholeColumn,
} from './columns.js';
import { FILLS_OF_ORDER } from './fill-table.js';
import { orderIn } from './order-row.js';
import { decodeFee, encodeFee } from './stored-fee.js';
import { table } from './table.js';

const INTENT = group<Intent>({
  marketId: textColumn(),
  marketSlug: orNull(textColumn()),
  conditionId: orNull(textColumn()),
  question: orNull(textColumn()),
  outcomeLabel: orNull(textColumn()),
  outcome: as('token', textColumn()),
  side: textColumn(),
  price: microColumn(),
  size: microColumn(),
  shares: microColumn(),
  timeInForce: textColumn(),
  expiresAt: orNull(momentColumn()),
  postOnly: flagColumn(),
  paper: flagColumn(),
  strategy: either<StrategyRef>({
    id: as('strategy_id', textColumn()),
    version: as('strategy_version', wholeColumn()),
  }),
  feeSchedule: orNull(document(encodeFee, decodeFee)),
  envelope: either<Envelope>({
    content: as('envelope', textColumn()),
    sendBy: momentColumn(),
    spends: as('envelope_spends', orNull(microColumn())),
    dust: as('envelope_dust', microColumn()),
  }),
  // For an order without an envelope the dollars are the order's own.
  spends: unless('envelope', as('envelope_spends', orNull(microColumn()))),
  arrivesAt: orNull(momentColumn()),
  venue: textColumn(),
  sport: orAbsent(textColumn()),
  decisionId: orAbsent(textColumn()),
  day: orAbsent(textColumn()),
  counted: as('bet', countedOrderColumn()),
  decidedOn: orAbsent(document(encodeMarketAtOrder, decodeMarketAtOrder)),
});

/** The members of an order that later events change. */
const PROGRESS = [
  'state',
  'status',
  'venue_order_id',
  'venue_reference',
  'filled_shares',
  'confirmed_shares',
  'filled_notional',
  'fees',
  'returned',
  'settled_at',
  'refusal_code',
  'refusal_message',
  'presumed',
  'at_arrival',
  'updated_at',
  'seq',
  'event_hash',
];

const decode = (cells: readonly Cell[]): Order => orderIn(cells, FILLS_OF_ORDER.decode(listIn(cells.at(-1))));

/** Orders as they are now, each read with its fills. The intent never changes; `status` exists for filtering. */
export const ORDERS = table<Order>(
  'orders',
  {
    id: textColumn(),
    account: textColumn(),
    intent: INTENT,
    state: textColumn(),
    venueOrderId: orNull(textColumn()),
    venueReference: orNull(textColumn()),
    fills: FILLS_OF_ORDER,
    filled: group<Filled>({
      shares: as('filled_shares', microColumn()),
      confirmed: as('confirmed_shares', microColumn()),
      notional: as('filled_notional', microColumn()),
      fees: microColumn(),
    }),
    settlement: either<Settlement>({ at: as('settled_at', momentColumn()), returned: microColumn() }),
    refusal: either<Refusal>({ code: as('refusal_code', textColumn()), message: as('refusal_message', textColumn()) }),
    presumed: flagColumn(),
    atArrival: orAbsent(document(encodeQuoted, decodeQuoted)),
    placedAt: momentColumn(),
    updatedAt: momentColumn(),
    seq: wholeColumn(),
    eventHash: textColumn(),
  },
  { key: ['account', 'id'], replaces: PROGRESS, also: { status: [textColumn(), statusOf] }, decode },
);

/** Our order behind an id of a venue. */
export interface VenueOrderRow {
  readonly venue: VenueName;
  readonly venueOrderId: string;
  readonly account: AccountId;
  readonly orderId: OrderId;
}

/** The venues' ids of orders with real money. An id belongs to one order for good: a second order with it is refused. */
export const VENUE_ORDERS = table<VenueOrderRow>(
  'venue_orders',
  { venue: textColumn(), venueOrderId: textColumn(), account: textColumn(), orderId: textColumn() },
  { key: ['venue', 'venue_order_id'], replaces: 'nothing' },
);

/** The history of orders. A second event with the same number is refused: this catches a lost update. */
export const EVENTS = table<OrderEvent>(
  'order_events',
  {
    account: textColumn(),
    orderId: textColumn(),
    seq: wholeColumn(),
    at: momentColumn(),
    change: document(encodeChange, decodeChange),
    hash: textColumn(),
  },
  { key: ['account', 'order_id', 'seq'], replaces: 'nothing' },
);
