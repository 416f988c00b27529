import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/adapters/import/import-tape.js';
import { type PmxtRow, parquetOf, pmxtHour, pmxtHourV1, pmxtMarket, written } from '../../support/pmxt-files.js';
import {
  AWAY,
  book,
  change,
  fresh,
  HOUR,
  hourFile,
  imported,
  MARKET,
  match,
  named,
  own,
  refusal,
  removeFiles,
  WHOLE,
} from './importing.js';

afterAll(removeFiles);

describe('A result', () => {
  const results = (at: number) =>
    written(
      fresh('results.jsonl'),
      JSON.stringify({ market_id: MARKET, at: new Date(HOUR + at).toISOString(), payout: ['1', '0'] }),
    );

  test('ends the market when it was known, and never before', async () => {
    const tape = await imported([hourFile([WHOLE, match(10, 'BUY', '0.42', '25', '0xa')])], {
      results: results(50_000),
      markets: [MARKET],
    });
    const [first, last] = [tape.lines[0], tape.lines.at(-1)] as {
      t: number;
      market: { status: string; payout: unknown };
    }[];
    expect([first?.market.status, first?.market.payout]).toEqual(['open', null]);
    expect([(last?.t ?? 0) - HOUR, last?.market.status, last?.market.payout]).toEqual([50_000, 'resolved', ['1', '0']]);
  });

  test('that is dated before the last trade is refused', async () => {
    const message = await refusal([hourFile([WHOLE, match(10, 'BUY', '0.42', '25', '0xa')])], { results: results(5) });
    expect(message).toMatch(
      /^the result of 0x0+1 is dated 2026-06-26T02:00:00.005Z, and its last trade is of .*give the moment at which it was known$/,
    );
  });
});

describe('An import is refused, and leaves nothing behind, where', () => {
  const strange = parquetOf(
    [{ a: 1n }],
    [[{ name: 'price', type: 'INT64', repetition_type: 'OPTIONAL' }, ({ a }) => a]],
  );
  const asDouble = pmxtHour([WHOLE]);

  test.each<[string, () => readonly string[], Partial<ImportOptions>, RegExp]>([
    [
      'a file has columns of no known schema',
      () => [written(named(HOUR), strange)],
      {},
      /parquet: has the columns price, which no schema known here has$/,
    ],
    [
      'two files cover one hour',
      () => [
        hourFile([WHOLE]),
        written(
          named(HOUR),
          pmxtHourV1([
            { ...WHOLE, type: 'book_snapshot' },
            { ...WHOLE, at: HOUR - 5, type: 'book_snapshot' },
          ]),
        ),
      ],
      {},
      /covers the same time as .*: give one file for each hour$/,
    ],
    [
      'no row is about its markets',
      () => [hourFile([{ ...WHOLE, market: pmxtMarket(3).id }])],
      {},
      /^the files hold nothing of these markets: check their ids and the hours$/,
    ],
    [
      'a market has a token that is none of its two',
      () => [hourFile([WHOLE, { ...WHOLE, at: HOUR + 1, token: '99' }])],
      {},
      /parquet, row 1: is about the token "99", which is neither outcome of its market/,
    ],
    [
      'a kind of row is not known',
      () => [hourFile([WHOLE, own(1, { type: 'best_bid_ask' })])],
      {},
      /parquet, row 1: has the event_type "best_bid_ask"/,
    ],
    [
      'a level is too large for a tape',
      () => [hourFile([book(0, [['0.4', '1000000000']], [])])],
      {},
      /parquet, row 0: has the amount "1000000000"/,
    ],
    [
      'a broken file has no hour in its name',
      () => [written(fresh('mine.parquet'), asDouble.subarray(0, 300))],
      {},
      /mine\.parquet: is not a Parquet file, or only a part of one: fetch it again$/,
    ],
    [
      'its market is not described',
      () => [hourFile([WHOLE])],
      { markets: ['0xabc'] },
      /markets\.jsonl: does not describe the market 0xabc$/,
    ],
    [
      'the fee of a market is not known',
      () => [hourFile([WHOLE])],
      {
        meta: written(
          fresh('free.jsonl'),
          JSON.stringify(pmxtMarket(1, { terms: { ...pmxtMarket(1).terms, fee: null } })),
        ),
      },
      /the fee of 0x0+1 is not known: give it in the file of --meta, or for all such markets with --fee/,
    ],
    [
      'a market is described with two pairs of outcomes',
      () => [hourFile([WHOLE])],
      {
        meta: written(
          fresh('two.jsonl'),
          [pmxtMarket(1), pmxtMarket(1, { outcomes: pmxtMarket(2).outcomes })]
            .map((one) => JSON.stringify(one))
            .join('\n'),
        ),
      },
      /two\.jsonl, row 2: gives 0x0+1 two pairs of outcomes/,
    ],
  ])('%s', async (_, files, changes, words) => {
    const out = fresh('refused.jsonl');
    expect(await refusal(files(), { ...changes, out })).toMatch(words);
    expect([existsSync(out), existsSync(`${out}.partial`)]).toEqual([false, false]);
  });

  test('its tape is there already', async () => {
    const out = written(fresh('mine.jsonl'), 'mine');
    expect(await refusal([hourFile([WHOLE])], { out })).toMatch(
      /mine\.jsonl: is there already: give --out another name, or remove it$/,
    );
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });
});

test('A report beside the tape names files, counts, warnings and the licence', async () => {
  const rows = [
    WHOLE,
    book(
      0,
      [
        ['0.58', '60'],
        ['0.57', '70'],
      ],
      [
        ['0.6', '100'],
        ['0.61', '50'],
      ],
      AWAY,
    ),
    book(5, [['0.5', '1']], [], AWAY),
    { ...change(9, 'BUY', '0.3', '1', ['0.4', '0.42']), source: HOUR - 60_000 },
  ];
  const out = fresh('reported.jsonl');
  await imported([hourFile([...rows, rows.at(-1) as PmxtRow])], { out, markets: [MARKET] });
  const report = JSON.parse(readFileSync(`${out}.import.json`, 'utf8'));
  expect(report).toMatchObject({
    kind: 'pmxt',
    attribution: expect.stringContaining('CC BY 4.0'),
    files: [
      {
        name: expect.stringMatching(/^\d+-polymarket_orderbook_2026-06-26T02\.parquet$/),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
    counts: { mirrors: 1, mirror_mismatches: 1, duplicate_rows: 1, lag_ms_max: 60_009, rows: 5 },
  });
  expect(report.warnings.map(({ code }: { code: string }) => code)).toEqual([
    'mirror_mismatches',
    'metadata_as_of_now',
  ]);
});
