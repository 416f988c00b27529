import type { AccountId, OrderId } from '../../../src/core/ids.js';
import type { FeeSchedule } from '../../../src/core/market/fee.js';
import type { Market, MarketTerms, OutcomeSide, TimeInForce } from '../../../src/core/market/market.js';
import type { Side } from '../../../src/core/market/side.js';
import { notional, type Price, type Shares, type Usdc } from '../../../src/core/money.js';
import type { Order } from '../../../src/core/order/order.js';
import { NOTHING_FILLED } from '../../../src/core/order/order.js';
import { ALICE, aMarket, NOON, price, shares, usdc, WHERE } from '../../support/builders.js';

/** The moment so many milliseconds after noon. */
export const at = (ms: number): Date => new Date(Date.parse(NOON) + ms);

/** So many milliseconds after noon. */
export const sinceNoon = (moment: Date): number => moment.getTime() - Date.parse(NOON);

export function aFee(rate: string, changes: Partial<FeeSchedule> = {}): FeeSchedule {
  return { rate: usdc(rate), exponent: 1, takerOnly: true, asOf: at(0), ...changes };
}

/** A market that, by default, accepts orders of 5 shares or more at whole cents, without fees or delay. */
export function anOpenMarket(terms: Partial<MarketTerms> = {}, market: Partial<Market> = {}): Market {
  return aMarket({
    status: 'open',
    terms: {
      tick: price('0.01'),
      minShares: shares('5'),
      minNotional: usdc('1'),
      fee: aFee('0'),
      negRisk: false,
      acceptingOrders: true,
      delaySeconds: 0,
      clearsBookAtStart: false,
      gtdLeadMs: 120_000,
      quoteStep: usdc('0.01'),
      ...terms,
    },
    ...market,
  });
}

/** What a test says of an order. */
export interface Ask {
  readonly id: string;
  readonly account?: AccountId;
  readonly outcome?: OutcomeSide;
  readonly side: Side;
  readonly price: Price;
  readonly shares: Shares;
  readonly timeInForce?: TimeInForce;
  readonly expiresAt?: Date | null;
  readonly postOnly?: boolean;
  /** Of a purchase that spends its dollars. */
  readonly spends?: Usdc | null;
}

/** A paper order that was just put on record. */
export function anOrder(ask: Ask, market: Market, placedAt: Date): Order {
  const {
    id,
    account = ALICE,
    outcome = 'YES',
    timeInForce = 'GTC',
    expiresAt = null,
    postOnly = false,
    spends = null,
  } = ask;
  const missing = { marketSlug: null, conditionId: null, question: null, outcomeLabel: null, strategy: null };
  return {
    id: id as OrderId,
    account,
    intent: {
      ...missing,
      ...WHERE,
      outcome,
      side: ask.side,
      price: ask.price,
      shares: ask.shares,
      size: notional(ask.shares, ask.price, 'ceil'),
      timeInForce,
      expiresAt,
      postOnly,
      paper: true,
      feeSchedule: market.terms?.fee ?? null,
      envelope: null,
      spends,
      arrivesAt: null,
    },
    state: 'pending',
    venueOrderId: null,
    venueReference: null,
    fills: [],
    filled: NOTHING_FILLED,
    presumed: false,
    settlement: null,
    refusal: null,
    placedAt,
    updatedAt: placedAt,
    seq: 1,
    eventHash: '',
  };
}
