import { NO_WON, type Payout, type ResolutionClaim, SPLIT, YES_WON } from '../../../core/market/lifecycle.js';
import type { Usdc } from '../../../core/money.js';
import type { ClobMarket } from '../http/clob-wire.js';
import { decimalOrNull } from '../http/decimals.js';
import type { GammaMarket } from '../http/gamma-wire.js';
import type { MarketRecords } from './records.js';

/** The result according to Gamma and to the CLOB, each by itself (`polymarket.md` 7.2). */
export function claimsOf({ gamma, clob }: MarketRecords): ResolutionClaim[] {
  return [...gammaClaim(gamma), ...(clob === undefined ? [] : clobClaim(clob))];
}

function gammaClaim(market: GammaMarket): ResolutionClaim[] {
  const word = market.umaResolutionStatus ?? market.umaResolutionStatuses?.at(-1);
  if (word === 'disputed') return [{ source: 'gamma', status: 'disputed', payout: null }];
  if (word !== 'proposed' && word !== 'resolved') return [];
  const payout = word === 'resolved' && market.closed === true ? shownPayout(market.outcomePrices) : null;
  return [{ source: 'gamma', status: payout === null ? 'proposed' : 'final', payout }];
}

/** The only results at the venue: one outcome won, or neither. */
const RESULTS = new Set([YES_WON, NO_WON, SPLIT].map(([yes, no]) => `${yes} ${no}`));

function shownPayout(prices: readonly string[] | null): Payout | null {
  if (prices?.length !== 2) return null;
  const [yes = null, no = null] = prices.map(decimalOrNull);
  if (yes === null || no === null || !RESULTS.has(`${yes} ${no}`)) return null;
  return [yes as Usdc, no as Usdc];
}

function clobClaim({ closed, tokens, is_50_50_outcome }: ClobMarket): ResolutionClaim[] {
  const winners = tokens.flatMap(({ winner }, index) => (winner === true ? [index] : []));
  if (closed !== true || winners.length > 1 || (winners.length === 1) === (is_50_50_outcome === true)) return [];
  const payout = winners.length === 0 ? SPLIT : winners[0] === 0 ? YES_WON : NO_WON;
  return [{ source: 'clob', status: 'final', payout }];
}
