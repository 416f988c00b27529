import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evidenceIn } from '../../../../src/adapters/polymarket/execution/trade-evidence.js';
import { unsignedIn } from '../../../../src/adapters/polymarket/execution/unsigned-order.js';
import type { VenueTrade } from '../../../../src/adapters/polymarket/http/trade-wire.js';
import type { Order } from '../../../../src/core/order/order.js';
import { price, shares, usdc } from '../../../support/builders.js';
import { decimal } from '../../../support/fake-venue/wire.js';
import { aFixture, booked, listed, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture();
});
afterEach(() => fixture.close());

const alarms: string[] = [];
const HASH = /^0x/;
const UNNAMED = { side: null, owner: '', wallet: '' };

function provenBy(order: Order, trades: readonly VenueTrade[]) {
  const own = unsignedIn(order);
  if (own === null) throw new Error('it has no envelope');
  alarms.length = 0;
  return evidenceIn(order, own, trades, (what, id) => alarms.push(`${what} ${HASH.test(id)}`));
}

/** A trade that the order took from the book. */
function aTrade(order: Order, changes: Partial<VenueTrade> = {}, size = '5', at = '0.5'): VenueTrade {
  const [venueOrderId, tokenId] = [order.venueOrderId ?? '', YES];
  return {
    tradeId: 't-1',
    conditionId: '0xc0',
    status: 'provisional',
    rawStatus: 'MATCHED',
    isKnownStatus: true,
    at: new Date(fixture.time.now),
    bucket: '0',
    traderSide: 'TAKER',
    parts: [{ venueOrderId, tokenId, size, price: price(at), liquidity: 'TAKER', ...UNNAMED }],
    ...changes,
  };
}

describe('a purchase that gets a better price than its limit', () => {
  test.each([
    ['its shares as signed', 'shares', 'price', '20', '8'],
    ['all its dollars', 'dollars', 'price', '25', '10'],
    ['all its dollars, in one trade', 'dollars', 'match', '25', '10'],
    ['its shares as signed, one trade for each maker', 'shares', 'maker', '20', '8'],
  ] as const)('spends %s, and record and venue agree', async (_name, spends, tradePer, filled, cost) => {
    Object.assign(fixture.venue.habits, { buySpends: spends, tradePer });
    for (let i = 0; i < 3; i++) fixture.venue.offer(YES, 'SELL', '0.4', '10');
    const order = await fixture.order({ timeInForce: 'FOK' });
    const record = booked(order, await fixture.sends(order));
    expect(record).toMatchObject({ state: 'filled', filled: { shares: shares(filled), notional: usdc(cost) } });
    expect(fixture.account.balanceOf(YES)).toBe(record.filled.shares);
    expect(decimal(fixture.account.collateral)).toBe(decimal(usdc('100') - record.filled.notional));
    expect(
      fixture.venue.breaches([{ id: order.id, hashes: [order.venueOrderId ?? ''], filled: record.filled.shares }]),
    ).toEqual([]);
  });

  test('over several prices spends no more than its size', async () => {
    fixture.venue.habits.buySpends = 'dollars';
    for (const at of ['0.31', '0.37', '0.49']) fixture.venue.offer(YES, 'SELL', at, '10');
    const order = await fixture.order({ timeInForce: 'FAK', size: usdc('9.99') });
    const record = booked(order, await fixture.sends(order));
    expect(record.filled.notional).toBeLessThanOrEqual(usdc('9.99'));
    expect(fixture.account.balanceOf(YES)).toBe(record.filled.shares);
  });
});

