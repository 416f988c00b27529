import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../src/adapters/paper/index.js';
import type { AccountId, MarketId, StrategyId } from '../../../../src/core/ids.js';
import type { Market } from '../../../../src/core/market/market.js';
import { answers, type MarketQuery } from '../../../../src/core/market/market.js';
import type { Price } from '../../../../src/core/money.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { runnerUseCase } from '../../../../src/core/usecases/compose-strategies.js';
import type { UseCasePorts } from '../../../../src/core/usecases/use-case-ports.js';
import { Venues, venueFrom } from '../../../../src/core/venues/venues.js';
import type { MarketData, MarketListener } from '../../../../src/ports/market-data.js';
import { ALICE, aDraft, anOrderContext, BOB } from '../../../support/builders.js';
import { aMarket, levels, ManualTimeline } from '../../../support/scripted-market.js';
import { HOME, START } from '../../../support/strategy-fixture.js';

const HOUR_MS = 60 * 60 * 1000;

/** So many turns of the process pass. */
async function turns(many: number): Promise<undefined> {
  for (let turn = 0; turn < many; turn += 1) await setImmediate();
}

/** A market of a sport that starts so many hours after the others. */
const marketOf = (sport: string, number: number, hours = 0): Market =>
  aMarket(
    {},
    {
      id: `${sport}-${number}` as MarketId,
      sport,
      league: sport,
      kind: 'moneyline',
      role: 'home',
      startsAt: new Date(Date.parse(START) + hours * HOUR_MS),
    },
  );

/** Strategies on a venue whose searches and books answer when the test says so. */
async function fixture(
  markets: readonly Market[],
  unanswered: (query: MarketQuery) => boolean | undefined = () => false,
  watchedPerAccount = Number.POSITIVE_INFINITY,
) {
  const time = new ManualTimeline();
  const ledger = new MemoryLedger(time);
  const searches: MarketQuery[] = [];
  const followed = new Set<string>();
  const listeners = new Map<MarketId, MarketListener>();
  const data: MarketData = {
    venue: markets[0]?.venue ?? aMarket().venue,
    find: async (id) => markets.find((market) => market.id === id),
    book: async () => undefined,
    async search(query) {
      searches.push(query);
      if (unanswered(query)) await new Promise(() => {});
      return { items: markets.filter((market) => answers(market, query)), next: null };
    },
    async follow({ id }, listener) {
      followed.add(id);
      listeners.set(id, listener);
      return { stop: () => followed.delete(id) };
    },
  };
  const venues = new Venues(new PaperExchange(), [venueFrom(data, null)]);
  let ms = 0;
  const stopwatch = () => {
    ms += 1;
    return ms;
  };
  const ports: UseCasePorts = { ...anOrderContext({ clock: time, stopwatch }), ledger, venues, watchedPerAccount };
  const use = useCases(ports);
  const faults: string[] = [];
  const inBackground = async (work: () => Promise<void>) => void work();
  const looks: StrategyId[] = [];
  const { skips } = use.strategies;
  const count = skips.count.bind(skips);
  skips.count = (account, skip, many) => {
    if (skip.code !== 'not_watched') looks.push(skip.strategyId);
    count(account, skip, many);
  };
  const runner = runnerUseCase({ ...ports, timeline: time, inBackground }, skips, (what) => faults.push(what));
  const automate = async (account: AccountId, sport: string, rules: Partial<RulesDraft> = {}) => {
    const draft = aDraft({ sport, automation: 'auto', rules: { ...HOME, match: { sport }, ...rules } });
    const { record } = await use.strategies.create.execute({ account, draft, idempotencyKey: null });
    await runner.refreshStrategies();
    return record;
  };
  /** The market has this book from now on. */
  const show = async ({ id }: Market) =>
    listeners.get(id)?.({ type: 'book', at: time.now(), bids: levels('0.40x1'), asks: levels('0.42x1') });
  return { time, searches, followed, faults, runner, automate, use, looks, skips, show };
}

test('strategies of different sports share one search per kind of market', async () => {
  const { runner, searches, automate } = await fixture([marketOf('nba', 1)]);
  for (let number = 0; number < 20; number += 1) {
    const league = Array.from({ length: 100 }, (_, i) => `league-${number}-${i}`);
    await automate(ALICE, `sport-${number}`, {
      match: { sport: `sport-${number}`, league, market: ['moneyline', 'spread', 'total'] },
      phase: 'any',
    });
  }
  await runner.refreshMarkets();
  expect(searches).toHaveLength(3);
  await runner.refreshMarkets();
  expect(searches).toHaveLength(6);
});

