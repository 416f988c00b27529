import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { tapesIn } from '../../src/adapters/tape/tape-folder.js';
import { openTape } from '../../src/adapters/tape/tape-market-data.js';
import { readTape, readTapeHeader } from '../../src/adapters/tape/tape-reader.js';
import { diary } from '../adapters/polymarket/market-data/listening.js';
import { changeOf, tradeOf } from '../adapters/polymarket/market-data/stream-messages.js';
import { Venue } from '../adapters/polymarket/market-data/venue.js';
import { all } from '../adapters/tape/tapes.js';
import { eventually } from '../support/eventually.js';
import { type Running, SERVER, startProgram } from '../support/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-record-'));
const BOOK_LINE = 'book 0.4x10 / 0.5x3';
let files = 0;
let venue: Venue;

beforeEach(async () => {
  const failure = inject('buildFailure');
  if (failure !== '') throw new Error(`dist/ is not built:\n${failure}`);
  venue = await Venue.open();
  venue.shows([['0.4', '10']], [['0.5', '3']]);
});

afterEach(() => venue.close());

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function freshPath(ending = '.jsonl'): string {
  files += 1;
  return join(folder, `${files}${ending}`);
}

/** `stakeport record` of these markets, in a process of its own. */
function recording(
  out: string,
  names: readonly string[] = [venue.id],
  env: Readonly<Record<string, string>> = {},
  option: readonly string[] = ['--market'],
) {
  return startProgram(process.execPath, {
    args: [SERVER, 'record', ...option, ...names, '--out', out],
    env: {
      MARKET_DATA: 'polymarket',
      POLYMARKET_GAMMA_URL: venue.rest.gamma.href,
      POLYMARKET_CLOB_URL: venue.rest.clob.href,
      POLYMARKET_WS_URL: venue.socket.url,
      ...env,
    },
  });
}

/** Waits until so many events are on the tape, however it is cut. */
const holds = (out: string, events: number) =>
  eventually(async () =>
    expect((await all(readTape(out))).filter(({ type }) => type === 'change')).toHaveLength(events),
  );

/** Records the book and this trade, and waits until both are on the tape. */
async function withTrade(out: string, size: string): Promise<Running> {
  const before = existsSync(out) ? (await all(readTape(out))).length + 1 : 0;
  const program = recording(out);
  await holds(out, before + 2);
  venue.socket.send(tradeOf(venue.tokens[0], 'BUY', '0.5', size));
  await holds(out, before + 3);
  return program;
}

/** What a follower of the game receives when the tape is played, in short. */
async function played(path: string): Promise<string[]> {
  const tape = await openTape(path, { speed: 'max' });
  const market = await tape.find(venue.id);
  if (market === undefined) throw new Error('the tape does not tell of the game');
  const { lines, listener } = diary();
  await tape.follow(market, listener);
  await tape.start();
  await tape.ended;
  // It begins with a gap, since nothing was received yet, and ends with one.
  return lines().slice(1, -1);
}

describe.each(['.jsonl', '.jsonl.gz'])('stakeport record to a tape that ends in %s', (ending) => {
  it.each(['SIGTERM', 'SIGINT'] as const)('writes what the venue sends, and ends with 0 at a %s', async (signal) => {
    const out = freshPath(ending);
    const [live, market] = [diary(), await venue.found()];
    await venue.data.follow(market, live.listener);
    const program = recording(out, [market.slug ?? '']);
    await holds(out, 2);
    const [yes] = venue.tokens;
    for (const message of [changeOf(yes, 'BUY', [['0.41', '2']]), tradeOf(yes, 'SELL', '0.41', '1')]) {
      venue.socket.send(message);
    }
    await holds(out, 4);
    await live.reads([BOOK_LINE, 'levels bids 0.41x2', 'trade SELL 0.41x1']);
    expect(await program.kill(signal)).toEqual({ code: 0, signal: null });
    expect(program.output()).toMatch(new RegExp(`^${out}: 4 events, 0 gaps, \\d+ bytes in \\d+ s\n$`));
    expect(await readTapeHeader(out)).toMatchObject({ venue: 'polymarket' });
    expect(await played(out)).toEqual(['market', ...live.lines()]);
    const [described] = await all(readTape(out));
    expect(described).toMatchObject({
      change: { type: 'market', market: { id: market.id, outcomes: market.outcomes } },
    });
  });

  it('leaves a playable tape when killed and continues it after a gap', async () => {
    const out = freshPath(ending);
    const first = await withTrade(out, '1');
    await first.kill('SIGKILL');
    expect(await played(out)).toEqual(['market', BOOK_LINE, 'trade BUY 0.5x1']);
    const second = await withTrade(out, '2');
    expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const restart = ['gap: the recorder was restarted', 'market'];
    const events = ['market', BOOK_LINE, 'trade BUY 0.5x1', ...restart, BOOK_LINE, 'trade BUY 0.5x2'];
    expect(await played(out)).toEqual(events);
  });
});

