import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { KalshiMarketData } from '../../../src/adapters/kalshi/market-data/kalshi-market-data.js';
import { systemClock } from '../../../src/adapters/system/index.js';
import { openTape, recordTape } from '../../../src/adapters/tape/index.js';
import { readTape, readTapeHeader } from '../../../src/adapters/tape/tape-reader.js';
import type { MarketId, OrderId } from '../../../src/core/ids.js';
import type { MarketData } from '../../../src/ports/market-data.js';
import { createStakeport, type Stakeport } from '../../../src/stakeport/create-stakeport.js';
import { eventually } from '../../support/eventually.js';
import { ED25519_KEY, keyFileOf } from '../../support/fake-kalshi/keys.js';
import { MILESTONE } from '../../support/fake-kalshi/records.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';
import { diary } from '../polymarket/market-data/listening.js';
import { all } from '../tape/tapes.js';

const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD' as MarketId;
const folder = mkdtempSync(join(tmpdir(), 'stakeport-kalshi-tape-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BET = { account: 'me', market: TICKER, outcome: 'YES', price: '0.52', usdc: 1.04 } as const;
const BETS = {
  takes: BET,
  rests: { ...BET, price: '0.47', usdc: 0.94, timeInForce: 'GTC' },
  other: { ...BET, outcome: 'NO', price: '0.53' },
  offGrid: { ...BET, price: '0.475', usdc: 0.95, timeInForce: 'GTC' },
} as const;
type Bet = keyof typeof BETS;

async function follows(source: MarketData) {
  const read = diary();
  const market = await source.find(TICKER);
  if (market === undefined) throw new Error('there is no such market');
  await source.follow(market, read.listener);
  return { market, ...read };
}

/** What came of a bet: all of its fills with their fees, or why it was refused. */
async function outcomeOf(stakeport: Stakeport, id: OrderId) {
  const { fills, refusal } = await stakeport.orders.get('me', id);
  return {
    refusal: refusal?.code ?? null,
    fills: fills.map(({ price, shares, fee, liquidity }) => ({ price, shares, fee, liquidity })),
  };
}

test('A tape recorded from Kalshi plays the same books, and gives the same orders the same fills, fees and refusals', async () => {
  const venue = await FakeKalshi.start();
  venue.books.set(TICKER, { yes: [['0.4700', '3.00']], no: [['0.4800', '3.00']] });
  // The game starts while an order rests.
  const startsAt = Date.now() + 3000;
  venue.milestones = [{ ...MILESTONE, start_date: new Date(startsAt).toISOString() }];
  const signer = await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY));
  const where = { api: venue.api, socket: venue.socket, signer, series: ['KXNFLGAME'] };
  const data = new KalshiMarketData({ environment: 'demo', ...where, clock: systemClock });
  const stakeport = createStakeport({ marketData: data, latencyMs: 0 });
  const live = await follows(data);
  const out = join(folder, 'game.jsonl.gz');
  const ending = new AbortController();
  const recording = recordTape({
    markets: [live.market],
    source: data,
    clock: systemClock,
    out,
    progress: () => {},
    signal: ending.signal,
  });
  const placed = new Map<Bet, { readonly id: OrderId; readonly at: Date }>();
  const place = async (bet: Bet) => {
    const { id, placedAt } = await stakeport.orders.place(BETS[bet]);
    placed.set(bet, { id, at: placedAt });
    return id;
  };
  const trades = (count: string) => {
    const trade = { market_ticker: TICKER, yes_price_dollars: '0.4700', count_fp: count, taker_book_side: 'ask' };
    venue.tell('trade', 'trade', trade);
  };
  const has = (id: OrderId, fills: number) =>
    eventually(async () => expect((await stakeport.orders.get('me', id)).fills).toHaveLength(fills));

  await live.reads(['book 0.47x3 / 0.52x3']);
  await eventually(async () => expect((await all(readTape(out))).at(-1)).toMatchObject({ change: { type: 'book' } }));
  await has(await place('takes'), 1);
  const rests = await place('rests');
  await place('other');
  await place('offGrid');
  trades('4.00');
  venue.delta(TICKER, 'yes', '0.4700', '-3.00');
  await has(rests, 1);
  await eventually(() => expect(Date.now()).toBeGreaterThan(startsAt));
  venue.delta(TICKER, 'yes', '0.4600', '5.00');
  trades('1.00');
  await has(rests, 2);
  const ranges = [
    { start: '0.0000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ];
  venue.changes(TICKER, {
    price_ranges: ranges,
    status: 'finalized',
    result: 'scalar',
    settlement_value_dollars: '0.4500',
  });
  venue.tell('market_lifecycle_v2', 'market_lifecycle_v2', { market_ticker: TICKER, price_ranges: ranges });
  await eventually(() => expect(live.lines().at(-1)).toBe('market'));
  await eventually(async () => expect((await all(readTape(out))).at(-1)).toMatchObject({ change: { type: 'market' } }));
  ending.abort();
  await recording;
  const expected = new Map<Bet, Awaited<ReturnType<typeof outcomeOf>>>();
  for (const [bet, { id }] of placed) expected.set(bet, await outcomeOf(stakeport, id));
  await stakeport.close();
  await data.close();
  await venue.stop();

  expect(expected.get('takes')?.fills).toMatchObject([{ liquidity: 'TAKER', shares: 2_000_000n, fee: 35_000n }]);
  expect(expected.get('rests')?.fills.map(({ liquidity }) => liquidity)).toEqual(['MAKER', 'MAKER']);
  expect([expected.get('other')?.refusal, expected.get('offGrid')?.refusal]).toEqual([
    'other_outcome_held',
    'invalid_tick',
  ]);

  expect(await readTapeHeader(out)).toMatchObject({ venue: 'kalshi_demo', source: { evidence: 'l2' } });
  const tape = await openTape(out);
  expect([tape.venue, tape.nets(), tape.index.markets[0]?.terms]).toMatchObject([
    'kalshi_demo',
    true,
    { netsOutcomes: true, clearsBookAtStart: false, fee: { makerRate: 17_500n, rounding: { balanceStep: 100n } } },
  ]);
  const played = await follows(tape);
  const again = createStakeport({ marketData: tape, clock: tape, latencyMs: 0 });
  const ids = new Map<Bet, OrderId>();
  for (const [bet, { at }] of placed)
    tape.at(at, async () => {
      ids.set(bet, (await again.orders.place(BETS[bet])).id);
    });
  await tape.play();
  for (const [bet, outcome] of expected)
    expect([bet, await outcomeOf(again, ids.get(bet) ?? ('' as OrderId))]).toEqual([bet, outcome]);
  // It begins with the gap before its first line, and with the market itself; it ends with a gap.
  const lines = played.lines();
  expect(lines.filter((line) => line !== 'market').slice(1, -1)).toEqual(
    live.lines().filter((line) => line !== 'market'),
  );
  expect((await tape.find(TICKER))?.payout).toEqual([450_000n, 550_000n]);
  await again.close();
});
