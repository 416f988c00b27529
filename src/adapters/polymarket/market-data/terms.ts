import { MarketUnusable } from '../../../core/errors.js';
import { type FeeSchedule, MOST_EXPONENT } from '../../../core/market/fee.js';
import type { MarketTerms } from '../../../core/market/market.js';
import { ONE, type Price, type Shares, type Usdc } from '../../../core/money.js';
import { GTD_LEAST_AHEAD_MS, GTD_STOPPED_EARLY_MS, QUOTE_STEP } from '../http/order-rules.js';
import type { MarketRecords } from './records.js';

/** Every tick of the venue (`polymarket.md` 3.4), in micro-units. */
const TICKS: ReadonlySet<bigint> = new Set([100_000n, 10_000n, 5000n, 2500n, 1000n, 100n]);

/**
 * The least that a BUY that would match at once may be worth at its limit. Reported by users; documented nowhere
 * (`polymarket.md` 2.4).
 */
const LEAST_TAKING = ONE as Usdc;

/**
 * The venue's limits for orders, from the CLOB before Gamma. A closed market has no terms when they are missing.
 * @throws MarketUnusable for an open market without a book, with an unknown tick or minimum, or with sources that disagree.
 */
export function termsOf(records: MarketRecords): MarketTerms | null {
  const { gamma, compact, clob } = records;
  const tick = compact?.mts ?? clob?.minimum_tick_size ?? gamma.orderPriceMinTickSize;
  const minShares = compact?.mos ?? clob?.minimum_order_size ?? gamma.orderMinSize;
  const lack = lackOf(records, tick, minShares);
  if (lack !== undefined && gamma.closed !== true) throw lack;
  if (lack !== undefined || tick === null || minShares === null) return null;
  return {
    tick: tick as Price,
    quoteStep: QUOTE_STEP,
    minShares: minShares as Shares,
    minNotional: LEAST_TAKING,
    fee: feeOf(records),
    negRisk: negRiskOf(records),
    acceptingOrders: acceptsOrders(records),
    gtdLeadMs: GTD_LEAST_AHEAD_MS - GTD_STOPPED_EARLY_MS,
    delaySeconds: compact?.sd ?? clob?.seconds_delay ?? gamma.secondsDelay ?? 0,
    clearsBookAtStart: gamma.clearBookOnStart === true || compact?.cbos === true,
  };
}

function lackOf({ gamma }: MarketRecords, tick: bigint | null, minShares: bigint | null): MarketUnusable | undefined {
  if (gamma.enableOrderBook !== true) return new MarketUnusable('no_order_book', 'The market has no order book.');
  if (tick === null || !TICKS.has(tick)) {
    return new MarketUnusable('tick_unknown', 'The market has no tick size, or one that the venue does not document.');
  }
  return minShares === null
    ? new MarketUnusable('min_size_unknown', 'The market has no minimum order size.')
    : undefined;
}

/**
 * True only when no source says otherwise: a market may be over while one of them still takes orders (`polymarket.md` H19).
 */
export function acceptsOrders({ gamma, compact, clob }: MarketRecords): boolean {
  const over = gamma.closed === true || clob?.closed === true || gamma.events?.[0]?.ended === true;
  return !over && gamma.acceptingOrders === true && compact?.ao !== false && clob?.accepting_orders !== false;
}

/** The flag decides which contract an order is signed for, so when sources disagree nothing can be signed. */
function negRiskOf({ gamma, compact, clob }: MarketRecords): boolean {
  const stated = [gamma.negRisk, compact?.nr, clob?.neg_risk].filter((flag) => typeof flag === 'boolean');
  if (new Set(stated).size > 1) {
    throw new MarketUnusable('neg_risk_disagrees', 'Two records of the venue disagree on the contract of this market.');
  }
  return stated[0] ?? false;
}

/** Null unless a schedule is given, understood, and the same in all sources that give one (`polymarket.md` 3.5). */
function feeOf({ gamma, compact, readAt }: MarketRecords): FeeSchedule | null {
  const { feesEnabled, feeSchedule } = gamma;
  const free: FeeSchedule = { rate: 0n, exponent: 1, takerOnly: true, asOf: readAt };
  const stated: (FeeSchedule | null)[] = [];
  if (feesEnabled === false) stated.push(free);
  else if (feeSchedule !== null)
    stated.push(scheduleOf(feeSchedule.rate, feeSchedule.exponent, feeSchedule.takerOnly, readAt));
  if (compact?.fd) stated.push(scheduleOf(compact.fd.r, compact.fd.e, compact.fd.to, readAt));
  const [first = null, ...others] = stated;
  return others.every((other) => isSameFee(first, other)) ? first : null;
}

function scheduleOf(
  rate: bigint | null,
  exponent: number | null,
  takerOnly: boolean | null,
  asOf: Date,
): FeeSchedule | null {
  if (rate === null || rate >= ONE || exponent === null) return null;
  if (!Number.isInteger(exponent) || exponent < 0 || exponent > MOST_EXPONENT) return null;
  return { rate, exponent, takerOnly: takerOnly === true, asOf };
}

function isSameFee(a: FeeSchedule | null, b: FeeSchedule | null): boolean {
  if (a === null || b === null || a.rate !== b.rate) return false;
  return a.rate === 0n || (a.exponent === b.exponent && a.takerOnly === b.takerOnly);
}