test("a second account's markets are followed while the first's search is unanswered", async () => {
  const { runner, automate, followed, searches } = await fixture([marketOf('nba', 1)], ({ sport }) =>
    sport?.startsWith('sport'),
  );
  for (let number = 0; number < 30; number += 1) {
    await automate(ALICE, `sport-${number}`);
    void runner.followNew();
  }
  await expect.poll(() => searches.length).toBe(6);
  await automate(BOB, 'nba');
  await runner.followNew();
  await expect.poll(() => [...followed]).toEqual(['nba-1']);
});

test('a new strategy follows markets that are known already without any search', async () => {
  const { runner, automate, followed, searches } = await fixture([marketOf('nba', 1), marketOf('nba', 2, 500)]);
  await automate(ALICE, 'nba', { match: { sport: 'nba', events: ['another'] } });
  await runner.refreshMarkets();
  expect(followed.size).toBe(0);
  const before = searches.length;
  await automate(BOB, 'nba');
  await runner.followNew();
  await expect.poll(() => followed.size).toBe(2);
  expect(searches).toHaveLength(before);
});

test('each round repeats all market searches except an unanswered one', async () => {
  const { runner, automate, searches } = await fixture([marketOf('nba', 1)], ({ kind }) => kind === 'total');
  const looked = (kind: string) => searches.filter((one) => one.kind === kind).length;
  await automate(ALICE, 'nba', { match: { sport: 'nba', market: 'total' } });
  await automate(BOB, 'nba', { match: { sport: 'nba', market: 'moneyline' } });
  for (const round of [1, 2, 3]) {
    await runner.beginRefresh();
    await expect.poll(() => looked('moneyline')).toBe(round);
  }
  expect(looked('total')).toBe(1);
});

describe('while a repeated search has no answer,', () => {
  async function lookingAgain(afterMs: number) {
    let isAnswered = true;
    const one = await fixture([marketOf('nba', 1), marketOf('nba', 2)], () => !isAnswered);
    await one.automate(ALICE, 'nba', { match: { sport: 'nba', events: ['another'] } });
    await one.runner.refreshMarkets();
    isAnswered = false;
    await one.time.pass(afterMs);
    void one.runner.refreshMarkets();
    await expect.poll(() => one.searches.length).toBe(2);
    return one;
  }

  test.each([5, 20])('a new strategy follows the markets that were known %d s before', async (seconds) => {
    const { automate, runner, followed, searches } = await lookingAgain(seconds * 1000);
    await automate(BOB, 'nba');
    await runner.followNew();
    await expect.poll(() => followed.size).toBe(2);
    expect(searches).toHaveLength(2);
  });

  test('a dry run sees what was found five seconds before', async () => {
    const { use, automate } = await lookingAgain(5000);
    const { id } = await automate(BOB, 'nba');
    const asked = { account: BOB, strategyId: id, market: null, limit: 10 };
    expect(await Promise.race([use.strategies.evaluate.execute(asked), turns(100)])).toBeDefined();
  });
});

test('followed markets are shared out fairly, and unfollowed ones give a reason', async () => {
  const many = Array.from({ length: 1090 }, (_, number) => marketOf('nba', number));
  const few = [1, 2, 3].map((number) => marketOf('nfl', number, 24));
  const { runner, automate, followed, use, faults } = await fixture([...many, ...few]);
  const greedy = await automate(ALICE, 'nba');
  await runner.refreshMarkets();
  expect(followed.size).toBe(1000);
  const modest = await automate(BOB, 'nfl');
  await runner.refreshMarkets();
  expect(followed.size).toBe(1000);
  expect(few.filter(({ id }) => followed.has(id))).toHaveLength(3);
  expect(runner.shares.notFollowed).toBe(93);
  const codes = async (account: AccountId, id: typeof greedy.id) =>
    (await use.strategies.decisions.many(account, id, {}, { limit: 10 })).items.map(({ code }) => code);
  expect(await codes(ALICE, greedy.id)).toContain('not_followed');
  expect(await codes(BOB, modest.id)).not.toContain('not_followed');
  expect(faults.at(-1)).toContain('93 markets are not followed');
});

