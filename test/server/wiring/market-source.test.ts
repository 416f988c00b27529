import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/index.js';
import { systemTimeline } from '../../../src/adapters/system/index.js';
import type { MarketEvent } from '../../../src/core/market/event.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { type MarketSource, openMarketSource } from '../../../src/server/wiring/market-source.js';
import { Venue } from '../../adapters/polymarket/market-data/venue.js';
import { book, described, fileOf, line, pastNoon, RAIN, tape, trade } from '../../adapters/tape/tapes.js';
import { eventually } from '../../support/eventually.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-source-'));
const reports: unknown[][] = [];
let source: MarketSource | undefined;

/** The source that these variables choose. */
async function opened(env: Readonly<Record<string, string>>): Promise<MarketSource> {
  source = await openMarketSource(readConfig(env).marketData, (...told) => reports.push(told));
  return source;
}

afterEach(async () => {
  reports.length = 0;
  await source?.close();
  source = undefined;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('MARKET_DATA=none', () => {
  it('gives no books, and the time of the machine', async () => {
    const { data, hasBooks, timeline, sports } = await opened({});
    expect(data).toBeInstanceOf(NoMarketData);
    expect(sports()).toBeNull();
    expect([hasBooks, timeline]).toEqual([false, systemTimeline]);
  });
});

describe('MARKET_DATA=polymarket', () => {
  let venue: Venue;

  beforeAll(async () => {
    venue = await Venue.open();
    venue.shows([['0.4', '10']], []);
  });

  afterAll(() => venue.close());

  it('requests each configured address in machine time and closes its connections', async () => {
    const { data, hasBooks, timeline, sports, start, close } = await opened({
      MARKET_DATA: 'polymarket',
      POLYMARKET_GAMMA_URL: venue.rest.gamma.href,
      POLYMARKET_CLOB_URL: venue.rest.clob.href,
      POLYMARKET_WS_URL: venue.socket.url,
    });
    expect([hasBooks, timeline]).toEqual([true, systemTimeline]);
    expect(sports()).toEqual(expect.arrayContaining(['soccer', 'tennis']));
    await start();
    const market = await data.find(venue.id);
    if (market === undefined) throw new Error('the game is not found');
    expect([venue.rest.asked('/gamma/'), venue.rest.asked('/clob/')]).toEqual([1, 2]);
    const events: MarketEvent[] = [];
    await data.follow(market, (event) => void events.push(event));
    expect(events).toMatchObject([{ type: 'book', bids: [{ price: 400_000n }] }]);
    expect(venue.socket.standing).toBe(1);
    const gone = new Promise((resolve) => venue.socket.client.socket.once('close', resolve));
    await close();
    await gone;
    expect(reports).toEqual([]);
  });
});

describe('MARKET_DATA=tape:PATH', () => {
  it("waits at the tape's first moment until resumed and stops when closed", async () => {
    const path = tape(line(0, described(RAIN)), line(0, book('0.5', '0.6')), line(5, trade('1')));
    const { data, hasBooks, timeline, start, goOn } = await opened({ MARKET_DATA: `tape:${path}`, TAPE_SPEED: 'max' });
    expect([hasBooks, timeline.now()]).toEqual([true, pastNoon(0)]);
    const events: MarketEvent[] = [];
    await data.follow(RAIN, (event) => void events.push(event));
    expect((await data.find(RAIN.id))?.id).toBe(RAIN.id);
    await start();
    expect(events.map(({ type }) => type)).toEqual(['gap', 'market', 'book']);
    goOn();
    const told = ['gap', 'market', 'book', 'trade', 'gap'];
    await eventually(() => expect(events.map(({ type }) => type)).toEqual(told));
    expect(timeline.now().getTime()).toBeGreaterThanOrEqual(pastNoon(5).getTime());
    expect(reports).toEqual([]);
  });

  it('reports why the tape stopped early', async () => {
    const path = tape(line(0, described(RAIN)), line(5, trade('1')));
    const { data, start, goOn } = await opened({ MARKET_DATA: `tape:${path}`, TAPE_SPEED: 'max' });
    const fault = new Error('a fault of the listener');
    await data.follow(RAIN, ({ type }) => {
      if (type === 'trade') throw fault;
    });
    await start();
    goOn();
    await eventually(() => expect(reports).toEqual([['the tape stopped before its end', fault]]));
  });

  it('is refused for a missing file or one that is no tape', async () => {
    const missing = join(folder, 'missing.jsonl');
    await expect(opened({ MARKET_DATA: `tape:${missing}` })).rejects.toMatchObject({
      exit: 78,
      message: expect.stringContaining(`MARKET_DATA=tape:${missing}: there is no such file or folder.`),
    });
    const letter = join(folder, 'letter.jsonl');
    writeFileSync(letter, 'Dear Sir\n');
    await expect(opened({ MARKET_DATA: `tape:${letter}` })).rejects.toThrow(/line 1 of the tape/);
    await expect(opened({ MARKET_DATA: `tape:${fileOf('')}` })).rejects.toThrow(
      'line 1 of the tape: the file is empty',
    );
  });
});
