import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PolymarketRest } from '../../../../src/adapters/polymarket/market-data/polymarket-rest.js';
import { MarketDataUnavailable } from '../../../../src/core/errors.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import type { Market, MarketQuery } from '../../../../src/core/market/market.js';
import { ROOT } from '../../../support/build.js';
import { FakePolymarketRest } from '../../../support/fake-polymarket/rest.js';

type Json = Readonly<Record<string, unknown>>;

interface Row {
  readonly name: string;
  readonly gamma: Json;
  readonly clob?: { readonly compact?: Json; readonly full?: Json };
}

const ROWS = readFileSync(join(ROOT, 'test/fixtures/markets.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

let venue: FakePolymarketRest;
let rest: PolymarketRest;
let now: Date;

beforeEach(async () => {
  now = new Date('2027-01-10T12:00:00Z');
  venue = await FakePolymarketRest.start();
  rest = new PolymarketRest({ gamma: venue.gamma, clob: venue.clob, clock: { now: () => now } });
});

afterEach(async () => {
  await rest.close();
  await venue.close();
});

/** The fixture whose name contains these words; it is at the venue from now on. */
function listed(words: string, change: Json = {}): Json {
  const row = ROWS.find(({ name }) => name.includes(words));
  if (row === undefined) throw new Error(`no fixture is called ${words}`);
  const gamma = { ...row.gamma, ...change };
  const { compact, full } = row.clob ?? {};
  venue.markets.push({ gamma, ...(compact && { compact }), ...(full && { clob: full }) });
  return gamma;
}

const find = (name: unknown): Promise<Market | undefined> => rest.find(String(name) as MarketId);
const later = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000);
};

describe('a market is found', () => {
  test.each(['conditionId', 'slug', 'id'])('by its %s', async (member) => {
    const gamma = listed('two teams, nba, with both');
    expect((await find(gamma[member]))?.id).toBe(gamma['conditionId']);
  });

  test.each(['conditionId', 'slug', 'id'])(
    'when it is closed, with its confirmed result, by its %s',
    async (member) => {
      const gamma = listed("resolved ['1', '0']");
      const market = await find(gamma[member]);
      expect([market?.status, market?.payout]).toEqual(['resolved', YES_WON]);
    },
  );

  test('by condition id when closed and unknown to the CLOB', async () => {
    const gamma = listed("resolved ['1', '0'] by Gamma alone");
    expect((await find(gamma['conditionId']))?.status).toBe('resolving');
  });

  test('by condition id where only the CLOB knows it by that', async () => {
    const gamma = listed('two teams, nba, with both');
    venue.script('/gamma/markets/keyset', ...[1, 2].map(() => ({ kind: 'body', body: '{"markets":[]}' }) as const));
    expect((await find(gamma['conditionId']))?.slug).toBe(gamma['slug']);
  });

  test('once for simultaneous callers, and again after 30 seconds', async () => {
    const { slug } = listed('two teams, nba, with both');
    await Promise.all([find(slug), find(slug), find(slug)]);
    later(29);
    await find(slug);
    expect(venue.asked('/gamma/')).toBe(1);
    later(2);
    await find(slug);
    expect(venue.asked('/gamma/')).toBe(2);
  });

  test('anew once it was forgotten', async () => {
    const { slug } = listed('two teams, nba, with both');
    const market = await find(slug);
    if (market !== undefined) rest.forget(market);
    await find(slug);
    expect(venue.asked('/gamma/')).toBe(2);
  });

  test('even if it is forgotten while it is being read', async () => {
    const gamma = listed('two teams, nba, with both');
    const market = await find(gamma['slug']);
    if (market === undefined) throw new Error('not found');
    later(31);
    const asked = find(gamma['slug']);
    rest.forget(market);
    expect((await asked)?.id).toBe(gamma['conditionId']);
  });

  test('with its current status, even when its metadata is cached', async () => {
    const { slug } = listed('two teams, nba, with both', { gameStartTime: '2027-01-10 12:00:10+00' });
    expect((await find(slug))?.status).toBe('open');
    later(10);
    expect((await find(slug))?.status).toBe('in_play');
    expect(venue.asked('/gamma/')).toBe(1);
  });
});

describe('a market is not found', () => {
  test.each(['0x12ab', 'no-such-slug', '77', '99999999999999999999'])('as %s', async (id) => {
    listed('two teams, nba, with both');
    expect(await find(id)).toBeUndefined();
  });

  test('and asked for again at once, since new ones appear within minutes', async () => {
    expect(await find('invented-1')).toBeUndefined();
    const { slug } = listed('001');
    expect((await find(slug))?.slug).toBe('invented-1');
  });

  test('under a name that the venue answers with another market', async () => {
    const gamma = listed('001');
    venue.script('/gamma/markets/slug/other', { kind: 'body', body: JSON.stringify(gamma) });
    venue.script('/gamma/markets/keyset', { kind: 'body', body: JSON.stringify({ markets: [gamma] }) });
    expect(await find('other')).toBeUndefined();
    expect(await find('0xffff')).toBeUndefined();
  });
});

