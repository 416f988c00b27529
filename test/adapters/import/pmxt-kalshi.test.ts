import { afterAll, describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/adapters/import/import-tape.js';
import { openTape } from '../../../src/adapters/tape/index.js';
import { usdc } from '../../../src/core/money.js';
import { createStakeport } from '../../../src/stakeport/create-stakeport.js';
import { written } from '../../support/pmxt-files.js';
import { fresh, removeFiles } from './importing.js';
import {
  AS_BOOK,
  BADGERS,
  BOOK,
  delta,
  HOUR,
  hourOfKalshi,
  importedAs,
  metaFile,
  OTTERS,
  snapshot,
} from './kalshi-files.js';

afterAll(removeFiles);

const imported = (files: readonly string[], changes: Partial<ImportOptions> = {}) =>
  importedAs('pmxt-kalshi', files, changes);
const refusal = (files: readonly string[], changes: Partial<ImportOptions> = {}) =>
  imported(files, changes).then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );

describe('An import of an hour of Kalshi', () => {
  test('has bids for NO as offers at one minus their price, and deltas added to their levels', async () => {
    const rows = [
      BOOK(),
      delta(400, 100, 'yes', '0.4700', '1.50'),
      delta(900, 600, 'no', '0.4800', '-1.00'),
      delta(900, 600, 'no', '0.4800', '-2.00'),
      delta(900, 700, 'no', '0.4750', '0.01'),
    ];
    for (const decimals of ['int', 'bytes'] as const) {
      const { said, report } = await imported([hourOfKalshi(rows, { decimals })]);
      expect(said).toEqual([
        [100, { book: AS_BOOK }],
        [100, { levels: [['bids', '0.47', '4.5']] }],
        [600, { levels: [['asks', '0.52', '0']] }],
        [700, { levels: [['asks', '0.525', '0.01']] }],
      ]);
      expect(report.counts).toMatchObject({ rows: 5, changes: 3, books: 1 });
    }
  });

  test('says that it has no trades, whose clock it keeps, and its licence', async () => {
    const { header, report } = await imported([hourOfKalshi([BOOK(), delta(400, 100, 'yes', '0.4700', '1')])]);
    expect(header.source).toEqual({
      evidence: 'l2_no_trades',
      vendor: 'pmxt',
      version: 'kalshi',
      licence: 'CC BY 4.0',
      clock: 'source',
      metadata: 'as_of_now',
    });
    expect([header.venue, report.attribution]).toEqual([
      'kalshi',
      'Order book data: PMXT archive (archive.pmxt.dev), CC BY 4.0',
    ]);
  });

  test('follows the clock of the venue, up to whole milliseconds, and puts a whole book where its batch ended', async () => {
    const other = (batch: number, source: number) => delta(batch, source, 'yes', '0.1000', '1', OTTERS);
    const late = { ...delta(5000, 0, 'yes', '0.4700', '1'), micros: (HOUR + 4000) * 1000 + 1 };
    const { said } = await imported([hourOfKalshi([other(400, 50), BOOK(), other(400, 350), late])]);
    expect(said).toEqual([
      [350, { book: AS_BOOK }],
      [4001, { levels: [['bids', '0.47', '4']] }],
    ]);
  });

  test('never puts a whole book behind a change of its market that follows it in its batch', async () => {
    const rows = [BOOK(), delta(400, 120, 'yes', '0.4700', '1'), delta(400, 390, 'yes', '0.1000', '1', OTTERS)];
    expect((await imported([hourOfKalshi(rows)])).said).toEqual([
      [120, { book: AS_BOOK }],
      [120, { levels: [['bids', '0.47', '4']] }],
    ]);
  });

  test('has a gap where a whole book came at a time that is not known', async () => {
    const rows = [
      BOOK(),
      delta(400, 100, 'yes', '0.4700', '1'),
      snapshot(800, [['0.3', '1']], []),
      delta(900, 700, 'yes', '0.3', '1'),
    ];
    const { said, report } = await imported([hourOfKalshi(rows)]);
    expect(said.slice(2)).toEqual([[100, { gap: 'a whole book came at a time that is not known' }]]);
    expect(report.counts).toMatchObject({ books_without_time: 1, orphan_deltas: 1 });
    expect(report.warnings.map(({ code }) => code)).toContain('books_without_time');
  });

  test('has a gap where a level falls below nothing, and drops changes before a whole book', async () => {
    const rows = [
      delta(100, 50, 'yes', '0.4700', '1'),
      BOOK(),
      delta(400, 100, 'yes', '0.4700', '-3.01'),
      delta(500, 200, 'yes', '0.4700', '5'),
      BOOK(900),
      delta(900, 800, 'yes', '0.4700', '-3'),
    ];
    const { said, report } = await imported([hourOfKalshi(rows)]);
    expect(said).toEqual([
      [100, { book: AS_BOOK }],
      [100, { gap: 'a level fell below nothing: something was lost' }],
      [800, { book: AS_BOOK }],
      [800, { levels: [['bids', '0.47', '0']] }],
    ]);
    expect(report.counts).toMatchObject({ negative_levels: 1, orphan_deltas: 2 });
  });

  test('has a moment that goes back at the moment before it, and counts it', async () => {
    const rows = [BOOK(), delta(400, 300, 'yes', '0.4700', '1'), delta(900, 250, 'yes', '0.4700', '1')];
    const { said, report } = await imported([hourOfKalshi(rows)]);
    expect(said.at(-1)).toEqual([300, { levels: [['bids', '0.47', '5']] }]);
    expect(report.counts['source_time_inversions']).toBe(1);
  });

  test('says that it was alive by the rows of other markets', async () => {
    const quiet = Array.from({ length: 9 }, (_, n) => delta(n * 9000 + 400, n * 9000 + 1, 'yes', '0.1', '1', OTTERS));
    const { report, alive } = await imported([
      hourOfKalshi([BOOK(), ...quiet, delta(80_400, 80_000, 'yes', '0.4700', '1')]),
    ]);
    expect(report.markets).toEqual([{ id: BADGERS, lines: 2, gaps: 0, coverage: '1.0000' }]);
    expect(alive).toBeGreaterThan(4);
  });

  test('is the same in two files as in one, and an hour between them that lacks is a gap', async () => {
    const rows = [BOOK(), delta(400, 100, 'yes', '0.4700', '1'), delta(900, 600, 'yes', '0.4700', '2')];
    const [one, two] = [
      await imported([hourOfKalshi(rows)]),
      await imported([rows.slice(2), rows.slice(0, 2)].map((half) => hourOfKalshi(half))),
    ];
    expect(two.said).toEqual(one.said);
    const shift = 2 * 3_600_000;
    const later = [BOOK(shift + 400), delta(shift + 400, shift + 100, 'yes', '0.4700', '1')];
    const holed = await imported([hourOfKalshi(rows), hourOfKalshi(later, {}, HOUR + shift)]);
    expect(holed.said.slice(3)).toEqual([
      [3_600_000, { gap: 'an hour of the archive is missing' }],
      [shift + 100, { book: AS_BOOK }],
      [shift + 100, { levels: [['bids', '0.47', '4']] }],
    ]);
    expect(holed.report.warnings.map(({ code }) => code)).toContain('hours_missing');
  });
});

