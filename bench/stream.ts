import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshSqliteFile } from '../test/support/databases.js';
import { type Running, stakeport, start } from './contenders.js';
import { Followers } from './followers.js';
import { Load, type Slice } from './load.js';
import { interleaved, type Part, table } from './rounds.js';
import { compared, LOAD_HEAD, loadCells, ORDER } from './under-load.js';

const ACCOUNTS = 64;
const READERS = 100;
/** Busy markets: in each the book changes so often a second, and there is a trade. */
const [MARKETS, CHANGES] = [20, 10];
const BEGINS = Date.UTC(2026, 2, 7, 12);
/** Longer than the part takes. */
const TAPE_SECONDS = 400;
const MANY = { STREAMS_PER_KEY: '2000', STREAMS_PER_ACCOUNT: '2000', STREAMS_MAX: '2000', PAPER_LATENCY_MS: '0' };
const NAMES = Array.from({ length: MARKETS }, (_, n) => `busy-${n}`);
const PATH = `/v1/exchange/markets/stream?market=${NAMES}`;

/** Who reads markets while orders are placed; the first is what the others are compared with. */
const ROWS = [
  { name: 'nobody', streams: 0, path: PATH },
  { name: `${READERS} readers of the best prices`, streams: READERS, path: PATH },
  { name: `${READERS} readers of 10 levels`, streams: READERS, path: `${PATH}&depth=10` },
] as const;
type Row = (typeof ROWS)[number];

/** Orders to a server while clients follow busy markets by its streams. */
export const stream: Part = async (options) => {
  const [load, followers, file] = [new Load(), new Followers(), freshSqliteFile()];
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-busy-'));
  let server: Running | undefined;
  try {
    const tape = join(folder, 'busy.jsonl');
    writeFileSync(tape, [...busy()].map((line) => `${JSON.stringify(line)}\n`).join(''));
    server = await start(stakeport('SQLite', file.url, { ...MANY, MARKET_DATA: `tape:${tape}` }));
    const { urls, pids } = server;
    const run = async ({ name, ...row }: Row, seconds: number): Promise<Slice> => {
      await followers.ask({ kind: 'open', url: urls[0] ?? '', accounts: 'reader', ...row });
      const asked = { ...ORDER, accounts: ACCOUNTS, connections: options.connections, seconds };
      const slice = await load.slice({ name, urls, pids }, asked);
      await followers.ask({ kind: 'close' });
      return slice;
    };
    for (const row of ROWS) await run(row, 1);
    const contenders = ROWS.map((row) => ({ name: row.name, run: () => run(row, options.seconds) }));
    const slices = await interleaved(contenders, options.rounds);
    const first = slices(ROWS[0].name);
    const rows = ROWS.map(({ name }) => [name, ...loadCells(slices(name), first)]);
    const figures = ROWS.slice(1).map(({ name }) => compared(`${name}, × nobody`, null, slices(name), first));
    const busyness = `${MARKETS} markets, each with ${CHANGES} changes of its book and a trade a second`;
    const title = `Orders on SQLite while clients follow ${busyness}: ${options.connections} connections. ${load.said}`;
    return { text: `${title}\n\n${table(['', ...LOAD_HEAD], rows)}`, figures };
  } finally {
    load.stop();
    followers.stop();
    await server?.stop();
    file.remove();
    rmSync(folder, { recursive: true });
  }
};

/** The lines of a tape of these markets, and of one that has enough for every order. */
function* busy(): Generator<object> {
  yield { stakeport_tape: 1, recorded_at: new Date(BEGINS).toISOString(), venue: 'example' };
  for (const name of [...NAMES, 'bench-market']) yield { t: BEGINS, market: described(name) };
  yield { t: BEGINS, m: 'bench-market', book: { bids: [['0.5', '100000000']], asks: [['0.52', '100000000']] } };
  for (const m of NAMES) yield { t: BEGINS, m, book: ladder(50) };
  for (let tick = 1; tick <= TAPE_SECONDS * CHANGES; tick++)
    for (const [at, m] of NAMES.entries()) {
      const t = BEGINS + tick * (1000 / CHANGES) + at;
      if (tick % CHANGES === 0) yield { t, m, trade: ['0.51', `${1 + (tick % 90)}`, 'BUY'] };
      // Now and then all of it moves; else a level at the best prices, or behind them.
      if (tick % 50 === 0) yield { t, m, book: ladder(45 + ((tick / 50 + at) % 10)) };
      else yield { t, m, levels: [['bids', cents(49 - (tick % 5)), `${100 + ((7 * tick + 13 * at) % 900)}`]] };
    }
}

const cents = (count: number): string => `0.${String(count).padStart(2, '0')}`;

function ladder(mid: number) {
  const levels = (way: 1 | -1) => Array.from({ length: 20 }, (_, n) => [cents(mid + way * (n + 1)), `${200 + 10 * n}`]);
  return { bids: levels(-1), asks: levels(1) };
}

const described = (name: string) => ({
  ...{ id: name, venue_id: name, slug: name, condition_id: name, question: `${name}?`, event: null },
  outcomes: [
    { label: 'Yes', token_id: `${name}-1` },
    { label: 'No', token_id: `${name}-2` },
  ],
  ...{ sport: 'soccer', league: 'epl', kind: 'moneyline', line: null, starts_at: null, status: 'open', payout: null },
  lot: '0.01',
  terms: {
    ...{ tick: '0.01', min_shares: '1', min_notional: '0', neg_risk: false, accepting_orders: true },
    ...{ delay_seconds: 0, clears_book_at_start: false },
    fee: { rate: '0', exponent: 1, taker_only: true, as_of: new Date(BEGINS).toISOString() },
  },
});
