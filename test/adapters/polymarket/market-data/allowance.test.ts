import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../src/adapters/paper/index.js';
import { PolymarketRest } from '../../../../src/adapters/polymarket/market-data/polymarket-rest.js';
import { TooManyLookups } from '../../../../src/core/errors.js';
import type { AccountId, MarketId, StrategyId } from '../../../../src/core/ids.js';
import { Venues, venueFrom } from '../../../../src/core/venues/venues.js';
import type { Asker } from '../../../../src/ports/market-data.js';
import { ALICE, aDraft, anOrderContext, BOB } from '../../../support/builders.js';
import { Trading } from '../../../support/trading.js';
import { aListedGame, Venue } from './venue.js';

const CAROL = 'carol' as AccountId;
/** More than a client may have waiting, and more than the venue allows in its window of ten seconds. */
const MANY = 1200;
/** What one account may use of the reads of markets that no order waits for. */
const SHARE = 75;
const WAITING = 256;
/** Within one window of the venue's allowance, also on a machine that has more to do. */
const SOON = { timeout: 9000 };

const looking = (account: AccountId): Asker => ({ account, purpose: 'look' });
const ordering = (account: AccountId): Asker => ({ account, purpose: 'order' });
const RESULT: Asker = { account: null, purpose: 'result' };

let venue: Venue;
beforeEach(async () => {
  venue = await Venue.open();
});
afterEach(() => venue.close());

const condition = (n: number) => `0x${(n + 1).toString(16).padStart(64, '0')}` as MarketId;

/** Other games at the venue, by their slugs. */
function lists(many: number): readonly MarketId[] {
  const { gamma } = aListedGame();
  const games = Array.from({ length: many }, (_, n) => ({
    ...gamma,
    id: `${1_000_000 + n}`,
    slug: `other-${n}`,
    conditionId: condition(n),
    clobTokenIds: JSON.stringify([`${10_000 + n}`, `${20_000 + n}`]),
  }));
  venue.lists(venue.game, ...games.map((game) => ({ gamma: game })));
  return games.map(({ slug }) => slug as MarketId);
}

/** What ends with a refusal, and all of it once the venue is closed. */
function refusedOf(work: readonly Promise<unknown>[]): { count: number } {
  const refused = { count: 0 };
  for (const one of work)
    one.catch((error: unknown) => {
      if (error instanceof TooManyLookups) refused.count += 1;
    });
  return refused;
}

const guesses = (account: AccountId) =>
  Array.from({ length: MANY }, (_, n) => venue.data.find(`guess-${account}-${n}` as MarketId, looking(account)));
const guessed = () => venue.rest.asked('/gamma/markets/slug/guess');

/** How many other requests arrived since `before` ahead of the first that begins with this. */
async function ahead(before: number, prefix: string): Promise<number> {
  const at = () => venue.rest.requests.slice(before).findIndex((path) => path.startsWith(prefix));
  await expect.poll(at, SOON).toBeGreaterThanOrEqual(0);
  return at();
}

describe('1,200 reads of markets that do not exist, by a key that may only read,', () => {
  test('use a limited share, and reads beyond the queue are refused', async () => {
    const refused = refusedOf(guesses(ALICE));
    await expect.poll(() => refused.count, SOON).toBe(MANY - WAITING);
    await expect.poll(guessed, SOON).toBe(SHARE);
  });

  test.each([
    ['an order', ordering(BOB)],
    ['an exit', undefined],
    ['a result', RESULT],
    ['a read', looking(BOB)],
  ])('let %s of another tenant begin at once', async (_, asker) => {
    const [game = '' as MarketId] = lists(1);
    refusedOf(guesses(ALICE));
    await expect.poll(guessed, SOON).toBe(SHARE);
    const before = venue.rest.requests.length;
    expect((await venue.data.find(game, asker))?.slug).toBe(game);
    expect(await ahead(before, `/gamma/markets/slug/${game}`)).toBeLessThanOrEqual(8);
  });

  test('for orders use at most a third of the order allowance', async () => {
    const [game = '' as MarketId] = lists(1);
    const work = Array.from({ length: MANY }, (_, n) => venue.data.find(`guess-${n}` as MarketId, ordering(ALICE)));
    const refused = refusedOf(work);
    await expect.poll(() => refused.count, SOON).toBe(MANY - WAITING);
    await expect.poll(guessed, SOON).toBe(30);
    for (const asker of [ordering(BOB), undefined, ordering(CAROL)]) {
      const before = venue.rest.requests.length;
      expect((await venue.data.find(game, asker))?.slug).toBe(game);
      venue.clock.tick(60_000);
      expect(await ahead(before, `/gamma/markets/slug/${game}`)).toBeLessThanOrEqual(8);
    }
  });
});

test('endless searches do not delay another tenant’s searches or orders', async () => {
  const [game = '' as MarketId] = lists(1);
  const search = (account: AccountId) => venue.data.search({ kind: 'moneyline' }, { limit: 100 }, looking(account));
  const refused = refusedOf(Array.from({ length: MANY }, () => search(ALICE)));
  await expect.poll(() => refused.count, SOON).toBe(MANY - WAITING);
  await expect.poll(() => venue.rest.asked('/gamma/markets/keyset'), SOON).toBe(SHARE);
  const before = venue.rest.requests.length;
  expect((await venue.data.find(game, ordering(BOB)))?.slug).toBe(game);
  expect(await ahead(before, `/gamma/markets/slug/${game}`)).toBeLessThanOrEqual(8);
  expect((await search(BOB)).items.length).toBeGreaterThan(0);
});