describe('stakeport record', () => {
  it('says with --json at the end what it recorded, as one document', async () => {
    const out = freshPath();
    const program = recording(out, [venue.id, '--json']);
    await holds(out, 2);
    expect((await program.kill('SIGINT')).code).toBe(0);
    const [, document = ''] = /^(\{.*\})$/m.exec(program.output()) ?? [];
    const bytes = readFileSync(out).length;
    expect(JSON.parse(document)).toEqual({ out, events: 2, gaps: 0, bytes, seconds: expect.any(Number) });
  });

  it('records a gap after a lost connection, then the new book', async () => {
    const out = freshPath();
    const program = recording(out);
    await holds(out, 2);
    venue.socket.drop();
    await holds(out, 4);
    await program.kill('SIGTERM');
    expect(program.output()).toMatch(/: 4 events, 1 gap, /);
    expect(await played(out)).toEqual(['market', BOOK_LINE, 'gap: the connection was closed', BOOK_LINE]);
  });

  it('records a market once, by however many names it is called', async () => {
    const out = freshPath();
    const names = ['conditionId', 'slug', 'id'].map((member) => String(venue.game.gamma[member]));
    const program = recording(out, names);
    await holds(out, 2);
    venue.socket.send(tradeOf(venue.tokens[0], 'BUY', '0.5', '1'));
    await holds(out, 3);
    await program.kill('SIGTERM');
    expect(await played(out)).toEqual(['market', BOOK_LINE, 'trade BUY 0.5x1']);
  });

  it.each([
    ['a market that the venue does not have', 1, ['0xabc'], {}, /^0xabc: The venue has no market with this id\.\n$/],
    [
      'no source of market data',
      78,
      undefined,
      { MARKET_DATA: 'none' },
      /Set it to the name of a venue:\n {2}MARKET_DATA=/,
    ],
    [
      'a tape that is not there',
      78,
      undefined,
      { MARKET_DATA: 'tape:missing.jsonl' },
      /^MARKET_DATA=tape:missing\.jsonl: there is no such file or folder\. .*\n$/,
    ],
  ])('refuses %s in words, ends with %i, and leaves no file', async (_what, exit, names, env, words) => {
    const out = freshPath();
    const program = recording(out, names, env);
    expect(await program.ended).toEqual({ code: exit, signal: null });
    expect(program.output()).toMatch(words);
    expect(program.output()).not.toMatch(/^\s+at /m);
    expect(existsSync(out)).toBe(false);
  });

  it('refuses a venue that cannot be reached', async () => {
    const out = freshPath();
    const program = recording(out, undefined, { POLYMARKET_GAMMA_URL: 'http://127.0.0.1:1' });
    expect(await program.ended).toEqual({ code: 69, signal: null });
    const words = `127.0.0.1:1 cannot be reached (ECONNREFUSED)\n${venue.id}: The source of market data cannot be reached.\n`;
    expect(program.output()).toBe(words);
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    ['does not answer', ['/gamma', '/gamma'], false],
    ['asks to wait', [], false],
    ['sends no book', ['/clob/book'], true],
  ])('exits 0 on a signal while the venue %s, without empty files', async (what, hung, begun) => {
    const out = freshPath('.jsonl.gz');
    for (const prefix of hung) venue.rest.script(prefix, { kind: 'hang' });
    const wait = { kind: 'status', status: 503, headers: { 'retry-after': '9' } } as const;
    if (what === 'asks to wait') venue.rest.script('/gamma', wait);
    venue.socket.dumps.clear();
    const asked = venue.rest.requests.length;
    const program = recording(out, undefined, { NODE_ENV: 'production' });
    await eventually(() => expect(venue.rest.requests.length).toBeGreaterThan(asked));
    if (begun) await holds(out, 1);
    const before = performance.now();
    expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    // Sooner than the venue asks to wait, and than a request that hangs is given up.
    expect(performance.now() - before).toBeLessThan(8000);
    if (begun) expect(await all(readTape(out))).toHaveLength(1);
    else expect(existsSync(out)).toBe(false);
  });

  it('refuses to write to a pipe, and to play one', async () => {
    const pipe = freshPath();
    execFileSync('mkfifo', [pipe]);
    for (const [out, env, exit, named] of [
      [pipe, {}, 64, `--out ${pipe}`],
      [freshPath(), { MARKET_DATA: `tape:${pipe}` }, 78, `MARKET_DATA=tape:${pipe}`],
    ] as const) {
      const program = recording(out, undefined, env);
      expect(await program.ended).toEqual({ code: exit, signal: null });
      expect(program.output()).toBe(`${named}: the tape is not a regular file: ${JSON.stringify(pipe)}.\n`);
    }
  });

  it('refuses to append to a non-tape file or write to missing folders', async () => {
    const letter = freshPath();
    writeFileSync(letter, 'Dear Sir\n');
    const missing = join(folder, 'missing', 'tape.jsonl');
    for (const [out, words] of [
      [letter, /^--out \S+: line 1 of the tape: /],
      [missing, /^--out \S+: there is no such file or folder/],
    ] as const) {
      const program = recording(out);
      expect(await program.ended).toEqual({ code: 64, signal: null });
      expect(program.output()).toMatch(words);
      expect(program.output()).not.toMatch(/^\s+at /m);
    }
    expect(readFileSync(letter, 'utf8')).toBe('Dear Sir\n');
    expect(existsSync(missing)).toBe(false);
  });
});

