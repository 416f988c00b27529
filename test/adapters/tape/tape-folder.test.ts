import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { RecordedMarketData } from '../../../src/adapters/tape/recorded-market-data.js';
import { TapeFolder, type TapeFolderOptions, tapesIn } from '../../../src/adapters/tape/tape-folder.js';
import { openTape } from '../../../src/adapters/tape/tape-market-data.js';
import { readTape, readTapeHeader } from '../../../src/adapters/tape/tape-reader.js';
import { TapeRecorder } from '../../../src/adapters/tape/tape-recorder.js';
import type { MarketChange, MarketEvent } from '../../../src/core/market/event.js';
import type { Market } from '../../../src/core/market/market.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { MarketData, MarketListener } from '../../../src/ports/market-data.js';
import { afterEachFile } from '../../support/after-file.js';
import { clockAt, price, shares } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { all, book, described, fileOf, level, RAIN, SNOW, trade } from './tapes.js';

const FREE = 10_000_000_000;
const folders: string[] = [];

afterEachFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-tapes-'));
  folders.push(folder);
  return folder;
}

const bid = (at: string, total: string): MarketChange => ({
  type: 'levels',
  changes: [{ side: 'bids', price: price(at), shares: shares(total) }],
});

/** A recorder of a folder, half a second before a day ends. */
async function recording(more: Partial<TapeFolderOptions> & { readonly mostWaiting?: number } = {}) {
  const folder = more.folder ?? freshFolder();
  const clock = clockAt('2026-03-01T23:59:59.500Z');
  const reports: (string | null)[] = [];
  const files = await TapeFolder.open({
    folder,
    venue: 'test',
    clock,
    mostBytes: 1_000_000,
    free: async () => FREE,
    report: (trouble) => void reports.push(trouble),
    ...more,
  });
  const recorder = new TapeRecorder(files, clock, more.mostWaiting);
  const emits = (change: MarketChange, { id }: Market = RAIN) => recorder.take(id, { ...change, at: clock.now() });
  const written = async (at = -1): Promise<string[]> => {
    await setImmediate();
    const path = (await tapesIn(folder)).at(at) ?? '';
    return (await all(readTape(path))).map((line) => (line.type === 'alive' ? 'alive' : inShort(line.change)));
  };
  return { folder, clock, files, recorder, emits, reports, written };
}

function inShort(change: MarketChange): string {
  if (change.type === 'gap') return `gap: ${change.reason}`;
  if (change.type === 'trade') return `trade ${change.shares / 1_000_000n}`;
  if (change.type === 'market') return `market ${change.market.slug}`;
  return change.type === 'book' ? `book ${change.bids.map((one) => one.shares / 1_000_000n)}` : change.type;
}

/** What a tape knows of these markets just before its last line; nothing of a book that is not to be trusted. */
async function nearItsEnd(path: string, markets: readonly Market[]) {
  const player = await openTape(path);
  const known: unknown[] = [];
  player.at(new Date(player.index.ended.getTime() - 1), async () => {
    for (const market of markets) {
      const { bids, asks, fresh } = (await player.book(market)) ?? { fresh: false };
      known.push(fresh ? { bids, asks } : null, await player.find(market.id));
    }
  });
  await player.play();
  return known;
}

it("the second day's tape alone gives the books of both days", async () => {
  const { folder, clock, recorder, emits } = await recording();
  for (const market of [RAIN, SNOW]) {
    await recorder.add(market);
    await emits(book('0.4', '0.6'), market);
  }
  await emits(bid('0.3', '7'));
  await emits({ type: 'gap', reason: 'lost' }, SNOW);
  await emits(described({ ...RAIN, question: 'Will it rain?' }));
  clock.tick(500);
  await emits(bid('0.35', '9'));
  clock.tick(10);
  await emits(trade('2'));
  await recorder.close();
  const paths = await tapesIn(folder);
  expect(paths.map((path) => basename(path))).toEqual(['test-2026-03-01-001.jsonl.gz', 'test-2026-03-02-001.jsonl.gz']);
  const [first = '', second = ''] = paths.map((path) => gunzipSync(readFileSync(path)).toString());
  const whole = fileOf(first + second.slice(second.indexOf('\n') + 1));
  const known = await nearItsEnd(paths[1] ?? '', [RAIN, SNOW]);
  expect(known).toEqual(await nearItsEnd(whole, [RAIN, SNOW]));
  expect(known[0]).toMatchObject({ bids: [level('0.4', '10'), level('0.35', '9'), level('0.3', '7')] });
  expect(known[2]).toBe(null);
});

