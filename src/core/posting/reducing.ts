import { freeShares, type Position } from '../account/position.js';
import { isExhaustive } from '../limits/market-results.js';
import type { RiskGroup } from '../limits/risk.js';
import { NO_SHARES, plus, type Shares } from '../money.js';
import type { Intent } from '../order/intent.js';
import { mostCost } from '../order/order.js';
import { leastProceeds } from '../order/working-risk.js';

/** What an account holds of the two outcomes of one market, without what the order itself has reserved or may bring. */
export interface HeldMarket {
  readonly role: RiskGroup['role'];
  readonly YES: Position;
  readonly NO: Position;
}

/** A result: the market that resolves YES, none of those that are known, or one half for every share. */
type Result = HeldMarket | 'none' | 'split';

/**
 * Whether an order raises the least that comes back from an event, whichever of its results comes true and whichever of the
 * orders that rest there are filled, in part or whole. `own` is the market of the order, `others` are those of which one
 * excludes it; what other markets of the event may lose is added, and does not change. Prices of resting orders make no
 * difference between two results, so that shares alone decide. A part of the order raises it by a part.
 */
export function lowersWorstCase(intent: Intent, own: HeldMarket, others: readonly HeldMarket[] = []): boolean {
  if (intent.shares === 0n) return false;
  const markets = [own, ...others];
  const beyond = others.length > 0 && isExhaustive(markets) ? [] : (['none'] as const);
  const results: readonly Result[] = [...markets, ...beyond, 'split'];
  return results.every((result) => {
    const needed = twiceNeeded(intent, own, result);
    return needed < 0n || results.some((worse) => worse !== result && twiceBetter(markets, result, worse) > needed);
  });
}

/**
 * By how much more than with a worse result, twice, has to come back with this one, so that the order does not make it the
 * worst: what it takes. Where its shares lose whole, all of them, whatever their price: nobody hedges more than is held.
 */
function twiceNeeded(intent: Intent, own: HeldMarket, result: Result): bigint {
  const { side, shares, outcome } = intent;
  const wins = result !== 'split' && (result === own) === (outcome === 'YES');
  if (result !== 'split' && wins === (side === 'SELL')) return 2n * shares - 1n;
  return -twiceGain(intent, own, result);
}

/** Twice what the order brings by a result, once it is filled. */
function twiceGain(intent: Intent, own: HeldMarket, result: Result): bigint {
  const { side, shares, outcome } = intent;
  const pays = result === 'split' ? 1n : (result === own) === (outcome === 'YES') ? 2n : 0n;
  if (side === 'BUY') return shares * pays - 2n * mostCost(intent);
  return 2n * leastProceeds(intent, shares) - shares * pays;
}

/** Twice the least by which more comes back with one result than with another one, whatever is filled. */
function twiceBetter(markets: readonly HeldMarket[], result: Result, worse: Result): bigint {
  if (result === 'split') return sum(markets, (market) => (market === worse ? ifNot(market) : ifYes(market)));
  if (worse === 'split') return sum(markets, (market) => (market === result ? ifYes(market) : ifNot(market)));
  return 2n * ((result === 'none' ? 0n : ifYes(result)) + (worse === 'none' ? 0n : ifNot(worse)));
}

/** The least by which more comes back from a market if it resolves YES, and not NO, */
const ifYes = ({ YES, NO }: HeldMarket): bigint => freeShares(YES) - most(NO);
/** and the other way round. */
const ifNot = ({ YES, NO }: HeldMarket): bigint => freeShares(NO) - most(YES);
const most = ({ shares, wanted = NO_SHARES }: Position): Shares => plus(shares, wanted);
const sum = (markets: readonly HeldMarket[], of: (market: HeldMarket) => bigint): bigint =>
  markets.reduce((all, market) => all + of(market), 0n);
