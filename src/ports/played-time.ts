import type { Evidence } from '../core/market/event.js';
import type { MarketRef } from '../core/market/market.js';
import type { ClosePrices } from './close-prices.js';
import type { Exchange } from './exchange.js';
import type { Timeline } from './system.js';

/**
 * The time of a tape, which stops while a caller acts. It goes on while an order waits for its answer. By then it knows what the markets
 * of the tape closed at.
 */
export interface PlayedTime extends Timeline, ClosePrices {
  /** Its first moment. */
  readonly began: Date;
  /** What it can prove of orders in a market: the least where it is made of several tapes. */
  evidenceOf(market: MarketRef): Evidence;
  /**
   * Runs a task at moments of a grid that begins with the tape, the first of them at once: they do not depend on when, or how fast, it is
   * played. Where nothing happens for long, it runs once right before something does; where it is not needed then, not at all. The
   * function returned stops it.
   */
  every(ms: number, task: () => Promise<void>, isNeeded?: () => boolean): () => void;
  /**
   * Performs the action now. Time stops until it is done, or waits for the answer to an order. @throws what the action
   * throws
   */
  perform<Result>(action: () => Promise<Result>): Promise<Result>;
  /** Starts work that stops time as its caller does. The caller goes on at once. */
  inBackground(work: () => Promise<void>): Promise<void>;
  /** An exchange for which time waits until an order or cancellation that was sent has reached it. */
  reaching(exchange: Exchange): Exchange;
}