describe('A file of Kalshi is refused, where', () => {
  const minutes = (n: number) => [
    { ...BOOK(), at: HOUR + n * 60_000 },
    { ...delta(0, 100, 'yes', '0.4700', '1'), at: HOUR + n * 60_000 },
  ];

  test.each<[string, () => readonly string[], Partial<ImportOptions>, RegExp]>([
    [
      'it has no change of a book',
      () => [hourOfKalshi([BOOK()])],
      {},
      /parquet: has no change of a book, and so no time of the venue: leave it out$/,
    ],
    [
      'it was received minutes late',
      () => [hourOfKalshi(minutes(20))],
      {},
      /came 1200 seconds late in the middle, .*say --late to take it$/,
    ],
    [
      'its ladders have members of other names',
      () => [hourOfKalshi([BOOK()], { names: ['price', 'size'] })],
      {},
      /the column yes_bids as a group LIST of list, element, price, size, which is not read here$/,
    ],
    [
      'a row has another kind',
      () => [hourOfKalshi([BOOK(), { ...delta(400, 1, 'yes', '0.4', '1'), type: 'trade' }])],
      {},
      /row 1: has the event_type "trade", which is not known here$/,
    ],
    [
      'a row has another side',
      () => [hourOfKalshi([BOOK(), delta(400, 1, 'bid', '0.4', '1')])],
      {},
      /row 1: has the side "bid": yes or no is known here$/,
    ],
    [
      'a row has no price of an order',
      () => [hourOfKalshi([BOOK(), delta(400, 1, 'yes', '1.0000', '1')])],
      {},
      /row 1: has a price that is not between 0 and 1$/,
    ],
    [
      'a row has a time of another day',
      () => [hourOfKalshi([BOOK(), delta(400, -90_000_000, 'yes', '0.4', '1')])],
      {},
      /row 1: has no timestamp near its timestamp_received$/,
    ],
    ['a fee is given', () => [hourOfKalshi([BOOK()])], { fee: '0.05' }, /^--fee is not for pmxt-kalshi/],
    [
      'it holds nothing of the markets',
      () => [hourOfKalshi([BOOK(400, OTTERS), delta(400, 1, 'yes', '0.4', '1', OTTERS)])],
      {},
      /^the files hold nothing of these markets/,
    ],
  ])('%s', async (_, files, changes, words) => {
    expect(await refusal(files(), changes)).toMatch(words);
  });

  test('is taken with --late, and named', async () => {
    const { said, report } = await imported([hourOfKalshi(minutes(20))], { late: true });
    expect(said[0]).toEqual([100, { book: AS_BOOK }]);
    expect(report.warnings.find(({ code }) => code === 'late_files')?.detail).toMatch(
      /came 1200 seconds late .*take the neighbouring hours too/,
    );
  });
});

