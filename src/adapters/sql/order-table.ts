import type { AccountId, MarketId, OrderId, StrategyId } from '../../core/ids.js';
import type { FeeSchedule } from '../../core/market/fee.js';
import type { OutcomeSide } from '../../core/market/market.js';
import type { Side } from '../../core/market/side.js';
import type { Price, Shares, Usdc } from '../../core/money.js';
import { decodeChange, encodeChange, type OrderEvent } from '../../core/order/event.js';
import type { Envelope, Intent, StrategyRef, TimeInForce } from '../../core/order/intent.js';
import { type OrderState, statusOf } from '../../core/order/lifecycle.js';
import type { Order, Refusal, Settlement } from '../../core/order/order.js';
import { amount, type Cell, flag, list, moment, optional, stamp, text, whole } from './cells.js';
import { decodeFill, FILLS } from './fill-table.js';
import type { Table } from './tables.js';

const INTENT = {
  market_id: 'text',
  market_slug: 'text',
  condition_id: 'text',
  question: 'text',
  outcome_label: 'text',
  token: 'text',
  side: 'text',
  price: 'integer',
  size: 'integer',
  shares: 'integer',
  time_in_force: 'text',
  expires_at: 'text',
  post_only: 'boolean',
  paper: 'boolean',
  strategy_id: 'text',
  strategy_version: 'integer',
  fee_schedule: 'text',
  envelope: 'text',
  send_by: 'text',
  envelope_spends: 'integer',
  arrives_at: 'text',
} as const;

const PROGRESS = {
  state: 'text',
  status: 'text',
  venue_order_id: 'text',
  filled_shares: 'integer',
  confirmed_shares: 'integer',
  filled_notional: 'integer',
  fees: 'integer',
  returned: 'integer',
  settled_at: 'text',
  refusal_code: 'text',
  refusal_message: 'text',
  updated_at: 'text',
  seq: 'integer',
  event_hash: 'text',
} as const;

/** Orders as they are now, each read with its fills. What was asked for never changes; `status` is there to filter by. */
export const ORDERS: Table<Order> = {
  name: 'orders',
  columns: { account: 'text', id: 'text', placed_at: 'text', ...INTENT, ...PROGRESS },
  key: ['account', 'id'],
  replaced: Object.keys(PROGRESS),
  parts: (dialect) => {
    const fill = dialect.array(Object.keys(FILLS.columns).map((name) => `fills.${name}`));
    const own = 'fills.account = orders.account and fills.order_id = orders.id';
    return dialect.nested(`select ${dialect.gathered(fill)} from fills where ${own}`);
  },
  encode: (order) => [
    order.account,
    order.id,
    stamp(order.placedAt),
    ...encodeIntent(order.intent),
    ...encodeProgress(order),
  ],
  decode: (cells) => {
    const [account, id, placedAt, ...rest] = cells;
    return {
      id: text(id) as OrderId,
      account: text(account) as AccountId,
      intent: decodeIntent(rest),
      ...decodeProgress(rest.slice(INTENT_SIZE)),
      placedAt: moment(placedAt),
    };
  },
};

const INTENT_SIZE = Object.keys(INTENT).length;

function encodeIntent(intent: Intent): readonly Cell[] {
  const { marketId, marketSlug, conditionId, question, outcomeLabel, token, side } = intent;
  const { price, size, shares, timeInForce, expiresAt, postOnly, paper, strategy } = intent;
  return [
    ...[marketId, marketSlug, conditionId, question, outcomeLabel, token, side],
    ...[Number(price), Number(size), Number(shares), timeInForce, stamp(expiresAt), postOnly, paper],
    ...[strategy?.id ?? null, strategy?.version ?? null, encodeFee(intent.feeSchedule)],
    ...encodeEnvelope(intent),
    stamp(intent.arrivesAt),
  ];
}

/** Of an order without an envelope the dollars are its own. */
function encodeEnvelope({ envelope, spends }: Intent): readonly Cell[] {
  const dollars = envelope === null ? spends : envelope.spends;
  return [envelope?.content ?? null, stamp(envelope?.sendBy ?? null), dollars === null ? null : Number(dollars)];
}

function decodeEnvelope([content, sendBy, spends]: readonly Cell[]): Envelope | null {
  if (content === null) return null;
  return {
    content: text(content),
    sendBy: moment(sendBy),
    spends: decodeDollars(spends),
  };
}

const decodeDollars = (cell: Cell | undefined): Usdc | null => optional(cell, (dollars) => amount(dollars) as Usdc);