test('followed markets and order guesses do not delay another tenant’s order', async () => {
  const [game = '' as MarketId] = lists(100);
  const rest = new PolymarketRest({ gamma: venue.rest.gamma, clob: venue.rest.clob, clock: venue.clock });
  const { items } = await rest.search({ kind: 'moneyline' }, { limit: 100 });
  for (const market of [...items, ...items]) rest.renewed(market).catch(() => {});
  for (let n = 0; n < 200; n += 1) rest.find(`guess-${n}` as MarketId, ordering(ALICE)).catch(() => {});
  await expect.poll(guessed, SOON).toBe(30);
  await expect.poll(() => venue.rest.asked('/gamma/markets/keyset?condition_ids'), SOON).toBe(90);
  const before = venue.rest.requests.length;
  expect((await rest.find(game, ordering(BOB)))?.slug).toBe(game);
  expect(await ahead(before, `/gamma/markets/slug/${game}`)).toBeLessThanOrEqual(8);
  await rest.close();
});

test.each([300, 3000])('results of %i unfollowed markets do not delay a tenant’s order', async (many) => {
  const [game = '' as MarketId] = lists(many);
  for (let n = 0; n < many; n += 1) venue.data.find(condition(n), RESULT).catch(() => {});
  await expect.poll(() => venue.rest.asked('/gamma/markets/keyset'), SOON).toBe(many === 300 ? 12 : 20);
  const before = venue.rest.requests.length;
  expect((await venue.data.find(game, ordering(BOB)))?.slug).toBe(game);
  expect(await ahead(before, `/gamma/markets/slug/${game}`)).toBeLessThanOrEqual(8);
});

describe('searches that all accounts share', () => {
  const venues = () => new Venues(new PaperExchange(), [venueFrom(venue.data, null)]);
  const terms = () => ({ account: ALICE, now: venue.clock.now(), maxAgeMs: 0 });

  test('read the lists of the venue once for twenty sports', async () => {
    lists(350);
    const sports = Array.from({ length: 20 }, (_, n) => `sport-${n}`);
    const shared = venues();
    const search = (sport: string) => shared.search({ sport, kind: 'moneyline', status: 'open' }, terms());
    const found = await Promise.all([...sports, 'basketball'].map(search));
    expect(found.at(-1)).toHaveLength(351);
    expect(venue.rest.asked('/gamma/markets/keyset')).toBe(4);
  });

  test('let a read of another tenant begin at once', async () => {
    const [game = '' as MarketId] = lists(150);
    venue.rest.pageSize = 1;
    const shared = venues();
    for (const kind of ['moneyline', 'other', undefined] as const)
      void shared.search({ sport: 'basketball', status: 'open', ...(kind && { kind }) }, terms()).catch(() => {});
    await expect.poll(() => venue.rest.asked('/gamma/markets/keyset'), SOON).toBe(SHARE);
    const before = venue.rest.requests.length;
    expect((await venue.data.find(game, looking(BOB)))?.slug).toBe(game);
    expect(await ahead(before, `/gamma/markets/slug/${game}`)).toBeLessThanOrEqual(8);
  });
});

test('five dry runs let an order of another tenant begin at once', async () => {
  const games = lists(150);
  const { clock } = venue;
  const trading = new Trading(new MemoryLedger(clock), { markets: venue.data, context: anOrderContext({ clock }) });
  const rules = {
    match: {},
    outcome: { index: 0 },
    filter: {},
    sizing: { method: 'flat', value: 1_000_000n },
  } as const;
  const strategy = await trading.strategy(aDraft({ sport: 'basketball', rules }));
  const run = () =>
    trading.use.strategies.evaluate.execute({
      account: ALICE,
      strategyId: strategy.id as StrategyId,
      market: null,
      limit: 1000,
    });
  refusedOf(Array.from({ length: 5 }, run));
  await expect.poll(() => venue.rest.asked('/clob/book'), SOON).toBe(370);
  const before = venue.rest.requests.length;
  const order = await trading.place({ account: BOB, marketId: games[0] as MarketId });
  expect(order.account).toBe(BOB);
  expect(await ahead(before, `/gamma/markets/slug/${games[0]}`)).toBeLessThanOrEqual(8);
});

describe('that there is no such market', () => {
  test('is remembered for five seconds', async () => {
    const guess = 'guess' as MarketId;
    await venue.data.find(guess, looking(ALICE));
    venue.clock.tick(4999);
    expect(await venue.data.find(guess, looking(BOB))).toBeUndefined();
    expect(guessed()).toBe(1);
    venue.clock.tick(2);
    await venue.data.find(guess, looking(ALICE));
    expect(guessed()).toBe(2);
  });

  test('keeps no order from a market that was listed since', async () => {
    expect(await venue.data.find('other-0' as MarketId, looking(ALICE))).toBeUndefined();
    const [game = '' as MarketId] = lists(1);
    expect((await venue.data.find(game, ordering(ALICE)))?.slug).toBe(game);
    expect((await venue.data.find(game, looking(BOB)))?.slug).toBe(game);
  });
});
