import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { headerText, RECORDED } from '../../../src/adapters/tape/tape-line.js';
import { openTape } from '../../../src/adapters/tape/tape-market-data.js';
import { readTape, readTapeHeader } from '../../../src/adapters/tape/tape-reader.js';
import { type Recording, type RecordingProgress, recordTape } from '../../../src/adapters/tape/tape-recorder.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { MarketChange } from '../../../src/core/market/event.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { MarketData, MarketListener } from '../../../src/ports/market-data.js';
import { clockAt, type FixedClock } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startProgram, testProgram } from '../../support/processes.js';
import {
  alive,
  all,
  book,
  described,
  fileOf,
  freshPath,
  line,
  packed,
  pastNoon,
  RAIN,
  SNOW,
  START,
  tape,
  textOf,
  trade,
} from './tapes.js';

const NOON = new Date(START).toISOString();

afterEach(() => vi.useRealTimers());

/** A venue whose events the test sends. */
class Venue implements MarketData {
  readonly venue = NO_VENUE;
  readonly #listeners = new Map<MarketId, MarketListener>();
  readonly clock: FixedClock = clockAt(NOON);

  find = async () => undefined;
  search = async () => ({ items: [], next: null });
  book = async () => undefined;

  async follow({ id }: { id: MarketId }, listener: MarketListener) {
    this.#listeners.set(id, listener);
    await listener({ ...book('0.5', '0.6'), at: this.clock.now() });
    return { stop: () => void this.#listeners.delete(id) };
  }

  get followed(): number {
    return this.#listeners.size;
  }

  async emits(change: MarketChange, { id } = RAIN) {
    await this.#listeners.get(id)?.({ ...change, at: this.clock.now() });
  }
}

/** Records while `during` runs. */
async function recorded(out: string, during: (venue: Venue) => Promise<void>, more: Partial<Recording> = {}) {
  const venue = new Venue();
  const abort = new AbortController();
  const reported: RecordingProgress[] = [];
  const { markets = [RAIN], clock = venue.clock } = more;
  const progress = (now: RecordingProgress) => void reported.push(now);
  const done = recordTape({
    source: venue,
    venue: 'test',
    out,
    progress,
    signal: abort.signal,
    ...more,
    markets,
    clock,
  });
  const followed = eventually(() => expect(venue.followed).toBe(markets.length));
  await Promise.race([followed, done]);
  await during(venue);
  abort.abort();
  return { venue, reported, result: await done };
}

describe.each(['.jsonl', '.jsonl.gz'])('A recording to %s', (ending) => {
  it('is a timed tape of every event, and ends on request', async () => {
    const out = freshPath(ending);
    const { venue, result, reported } = await recorded(
      out,
      async (source) => {
        source.clock.tick(7);
        await source.emits(trade('3'), SNOW);
        source.clock.tick(2000);
        await source.emits({ type: 'gap', reason: 'lost' });
        await source.emits(described({ ...RAIN, status: 'closed' }));
      },
      { markets: [RAIN, SNOW] },
    );
    expect(await readTapeHeader(out)).toEqual({ version: 2, recordedAt: pastNoon(0), venue: 'test', source: RECORDED });
    expect(await all(readTape(out))).toEqual([
      line(0, described(RAIN)),
      line(0, book('0.5', '0.6')),
      line(0, described(SNOW), SNOW),
      line(0, book('0.5', '0.6'), SNOW),
      line(7, trade('3'), SNOW),
      line(2007, { type: 'gap', reason: 'lost' }),
      line(2007, described({ ...RAIN, status: 'closed' })),
    ]);
    expect(venue.followed).toBe(0);
    expect(result).toEqual({ events: 7, gaps: 1, bytes: statSync(out).size, seconds: 2 });
    expect(reported.at(-1)).toEqual(result);
  });

  it('resumes a tape that was cut, after a gap in all markets', async () => {
    const before = [
      line(0, described(SNOW), SNOW),
      line(60_000, book('0.1', '0.2'), SNOW),
      line(60_001, trade('9'), SNOW),
    ];
    const cut = ending === '.jsonl' ? Buffer.from(textOf(...before).slice(0, -9)) : packed(...before).subarray(0, -12);
    const out = fileOf(cut, ending);
    const kept = await all(readTape(out));
    await recorded(out, (source) => source.emits(trade('4')));
    const reason = 'the recorder was restarted';
    const newest = (kept.at(-1)?.at.getTime() ?? 0) - START;
    expect(await all(readTape(out))).toEqual([
      ...kept,
      // The clock stands at noon; a tape's time never falls.
      line(newest, { type: 'gap', reason }, SNOW),
      line(newest, described(RAIN)),
      line(newest, book('0.5', '0.6')),
      line(newest, trade('4')),
    ]);
    expect(kept.length).toBeGreaterThan(1);
  });

  it('writes at least every ten seconds, and gives it away every second', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const out = freshPath(ending);
    const { reported } = await recorded(out, async ({ clock }) => {
      for (let second = 0; second < 10; second += 1) {
        clock.tick(1000);
        vi.advanceTimersByTime(1000);
      }
      await eventually(async () => expect((await all(readTape(out))).at(-1)).toEqual(alive(10_000)));
    });
    expect(reported.map(({ seconds }) => seconds)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10]);
  });
});

