import { afterAll, describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/adapters/import/import-tape.js';
import { openTape } from '../../../src/adapters/tape/index.js';
import { createStakeport } from '../../../src/stakeport/create-stakeport.js';
import { written } from '../../support/pmxt-files.js';
import { fresh, removeFiles } from './importing.js';
import { BADGERS, HOUR, importedAs, OTTERS } from './kalshi-files.js';

afterAll(removeFiles);

const BEGAN = HOUR / 1000;
/** A candle of which the best prices were these at its end; before, they were others. */
const candle = (minute: number, bid: string, ask: string, suffix = '_dollars') => ({
  end_period_ts: BEGAN + minute * 60,
  yes_bid: {
    [`open${suffix}`]: '0.0100',
    [`low${suffix}`]: '0.0100',
    [`high${suffix}`]: '0.9900',
    [`close${suffix}`]: bid,
  },
  yes_ask: {
    [`open${suffix}`]: '0.0200',
    [`low${suffix}`]: '0.0200',
    [`high${suffix}`]: '0.9900',
    [`close${suffix}`]: ask,
  },
  price: { close: null },
  volume_fp: '0.00',
});
const answer = (candlesticks: readonly unknown[], ticker: string | null = BADGERS) =>
  written(fresh('candles.json'), JSON.stringify({ ...(ticker !== null && { ticker }), candlesticks }));
const imported = (files: readonly string[], changes: Partial<ImportOptions> = {}) =>
  importedAs('kalshi-candles', files, changes);
const book = (bid: string | null, ask: string | null) => ({
  book: { bids: bid === null ? [] : [[bid, '1000000']], asks: ask === null ? [] : [[ask, '1000000']] },
});

describe('An import of candles', () => {
  test('has the best prices at the end of each period, known then, and says what they are', async () => {
    const { said, header, report } = await imported([
      answer([candle(1, '0.4700', '0.5200'), candle(2, '0.4800', '0.5150')]),
    ]);
    expect(said).toEqual([
      [60_000, book('0.47', '0.52')],
      [120_000, book('0.48', '0.515')],
      [210_000, { gap: 'no later price' }],
    ]);
    expect(header.source).toMatchObject({ evidence: 'candles', vendor: 'kalshi', clock: 'source' });
    expect(report.warnings.map(({ code }) => code)).toEqual(['candles_only', 'metadata_as_of_now']);
  });

  test('has a gap where a period lacks, and none between the periods that are there', async () => {
    const { said } = await imported([answer([1, 2, 3, 30].map((minute) => candle(minute, '0.4700', '0.5200')))]);
    expect(said.map(([at, line]) => [at / 60_000, 'gap' in line])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4.5, true],
      [30, false],
      [31.5, true],
    ]);
  });

  test('reads answers of the past, of many markets, and of one named by its file', async () => {
    const past = answer([candle(1, '0.4700', '0.5200', '')]);
    const many = written(
      fresh('many.json'),
      JSON.stringify({
        markets: [
          { market_ticker: OTTERS, candlesticks: [candle(1, '0.1', '0.2')] },
          { market_ticker: BADGERS, candlesticks: [candle(1, '0.4700', '0.5200')] },
        ],
      }),
    );
    for (const file of [past, many]) expect((await imported([file])).said[0]).toEqual([60_000, book('0.47', '0.52')]);
    expect((await imported([many])).report.counts['other_markets']).toBe(1);
  });

  test('takes 0 and 1 as a side without orders', async () => {
    const { said, report } = await imported([answer([candle(1, '0.0000', '0.5200'), candle(2, '0.4700', '1.0000')])]);
    expect(said.slice(0, 2)).toEqual([
      [60_000, book(null, '0.52')],
      [120_000, book('0.47', null)],
    ]);
    expect(report.counts['one_sided_candles']).toBe(2);
  });

  test('takes each period once, of answers that overlap', async () => {
    const { said } = await imported([
      answer([candle(2, '0.4700', '0.5200'), candle(3, '0.4700', '0.5200')]),
      answer([candle(1, '0.4700', '0.5200'), candle(2, '0.4700', '0.5200')]),
    ]);
    expect(said.map(([at]) => at / 60_000)).toEqual([1, 2, 3, 4.5]);
  });

  test.each<[string, () => string, RegExp]>([
    ['is no JSON', () => written(fresh('a.json'), '<html>'), /is not JSON: save the answer as it came$/],
    ['has no candles', () => written(fresh('b.json'), '{"trades":[]}'), /b\.json: has no candlesticks: an answer is/],
    [
      'is about another market than was asked',
      () => answer([candle(1, '0.1', '0.2')], OTTERS),
      /^no file has candles of these markets/,
    ],
    [
      'has candles of trades alone',
      () => answer([{ end_period_ts: BEGAN, price: {} }]),
      /row 0: has a candle without end_period_ts, yes_bid and yes_ask/,
    ],
    [
      'has cents',
      () => answer([{ end_period_ts: BEGAN, yes_bid: { close: 47 }, yes_ask: { close: 52 } }]),
      /row 0: has a candle whose close is no price in dollars/,
    ],
    [
      'has a price above 1',
      () => answer([candle(1, '47', '52')]),
      /row 0: has the close "47", which is no price from 0 to 1$/,
    ],
  ])('is refused where an answer %s', async (_, file, words) => {
    await expect(imported([file()])).rejects.toThrow(words);
  });

  test('plays, and fills nothing: sizes are not known', async () => {
    const { out } = await imported([answer([1, 2, 3].map((minute) => candle(minute, '0.4700', '0.5200')))]);
    const tape = await openTape(out);
    const stakeport = createStakeport(tape);
    const placed: unknown[] = [];
    tape.at(new Date(HOUR + 61_000), async () => {
      const { state, refusal } = await stakeport.orders.place({
        account: 'me',
        market: BADGERS,
        outcome: 'YES',
        price: '0.52',
        usdc: 1.04,
      });
      placed.push(state, refusal?.code);
    });
    await tape.play();
    await stakeport.close();
    expect(placed).toEqual(['denied', 'market_data_stale']);
  });
});
