import type { LaneAllowances } from '../../transport/http-client.js';
import type { KalshiLimits } from './account-records.js';

/** What most requests cost, in tokens (`kalshi.md` 2.4). */
export const REQUEST_TOKENS = 10;
/** What a cancellation costs, and a read of one order. */
export const ONE_ORDER_TOKENS = 2;

/** Tokens of the lowest tier in a second. */
const LOWEST = { read: 200, write: 100 };
/** Orders and cancellations share the tokens of writes, so that neither waits for the other. The rest of reads is left to market data. */
const SHARES = { order: 0.6, cancel: 0.4, read: 0.45 };
/** Two windows that meet take as much as one second fills, which a bucket holds: it is never empty before they are. */
const WINDOW_SECONDS = 0.5;

/** Allowances for what the venue says of the account; those of the lowest tier where it says nothing usable. */
export function kalshiAllowances(limits: KalshiLimits | null): LaneAllowances<'order' | 'cancel'> {
  const { order, cancel, read } = tokensOfWindow(limits);
  return { order: withinWindow(order), cancel: withinWindow(cancel), read: withinWindow(read) };
}

/** How much they let through, for a person. */
export function paceInWords(limits: KalshiLimits | null): string {
  const { order, cancel, read } = tokensOfWindow(limits);
  const inSecond = (tokens: number, cost: number) => Math.floor(tokens / cost) / WINDOW_SECONDS;
  const [orders, reads] = [inSecond(order, REQUEST_TOKENS), inSecond(read, REQUEST_TOKENS)];
  return `${orders} orders, ${inSecond(cancel, ONE_ORDER_TOKENS)} cancellations and ${reads} reads`;
}

function tokensOfWindow(limits: KalshiLimits | null): Readonly<Record<keyof typeof SHARES, number>> {
  const { read, write } = { read: limits?.read ?? LOWEST.read, write: limits?.write ?? LOWEST.write };
  const part = (tokens: number, share: number) => Math.floor(tokens * share * WINDOW_SECONDS);
  return { order: part(write, SHARES.order), cancel: part(write, SHARES.cancel), read: part(read, SHARES.read) };
}

const withinWindow = (points: number) => [{ prefix: '', points, seconds: WINDOW_SECONDS }];