describe('A market of Kalshi, as its answers describe it', () => {
  const files = () => [
    hourOfKalshi([BOOK(), delta(400, 100, 'yes', '0.4700', '1'), delta(60_400, 60_000, 'yes', '0.4700', '1')]),
  ];

  test('has its grid, the fees of both sides with their rounding, and one net position', async () => {
    const bands = [
      { start: '0.0000', end: '0.1000', step: '0.0010' },
      { start: '0.1000', end: '1.0000', step: '0.0100' },
    ];
    const { markets } = await imported(files(), { meta: metaFile({ price_ranges: bands }) });
    expect(markets[0].market).toMatchObject({
      id: BADGERS,
      status: 'open',
      payout: null,
      kind: 'moneyline',
      role: 'home',
      starts_at: '2027-01-16T18:00:00.000Z',
    });
    expect(markets[0].market.terms).toMatchObject({
      tick: '0.01',
      bands: [
        { from: '0', step: '0.001' },
        { from: '0.1', step: '0.01' },
      ],
      fee: {
        rate: '0.07',
        maker_rate: '0.0175',
        taker_only: false,
        rounding: { step: '0.000001', to: 'up', each: 'fill', balance_step: '0.0001' },
      },
      nets_outcomes: true,
      clears_book_at_start: false,
      accepting_orders: true,
    });
  });

  test.each([
    [{ result: 'yes', settlement_value_dollars: '1.0000' }, ['1', '0']],
    [{ result: 'no' }, ['0', '1']],
    [{ result: 'scalar', settlement_value_dollars: '0.4500' }, ['0.45', '0.55']],
  ])('ends when trading did, and has the result %j when it was final', async (result, payout) => {
    const over = {
      status: 'finalized',
      close_time: '2027-01-16T18:00:30Z',
      settlement_ts: '2027-01-16T18:02:00Z',
      ...result,
    };
    const { markets } = await imported(files(), { meta: metaFile(over) });
    expect(markets.map(({ t, market }) => [t - HOUR, market.status, market.payout])).toEqual([
      [100, 'open', null],
      [30_000, 'closed', null],
      [120_000, 'resolved', payout],
    ]);
  });

  test('has no result while the venue may still change it', async () => {
    const open = { status: 'determined', result: 'yes', settlement_ts: '2027-01-16T18:02:00Z' };
    const { markets } = await imported(files(), { meta: metaFile(open) });
    expect(markets.map(({ market }) => market.status)).toEqual(['open']);
  });

  test('has the result of --results, where one is given, before its own', async () => {
    const results = written(
      fresh('results.jsonl'),
      JSON.stringify({ market_id: BADGERS, at: new Date(HOUR + 90_000).toISOString(), payout: ['0.5', '0.5'] }),
    );
    const over = { status: 'finalized', result: 'yes', close_time: null, settlement_ts: '2027-01-16T18:02:00Z' };
    const { markets } = await imported(files(), { meta: metaFile(over), results });
    expect(markets.map(({ market }) => market.payout)).toEqual([null, ['0.5', '0.5']]);
  });

  test.each<[string, () => string, RegExp]>([
    [
      'without the answer about its event',
      () => metaFile({ event_ticker: 'KXNFLGAME-NONE' }),
      /needs the answer of \/events\/KXNFLGAME-NONE beside its own, in the same file$/,
    ],
    [
      'without the answer about its series',
      () => metaFile({}, { event: { series_ticker: 'KXNONE' } }),
      /needs the answer of \/series\/KXNONE beside its own/,
    ],
    [
      'of a fee that is not known',
      () => metaFile({}, { series: { fee_type: 'flat' } }),
      /^the fee of KXNFLGAME-27JAN16OTTBAD-BAD is not known/,
    ],
    ['that is not of two outcomes', () => metaFile({ market_type: 'scalar' }), /does not have exactly two outcomes/],
  ])('is refused %s', async (_, meta, words) => {
    expect(await refusal(files(), { meta: meta() })).toMatch(words);
  });
});

