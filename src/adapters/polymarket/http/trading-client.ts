import { HttpClient, type LaneAllowances } from '../../transport/http-client.js';
import type { HttpLimits } from '../../transport/http-limits.js';

/** Requests to the trading API; cancellations never wait for orders or reads. */
export type TradingClient = HttpClient<'order' | 'cancel'>;

const TEN_MINUTES = 600;
/**
 * A bucket that holds two windows' worth and refills at their pace (`polymarket.md` 2.5, standard tier: 40 orders a second
 * and 60 at once, 80 cancellations a second and 120 at once) is never overdrawn by these: at most two windows meet at any
 * moment.
 */
const SIGNER_SECONDS = 0.75;

/**
 * The request allowances of the CLOB (`polymarket.md` 2.5). The shared 9000 requests in ten seconds are divided among the
 * lanes, and a part is left for market data.
 */
const ALLOWANCES: LaneAllowances<'order' | 'cancel'> = {
  order: [
    { prefix: '', points: 2000 },
    { prefix: '/order', points: 30, seconds: SIGNER_SECONDS },
    { prefix: '/order', points: 120_000, seconds: TEN_MINUTES },
  ],
  cancel: [
    { prefix: '', points: 60, seconds: SIGNER_SECONDS },
    { prefix: '/cancel-all', points: 250 },
    { prefix: '/cancel-all', points: 6000, seconds: TEN_MINUTES },
  ],
  read: [
    { prefix: '', points: 2000 },
    { prefix: '/data/orders', points: 500 },
    { prefix: '/data/trades', points: 500 },
    { prefix: '/balance-allowance', points: 200 },
    { prefix: '/balance-allowance/update', points: 50 },
    { prefix: '/auth', points: 100 },
  ],
};

/** A client of the trading API at this address, within the venue's rate limits. */
export function tradingClient(base: URL, limits: Partial<HttpLimits> = {}): TradingClient {
  return new HttpClient(base, ALLOWANCES, limits);
}
