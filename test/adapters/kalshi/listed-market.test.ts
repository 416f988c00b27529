import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { listedMarket } from '../../../src/adapters/kalshi/market-data/listed-market.js';
import {
  eventRecord,
  marketRecord,
  milestoneRecord,
  seriesRecord,
} from '../../../src/adapters/kalshi/market-data/market-records.js';
import { KALSHI } from '../../../src/adapters/kalshi/venue-name.js';
import { FeeMeter } from '../../../src/core/market/fee.js';
import { isOnGrid } from '../../../src/core/market/market.js';
import { price, shares, usdc } from '../../../src/core/money.js';
import { EVENT, MARKET, MILESTONE, SERIES } from '../../support/fake-kalshi/records.js';

type Json = Readonly<Record<string, unknown>>;
const NOW = new Date('2027-01-10T12:00:00.000Z');

function listed(
  market: Json = {},
  { event = {}, series = {}, milestone = MILESTONE as Json | null, trades = true } = {},
  now = NOW,
) {
  const records = {
    market: v.parse(marketRecord, { ...MARKET, ...market }),
    event: v.parse(eventRecord, { ...EVENT, ...event }),
    series: v.parse(seriesRecord, { ...SERIES, ...series }),
    milestone: milestone === null ? null : v.parse(milestoneRecord, milestone),
    trades,
    readAt: NOW,
  };
  return listedMarket(records, KALSHI, now);
}

describe('a market of Kalshi', () => {
  test('has its names, its game and its terms', () => {
    expect(listed()).toMatchObject({
      venue: 'kalshi',
      id: 'KXNFLGAME-27JAN16OTTBAD-BAD',
      question: 'Otters at Badgers Winner? (Badgers)',
      outcomes: [
        { label: 'Badgers', tokenId: 'KXNFLGAME-27JAN16OTTBAD-BAD:YES' },
        { label: 'Not Badgers', tokenId: 'KXNFLGAME-27JAN16OTTBAD-BAD:NO' },
      ],
      event: { id: 'KXNFLGAME-27JAN16OTTBAD', title: 'Otters at Badgers' },
      sport: 'american_football',
      league: 'nfl',
      kind: 'moneyline',
      role: 'home',
      exclusiveSet: 'KXNFLGAME-27JAN16OTTBAD',
      startsAt: new Date('2027-01-16T18:00:00Z'),
      status: 'open',
      payout: null,
      lot: 10_000n,
      terms: { tick: price('0.01'), minShares: shares('0.01'), acceptingOrders: true, delaySeconds: 0 },
    });
  });

  test('of a series that is not known has the sport of its tags, and no kind', () => {
    const unknown = { ticker: 'KXATPMATCH', tags: ['Tennis', 'ATP'] };
    expect(listed({}, { series: unknown, event: { series_ticker: 'KXATPMATCH' } })).toMatchObject({
      sport: 'tennis',
      league: 'pro football',
      kind: 'other',
      role: null,
    });
  });

  test('without a milestone has no start, whatever its own times say', () => {
    expect(listed({ occurrence_datetime: '2027-01-16T21:00:00Z' }, { milestone: null })).toMatchObject({
      startsAt: null,
      role: null,
    });
  });

  test.each([
    [{ status: 'initialized', open_time: '2027-01-11T00:00:00Z' }, 'upcoming'],
    [{ status: 'inactive' }, 'suspended'],
    [{ status: 'closed' }, 'closed'],
    [{ close_time: '2027-01-10T11:59:59Z' }, 'closed'],
    [{ status: 'determined', result: 'yes' }, 'resolving'],
    [{ status: 'disputed', result: 'yes' }, 'disputed'],
    [{ status: 'amended', result: 'no' }, 'resolving'],
  ])('that is %j has the status %s and no result', (members, status) => {
    expect(listed(members)).toMatchObject({ status, payout: null });
  });

  test('is in play from the start of its game, and suspended while its shard pauses', () => {
    expect(listed({}, {}, new Date('2027-01-16T18:00:00Z')).status).toBe('in_play');
    expect(listed({}, { trades: false })).toMatchObject({ status: 'suspended', terms: { acceptingOrders: false } });
  });

  test.each([
    [{ result: 'yes', settlement_value_dollars: '1.0000' }, ['1', '0']],
    [{ result: 'no', settlement_value_dollars: '0.0000' }, ['0', '1']],
    [{ result: 'scalar', settlement_value_dollars: '0.4500' }, ['0.45', '0.55']],
  ])('that is finalized as %j pays %j', (members, [yes = '', no = '']) => {
    expect(listed({ status: 'finalized', ...members })).toMatchObject({
      status: 'resolved',
      payout: [usdc(yes), usdc(no)],
    });
  });

  test.each([[{ result: 'scalar' }], [{ result: 'yes', settlement_value_dollars: '0.0000' }], [{ result: 'void' }]])(
    'that is finalized as %j has no result that can be paid',
    (members) => {
      expect(listed({ status: 'finalized', ...members })).toMatchObject({ status: 'resolving', payout: null });
    },
  );

  test('takes prices by bands, whole cents in all of them', () => {
    const ranges = [
      { start: '0.0000', end: '0.1000', step: '0.0010' },
      { start: '0.1000', end: '0.9000', step: '0.0100' },
      { start: '0.9000', end: '1.0000', step: '0.0010' },
    ];
    const { terms } = listed({ price_ranges: ranges });
    if (terms === null) throw new Error('the market has no terms');
    const onGrid = (text: string) => isOnGrid(terms, price(text));
    expect(['0.005', '0.1', '0.55', '0.901', '0.999'].filter(onGrid)).toEqual([
      '0.005',
      '0.1',
      '0.55',
      '0.901',
      '0.999',
    ]);
    expect(['0.0005', '0.105', '0.5501', '0.9995'].filter(onGrid)).toEqual([]);
  });

  test('without a grid takes no orders, and is paid all the same', () => {
    const odd = [{ start: '0.0000', end: '1.0000', step: '0.0000' }];
    expect(listed({ price_ranges: odd })).toMatchObject({ status: 'open', terms: null });
    const won = { status: 'finalized', result: 'yes', price_ranges: null };
    expect(listed(won)).toMatchObject({ status: 'resolved', payout: [usdc('1'), usdc('0')], terms: null });
  });

  test('that is not of two outcomes cannot be used', () => {
    expect(() => listed({ market_type: 'scalar' })).toThrow(/two outcomes/);
  });
});