describe('stakeport record of a league', () => {
  const SEARCH = ['--league', 'nba', '--days-ahead', '365'];

  /** Records the league in a folder, in a process of its own. */
  const following = (folder: string, search: readonly string[] = SEARCH, env = {}) =>
    recording(folder, search, env, []);

  beforeEach(() => {
    venue.relists({ events: [{ id: '77', slug: 'the-game', title: 'The game', seriesSlug: 'nba-2026' }] });
  });

  const newest = async (folder: string): Promise<string> => (await tapesIn(folder)).at(-1) ?? '';

  it('records over a kill, a restart and ^C, in a new tape each time', async () => {
    const out = freshPath('');
    const first = following(out);
    await eventually(async () => holdsBook(await newest(out)));
    await first.kill('SIGKILL');
    const killed = await newest(out);
    expect(await played(killed)).toEqual(['market', 'gap: it was not recorded before', BOOK_LINE]);
    const second = following(out);
    await eventually(async () => {
      expect(await newest(out)).not.toBe(killed);
      await holdsBook(await newest(out));
    });
    venue.socket.send(tradeOf(venue.tokens[0], 'BUY', '0.5', '2'));
    await eventually(async () => expect(await played(await newest(out))).toContain('trade BUY 0.5x2'));
    expect(await second.kill('SIGINT')).toEqual({ code: 0, signal: null });
    expect(second.output()).toMatch(new RegExp(`^${out}: 4 events, 1 gap, \\d+ bytes in \\d+ s\n$`));
    const whole = gunzipSync(readFileSync(await newest(out))).toString();
    expect(whole.endsWith('}\n')).toBe(true);
    expect(await tapesIn(out)).toHaveLength(2);
  });

  it.each([
    ['nothing to record', [], {}],
    ['a market and a league', [...SEARCH, '--market', 'a'], {}],
    ['days without a league', ['--market', 'a', '--days-ahead', '3'], {}],
    ['days that are no number', ['--league', 'nba', '--days-ahead', 'soon'], {}],
  ])('refuses %s, with 64', async (_what, search, env) => {
    const out = freshPath('');
    const program = following(out, search, env);
    expect(await program.ended).toEqual({ code: 64, signal: null });
    expect(program.output()).toMatch(/See stakeport record --help\n$/);
    expect(existsSync(out)).toBe(false);
  });
});

/** Fails until the tape has a book. */
async function holdsBook(path: string): Promise<void> {
  const lines = await all(readTape(path));
  expect(lines.some((line) => line.type === 'change' && line.change.type === 'book')).toBe(true);
}