test("an account's markets that it can bet on now are followed first", async () => {
  const later = Array.from({ length: 1000 }, (_, number) => marketOf('nba', number));
  const now = marketOf('nfl', 1, 100);
  const { runner, automate, followed, time } = await fixture([...later, now]);
  const opensSoon = time.now().getTime() + 30_000 - Date.parse(START);
  await automate(ALICE, 'nba', { window: { fromMs: opensSoon } });
  await automate(ALICE, 'nfl');
  await runner.refreshMarkets();
  expect(followed.has(now.id)).toBe(true);
});

test('the duration of a running market search is reported', async () => {
  const { runner, automate, searches } = await fixture([marketOf('nba', 1)], () => true);
  expect(runner.searchingMs).toBe(0);
  await automate(ALICE, 'nba');
  void runner.refreshMarkets();
  await expect.poll(() => searches.length).toBeGreaterThan(0);
  await expect.poll(() => runner.searchingMs).toBeGreaterThan(0);
});

test('watched markets per account are capped, shared by its strategies, omissions explained', async () => {
  const markets = Array.from({ length: 60 }, (_, number) => marketOf('nba', number, number));
  const { runner, automate, use, faults } = await fixture(markets, undefined, 100);
  const greedy = [];
  for (let number = 0; number < 20; number += 1) greedy.push(await automate(ALICE, 'nba'));
  await runner.refreshMarkets();
  expect(runner.shares.watched).toBe(100);
  expect(runner.shares.notWatched).toBe(20 * 60 - 100);
  expect(faults.at(-1)).toContain('1100 more that strategies may bet on are not watched');
  const skipped = use.strategies.skips.takeCounts().filter(({ code }) => code === 'not_watched');
  expect(skipped.map(({ strategyId, count }) => [strategyId, count])).toEqual(greedy.map(({ id }) => [id, 55]));
  await automate(BOB, 'nba');
  await runner.refreshMarkets();
  expect(runner.shares.watched).toBe(160);
});

test('a strategy that can bet now is watched first within the cap', async () => {
  const markets = Array.from({ length: 20 }, (_, number) => marketOf('nba', number));
  const now = marketOf('nfl', 1, 24);
  const { runner, automate, looks, show, time } = await fixture([...markets, now], undefined, 5);
  const opensSoon = time.now().getTime() + 30_000 - Date.parse(START);
  await automate(ALICE, 'nba', { window: { fromMs: opensSoon } });
  await runner.refreshMarkets();
  expect(runner.shares.watched).toBe(5);
  const urgent = await automate(ALICE, 'nfl', { filter: { maxSpread: 1n as Price } });
  await runner.refreshMarkets();
  expect(runner.shares.watched).toBe(5);
  await show(now);
  expect(looks).toEqual([urgent.id]);
});

test('places that a strategy leaves are taken by others of its account', async () => {
  const markets = Array.from({ length: 10 }, (_, number) => marketOf('nba', number));
  const { runner, automate, use } = await fixture(markets, undefined, 12);
  const first = await automate(ALICE, 'nba');
  await automate(ALICE, 'nba');
  await runner.refreshMarkets();
  expect([runner.shares.watched, runner.shares.notWatched]).toEqual([12, 8]);
  await use.strategies.archive.execute({ account: ALICE, strategyId: first.id, precondition: null });
  await runner.refreshStrategies();
  await runner.refreshMarkets();
  expect([runner.shares.watched, runner.shares.notWatched]).toEqual([10, 0]);
});

test("a second account's strategy is evaluated early, despite many of the first", async () => {
  const markets = Array.from({ length: 40 }, (_, number) => marketOf('nba', number));
  const skipping = { filter: { maxSpread: 1n as Price } };
  const { runner, automate, looks, show } = await fixture(markets, undefined, 2000);
  for (let number = 0; number < 150; number += 1) await automate(ALICE, 'nba', skipping);
  const second = await automate(BOB, 'nba', skipping);
  await runner.refreshMarkets();
  expect(runner.shares.watched).toBe(2040);
  for (const market of markets) {
    looks.length = 0;
    await show(market);
    expect(looks.indexOf(second.id)).toBeGreaterThanOrEqual(0);
    expect(looks.indexOf(second.id)).toBeLessThan(2);
  }
});
