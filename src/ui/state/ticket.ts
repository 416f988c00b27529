import type { WireBook, WireMarket } from '../../adapters/http/answers.js';
import { FeeMeter, type FeeSchedule, feeReserve } from '../../core/market/fee.js';
import { isPrice, notional, type Price, parseMicro, type Shares, sharesFor, type Usdc } from '../../core/money.js';

/** What the user typed into a ticket. */
export interface TicketInput {
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly sizeUsdc: string;
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
  const most = feeReserve(schedule, { side: 'BUY', postOnly: false, shares, price });
  return {
    shares,
    filledNow: filled,
    worstPrice: worst,
    feeNow: fee,
    bound: input.side === 'BUY' ? whole + most : whole - most,
  };
}

/** Whether the book now gives less at once than the figures that the user read before agreeing, which must then be read again. */
export const hasMovedPast = (read: TicketFigures, now: TicketFigures | string): boolean =>
  typeof now === 'string' || now.filledNow < read.filledNow;

function walk(side: 'BUY' | 'SELL', limit: Price, wanted: Shares, book: WireBook | null, schedule: FeeSchedule | null) {
  const meter = schedule === null ? null : new FeeMeter(schedule);
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
  const { rate, exponent, taker_only: takerOnly, as_of: asOf, maker_rate: makerRate } = fee;
  return { rate: parseMicro(rate), exponent, takerOnly, makerRate: parseMicro(makerRate), asOf: new Date(asOf) };
}