function decodeIntent(cells: readonly Cell[]): Intent {
  const [marketId, marketSlug, conditionId, question, outcomeLabel, token, side, ...terms] = cells;
  const [price, size, shares, timeInForce, expiresAt, postOnly, paper, strategyId, version, fee, ...late] = terms;
  return {
    marketId: text(marketId) as MarketId,
    marketSlug: optional(marketSlug, text),
    conditionId: optional(conditionId, text),
    question: optional(question, text),
    outcomeLabel: optional(outcomeLabel, text),
    token: text(token) as OutcomeSide,
    side: text(side) as Side,
    price: amount(price) as Price,
    size: amount(size) as Usdc,
    shares: amount(shares) as Shares,
    timeInForce: text(timeInForce) as TimeInForce,
    expiresAt: optional(expiresAt, moment),
    postOnly: flag(postOnly),
    feeSchedule: optional(fee, decodeFee),
    paper: flag(paper),
    strategy: optional<StrategyRef>(strategyId, (id) => ({ id: text(id) as StrategyId, version: whole(version) })),
    envelope: decodeEnvelope(late),
    spends: late[0] === null ? decodeDollars(late[2]) : null,
    arrivesAt: optional(late[3], moment),
  };
}

/** Canonical JSON; the rate is a string of digits, as all amounts in documents. */
function encodeFee(schedule: FeeSchedule | null): string | null {
  if (schedule === null) return null;
  const { rate, exponent, takerOnly, asOf } = schedule;
  return JSON.stringify({ rate: rate.toString(), exponent, takerOnly, asOf: stamp(asOf) });
}

function decodeFee(cell: Cell | undefined): FeeSchedule {
  const { rate, exponent, takerOnly, asOf } = JSON.parse(text(cell)) as Record<string, Cell>;
  return { rate: BigInt(text(rate)), exponent: whole(exponent), takerOnly: flag(takerOnly), asOf: moment(asOf) };
}

function encodeProgress(order: Order): readonly Cell[] {
  const { state, venueOrderId, filled, settlement, refusal, updatedAt, seq, eventHash } = order;
  return [
    ...[state, statusOf(order), venueOrderId],
    ...[Number(filled.shares), Number(filled.confirmed), Number(filled.notional), Number(filled.fees)],
    settlement === null ? null : Number(settlement.returned),
    ...[stamp(settlement?.at ?? null), refusal?.code ?? null, refusal?.message ?? null],
    ...[stamp(updatedAt), seq, eventHash],
  ];
}

function decodeProgress(cells: readonly Cell[]): Omit<Order, 'id' | 'account' | 'intent' | 'placedAt'> {
  const [state, , venueOrderId, shares, confirmed, notional, fees, returned, settledAt, ...rest] = cells;
  const [code, message, updatedAt, seq, eventHash, fills] = rest;
  return {
    state: text(state) as OrderState,
    venueOrderId: optional(venueOrderId, text),
    fills: list(fills)
      .map(decodeFill)
      .sort((a, b) => a.n - b.n)
      .map(({ fill }) => fill),
    filled: {
      shares: amount(shares) as Shares,
      confirmed: amount(confirmed) as Shares,
      notional: amount(notional) as Usdc,
      fees: amount(fees) as Usdc,
    },
    settlement: optional<Settlement>(settledAt, (at) => ({ returned: amount(returned) as Usdc, at: moment(at) })),
    refusal: optional<Refusal>(code, (known) => ({ code: text(known), message: text(message) })),
    updatedAt: moment(updatedAt),
    seq: whole(seq),
    eventHash: text(eventHash),
  };
}

/** The history of orders. A second event with the same number is refused: that is what catches a lost update. */
export const EVENTS: Table<OrderEvent> = {
  name: 'order_events',
  columns: { account: 'text', order_id: 'text', seq: 'integer', at: 'text', change: 'text', hash: 'text' },
  key: ['account', 'order_id', 'seq'],
  replaced: 'never',
  encode: ({ account, orderId, seq, at, change, hash }) => [
    account,
    orderId,
    seq,
    stamp(at),
    encodeChange(change),
    hash,
  ],
  decode: ([account, orderId, seq, at, change, hash]) => ({
    account: text(account) as AccountId,
    orderId: text(orderId) as OrderId,
    seq: whole(seq),
    at: moment(at),
    change: decodeChange(text(change)),
    hash: text(hash),
  }),
};
