import type { Market } from '../core/market/market.js';
import type { Exchange } from '../ports/exchange.js';
import { CHECKS } from './exchange-checks.js';
import { bareMarket } from './trial-order.js';

/** A fresh venue to be tested. It should trade: have liquidity on both sides at some prices between 0 and 1. */
export interface ExchangeUnderTest {
  readonly exchange: Exchange;
  /** A market of it, and that market's lot; when left out, an id that any venue without a list of markets takes. */
  readonly market?: Market;
  /** Releases its resources. */
  close?(): Promise<void>;
}

/** One requirement of every venue: rejects with the reason when this venue violates it. */
export interface ExchangeCheck {
  readonly name: string;
  check(): Promise<void>;
}

/**
 * What every `Exchange` must do, as checks for any test runner: `for (const { name, check } of exchangeContract(open)) it(name, check)`.
 * Each check opens a venue of its own and places paper orders of about 10 USDC on it, on both sides and at many prices.
 *
 * @example
 * ```ts
 * import { type ExchangeUnderTest, exchangeContract } from 'stakeport/testing';
 *
 * declare const open: () => Promise<ExchangeUnderTest>;
 * for (const { name, check } of exchangeContract(open)) {
 *   await check();
 *   console.log('holds', name);
 * }
 * ```
 */
export function exchangeContract(open: () => Promise<ExchangeUnderTest>): readonly ExchangeCheck[] {
  return Object.entries(CHECKS).map(([name, run]) => ({
    name,
    check: async () => {
      const opened = await open();
      try {
        await run(opened.exchange, opened.market ?? bareMarket('trial-market'));
      } finally {
        await opened.close?.();
      }
    },
  }));
}