test('A tape of Kalshi plays: an order that takes pays the venue’s fee, one that rests gets nothing, and one outcome is held at a time', async () => {
  const rows = [
    BOOK(),
    delta(400, 100, 'yes', '0.4700', '1'),
    // What was offered at 0.52 is gone: somebody took it, and no trade tells.
    delta(20_400, 20_000, 'no', '0.4800', '-3'),
    delta(20_400, 20_001, 'no', '0.5500', '9'),
  ];
  const { out } = await imported([hourOfKalshi(rows)]);
  const tape = await openTape(out);
  const stakeport = createStakeport(tape);
  const bet = { account: 'me', market: BADGERS, outcome: 'YES', price: '0.52', usdc: 1.04 } as const;
  const ids: string[] = [];
  const refused: unknown[] = [];
  tape.at(new Date(HOUR + 1000), async () => {
    ids.push((await stakeport.orders.place(bet)).id);
    ids.push((await stakeport.orders.place({ ...bet, price: '0.46', usdc: 0.46, timeInForce: 'GTC' })).id);
  });
  tape.at(new Date(HOUR + 15_000), async () => {
    refused.push((await stakeport.orders.place({ ...bet, outcome: 'NO', price: '0.53' })).refusal?.code);
  });
  await tape.play();
  const [taken, rested] = await Promise.all(ids.map((id) => stakeport.orders.get('me', id as never)));
  // 2 × 0.07 × 0.52 × 0.48 = 0.034944, and what brings the balance down to whole ten thousandths.
  expect(taken?.filled).toMatchObject({ notional: usdc('1.04'), fees: usdc('0.035') });
  expect(rested?.filled.shares).toBe(0n);
  expect(refused).toEqual(['other_outcome_held']);
  await stakeport.close();
});