describe('the fee of a market of Kalshi', () => {
  const feeOf = (...given: Parameters<typeof listed>) => {
    const fee = listed(...given).terms?.fee;
    if (fee == null) return null;
    const charged = (liquidity: 'TAKER' | 'MAKER') => new FeeMeter(fee).charge(shares('1'), price('0.52'), liquidity);
    return [charged('TAKER'), charged('MAKER')];
  };

  test('is that of recorded trades for takers, and a quarter for makers', () => {
    expect(feeOf()).toEqual([usdc('0.0175'), usdc('0.0044')]);
    expect(feeOf({}, { series: { fee_type: 'quadratic' } })).toEqual([usdc('0.0175'), 0n]);
  });

  test('is that of the event before that of the series, and none while it is waived', () => {
    expect(feeOf({}, { event: { fee_type_override: 'quadratic', fee_multiplier_override: 0.5 } })).toEqual([
      usdc('0.0088'),
      0n,
    ]);
    expect(feeOf({ fee_waiver_expiration_time: '2027-02-01T00:00:00Z' })).toEqual([0n, 0n]);
    expect(feeOf({ fee_waiver_expiration_time: '2027-01-01T00:00:00Z' })).toEqual([usdc('0.0175'), usdc('0.0044')]);
  });

  test('of an unknown kind is not guessed', () => {
    expect(feeOf({}, { series: { fee_type: 'flat' } })).toBeNull();
  });
});
