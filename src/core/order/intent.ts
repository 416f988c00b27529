import type { DecisionId, MarketId, StrategyId, VenueName } from '../ids.js';
import type { FeeSchedule } from '../market/fee.js';
import type { MarketTerms, OutcomeSide, TimeInForce } from '../market/market.js';
import type { Side } from '../market/side.js';
import { minus, type Price, type Shares, type Usdc } from '../money.js';

/** The strategy, and the version of it, that an order was placed under. */
export interface StrategyRef {
  readonly id: StrategyId;
  readonly version: number;
}

/**
 * What determines a signed order at its venue. It is made once, before the order goes on record, so that every signature of
 * it, by any process, gives it the same identity there.
 */
export interface Envelope {
  /** In the venue adapter's own format; nothing else reads it. */
  readonly content: string;
  /** An order that was not sent by then is never sent. */
  readonly sendBy: Date;
  /**
   * The dollars of a purchase that may spend them all, for more shares than were ordered when the price is better; fees come
   * on top. Null where the venue is bound by shares.
   */
  readonly spends: Usdc | null;
  /** The largest remainder that the venue rounds away: an order that ends with no more than that left is filled. */
  readonly dust: Shares;
}

/** How a purchase of a strategy was counted when it was accepted: what the limits of its days stand on is proved by it. */
export interface CountedBet {
  /** How often the paper account had begun anew; 0 with real money. */
  readonly reset: number;
  /** Its number among the purchases of the strategy since then, from 1; paper and real money apart. */
  readonly n: number;
  /** The gain from which losses of its day are measured; null while none was measured. */
  readonly start: Usdc | null;
}

/** What was requested, fixed when the order is put on record. */
export interface Intent {
  readonly marketId: MarketId;
  readonly marketSlug: string | null;
  readonly conditionId: string | null;
  readonly question: string | null;
  readonly outcomeLabel: string | null;
  readonly outcome: OutcomeSide;
  readonly side: Side;
  readonly price: Price;
  /** Money at the limit price, as requested: spent by a BUY, received by a SELL. */
  readonly size: Usdc;
  /** `size / price` in whole lots: what is really ordered. */
  readonly shares: Shares;
  readonly timeInForce: TimeInForce;
  readonly expiresAt: Date | null;
  readonly postOnly: boolean;
  /** What the market charged when the order was placed; null without market data. */
  readonly feeSchedule: FeeSchedule | null;
  readonly paper: boolean;
  readonly strategy: StrategyRef | null;
  /** Null for a venue without signed orders. */
  readonly envelope: Envelope | null;
  /** The dollars of a purchase that an exchange in this process spends whole; null where shares bound it, and at a venue over the network. */
  readonly spends: Usdc | null;
  /** When the order reaches the book of an exchange in this process; null where it is there at once, and over the network. */
  readonly arrivesAt: Date | null;
  /** Where the market trades. */
  readonly venue: VenueName;
  /** Of the market, where it has one and the order moves real money: what was set for a sport is checked again before it is sent. */
  readonly sport?: string | undefined;
  /** The decision of the strategy that placed the order; absent where a client did, and for orders from before it was kept. */
  readonly decisionId?: DecisionId | undefined;
  /** The day, in the zone of the server, for whose limits a purchase counts; absent where nothing counted it, and before it was kept. */
  readonly day?: string | undefined;
  /** Of a purchase of a strategy that was accepted; absent for one of before it was kept. */
  readonly bet?: CountedBet | undefined;
}

/** When a GTD order ends: venues keep time in whole seconds, so at the last one that is not after `expiresAt`. */
export function endOf({ expiresAt }: Pick<Intent, 'expiresAt'>): Date | null {
  if (expiresAt === null) return null;
  const ms = expiresAt.getTime();
  return new Date(ms - (ms % 1000));
}

/** The dollars that a purchase spends, for as many shares as they buy; null where shares bound it. */
export const dollarsOf = ({ envelope, spends }: Pick<Intent, 'envelope' | 'spends'>): Usdc | null =>
  envelope?.spends ?? spends;

/** The dollars that an order spends by the terms of its market, in whole steps; null where shares bound it. */
export function quoteAmount(
  order: Pick<Intent, 'side' | 'size' | 'timeInForce'>,
  { quoteStep }: Pick<MarketTerms, 'quoteStep'>,
): Usdc | null {
  if (quoteStep === undefined || order.side !== 'BUY' || !isImmediate(order)) return null;
  return minus(order.size, (order.size % quoteStep) as Usdc);
}

/** FOK and FAK: fills at once or not at all, and never rests. */
export const isImmediate = ({ timeInForce }: Pick<Intent, 'timeInForce'>): boolean =>
  timeInForce === 'FOK' || timeInForce === 'FAK';
