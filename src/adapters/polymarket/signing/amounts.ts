import { formatMicro, ONE, type Price, type Shares, type Usdc } from '../../../core/money.js';
import { OrderInexpressible } from './order-inexpressible.js';

/** What an order gives and what it gets in return, in 10⁻⁶ of a dollar or of a share. */
export interface OrderAmounts {
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
}

/** The ticks of the venue (`polymarket.md` 3.4). */
const TICKS: readonly bigint[] = [100_000n, 10_000n, 5_000n, 2_500n, 1_000n, 100n];

/** Decimals of the dollars of a purchase that fills at once. */
export const CENT = 10_000n as Usdc;
/** Decimals of the shares of any order. */
const HUNDREDTH = 10_000n;
/** Decimals of the other amount of an order that fills at once, with any tick. */
const TEN_THOUSANDTH = 100n;
/** A market purchase has two decimals more than its price, and this is the only tick where that is less than four. */
const COARSEST_TICK = 100_000n;
const THOUSANDTH = 1_000n;

/**
 * The amounts of an order that may rest. Shares beyond two decimals are dropped; the product with the price is exact.
 * @throws OrderInexpressible for a price off the grid, an unknown tick, or less than a hundredth of a share
 */
export function limitAmounts(side: 'BUY' | 'SELL', price: Price, shares: Shares, tick: Price): OrderAmounts {
  checkPrice(price, tick);
  const sold = wholeSteps(shares, HUNDREDTH, 'shares');
  const dollars = (sold * price) / ONE;
  return side === 'BUY' ? { makerAmount: dollars, takerAmount: sold } : { makerAmount: sold, takerAmount: dollars };
}

/**
 * The amounts of an order that fills at once or not at all (FOK, FAK). A purchase spends `amount` dollars, truncated to
 * cents, for at least the shares that it buys at `price`, down to four decimals. A sale gives `amount` shares, truncated to
 * two decimals, for exactly their product with the price.
 * @throws OrderInexpressible for a price off the grid, an unknown tick, an amount too small for the price to survive
 *   the venue's decimals, or a sale whose product has more than four
 */
export function marketAmounts<Side extends 'BUY' | 'SELL'>(
  side: Side,
  price: Price,
  amount: { readonly BUY: Usdc; readonly SELL: Shares }[Side],
  tick: Price,
): OrderAmounts {
  checkPrice(price, tick);
  return side === 'BUY' ? spending(price, amount, tick) : selling(price, amount);
}

function spending(price: Price, amount: bigint, tick: Price): OrderAmounts {
  const spent = wholeSteps(amount, CENT, 'dollars');
  const bought = floorTo((spent * ONE) / price, tick === COARSEST_TICK ? THOUSANDTH : TEN_THOUSANDTH);
  if (spent * ONE >= (price + tick) * bought) {
    throw new OrderInexpressible(
      'price',
      `${formatMicro(spent)} dollars at ${formatMicro(price)} cannot be expressed in the decimals that the venue accepts: ` +
        'the price would move to the next tick. Spend more.',
    );
  }
  return { makerAmount: spent, takerAmount: bought };
}

function selling(price: Price, amount: bigint): OrderAmounts {
  const sold = wholeSteps(amount, HUNDREDTH, 'shares');
  const dollars = (sold * price) / ONE;
  if (dollars % TEN_THOUSANDTH !== 0n) {
    throw new OrderInexpressible(
      'decimals',
      `${formatMicro(sold)} shares at ${formatMicro(price)} make ${formatMicro(dollars)} dollars, and the venue ` +
        'accepts at most 4 decimals from a sale that fills at once. Sell whole shares, or let the order rest.',
    );
  }
  return { makerAmount: sold, takerAmount: dollars };
}

function checkPrice(price: Price, tick: Price): void {
  if (!TICKS.includes(tick)) {
    throw new OrderInexpressible('tick', `The venue has no tick of ${formatMicro(tick)}; read the market again.`);
  }
  if (price < tick || price > ONE - tick || price % tick !== 0n) {
    throw new OrderInexpressible(
      'price',
      `A price of ${formatMicro(price)} is not on the grid: use a multiple of ${formatMicro(tick)} from ` +
        `${formatMicro(tick)} to ${formatMicro(ONE - tick)}.`,
    );
  }
}

function wholeSteps(amount: bigint, step: bigint, unit: string): bigint {
  const whole = floorTo(amount, step);
  if (whole > 0n) return whole;
  throw new OrderInexpressible(
    'decimals',
    `${formatMicro(amount)} ${unit} is too little: the venue accepts two decimals, so at least 0.01.`,
  );
}

const floorTo = (amount: bigint, step: bigint): bigint => amount - (amount % step);