/** Records to a file of this kind, is killed, and goes on. */
async function killed(ending: string): Promise<void> {
  const out = freshPath(ending);
  const run = startProgram(process.execPath, { args: [testProgram('record-tape'), out] });
  // Each second's events are in the file by the next one.
  const [, seen = '0'] = await run.says(/([1-9]\d*) events in \d+ bytes are written\n\d+ events in \d+ bytes/);
  await run.kill('SIGKILL');
  const player = await openTape(out, { speed: 'max' });
  const counts: bigint[] = [];
  await player.follow({ ...RAIN, id: '0xrain' as MarketId }, (event) => {
    if (event.type === 'trade') counts.push(event.shares / 1_000_000n);
  });
  await player.start();
  await player.ended;
  expect(counts).toEqual(counts.map((_, index) => BigInt(index + 1)));
  // One line describes the market, and one is its book.
  expect(counts.length).toBeGreaterThanOrEqual(Number(seen) - 2);
  expect(counts.length).toBeGreaterThan(0);
  const lines = player.index.lines;
  await recorded(out, (source) => source.emits(trade('4')));
  expect(await all(readTape(out))).toHaveLength(lines + 4);
}

describe('A recording', () => {
  it('of either kind goes on after its process was killed', async () => {
    await Promise.all(['.jsonl', '.jsonl.gz'].map(killed));
  });

  it('leaves a file alone that is not a tape', async () => {
    for (const content of ['a letter', 'a letter\n', '{"a":1}\n']) {
      const out = fileOf(content);
      await expect(recorded(out, async () => {}, { markets: [] })).rejects.toThrow(/line 1 of the tape/);
      expect(readFileSync(out, 'utf8')).toBe(content);
    }
  });

  it('leaves a tape alone whose lines another made', async () => {
    const source = { ...RECORDED, vendor: 'pmxt' };
    const content = `${headerText({ recordedAt: pastNoon(0), venue: 'test', source })}\n`;
    const out = fileOf(content);
    await expect(recorded(out, async () => {}, { markets: [] })).rejects.toThrow(/l2 of pmxt.*record to another file/);
    expect(readFileSync(out, 'utf8')).toBe(content);
  });

  it('begins anew where the first line was cut', async () => {
    const out = fileOf('{"stakeport_tape":1,"recor');
    await recorded(out, async () => {});
    expect(await readTapeHeader(out)).toMatchObject({ venue: 'test' });
  });

  it('ends with what is wrong when the file cannot be written', async () => {
    const blocked = join(fileOf(''), 'tape.jsonl');
    await expect(recorded(blocked, async () => {}, { markets: [] })).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('of a tape that is played is that tape, without repeated descriptions', async () => {
    const lines = [line(0, described(RAIN)), line(0, book('0.5', '0.6')), line(5, trade('1')), line(900, trade('2'))];
    const player = await openTape(tape(...lines), { speed: 'max' });
    const out = freshPath();
    const abort = new AbortController();
    const done = recordTape({
      markets: [RAIN],
      source: player,
      clock: player,
      out,
      progress: () => {},
      signal: abort.signal,
    });
    await eventually(async () => expect(await all(readTape(out))).toHaveLength(2));
    await player.start();
    await player.ended;
    abort.abort();
    await done;
    expect((await all(readTape(out))).slice(2, -1)).toEqual(lines.slice(1));
  });
});
