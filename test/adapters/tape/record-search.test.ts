import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordSearch } from '../../../src/adapters/tape/record-search.js';
import { tapesIn } from '../../../src/adapters/tape/tape-folder.js';
import { readTape } from '../../../src/adapters/tape/tape-reader.js';
import type { MarketId } from '../../../src/core/ids.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import { answers, type Market, type MarketQuery, NO_VENUE } from '../../../src/core/market/market.js';
import type { MarketData, MarketListener } from '../../../src/ports/market-data.js';
import { afterEachFile } from '../../support/after-file.js';
import { clockAt } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { all, book, described, listed } from './tapes.js';

const HOUR = 3_600_000;
const folders: string[] = [];

afterEachFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-search-'));
  folders.push(folder);
  return folder;
}

/** A game of a league that starts in so many hours. */
const game = (name: string, hours: number | null, changes: Partial<Market> = {}): Market =>
  listed(name, {
    sport: 'soccer',
    league: 'epl',
    startsAt: hours === null ? null : new Date(Date.parse('2026-03-01T12:00:00.000Z') + hours * HOUR),
    ...changes,
  });

const resolved = (market: Market): Market => ({ ...market, status: 'resolved', payout: YES_WON });

/** A venue whose list the test changes; a market that is over is found by its id alone. */
class Lists implements MarketData {
  readonly venue = NO_VENUE;
  readonly clock = clockAt('2026-03-01T12:00:00.000Z');
  readonly listeners = new Map<MarketId, MarketListener>();
  isDown = false;

  constructor(public markets: readonly Market[]) {}

  book = async () => undefined;
  find = async (id: MarketId) => this.markets.find((market) => market.id === id);

  async search(query: MarketQuery) {
    if (this.isDown) throw new Error('The source does not answer.');
    return { items: this.markets.filter((market) => answers(market, query)), next: null };
  }

  async follow({ id }: Market, listener: MarketListener) {
    this.listeners.set(id, listener);
    await listener({ ...book('0.5', '0.6'), at: this.clock.now() });
    return { stop: () => void this.listeners.delete(id) };
  }

  get followed(): readonly string[] {
    return [...this.listeners.keys()].sort();
  }

  /** The result of a market is known from now on. */
  async resolves(market: Market): Promise<void> {
    this.markets = this.markets.map((one) => (one.id === market.id ? resolved(one) : one));
    await this.listeners.get(market.id)?.({ ...described(resolved(market)), at: this.clock.now() });
  }
}

/** Records the Premier League in a folder, looking all the time. */
function recording(source: Lists, folder: string) {
  const ending = new AbortController();
  const reports: string[] = [];
  const done = recordSearch({
    source,
    folder,
    venue: 'test',
    clock: source.clock,
    search: { league: 'epl' },
    daysAhead: 2,
    mostBytes: 1_000_000,
    lookEveryMs: 1,
    progress: () => {},
    report: (words) => void reports.push(words),
    signal: ending.signal,
  });
  const end = () => {
    ending.abort();
    return done;
  };
  return { end, reports, done };
}

const follows = (source: Lists, ...names: readonly string[]) =>
  eventually(() => expect(source.followed).toEqual(names.map((name) => `0x${name}`)));

/** What a tape says of a market, in short. */
async function said(path: string, { id }: Market): Promise<readonly string[]> {
  const lines = await all(readTape(path));
  return lines.flatMap((line) => {
    if (line.type === 'alive' || line.marketId !== id) return [];
    return [line.change.type === 'market' ? `market ${line.change.market.status}` : line.change.type];
  });
}

it('a recorder follows games that appear, and leaves those with a result', async () => {
  const [today, later, other] = [game('today', 3), game('later', 49), game('other', 3, { league: 'laliga' })];
  const source = new Lists([today, later, other, game('never', null)]);
  const folder = freshFolder();
  const { end } = recording(source, folder);
  await follows(source, 'today');
  const added = game('added', 40);
  source.markets = [...source.markets, added];
  await follows(source, 'added', 'today');
  source.clock.tick(HOUR);
  await follows(source, 'added', 'later', 'today');
  await source.resolves(today);
  await follows(source, 'added', 'later');
  await end();
  expect(source.followed).toEqual([]);
  const [path = ''] = await tapesIn(folder);
  expect(await said(path, today)).toEqual(['market open', 'gap', 'book', 'market resolved', 'gap']);
  expect(await said(path, later)).toEqual(['market open', 'gap', 'book']);
  expect(await said(path, other)).toEqual([]);
});

it('a restart goes on with what had no result, and records one that came meanwhile', async () => {
  const [open, over] = [game('open', 3), game('over', 3)];
  const source = new Lists([over, open]);
  const folder = freshFolder();
  const first = recording(source, folder);
  await follows(source, 'open', 'over');
  await first.end();
  source.markets = [over, { ...open, status: 'closed' }];
  await source.resolves(over);
  const second = recording(source, folder);
  await follows(source, 'open');
  await second.end();
  expect(await said((await tapesIn(folder))[1] ?? '', over)).toEqual(['market resolved', 'gap', 'book', 'gap']);
  expect(await said((await tapesIn(folder))[1] ?? '', open)).toEqual(['market closed', 'gap', 'book']);
});

it('a recorder ends where the first search fails, and outlasts a later one', async () => {
  const source = new Lists([game('today', 3)]);
  source.isDown = true;
  const refused = recording(source, freshFolder());
  await expect(refused.done).rejects.toThrow('does not answer');
  source.isDown = false;
  const { end, reports } = recording(source, freshFolder());
  await follows(source, 'today');
  source.isDown = true;
  await eventually(() => expect(reports).toContain('The source does not answer. It is tried again.'));
  source.isDown = false;
  source.markets = [...source.markets, game('added', 3)];
  await follows(source, 'added', 'today');
  await end();
});

it('a recorder follows a thousand markets, and says how many it does not', async () => {
  const source = new Lists(Array.from({ length: 1002 }, (_, index) => game(`g${index}`, index / 100)));
  const { end, reports } = recording(source, freshFolder());
  await eventually(() => expect(source.listeners.size).toBe(1000));
  expect(reports).toEqual(['2 markets are not recorded: one recorder follows 1000']);
  expect(source.followed).not.toContain('0xg1001');
  await end();
});
