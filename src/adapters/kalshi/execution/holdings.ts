import type { MarketId } from '../../../core/ids.js';
import type { Usdc } from '../../../core/money.js';
import type { Unknown } from '../../../ports/exchange.js';
import type { VenueHoldings } from '../../../ports/venue-adapter.js';
import { unknown } from '../../venue/order-results.js';
import type { KalshiClient } from '../http/kalshi-client.js';

/** The venue's word for how current its reads are is “about” that. */
const MARGIN_MS = 60_000;
/**
 * What the venue may round a balance down by without any fill telling it, and what it pays less than the exact value of a net position: up
 * to a step of the balance, and up to a cent (`kalshi.md` 3, 8.3).
 */
const ROUNDING = { perFill: 100n as Usdc, perResult: 10_000n as Usdc };

/**
 * The net positions and the cash of the account on all shards. How current reads are is asked first, so that what follows is as current at
 * least. Unknown where any of it was not answered, or not read to its end.
 */
export async function kalshiHoldings(
  client: Pick<KalshiClient, 'currentAsOf' | 'positions' | 'balance' | 'settlements' | 'venueClock'>,
): Promise<VenueHoldings | Unknown> {
  const current = await client.currentAsOf();
  if (current === null) return unknown('The venue did not say how current its answers are.');
  const positions = await client.positions();
  if (positions.kind === 'no_answer') return unknown(`The venue did not return its positions (${positions.reason}).`);
  if (!positions.complete) return unknown('The venue did not return all of its positions, or one cannot be read.');
  const balance = await client.balance();
  if (balance.kind === 'no_answer') return unknown(`The venue did not return its balance (${balance.reason}).`);
  const held = positions.items.filter(({ net }) => net !== 0n);
  return {
    kind: 'holdings',
    positions: new Map(held.map(({ ticker, net }) => [ticker as MarketId, net])),
    cash: balance.value.balance,
    asOf: new Date(current.getTime() - client.venueClock.offsetMs - MARGIN_MS),
    rounding: ROUNDING,
    hasPaid: async (marketId) => {
      const paid = await client.settlements(marketId);
      if (paid.kind === 'no_answer') return null;
      return paid.items.some(({ ticker }) => ticker === marketId) || (paid.complete ? false : null);
    },
  };
}
