import { beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';

/** Every member of rules that only a strategy that trades by itself needs. */
const GROWN = {
  match: { market: ['moneyline', 'total'], league: ['epl', 'laliga'], events: ['ars-che'], text: 'arsenal' },
  filter: {
    min_odds: 1.5,
    min_edge: 0.02,
    max_spread: '0.05',
    min_liquidity_usdc: 100,
    max_drift: 0.03,
    max_book_age: '5s',
    max_overround: 0.04,
  },
  sizing: { method: 'edge_proportional', value: 0.02, reference_edge: 0.08 },
  outcome: { favourite_rank: 1 },
  window: { from: '-24h', to: '-300s' },
  phase: 'any',
  limits: {
    max_bets_per_outcome: 1,
    max_bets_per_market: 2,
    max_bets_per_event: 3,
    max_bets_per_day: null,
    max_open: 5,
    cooldown: '60s',
    event_loss: 25,
    daily_loss: '12.5',
  },
  order: { time_in_force: 'FOK', give_up_after: '30s', max_slippage: 0.01 },
  exit: { take_profit: { gain: 0.2 }, stop: { price: 0.3 }, before_start: '10m', after: '48h', edge_below: 0.01 },
  signal: { name: 'my-model' },
};

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});

const made = (rules: object, others: object = {}) =>
  app.client.post(STRATEGIES, { ...STRATEGY, rules: { sizing: STRATEGY.rules.sizing, ...rules }, ...others });
const answered = async (rules: object, others: object = {}) => (await made(rules, others)).json<{ rules: object }>();

