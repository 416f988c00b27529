import { afterAll, describe, expect, test } from 'vitest';
import { anHour, asArchived, pmxtHour, pmxtHourV1, pmxtMarket, written } from '../../support/pmxt-files.js';
import {
  AWAY,
  book,
  change,
  HOUR,
  HOUR_MS,
  hourFile,
  type Imported,
  imported,
  MARKET,
  match,
  named,
  refusal,
  removeFiles,
  said,
  WHOLE,
} from './importing.js';

afterAll(removeFiles);

describe('An import of an hour of the archive', () => {
  test('is the same tape however decimals and times are stored', async () => {
    const rows = asArchived(anHour(HOUR));
    expect(rows.length).toBeGreaterThan(280);
    const plain = await imported([hourFile(rows)]);
    for (const storing of [{ decimals: 'bytes' }, { times: 'MICROS' }, { codec: 'ZSTD' }] as const)
      expect((await imported([hourFile(rows, storing)])).text).toBe(plain.text);
    for (const storing of [{ groupSize: 40 }, { statistics: false }] as const)
      expect((await imported([hourFile(rows, storing)])).lines).toEqual(plain.lines);
  });

  test('has every amount to its last digit', async () => {
    const exact = book(
      0,
      [
        ['0.93', '2488.793'],
        ['0.57', '0.000001'],
      ],
      [['0.94', '999999999.999999']],
    );
    const tape = await imported([hourFile([exact, change(10, 'BUY', '0.92', '0.3', ['0.93', '0.94'])])]);
    expect(said(tape)).toEqual([
      [
        0,
        {
          book: {
            bids: [
              ['0.93', '2488.793'],
              ['0.57', '0.000001'],
            ],
            asks: [['0.94', '999999999.999999']],
          },
        },
      ],
      [10, { levels: [['bids', '0.92', '0.3']] }],
    ]);
  });

  test('is in order of time, whichever way its rows are sorted', async () => {
    const rows = anHour(HOUR);
    const [sorted, byTime] = [
      await imported([hourFile(asArchived(rows))]),
      await imported([hourFile(rows.toSorted((a, b) => a.at - b.at))]),
    ];
    expect(sorted.text).toBe(byTime.text);
    const times = sorted.lines.map(({ t }) => t);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('follows the clock of receiving, which does not run backward', async () => {
    const tape = await imported([
      hourFile([
        WHOLE,
        { ...change(10, 'BUY', '0.38', '1', ['0.4', '0.42']), source: HOUR + 9 },
        { ...change(20, 'BUY', '0.38', '2', ['0.4', '0.42']), source: HOUR + 3 },
      ]),
    ]);
    expect(said(tape).slice(1)).toEqual([
      [10, { levels: [['bids', '0.38', '1']] }],
      [20, { levels: [['bids', '0.38', '2']] }],
    ]);
    expect(tape.counts['source_time_inversions']).toBe(1);
  });

  test('is the same in two halves as in one go', async () => {
    const rows = anHour(HOUR);
    const middle = HOUR + HOUR_MS / 20;
    const halves = [rows.filter(({ at }) => at >= middle), rows.filter(({ at }) => at < middle)].map((half) =>
      hourFile(asArchived(half)),
    );
    expect((await imported(halves)).lines).toEqual((await imported([hourFile(asArchived(rows))])).lines);
  });

  test('says that it was alive, and so has no gap while nothing came', async () => {
    const quiet = Array.from({ length: 9 }, (_, n) => ({
      ...change(n * 9000 + 1, 'BUY', '0.3', '1', ['0.4', '0.42']),
      market: pmxtMarket(3).id,
      token: '713',
    }));
    const tape = await imported([hourFile([WHOLE, change(80_000, 'BUY', '0.38', '1', ['0.4', '0.42']), ...quiet])], {
      markets: [MARKET],
    });
    expect(tape.markets).toEqual([{ id: MARKET, lines: 2, gaps: 0, coverage: '1.0000' }]);
    expect(tape.text.match(/"alive":true/g)?.length).toBeGreaterThan(4);
  });
});

describe('A match whose level the archive did not take away', () => {
  const eaten = match(10, 'BUY', '0.42', '60', '0xa');

  test('leaves no ghost once the venue states another best price', async () => {
    const tape = await imported([hourFile([WHOLE, change(20, 'SELL', '0.45', '5', ['0.4', '0.43'])])]);
    expect(said(tape).at(-1)).toEqual([
      20,
      {
        levels: [
          ['asks', '0.45', '5'],
          ['asks', '0.42', '0'],
        ],
      },
    ]);
    expect(tape.counts['ghosts_removed']).toBe(1);
    expect(tape.warnings.map(({ code }) => code)).toContain('ghosts_removed');
  });

  test('takes its shares from the level', async () => {
    const tape = await imported([
      hourFile([WHOLE, match(10, 'BUY', '0.42', '25', '0xa'), change(20, 'SELL', '0.45', '5', ['0.4', '0.42'])]),
    ]);
    expect(said(tape).slice(1)).toEqual([
      [10, { trade: ['0.42', '25', 'BUY'] }],
      [
        20,
        {
          levels: [
            ['asks', '0.42', '35'],
            ['asks', '0.45', '5'],
          ],
        },
      ],
    ]);
    expect(tape.counts['assumed_eaten']).toBe(1);
  });

  test('takes nothing where a whole book follows', async () => {
    const after = book(15, [['0.4', '100']], [['0.43', '70']]);
    const tape = await imported([hourFile([WHOLE, eaten, after, change(20, 'SELL', '0.45', '5', ['0.4', '0.43'])])]);
    expect(said(tape).at(-1)).toEqual([20, { levels: [['asks', '0.45', '5']] }]);
    expect([tape.counts['ghosts_removed'], tape.counts['assumed_eaten']]).toEqual([undefined, undefined]);
  });

  test('takes nothing where the level says what is left', async () => {
    const tape = await imported([
      hourFile([WHOLE, match(10, 'BUY', '0.42', '25', '0xa'), change(20, 'SELL', '0.42', '35', ['0.4', '0.42'])]),
    ]);
    expect(said(tape).at(-1)).toEqual([20, { levels: [['asks', '0.42', '35']] }]);
  });

  test('is a gap where the best price that the venue states is missing', async () => {
    const tape = await imported([
      hourFile([
        WHOLE,
        change(20, 'SELL', '0.45', '5', ['0.41', '0.42']),
        change(30, 'BUY', '0.41', '9', ['0.41', '0.42']),
        book(40, [['0.41', '9']], [['0.42', '60']]),
      ]),
    ]);
    expect(said(tape).slice(2)).toEqual([
      [20, { gap: 'the best price that the venue states is missing' }],
      [40, { book: { bids: [['0.41', '9']], asks: [['0.42', '60']] } }],
    ]);
    expect([tape.counts['best_missing'], tape.counts['orphan_deltas']]).toEqual([1, 1]);
  });
});

describe('A match', () => {
  test('that both outcomes report is one trade', async () => {
    const tape = await imported([
      hourFile(
        asArchived([WHOLE, match(10, 'BUY', '0.42', '25', '0xa'), match(10, 'SELL', '0.58', '25', '0xa', AWAY)]),
      ),
    ]);
    expect(said(tape).slice(1)).toEqual([[10, { trade: ['0.42', '25', 'BUY'] }]]);
    expect(tape.counts['mirrored_trades']).toBe(1);
  });

  test('of the second outcome is told in terms of the first', async () => {
    const tape = await imported([hourFile(asArchived([WHOLE, match(10, 'BUY', '0.58', '25', '0xb', AWAY)]))]);
    expect(said(tape).slice(1)).toEqual([[10, { trade: ['0.42', '25', 'SELL'] }]]);
  });
});

describe('A market of which the archive has the second outcome alone', () => {
  const rows = anHour(HOUR).filter(({ market }) => market === MARKET);
  const alone = rows.filter(({ token }) => token === AWAY);

  test('is named, and read with --use-second as the mirror of the first', async () => {
    const whole = await imported([hourFile(asArchived(rows))], { markets: [MARKET] });
    const mirrored = await imported([hourFile(alone)], { markets: [MARKET], useSecond: true });
    const books = ({ lines }: Imported) => lines.filter((line) => 'book' in line || 'levels' in line).map(sorted);
    expect(books(mirrored)).toEqual(books(whole));
    expect(await refusal([hourFile(alone)], { markets: [MARKET] })).toMatch(/^the files hold nothing of these markets/);
  });

  /** Levels of a book may be in any order. */
  function sorted(line: Imported['lines'][number]) {
    const { book: whole, ...rest } = line as { book?: { bids: string[][]; asks: string[][] } };
    return whole === undefined ? rest : { ...rest, bids: whole.bids.toSorted(), asks: whole.asks.toSorted() };
  }
});

describe('An hour that is missing', () => {
  const hours = [0, 1, 2].map((n) => asArchived(anHour(HOUR + n * HOUR_MS)));
  const files = hours.map((rows, n) => hourFile(rows, {}, HOUR + n * HOUR_MS));

  test('is a gap of every market from its beginning, and no quiet', async () => {
    const [first = '', , third = ''] = files;
    const [whole, holed] = [await imported(files), await imported([third, first])];
    expect(whole.counts['gaps']).toBe(0);
    const gaps = holed.lines.filter((line) => 'gap' in line);
    expect(gaps.map(({ t, m, gap }) => [t - HOUR, m, gap])).toEqual(
      [1, 2].map((number) => [HOUR_MS, pmxtMarket(number).id, 'an hour of the archive is missing']),
    );
    expect(Number(holed.markets[0]?.coverage)).toBeLessThan(Number(whole.markets[0]?.coverage) - 0.05);
    expect(holed.warnings.map(({ code }) => code)).toContain('hours_missing');
  });

  test.each([
    ['empty', () => pmxtHour([])],
    ['cut off', () => pmxtHour(hours[1] ?? []).subarray(0, 500)],
    ['a page that says it is not there', () => Buffer.from('<html>404</html>')],
  ])('is one whose file is %s too', async (_, content) => {
    const [first = '', , third = ''] = files;
    const broken = written(named(HOUR + HOUR_MS), content());
    const tape = await imported([first, broken, third]);
    expect(tape.lines).toEqual((await imported([first, third])).lines);
  });

  test('is one whose file is smaller than an hour can be, unless --any-size is said', async () => {
    expect(await refusal(files, { anySize: false })).toMatch(/^the files hold nothing of these markets/);
  });
});

describe('The first version of the archive', () => {
  test('has changes of books, no trades, and says so', async () => {
    const rows = [{ ...WHOLE, type: 'book_snapshot' }, change(20, 'SELL', '0.45', '5', ['0.4', '0.43'])];
    const tape = await imported([written(named(HOUR), pmxtHourV1(rows))]);
    expect(said(tape).at(-1)).toEqual([
      20,
      {
        levels: [
          ['asks', '0.45', '5'],
          ['asks', '0.42', '0'],
        ],
      },
    ]);
    expect(tape.text).toContain(
      '"source":{"evidence":"l2_no_trades","vendor":"pmxt","version":"v1","licence":"CC BY 4.0"',
    );
  });

  test('makes a tape of both versions one without trades', async () => {
    const v1 = written(named(HOUR), pmxtHourV1([{ ...WHOLE, type: 'book_snapshot' }]));
    const v2 = hourFile([{ ...WHOLE, at: HOUR + HOUR_MS }], {}, HOUR + HOUR_MS);
    expect((await imported([v1, v2])).source).toMatchObject({ evidence: 'l2_no_trades', version: 'v1+v2' });
  });
});
