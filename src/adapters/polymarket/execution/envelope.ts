import { type Market, type MarketTerms, outcomeOf } from '../../../core/market/market.js';
import { least, ONE, type Shares, type Usdc } from '../../../core/money.js';
import { quoteAmount } from '../../../core/order/draft.js';
import { type Envelope, endOf, type Intent, type Order, type Refusal, refusal } from '../../../core/order/order.js';
import { GTD_LEAST_AHEAD_MS, GTD_STOPPED_EARLY_MS } from '../http/order-rules.js';
import { limitAmounts, marketAmounts, type OrderAmounts } from '../signing/amounts.js';
import { OrderInexpressible } from '../signing/order-inexpressible.js';
import { salt } from '../signing/salt.js';
import type { Hex } from '../signing/signer.js';
import { type UnsignedOrder, unsignedIn, unsignedText } from './unsigned-order.js';

/** The wallet whose orders are signed, and the key that signs them. */
export interface OrderWallet {
  readonly chainId: number;
  /** 0 a plain key, 1 a proxy, 2 a Safe, 3 a deposit wallet (`polymarket.md` 1). */
  readonly signatureType: 0 | 1 | 2 | 3;
  /** The address of the signing key. */
  readonly address: Hex;
  /** The wallet that pays; the key's own address when absent. */
  readonly funder?: Hex | undefined;
}

/** True of an order that this wallet pays for: the venue shows this wallet's key no others. */
export function isPaidBy(
  { struct, domain }: UnsignedOrder,
  { address, funder = address, chainId }: OrderWallet,
): boolean {
  return struct.maker.toLowerCase() === funder.toLowerCase() && domain.chainId === chainId;
}

/**
 * True when the venue shows this key all it has on the order: the key signed it. A deposit wallet signs for all its keys.
 */
export function isSignedBy({ struct }: UnsignedOrder, { address, signatureType }: OrderWallet): boolean {
  return signatureType === DEPOSIT_WALLET || struct.signer.toLowerCase() === address.toLowerCase();
}

/** Whether this wallet pays for a recorded order; also true of one that was never to be signed. */
export function isOrderOf(order: Pick<Order, 'intent'>, wallet: OrderWallet): boolean {
  const own = unsignedIn(order);
  return own === null || isPaidBy(own, wallet);
}

/** When an envelope is made, and how long it may wait to be sent. */
export interface EnvelopeTiming {
  readonly now: Date;
  /** The offset of the venue's clock; positive when it is ahead of ours. */
  readonly offsetMs: number;
  readonly sendWithinMs: number;
}

const NOTHING: Hex = `0x${'0'.repeat(64)}`;
const DEPOSIT_WALLET = 3;
const STOPPED_EARLY_SECONDS = GTD_STOPPED_EARLY_MS / 1000;
const LEAST_AHEAD_SECONDS = GTD_LEAST_AHEAD_MS / 1000;
/** An allowance for the transit to the venue. */
const TRAVEL_SECONDS = 5;
const WHOLE = /^\d{1,78}$/;

/** What must be known of a market before an order for it can be signed. */
interface Known {
  readonly terms: MarketTerms;
  readonly conditionId: string;
  readonly tokenId: string;
}

/**
 * Fixes everything that will be signed of an order, with a fresh salt and the current time; or returns why the venue's rules
 * cannot express it, and the remedy. Terms that the market does not give are never guessed. The signed order never spends
 * more than the intent's size, and never sells more than its shares.
 */