describe('rules for automated trading', () => {
  test('come back as they were posted, with times in the largest unit', async () => {
    const { rules } = await answered(GROWN);
    expect(rules).toEqual({
      version: 1,
      ...GROWN,
      match: { sport: 'soccer', ...GROWN.match },
      filter: { ...GROWN.filter, side: 'BACK', max_spread: 0.05 },
      window: { from: '-1d', to: '-5m' },
      limits: { ...GROWN.limits, cooldown: '1m', daily_loss: 12.5 },
      exit: { ...GROWN.exit, after: '2d' },
      signal: { name: 'my-model', required: true },
    });
    expect((await answered(rules)).rules).toEqual(rules);
  });

  test('have every default as soon as one of them is named', async () => {
    const { rules, automation, automation_paper } = await answered({ phase: 'pre' }).then(
      (body) => body as Record<string, unknown>,
    );
    expect({ rules, automation, automation_paper }).toEqual({
      rules: {
        version: 1,
        match: { sport: 'soccer' },
        filter: { side: 'BACK' },
        sizing: STRATEGY.rules.sizing,
        phase: 'pre',
        limits: { max_bets_per_outcome: 1, cooldown: '5m' },
        order: { time_in_force: 'FAK', give_up_after: '1m', max_slippage: 0.02 },
      },
      automation: 'off',
      automation_paper: true,
    });
  });

  test('show automation bounds, and null where a bound was lifted', async () => {
    const outcome = { outcome: 'each' };
    const { rules } = await answered(outcome, { automation: 'approve' });
    expect(rules).toMatchObject({
      outcome: 'each',
      filter: { max_spread: 0.05 },
      limits: { max_bets_per_outcome: 1, max_bets_per_day: 100, cooldown: '5m', event_loss: 50, daily_loss: 100 },
    });
    const loose = { max_bets_per_day: null, daily_loss: null, event_loss: null };
    const loosened = await answered(
      { ...outcome, filter: { max_spread: null }, limits: loose },
      { automation: 'auto' },
    );
    expect(loosened.rules).toMatchObject({ filter: { max_spread: null }, limits: loose });
  });

  test.each<[string, object]>([
    ['/rules/match/market/1', { match: { market: ['moneyline', 'corners'] } }],
    ['/rules/match/league', { match: { league: [] } }],
    ['/rules/match/events', { match: { events: 'ars-che' } }],
    ['/rules/filter/min_edge', { filter: { min_edge: -0.1 } }],
    ['/rules/filter/max_spread', { filter: { max_spread: 1 } }],
    ['/rules/filter/max_book_age', { filter: { max_book_age: 5 } }],
    ['/rules/filter/max_book_age', { filter: { max_book_age: '5w' } }],
    ['/rules/filter/min_odds', { filter: { min_odds: null } }],
    ['/rules/sizing/method', { sizing: { method: 'martingale', value: 1 } }],
    ['/rules/sizing/value', { sizing: { method: 'edge_proportional', value: 2 } }],
    ['/rules/sizing/reference_edge', { sizing: { method: 'flat', value: 2, reference_edge: 0.1 } }],
    ['/rules/outcome', { outcome: 'home' }],
    ['/rules/outcome', { outcome: {} }],
    ['/rules/outcome', { outcome: { role: 'home', index: 0 } }],
    ['/rules/outcome/role', { outcome: { role: 'winner' } }],
    ['/rules/outcome/index', { outcome: { index: 2 } }],
    ['/rules/outcome/favourite_rank', { outcome: { favourite_rank: 0 } }],
    ['/rules/outcome/named', { outcome: { label: 'Arsenal', named: 'Arsenal' } }],
    ['/rules/outcome', { outcome: { role: 'home' }, sizing: { method: 'dutch', value: 10 } }],
    ['/rules/window/from', { window: { from: '-5m', to: '-24h' } }],
    ['/rules/window/to', { window: { to: '5' } }],
    ['/rules/phase', { phase: 'live' }],
    ['/rules/limits/max_bets_per_day', { limits: { max_bets_per_day: 0 } }],
    ['/rules/limits/max_bets_per_day', { limits: { max_bets_per_day: 1.5 } }],
    ['/rules/limits/max_open', { limits: { max_open: '5' } }],
    ['/rules/limits/cooldown', { limits: { cooldown: '-5m' } }],
    ['/rules/limits/martingale', { limits: { martingale: true } }],
    ['/rules/order/time_in_force', { order: { time_in_force: 'IOC' } }],
    ['/rules/order/give_up_after', { order: { give_up_after: '3651d' } }],
    ['/rules/order/max_slippage', { order: { max_slippage: 1 } }],
    ['/rules/exit/take_profit', { exit: { take_profit: 0.2 } }],
    ['/rules/exit/take_profit/gain', { exit: { take_profit: { gain: 0 } } }],
    ['/rules/exit/stop/loss', { exit: { stop: { loss: 1 } } }],
    ['/rules/exit/stop/price', { exit: { stop: { price: '1' } } }],
    ['/rules/signal/name', { signal: { name: 'my model' } }],
    ['/rules/signal/name', { signal: { required: false } }],
  ])('are refused at %s: %j', async (pointer, rules) => {
    const refused = await made(rules);
    expect(refused.status).toBe(422);
    expect(refused.json<{ errors: { pointer: string }[] }>().errors.map((error) => error.pointer)).toEqual([pointer]);
  });

  test.each<[string, object]>([
    ['/rules/outcome', {}],
    ['/rules/signal', { outcome: 'each', sizing: { method: 'kelly', value: 0.25 } }],
    ['/rules/signal', { outcome: 'each', filter: { min_edge: 0.01 } }],
  ])('cannot be automated without %s', async (pointer, rules) => {
    const faults = (reply: { json<T>(): T }) => reply.json<{ errors: { pointer: string }[] }>().errors;
    expect(faults(await made(rules, { automation: 'auto' }))).toMatchObject([{ pointer }]);
    const by = `${STRATEGIES}/${(await made(rules)).json<{ id: string }>().id}`;
    expect(faults(await app.client.send('PATCH', by, { body: { automation: 'approve' } }))).toMatchObject([
      { pointer },
    ]);
  });
});
