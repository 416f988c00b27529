import type { Exchange } from './exchange.js';
import type { Timeline } from './system.js';

/** Time that waits for whoever acts in it: that of a tape. An order's answer takes time, for which it goes on. */
export interface PlayedTime extends Timeline {
  /** Does it now. Time stands still until it is over, or waits for the answer to an order. @throws what the deed throws */
  perform<Result>(deed: () => Promise<Result>): Promise<Result>;
  /** The same exchange, and time stands still until what is sent has reached it. */
  reaching(exchange: Exchange): Exchange;
}