it('a quiet market is described when a day begins', async () => {
  const { clock, recorder, emits, written } = await recording();
  await recorder.add(RAIN);
  await emits(book('0.4', '0.6'));
  clock.tick(500);
  recorder.tick();
  await recorder.close();
  expect(await written()).toEqual(['market rain-slug', 'book 10']);
});

it('a restart leaves the tapes of before alone and begins one with gaps', async () => {
  const before = await recording();
  await before.recorder.follow(RAIN, saying(book('0.4', '0.6')));
  await before.recorder.close();
  const [first = ''] = await tapesIn(before.folder);
  const content = readFileSync(first);
  const after = await recording({ folder: before.folder });
  await after.recorder.follow(RAIN, saying(book('0.4', '0.6')), 'it was not recorded before');
  await after.recorder.close();
  expect(readFileSync(first)).toEqual(content);
  expect(readdirSync(before.folder)).toHaveLength(2);
  expect(await after.written()).toEqual(['market rain-slug', 'gap: it was not recorded before', 'book 10']);
});

it('recording stops at its bound and goes on once tapes are moved away', async () => {
  const { folder, recorder, files, emits, reports, written } = await recording({ mostBytes: 200 });
  await recorder.add(RAIN);
  await emits(book('0.4', '0.6'));
  await emits(trade('1'));
  recorder.tick();
  await eventually(async () => {
    await files.look();
    expect(reports).toHaveLength(1);
  });
  expect(reports).toEqual([`the recordings in ${folder} take 0 MB, of 0 MB that they may take`]);
  expect(files.trouble).toBe(reports[0]);
  await emits(bid('0.4', '5'));
  await emits(trade('2'));
  expect(await written()).toEqual(['market rain-slug', 'book 10', 'trade 1']);
  for (const path of await tapesIn(folder)) renameSync(path, join(freshFolder(), basename(path)));
  await files.look();
  await emits(trade('3'));
  await recorder.close();
  expect(reports).toHaveLength(2);
  expect(reports[1]).toBe(null);
  expect(files.trouble).toBe(null);
  const gap = 'gap: nothing was recorded for a while';
  expect(await written()).toEqual(['market rain-slug', gap, 'book 5', 'trade 3']);
});

it('recording stops before the disk is full, and does not flicker', async () => {
  let free = 499_000_000;
  const { folder, recorder, files, emits, reports } = await recording({ free: async () => free });
  await recorder.add(RAIN);
  await emits(book('0.4', '0.6'));
  expect(reports).toEqual([`the disk of ${folder} has 499 MB left, and 500 MB are left to others`]);
  free = 549_000_000;
  await files.look();
  expect(reports).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);
  free = 550_000_000;
  await files.look();
  expect(reports.at(-1)).toBe(null);
  await recorder.close();
});

it('a disk that is too slow costs a gap, and holds nobody up', async () => {
  const { recorder, emits, written, files } = await recording({ mostWaiting: 2000 });
  await recorder.add(RAIN);
  await emits(book('0.4', '0.6'));
  for (let count = 1; count <= 1000; count += 1) void emits(bid('0.4', `${count}`));
  recorder.tick();
  await eventually(() => expect(files.at(new Date(0))?.waiting ?? 0).toBe(0));
  void emits(trade('4'));
  await recorder.close();
  const lines = await written();
  const lost = lines.indexOf('gap: the disk was too slow');
  expect(lines.slice(lost)).toEqual(['gap: the disk was too slow', 'market rain-slug', 'book 1000', 'trade 4']);
  expect(lost).toBeGreaterThan(10);
  expect(lost).toBeLessThan(100);
});

