import { expect, it } from 'vitest';
import {
  type BacktestBody,
  BacktestRefused,
  type BacktestStrategy,
  backtest,
  type SeenOutcome,
} from '../../src/backtest/index.js';
import { formatMicro } from '../../src/core/money.js';
import { tape } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, games, textOfRun } from '../support/backtests.js';

const LINES = afternoonOf(games(3));
const AFTERNOON = tape(...LINES);

type Decide = NonNullable<BacktestStrategy['decide']>;

/** A strategy that a function decides for. */
const deciding = (decide: Decide, rules: BacktestBody = {}, more: BacktestBody = {}): BacktestStrategy => ({
  name: 'function',
  sport: 'soccer',
  bankroll_cap: 1000,
  stake_cap: 50,
  ...(Object.keys(rules).length > 0 && { rules }),
  ...more,
  decide,
});

const played = async (strategy: BacktestStrategy, options: object = {}) => {
  const run = await backtest({ tapes: AFTERNOON, strategies: [strategy], ...options });
  const [all] = run.played;
  return { ...run, bets: all?.bets ?? [], orders: all?.orders ?? [], skips: all?.skips ?? new Map() };
};

/** 10 dollars at 0.49 or less. */
const CHEAP: Decide = ({ book }) => ((book.asks[0]?.price ?? 1_000_000n) <= 490_000n ? { usdc: 10 } : null);

it('bets as rules with the same condition do', async () => {
  const outcome = { outcome: { index: 0 } };
  const tapes = tape(...afternoonOf(games(1)));
  const limits = { limits: { max_bets_per_outcome: 3, cooldown: '30s' } };
  const rules = aBody('function', { ...limits, filter: { min_odds: '2.04' } });
  const [byRules, byFunction] = await Promise.all(
    [rules, deciding(CHEAP, { ...outcome, ...limits })].map((one) => played(one, { tapes })),
  );
  const text = ({ orders = [] }: Partial<NonNullable<typeof byRules>> = {}) =>
    orders.map(({ placedAt, intent: { price, size }, filled }) => [placedAt, price, size, filled.shares]);
  expect(text(byRules)).toHaveLength(2);
  expect(text(byFunction)).toEqual(text(byRules));
});

it('is asked of each outcome as it is at that moment', async () => {
  const seen: SeenOutcome[] = [];
  const { bets } = await played(
    deciding((one) => {
      seen.push(one);
      return null;
    }),
  );
  expect(bets).toEqual([]);
  expect([...new Set(seen.map(({ outcome, phase }) => `${outcome} ${phase}`))].sort()).toEqual(['NO pre', 'YES pre']);
  for (const { at, book, market } of seen) expect([book.at <= at, market.payout]).toEqual([true, null]);
  const halfway = LINES[Math.floor(LINES.length / 2)]?.at ?? new Date(0);
  const whole = seen.splice(0).filter(({ at }) => at <= halfway);
  await played(
    deciding((one) => {
      seen.push(one);
      return null;
    }),
    { tapes: tape(...LINES.filter(({ at }) => at <= halfway)) },
  );
  expect(whole.length).toBeGreaterThan(100);
  expect(seen.filter(({ at }) => at <= halfway)).toEqual(whole);
});

it.each([
  [{ usdc: 0.1 + 0.2 }, 'proposed usdc 0.30000000000000004'],
  [{ usdc: Number.NaN }, 'proposed usdc NaN'],
  [{ usdc: 10, price: 60 }, 'proposed price 60'],
  [{ price: 0.5 }, 'proposed a bet without usdc'],
  [{ usdc: 10, size_usdc: 10 }, 'proposed the unknown member size_usdc'],
] as never[])('is refused where it proposes %j', async (proposal: never, words: string) => {
  const refused = played(deciding(() => proposal));
  await expect(refused).rejects.toThrow(new RegExp(`${words} at \\S+: \\w+`));
  await expect(refused).rejects.toBeInstanceOf(BacktestRefused);
});

it('may state a probability that was computed', async () => {
  const { bets } = await played(deciding((seen) => CHEAP(seen) && { usdc: 10, probability: 0.1 + 0.2 }));
  expect(bets.length).toBeGreaterThan(0);
});

it('has its reason not to bet counted', async () => {
  const { skips } = await played(deciding(() => null));
  expect([...skips.keys()]).toContain('declined');
});

it('bets no more than caps and limits leave', async () => {
  const bold = deciding(() => ({ usdc: 1e6 }), {}, { stake_cap: 3, bankroll_cap: 100 });
  const { orders } = await played(bold, { limits: { daily_stake_usdc: 8 } });
  const sizes = orders
    .filter(({ refusal }) => refusal === null)
    .map(({ intent: { size } }) => Number(formatMicro(size)));
  expect(sizes).toEqual([3, 3, 1.83]);
});

it('buys at no worse a price than it names', async () => {
  const { orders } = await played(deciding(() => ({ usdc: 10, price: '0.4' })));
  expect(orders.length).toBeGreaterThan(0);
  for (const { intent } of orders) expect(intent.price <= 400_000n).toBe(true);
});

it('states a probability that is scored', async () => {
  const { bets } = await played(deciding(() => ({ usdc: 10, probability: 0.61 })));
  expect(new Set(bets.map(({ probability }) => probability))).toEqual(new Set([610_000n]));
});

it('ends the backtest with what it throws or cannot mean', async () => {
  const broken = deciding(() => {
    throw new RangeError('no such model');
  });
  await expect(played(broken)).rejects.toThrow(new RangeError('no such model'));
  for (const bet of [{ usdc: 0 }, { usdc: 'ten' }, { usdc: 10, price: 1 }, { usdc: 10, probability: '-0.1' }])
    await expect(played(deciding(() => bet))).rejects.toThrow(BacktestRefused);
});

it('takes no rules about prices and sizes beside it', async () => {
  for (const rules of [{ filter: { min_odds: 2 } }, { sizing: { method: 'flat', value: 1 } }])
    await expect(played(deciding(CHEAP, rules))).rejects.toThrow(/a function decides in its place/);
});

it('is part of what the run is known by', async () => {
  const [one, same, other] = await Promise.all([CHEAP, CHEAP, () => null].map((decide) => played(deciding(decide))));
  expect(one?.header.id).toBe(same?.header.id);
  expect(one?.header.id).not.toBe(other?.header.id);
  expect(one?.header.strategies[0]?.rules).toMatchObject({ decide: expect.stringMatching(/^function [0-9a-f]{64}$/) });
});

it('decides the same beside rules and with workers', async () => {
  const strategies = [deciding(CHEAP), aBody('homes')];
  const run = (workers: number) => backtest({ tapes: AFTERNOON, strategies, workers });
  expect(textOfRun(await run(2))).toBe(textOfRun(await run(1)));
});