export function envelopeOf(
  intent: Intent,
  market: Market,
  wallet: OrderWallet,
  timing: EnvelopeTiming,
): Envelope | Refusal {
  const known = knownOf(intent, market);
  if ('code' in known) return known;
  const { terms, conditionId, tokenId } = known;
  const { timeInForce, postOnly, side } = intent;
  if (postOnly && (timeInForce === 'FOK' || timeInForce === 'FAK')) {
    return refusal('invalid_post_only', 'An order that fills at once cannot be post-only: use GTC or GTD.');
  }
  const venueNow = timing.now.getTime() + timing.offsetMs;
  const expiration = expirationOf(intent, venueNow);
  if (typeof expiration !== 'number') return expiration;
  const amounts = amountsOf(intent, terms);
  if ('code' in amounts) return amounts;
  const { chainId, signatureType, address, funder = address } = wallet;
  const unsigned: UnsignedOrder = {
    struct: {
      salt: salt(),
      maker: funder,
      signer: signatureType === DEPOSIT_WALLET ? funder : address,
      tokenId: BigInt(tokenId),
      ...amounts,
      side: side === 'BUY' ? 0 : 1,
      signatureType,
      timestamp: BigInt(venueNow),
      metadata: NOTHING,
      builder: NOTHING,
    },
    domain: { chainId, negRisk: terms.negRisk },
    conditionId,
    orderType: timeInForce,
    expiration,
    postOnly,
  };
  const sendBy = new Date(timing.now.getTime() + timing.sendWithinMs);
  const spends = quoteAmount(intent, terms) === null ? null : (amounts.makerAmount as Usdc);
  return { content: unsignedText(unsigned), sendBy, spends, dust: dustOf(intent) };
}

function knownOf({ outcome }: Intent, market: Market): Known | Refusal {
  const { terms, conditionId } = market;
  const tokenId = outcomeOf(market, outcome)?.tokenId;
  if (conditionId === null || conditionId === '' || tokenId === undefined || !WHOLE.test(tokenId)) {
    return refusal('market_unlisted', 'The venue does not give the ids of this market. Look the market up again.');
  }
  if (terms === null) {
    return refusal('market_terms_unknown', 'The venue does not give the terms of this market. Try again later.');
  }
  return { terms, conditionId, tokenId };
}

/** The venue ends an order that is matched up to a hundredth of a share, if that is at most a hundredth of the order. */
const dustOf = ({ shares }: Intent): Shares => least(MOST_DUST, (shares / 100n) as Shares);
const MOST_DUST = 10_000n as Shares;

/** The expiration to send to the venue, so that it ends the order at the intended time. */
function expirationOf(intent: Intent, venueNow: number): number | Refusal {
  const { timeInForce, expiresAt } = intent;
  if (timeInForce !== 'GTD') {
    if (expiresAt === null) return 0;
    return refusal('invalid_expiration', 'Only a GTD order has an expires_at.');
  }
  const end = (endOf(intent)?.getTime() ?? 0) / 1000;
  const expiration = end + STOPPED_EARLY_SECONDS;
  if (expiration >= venueNow / 1000 + LEAST_AHEAD_SECONDS + TRAVEL_SECONDS) return expiration;
  const least = LEAST_AHEAD_SECONDS + TRAVEL_SECONDS - STOPPED_EARLY_SECONDS;
  return refusal('expiry_too_near', `The venue needs expires_at to be at least ${least} seconds ahead.`);
}

function amountsOf(intent: Intent, { tick }: MarketTerms): OrderAmounts | Refusal {
  const { side, price, size, shares, timeInForce } = intent;
  try {
    if (timeInForce === 'GTC' || timeInForce === 'GTD') return checked(intent, limitAmounts(side, price, shares, tick));
    const amounts =
      side === 'BUY' ? marketAmounts('BUY', price, size, tick) : marketAmounts('SELL', price, shares, tick);
    return checked(intent, amounts);
  } catch (error) {
    if (!(error instanceof OrderInexpressible)) throw error;
    const isOffGrid = error.rule === 'tick' || price % tick !== 0n || price < tick || price > ONE - tick;
    return refusal(isOffGrid ? 'invalid_tick' : 'invalid_amounts', error.message);
  }
}

/** The final check on money, independent of the rounding above. */
function checked({ side, size, shares }: Intent, amounts: OrderAmounts): OrderAmounts | Refusal {
  if (amounts.makerAmount <= (side === 'BUY' ? size : shares)) return amounts;
  return refusal('invalid_amounts', 'The order cannot be expressed at the venue without exceeding the requested size.');
}
