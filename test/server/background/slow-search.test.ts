import { expect, test } from 'vitest';
import type { MarketId } from '../../../src/core/ids.js';
import { ALICE, aDraft, BOB } from '../../support/builders.js';
import { gate } from '../../support/gate.js';
import { aMarket } from '../../support/scripted-market.js';
import { HOME, passing, START } from '../../support/strategy-fixture.js';
import { serverOfStrategies } from './runner-fixture.js';

const SECOND = 1000;
const METRIC = 'stakeport_market_search_seconds';

test('a market search beyond a minute sets a metric and an alarm', async () => {
  const listed = gate();
  const { timeline, figures, use, end } = await serverOfStrategies({
    search: async () => {
      await listed.opened;
      return { items: [], next: null };
    },
  });
  const alarms = async () => {
    await use.alarms.raise.clear();
    return use.alarms.read.execute(ALICE, true);
  };
  const pass = (seconds: number) => passing(timeline, seconds * SECOND);

  await pass(59);
  expect([figures.get(METRIC)?.(), await alarms()]).toEqual([expect.closeTo(59, -1), []]);
  await pass(21);
  expect(figures.get(METRIC)?.()).toBeGreaterThan(60);
  expect(await alarms()).toMatchObject([
    {
      kind: 'market_search_slow',
      scope: 'service',
      detail: expect.stringMatching(/^Looking for markets takes [67]\d s\.$/),
    },
  ]);

  listed.open();
  // What was slow the last time counts until the next search, and an alarm ends two minutes after it was last told.
  await pass(60);
  expect(figures.get(METRIC)?.()).toBe(0);
  await pass(150);
  expect(await alarms()).toEqual([]);
  end();
});

test("a second account's search repeats while one of the first hangs", async () => {
  const searched: unknown[] = [];
  const { timeline, use, end } = await serverOfStrategies({
    search: async ({ kind, status }) => {
      // Games that have begun are looked for beside, to be counted.
      if (`${status}` !== 'in_play') searched.push(kind);
      if (kind === undefined) await gate().opened;
      return { items: [], next: null };
    },
  });
  const rules = { ...HOME, match: { sport: 'nba', market: 'moneyline' } } as const;
  const draft = aDraft({ sport: 'nba', automation: 'auto', rules });
  await use.strategies.create.execute({ account: BOB, draft, idempotencyKey: null });
  await passing(timeline, 61 * SECOND);
  // Once because the strategy is new, and at 30 and 60 seconds.
  expect(searched.filter((kind) => kind === 'moneyline')).toHaveLength(3);
  expect(searched.filter((kind) => kind === undefined)).toHaveLength(1);
  end();
});

test('how many markets are not followed is a metric', async () => {
  const game = { sport: 'nba', league: 'nba', kind: 'moneyline', role: 'home', startsAt: new Date(START) } as const;
  const items = Array.from({ length: 1090 }, (_, n) => aMarket({}, { ...game, id: `nba-${n}` as MarketId }));
  const { timeline, figures, end } = await serverOfStrategies({ search: async () => ({ items, next: null }) });
  const notFollowed = figures.get('stakeport_markets_not_followed');
  expect(notFollowed?.()).toBe(0);
  await passing(timeline, 2 * SECOND);
  await expect.poll(() => notFollowed?.()).toBe(90);
  end();
});