describe('a trade', () => {
  test('counts once, however often and in whatever order it comes', async () => {
    const order = await fixture.order();
    const matched = aTrade(order);
    const confirmed = aTrade(order, { status: 'confirmed', rawStatus: 'CONFIRMED' });
    for (const trades of [[matched, confirmed], [confirmed, matched, matched], [confirmed]]) {
      expect(provenBy(order, trades)).toMatchObject({
        executions: [{ tradeId: 't-1', shares: shares('5'), confirmed: true }],
        traded: shares('5'),
      });
    }
  });

  test('counts once, whatever part of a match each channel calls it', async () => {
    const order = await fixture.order();
    const rows = ['', '0', '1'].map((bucket) => provenBy(order, [aTrade(order, { bucket })]));
    for (const { executions, whole } of rows)
      expect([executions.map(({ tradeId }) => tradeId), whole]).toEqual([['t-1'], true]);
  });

  test('returned in parts under one id raises an alarm, size unknown', async () => {
    const order = await fixture.order();
    expect(provenBy(order, [aTrade(order, { bucket: '0' }), aTrade(order, { bucket: '1' })])).toMatchObject({
      whole: false,
    });
    expect(alarms).toContain('trade t-1 came in several parts under one id true');
  });

  test('that failed fills nothing, and still proves that the order arrived', async () => {
    const order = await fixture.order();
    expect(provenBy(order, [aTrade(order, { status: 'failed', rawStatus: 'FAILED' })])).toEqual({
      executions: [],
      failed: ['t-1'],
      traded: shares('5'),
      named: true,
      whole: true,
    });
  });

  test('of another account says nothing', async () => {
    const [order, other] = [await fixture.order(), await fixture.order()];
    expect(provenBy(order, [aTrade(other)])).toEqual({
      executions: [],
      failed: [],
      traded: 0n,
      named: false,
      whole: true,
    });
  });

  test.each<[string, Partial<VenueTrade>, string]>([
    ['in another token', { parts: [part('77', '5')] }, 'another token in trade t-1 true'],
    ['of a size that cannot be', { parts: [part(YES, '5.1234567')] }, 'unreadable_part in trade t-1 true'],
  ])('%s is an alarm, and not all is known', async (_name, changes, alarm) => {
    const order = await fixture.order();
    const parts = (changes.parts ?? []).map((one) => ({ ...one, venueOrderId: order.venueOrderId ?? '' }));
    expect(provenBy(order, [aTrade(order, { parts })])).toMatchObject({ executions: [], named: true, whole: false });
    expect(alarms).toEqual([alarm]);
  });

  test('costs the market’s fee for it alone, and nothing as maker', async () => {
    const { terms } = listed();
    const fee = { rate: 50_000n, exponent: 1, takerOnly: true, asOf: new Date(fixture.time.now) };
    const order = await fixture.order({}, listed({ terms: terms === null ? null : { ...terms, fee } }));
    const one = aTrade(order);
    const other = aTrade(order, { tradeId: 't-2' }, '0.01');
    expect(provenBy(order, [one, other]).executions.map(({ fee: paid }) => decimal(paid))).toEqual([
      '0.0625',
      '0.00013',
    ]);
    const rested = one.parts.map((took) => ({ ...took, liquidity: 'MAKER' as const }));
    expect(provenBy(order, [{ ...one, parts: rested }]).executions).toMatchObject([{ fee: 0n }]);
  });
});

test('a void is reported by a trade that failed after matching', async () => {
  fixture.venue.offer(YES, 'SELL', '0.5', '20');
  const order = await fixture.order({ timeInForce: 'FOK' });
  const placed = await fixture.sends(order);
  expect(booked(order, placed)).toMatchObject({ state: 'filled' });
  fixture.venue.settleAll('FAILED');
  const since = await fixture.clob.trades({ after: new Date(fixture.time.now - 60_000) });
  if (since.kind !== 'ok') throw new Error('the venue is there');
  expect(fixture.evidenceOf(order, since.items)).toMatchObject({
    executions: [],
    traded: shares('20'),
    named: true,
  });
});

function part(tokenId: string, size: string) {
  return { venueOrderId: '', tokenId, size, price: price('0.5'), liquidity: 'TAKER' as const, ...UNNAMED };
}
