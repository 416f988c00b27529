/** What the venue answers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** An order as the venue keeps it. */
export interface KeptOrder {
  readonly orderId: string;
  readonly clientId: string;
  readonly ticker: string;
  readonly side: 'bid' | 'ask';
  /** In ten thousandths of a dollar, of the first outcome. */
  readonly price: bigint;
  /** In hundredths of a contract. */
  readonly initial: bigint;
  remaining: bigint;
  filled: bigint;
  status: 'resting' | 'canceled' | 'executed';
  readonly createdAt: number;
  /** What the rounding of balances has taken and not given back. */
  overpaid: bigint;
  /** In millionths. */
  fees: { taker: bigint; maker: bigint };
}

/** A fill as the venue keeps it. */
export interface KeptFill {
  readonly tradeId: string;
  readonly orderId: string;
  readonly ticker: string;
  readonly side: 'bid' | 'ask';
  readonly price: bigint;
  readonly count: bigint;
  readonly fee: bigint;
  readonly isTaker: boolean;
  readonly at: number;
}

/** In ten thousandths. */
export const DOLLAR = 10_000n;

/** The amount in a text with so many decimals at most; null where there is none. */
export function fixedIn(value: unknown, decimals: number): bigint | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** An amount as the venue writes it, with all of its decimals. */
export function text(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** As the stream tells an order: the same, by its newer name of the market. */
export const userOrder = (order: KeptOrder): Json => ({ ...orderRow(order), last_update_reason: '' });

/** As reads tell an order. */
export const orderRow = (order: KeptOrder): Json => ({
  order_id: order.orderId,
  client_order_id: order.clientId,
  user_id: 'u',
  ticker: order.ticker,
  book_side: order.side,
  outcome_side: order.side === 'bid' ? 'yes' : 'no',
  type: 'limit',
  status: order.status,
  yes_price_dollars: text(order.price, 4),
  no_price_dollars: text(DOLLAR - order.price, 4),
  initial_count_fp: text(order.initial, 2),
  fill_count_fp: text(order.filled, 2),
  remaining_count_fp: text(order.remaining, 2),
  taker_fees_dollars: text(order.fees.taker, 6),
  maker_fees_dollars: text(order.fees.maker, 6),
  exchange_index: 0,
  created_time: new Date(order.createdAt).toISOString(),
});

/** As reads tell a fill: without the identity of its order. */
export const fillRow = ({ tradeId, orderId, ticker, side, price, count, fee, isTaker, at }: KeptFill): Json => ({
  fill_id: tradeId,
  trade_id: tradeId,
  order_id: orderId,
  ticker,
  market_ticker: ticker,
  book_side: side,
  outcome_side: side === 'bid' ? 'yes' : 'no',
  count_fp: text(count, 2),
  yes_price_dollars: text(price, 4),
  no_price_dollars: text(DOLLAR - price, 4),
  is_taker: isTaker,
  fee_cost: text(fee, 6),
  exchange_index: 0,
  ts: Math.floor(at / 1000),
  created_time: new Date(at).toISOString(),
});

/** A refusal in the shape of most of them. */
export const refused = (status: number, code: string, details?: string): Answer => ({
  status,
  body: { error: { code, message: code.replaceAll('_', ' '), ...(details !== undefined && { details }) } },
});

/** A refusal of what cannot be read. */
export const flat = (code: string, message: string): Answer => ({ status: 400, body: { code, message, details: '' } });
