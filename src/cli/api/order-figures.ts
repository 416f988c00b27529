import type { WireMarket } from '../../adapters/http/answers.js';
import { FeeMeter, type FeeRounding, type FeeSchedule, feeOfDollars, feeReserve } from '../../core/market/fee.js';
import { CENTI_SHARE } from '../../core/market/market.js';
import type { Side } from '../../core/market/side.js';
import {
  formatMicro,
  notional,
  ONE,
  type Price,
  parseMicro,
  plus,
  type Shares,
  sharesFor,
  type Usdc,
} from '../../core/money.js';
import { marketWords } from '../../core/order/order-words.js';
import { moneyAtStake } from './output/shown.js';
import type { Detail } from './output/table.js';

/** An order as a person is about to place it. */
export interface OrderToPlace {
  readonly side: Side;
  readonly paper: boolean;
  readonly price: Price;
  readonly size: Usdc;
  /** What it is called in its market. */
  readonly outcome: string;
  /** FOK and FAK: where the venue takes purchases in dollars, the lower the price, the more shares. */
  readonly isImmediate: boolean;
  readonly postOnly: boolean;
}

const HALF = (ONE / 2n) as Price;

/**
 * What a person is asked about: the stake, the worst price, the fee and what is at risk, none of which the order can exceed.
 * `market` is null where the server does not show it.
 */
export function orderFigures(order: OrderToPlace, market: WireMarket | null): readonly Detail[] {
  const { side, paper, outcome, price } = order;
  const fee = market?.terms?.fee ?? null;
  const schedule = fee === null ? null : scheduleOf(fee);
  const money = moneyAtStake(paper, market?.venue);
  return [
    ['order', `${money}, ${side} ${outcome}`],
    ['market', market === null ? null : marketShown(market)],
    ...(side === 'BUY' ? purchase(order, schedule, market) : sale(order, schedule)),
    ['worst price', `${formatMicro(price)} USDC a share`],
  ];
}

function purchase(order: OrderToPlace, schedule: FeeSchedule | null, market: WireMarket | null): Detail[] {
  const { size, outcome } = order;
  const { price, shares } = bounds(order, market);
  const stake: Detail = ['stake', `${formatMicro(size)} USDC for ${formatMicro(shares)} shares or more`];
  if (schedule === null) return [stake, ['fee', 'not known'], ['at risk', `${formatMicro(size)} USDC, and the fee`]];
  const isOfDollars = order.isImmediate && (market?.terms?.quote_step_usdc ?? null) !== null;
  const cost = isOfDollars ? size : notional(shares, price, 'ceil');
  // Below its limit a purchase may pay more in fees, but saves more than that in price.
  const reserve = isOfDollars ? feeOfDollars(schedule, size) : feeReserve(schedule, { ...order, shares });
  const dearest = price > HALF ? HALF : price;
  const most = isOfDollars ? reserve : mostFee(schedule, shares, dearest);
  const risk = formatMicro(plus(cost, reserve));
  return [stake, feeDetail(most), ['at risk', `${risk} USDC: all of it is lost if ${outcome} does not win`]];
}

function sale(order: OrderToPlace, schedule: FeeSchedule | null): Detail[] {
  const { price, shares } = bounds(order, null);
  const brings = formatMicro(notional(shares, price, 'floor'));
  const dearest = price < HALF ? HALF : price;
  return [
    ['sale', `${formatMicro(shares)} shares that you hold, for ${brings} USDC or more`],
    schedule === null ? ['fee', 'not known'] : feeDetail(mostFee(schedule, shares, dearest)),
    ['at risk', `the shares: what they would have paid if ${order.outcome} wins`],
  ];
}

function bounds({ size, price }: OrderToPlace, market: WireMarket | null): { price: Price; shares: Shares } {
  const lot = market === null ? CENTI_SHARE : (parseMicro(market.lot) as Shares);
  return { price, shares: sharesFor(size, price, lot) };
}

const mostFee = (schedule: FeeSchedule, shares: Shares, price: Price): Usdc =>
  feeReserve(schedule, { side: 'BUY', postOnly: false, shares, price }) === 0n
    ? (0n as Usdc)
    : new FeeMeter(schedule).most(shares, price);

const marketShown = ({ event, question, slug, id }: WireMarket): string =>
  marketWords({ event: event?.title ?? null, question, marketSlug: slug, marketId: id }, false);

const feeDetail = (most: Usdc): Detail => ['fee', most === 0n ? 'none' : `at most ${formatMicro(most)} USDC`];

/** The fee that a sale of so many shares at a price or better pays at most; null where it is not known. */
export function mostFeeOfSale(market: WireMarket, shares: Shares, price: Price): Usdc | null {
  const fee = market.terms?.fee ?? null;
  return fee === null ? null : mostFee(scheduleOf(fee), shares, price < HALF ? HALF : price);
}

type WireFee = NonNullable<NonNullable<WireMarket['terms']>['fee']>;
type WireRounding = NonNullable<WireFee['rounding']>;

function scheduleOf(fee: WireFee): FeeSchedule {
  const { rate, exponent, taker_only: takerOnly, as_of: asOf, maker_rate: makerRate, rounding } = fee;
  const rates = { rate: parseMicro(rate), makerRate: parseMicro(makerRate) };
  return { ...rates, exponent, takerOnly, asOf: new Date(asOf), ...(rounding && { rounding: roundingOf(rounding) }) };
}

const roundingOf = ({ step, to, each, balance_step: balanceStep }: WireRounding): FeeRounding => ({
  step: parseMicro(step),
  to,
  each,
  ...(balanceStep !== undefined && { balanceStep: parseMicro(balanceStep) }),
});