test('a market is refused until it has token ids', async () => {
  const { slug, clobTokenIds } = listed('001', { clobTokenIds: '' });
  await expect(find(slug)).rejects.toMatchObject({ reason: 'token_ids_missing' });
  venue.markets = [];
  listed('001', { clobTokenIds: ROWS[0]?.gamma['clobTokenIds'] });
  expect(clobTokenIds).toBe('');
  expect((await find(slug))?.status).toBe('open');
});

test('a market is refused when the CLOB orders its tokens differently', async () => {
  const { slug } = listed('token ids swapped in the compact record');
  await expect(find(slug)).rejects.toMatchObject({ reason: 'token_ids_disagree' });
});

test('a market is not listed without the record of the CLOB', async () => {
  const { slug } = listed('two teams, nba, with both');
  venue.script('/clob/clob-markets', { kind: 'page', status: 403 });
  await expect(find(slug)).rejects.toBeInstanceOf(MarketDataUnavailable);
  expect((await find(slug))?.slug).toBe(slug);
});

test('an answer of another shape is unavailable, and not empty', async () => {
  venue.script('/gamma/markets/keyset', { kind: 'body', body: '{"data":[]}' });
  await expect(rest.search({}, { limit: 5 })).rejects.toBeInstanceOf(MarketDataUnavailable);
});

describe('a search', () => {
  const searched = async (query: MarketQuery, limit: number): Promise<string[]> => {
    const found: string[] = [];
    let after: string | undefined;
    for (let slices = 0; slices < 100; slices++) {
      const { items, next } = await rest.search(query, { limit, ...(after === undefined ? {} : { after }) });
      expect(items.length).toBeLessThanOrEqual(limit);
      found.push(...items.map(({ slug }) => slug ?? ''));
      if (next === null) return found;
      after = next;
    }
    throw new Error('the search does not end');
  };

  test.each([1, 2, 3, 7, 100])('gives every match once, in slices of %i', async (limit) => {
    venue.pageSize = 4;
    const open = ['001', '003', '005', '007', '009', '011'].map((name) => listed(name)['slug']);
    const closed = listed("resolved ['1', '0']")['slug'];
    expect(await searched({}, limit)).toEqual([...open, closed]);
    expect(await searched({ league: 'NBA' }, limit)).toEqual(open.slice(0, 2));
    expect(await searched({ status: 'resolved' }, limit)).toEqual([closed]);
    expect(await searched({ status: 'open', sport: 'baseball' }, limit)).toEqual(open.slice(4));
  });

  test.each([1, 5])('by text, in slices of %i', async (limit) => {
    venue.pageSize = 2;
    for (const name of ['001', '003', '005']) listed(name);
    expect(await searched({ text: 'otters' }, limit)).toEqual(['invented-1']);
    expect(await searched({ text: 'invented' }, limit)).toEqual(['invented-1', 'invented-3', 'invented-5']);
    expect(venue.asked('/gamma/markets/keyset')).toBe(0);
  });

  test('by kind asks the venue for that kind', async () => {
    listed('001');
    const { slug } = listed('kind map_handicap');
    expect(await searched({ kind: 'spread' }, 10)).toEqual([slug]);
  });

  test('leaves out what cannot be used', async () => {
    for (const name of ['the same token id twice', 'tick 0.02', 'outcomes as a sentence']) listed(name);
    const { slug } = listed('001');
    venue.markets.push({ gamma: { nonsense: true } });
    expect(await searched({}, 10)).toEqual([slug]);
  });

  test('reads a bounded number of pages, and goes on from there', async () => {
    venue.pageSize = 1;
    for (const name of ['001', '003', '005', '007', '009', '011', '013']) listed(name);
    const first = await rest.search({ league: 'nhl' }, { limit: 1 });
    expect(venue.asked('/gamma/')).toBe(5);
    expect(first.items).toEqual([]);
    const second = await rest.search({ league: 'nhl' }, { limit: 1, after: first.next ?? '' });
    expect(second.items.map(({ league }) => league)).toEqual(['nhl']);
  });

  test.each(['', 'rubbish', 'text.0.rubbish', 'open.999999.', 'closed.-1.'])(
    'survives the cursor %j',
    async (after) => {
      listed('001');
      const { items } = await rest.search({}, { limit: 5, after });
      expect(items.length).toBeLessThanOrEqual(1);
    },
  );
});
