import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/adapters/sql/columns.js';
import { FILLS } from '../../../src/adapters/sql/fill-table.js';
import { ORDERS } from '../../../src/adapters/sql/order-table.js';
import type { OrderId, StrategyId, VenueName } from '../../../src/core/ids.js';
import type { FeeSchedule } from '../../../src/core/market/fee.js';
import type { Price, Shares, Usdc } from '../../../src/core/money.js';
import type { Fill, Order } from '../../../src/core/order/order.js';
import { ALICE, MARKET } from '../../support/builders.js';

let last = 0;
const next = () => ++last;
const text = () => `text ${next()}`;
const moment = () => new Date(Date.UTC(2026, 0, next()));
const usdc = () => BigInt(next()) as Usdc;
const shares = () => BigInt(next()) as Shares;
const price = () => BigInt(next()) as Price;

const aFee = (): FeeSchedule => ({ rate: BigInt(next()), exponent: next(), takerOnly: true, asOf: moment() });

const aFill = (): Fill => ({
  tradeId: text(),
  shares: shares(),
  price: price(),
  notional: usdc(),
  fee: usdc(),
  liquidity: 'MAKER',
  settlement: 'voided',
  model: text(),
  basis: { cost: usdc(), strategyShares: shares(), strategyCost: usdc() },
});

/** No two members hold the same value. */
const FULL: Order = {
  id: text() as OrderId,
  account: ALICE,
  intent: {
    marketId: MARKET,
    marketSlug: text(),
    conditionId: text(),
    question: text(),
    outcomeLabel: text(),
    outcome: 'NO',
    side: 'SELL',
    price: price(),
    size: usdc(),
    shares: shares(),
    timeInForce: 'GTD',
    expiresAt: moment(),
    postOnly: true,
    paper: false,
    strategy: { id: text() as StrategyId, version: next() },
    feeSchedule: aFee(),
    envelope: { content: text(), sendBy: moment(), spends: usdc(), dust: shares() },
    spends: null,
    arrivesAt: moment(),
    venue: text() as VenueName,
    day: text(),
    counted: { reset: next(), n: next(), start: usdc(), counts: { bets: next() } },
  },
  state: 'open',
  venueOrderId: text(),
  venueReference: text(),
  fills: [aFill(), aFill(), aFill()],
  filled: { shares: shares(), confirmed: shares(), notional: usdc(), fees: usdc() },
  settlement: { at: moment(), returned: usdc() },
  refusal: { code: text(), message: text() },
  presumed: false,
  placedAt: moment(),
  updatedAt: moment(),
  seq: next(),
  eventHash: text(),
};

const NOTHING = { marketSlug: null, conditionId: null, question: null, outcomeLabel: null, expiresAt: null };
const BARE: Order = {
  ...FULL,
  intent: {
    ...FULL.intent,
    ...NOTHING,
    postOnly: false,
    paper: true,
    strategy: null,
    feeSchedule: null,
    envelope: null,
    arrivesAt: null,
    day: undefined,
    counted: undefined,
  },
  venueOrderId: null,
  venueReference: null,
  fills: [],
  settlement: null,
  refusal: null,
  presumed: true,
};

/** The cells that a statement reads of an order: its columns, and its fills in any order. */
function cellsOf(order: Order): readonly Cell[] {
  const cells = ORDERS.encode(order);
  const names = Object.keys(ORDERS.stored);
  const fills = order.fills.map((fill, index) => {
    const [, , ...own] = FILLS.encode({ account: order.account, orderId: order.id, n: index + 1, fill });
    return own;
  });
  return [...Object.keys(ORDERS.columns).map((name) => cells[names.indexOf(name)] ?? null), fills.toReversed()];
}

describe('the row of an order', () => {
  it.each([
    ['every member', FULL],
    ['no more than it must', BARE],
    ['dollars of its own', { ...BARE, intent: { ...BARE.intent, spends: usdc() } }],
  ])('with %s is read back as it was written', (_, order) => {
    expect(ORDERS.decode(cellsOf(order))).toEqual(order);
  });
});