it('a program that may not write has no tape until it may', async () => {
  let isOwner = false;
  const { folder, recorder, emits, written } = await recording({ mayWrite: () => isOwner });
  await recorder.add(RAIN);
  await emits(book('0.4', '0.6'));
  recorder.tick();
  expect(readdirSync(folder)).toEqual([]);
  isOwner = true;
  recorder.tick();
  await setImmediate();
  await emits(trade('1'));
  isOwner = false;
  await emits(trade('2'));
  await recorder.close();
  const gap = 'gap: nothing was recorded for a while';
  expect(await written()).toEqual(['market rain-slug', gap, 'book 10', 'trade 1']);
});

it('a folder where nothing can be written is refused', async () => {
  await expect(recording({ folder: join(fileOf(''), 'tapes') })).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it('a tape that cannot be written is reported, and tried again a minute later', async () => {
  const { folder, clock, recorder, files, emits, reports, written } = await recording();
  rmSync(folder, { recursive: true });
  await recorder.add(RAIN);
  await emits(book('0.4', '0.6'));
  await files.close();
  expect(reports).toEqual([expect.stringMatching(/^the tape cannot be written: ENOENT/)]);
  await recording({ folder });
  await files.look();
  expect(reports).toHaveLength(1);
  clock.tick(60_000);
  await files.look();
  await emits(trade('1'));
  await recorder.close();
  expect(reports.at(-1)).toBe(null);
  expect((await written()).at(-1)).toBe('trade 1');
  expect((await readTapeHeader((await tapesIn(folder))[0] ?? '')).venue).toBe('test');
});

/** A source that says this of each market at once. */
const saying = (change: MarketChange): Pick<MarketData, 'follow'> => ({
  follow: async (_market, listener) => {
    await listener({ ...change, at: new Date(0) });
    return { stop: () => {} };
  },
});

/** A source with a connection of its own for each follower. */
class Feeds implements MarketData {
  readonly venue = NO_VENUE;
  readonly listeners: MarketListener[] = [];
  find = async () => undefined;
  search = async () => ({ items: [], next: null });
  book = async () => undefined;

  async follow(_market: Market, listener: MarketListener) {
    this.listeners.push(listener);
    return { stop: () => {} };
  }
}

it('a market that two follow is recorded once, also when the first leaves', async () => {
  const { clock, recorder, written } = await recording();
  const feeds = new Feeds();
  const source = new RecordedMarketData(feeds, recorder);
  const received: string[] = [];
  const follow = () => source.follow(RAIN, ({ type }) => void received.push(type));
  const [first, second] = [await follow(), await follow()];
  const say = (at: number, change: MarketChange) => {
    const event: MarketEvent = { ...change, at: clock.now() };
    return feeds.listeners[at]?.(event);
  };
  const both = (change: MarketChange) => [0, 1].map((at) => say(at, change));
  both(book('0.4', '0.6'));
  both(bid('0.4', '3'));
  both(trade('1'));
  say(0, trade('2'));
  const old: MarketEvent = { ...trade('2'), at: clock.now() };
  clock.tick(10);
  first.stop();
  await feeds.listeners[1]?.(old);
  say(1, trade('3'));
  second.stop();
  second.stop();
  await recorder.close();
  expect(received).toHaveLength(9);
  expect(await written()).toEqual([
    'market rain-slug',
    'gap: it was not recorded before',
    'book 10',
    'levels',
    'trade 1',
    'trade 2',
    'market rain-slug',
    'gap: another follower goes on with it',
    'book 3',
    'trade 3',
    'gap: it is not followed any more',
  ]);
});

it('a market that could not be followed is not recorded', async () => {
  const { recorder } = await recording();
  const source = new RecordedMarketData(
    Object.assign(new Feeds(), { follow: () => Promise.reject(new Error('no')) }),
    recorder,
  );
  await expect(source.follow(RAIN, () => {})).rejects.toThrow('no');
  expect(recorder.markets).toEqual([]);
});
