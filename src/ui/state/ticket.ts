import type { WireBook, WireMarket, WireOrder } from '../../adapters/http/answers.js';
import { FeeMeter, type FeeRounding, type FeeSchedule, feeReserve } from '../../core/market/fee.js';
import type { TimeInForce } from '../../core/market/market.js';
import {
  formatMicro,
  isPrice,
  notional,
  ONE,
  type Price,
  parseMicro,
  type Shares,
  sharesFor,
  type Usdc,
} from '../../core/money.js';

/** What the user typed into a ticket. */
export interface TicketInput {
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly sizeUsdc: string;
  /** GTC where it is absent. */
  readonly timeInForce?: TimeInForce;
  /** True: it must rest, and is refused where it would match at once. */
  readonly postOnly?: boolean;
}

/** What an order would come to. Amounts are in millionths. */
export interface TicketFigures {
  readonly shares: bigint;
  /** What it takes from the book as it is shown, within its limit. */
  readonly filledNow: bigint;
  /** The worst price of those shares; null where nothing fills at once. */
  readonly worstPrice: bigint | null;
  readonly feeNow: bigint;
  /** For a purchase the most that it may cost, fees included; for a sale the least that it brings if it fills. */
  readonly bound: bigint;
  /** Of a purchase, what a dollar of its cost pays if the outcome wins: decimal odds after fees. Null of a sale. */
  readonly odds: bigint | null;
  /** What becomes of what does not fill at once. */
  readonly rest: string;
}

/** The figures of a ticket, or what is wrong with it as a sentence. */
export function ticketFigures(input: TicketInput, market: WireMarket, book: WireBook | null): TicketFigures | string {
  const price = amountIn(input.price);
  const size = amountIn(input.sizeUsdc);
  if (price === null || !isPrice(price)) return 'The price lies between 0 and 1, such as 0.57.';
  if (size === null || size <= 0n) return 'The size is in dollars, such as 20.';
  const shares = sharesFor(size as Usdc, price, parseMicro(market.lot) as Shares);
  if (shares <= 0n) return 'The size buys less than the smallest part of a share.';
  const schedule = scheduleOf(market);
  const { filled, worst, fee } = walk(input.side, price, shares, book, schedule);
  const whole = notional(shares, price, input.side === 'BUY' ? 'ceil' : 'floor');
  const { postOnly = false } = input;
  const most = feeReserve(schedule, { side: 'BUY', postOnly, shares, price });
  const bound = input.side === 'BUY' ? whole + most : whole - most;
  return {
    shares,
    filledNow: filled,
    worstPrice: worst,
    feeNow: fee,
    bound,
    odds: input.side === 'BUY' && bound > 0n ? (shares * ONE) / bound : null,
    rest: restText(input, { shares, filled }),
  };
}

function restText(
  { timeInForce = 'GTC', postOnly = false }: TicketInput,
  { shares, filled }: { readonly shares: bigint; readonly filled: bigint },
): string {
  if (postOnly)
    return filled > 0n ? 'It would match at once, so the venue refuses it.' : 'All of it waits in the book.';
  if (filled === shares) return 'Nothing is left over.';
  if (timeInForce === 'FOK') return 'The book has too little: nothing of it is filled.';
  if (timeInForce === 'FAK') return 'What the book lacks is dropped.';
  return 'What the book lacks waits there.';
}

/** The size of the largest purchase at this price that costs no more than the cash, fees included; empty where there is none. */
export function mostAffordable(input: TicketInput, market: WireMarket, cash: string): string {
  const limit = parseMicro(cash);
  let size = limit - (limit % CENT);
  // Fees are a part of the size, so that a step or two is enough.
  for (let tries = 0; tries < 20 && size > 0n; tries += 1) {
    const figures = ticketFigures({ ...input, side: 'BUY', sizeUsdc: formatMicro(size) }, market, null);
    if (typeof figures === 'string') return '';
    if (figures.bound <= limit) return formatMicro(size);
    const next = (size * limit) / figures.bound;
    size = next - (next % CENT) - (next === size ? CENT : 0n);
  }
  return '';
}

const CENT = 10_000n;

/** What so many shares are worth at this price, up to the next millionth, so that no lot is lost; empty where either is no amount. */
export function sizeOfShares(shares: string, price: string): string {
  try {
    return formatMicro(notional(parseMicro(shares.trim()) as Shares, parseMicro(price.trim()) as Price, 'ceil'));
  } catch {
    return '';
  }
}

/** A working order, as far as the book shows it. */
export type RestingShares = Pick<WireOrder, 'token' | 'side' | 'price' | 'shares' | 'filled_shares'>;

/**
 * How many shares of own orders wait at each price of one side of the book of an outcome. An order for the other outcome waits at the
 * complement of its price, on the other side.
 */
export function ownShares(
  orders: readonly RestingShares[],
  token: string,
  side: 'BUY' | 'SELL',
): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { token: of, side: does, price, shares, filled_shares } of orders) {
    const isSame = of === token;
    if ((does === side) !== isSame) continue;
    const at = formatMicro(isSame ? parseMicro(price) : ONE - parseMicro(price));
    found.set(at, (found.get(at) ?? 0n) + parseMicro(shares) - parseMicro(filled_shares));
  }
  return found;
}

/** Whether the book now gives less at once than the figures that the user read before agreeing, which must then be read again. */
export const hasMovedPast = (read: TicketFigures, now: TicketFigures | string): boolean =>
  typeof now === 'string' || now.filledNow < read.filledNow;

function walk(side: 'BUY' | 'SELL', limit: Price, wanted: Shares, book: WireBook | null, schedule: FeeSchedule | null) {
  const meter = schedule === null ? null : new FeeMeter(schedule, side);
  const levels = book === null || !book.fresh ? [] : side === 'BUY' ? book.asks : book.bids;
  let left: bigint = wanted;
  let worst: bigint | null = null;
  let fee = 0n;
  for (const level of levels) {
    const price = parseMicro(level.price) as Price;
    if (left === 0n || (side === 'BUY' ? price > limit : price < limit)) break;
    const size = parseMicro(level.size);
    const taken = (size < left ? size : left) as Shares;
    fee += meter?.charge(taken, price) ?? 0n;
    left -= taken;
    worst = price;
  }
  return { filled: wanted - left, worst, fee };
}

function amountIn(text: string): bigint | null {
  try {
    return parseMicro(text.trim());
  } catch {
    return null;
  }
}

function scheduleOf({ terms }: WireMarket): FeeSchedule | null {
  const fee = terms?.fee;
  if (fee === null || fee === undefined) return null;
  const { rate, exponent, taker_only: takerOnly, as_of: asOf, maker_rate: makerRate, rounding } = fee;
  const rates = { rate: parseMicro(rate), makerRate: parseMicro(makerRate) };
  return { ...rates, exponent, takerOnly, asOf: new Date(asOf), ...(rounding && { rounding: roundingOf(rounding) }) };
}

type WireRounding = NonNullable<NonNullable<NonNullable<WireMarket['terms']>['fee']>['rounding']>;

const roundingOf = ({ step, to, each, balance_step: balanceStep }: WireRounding): FeeRounding => ({
  step: parseMicro(step),
  to,
  each,
  ...(balanceStep !== undefined && { balanceStep: parseMicro(balanceStep) }),
});
