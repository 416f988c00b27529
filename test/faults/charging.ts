import type { Market } from '../../src/core/market/market.js';
import { listed } from '../adapters/polymarket/execution/exchange-fixture.js';

const FEE = { rate: 50_000n, exponent: 1, takerOnly: true, asOf: new Date(0) };

/** The market of the stage where takers pay a twentieth of p(1 − p) a share; the venue is to list it so too. */
export function charging(): Market {
  const market = listed();
  return { ...market, terms: market.terms === null ? null : { ...market.terms, fee: FEE } };
}
