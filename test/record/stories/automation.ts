import { book, change, says, tapeOf } from '../games.js';
import { type Fixture, id, ORDERS, STRATEGIES } from './fixture.js';

/** Prices that fall into what strategies bet at, and later into their stops. */
export const automationTape = (): string =>
  tapeOf(
    [
      book('plain', 20, [['0.49', '400']], [['0.50', '300']]),
      change('plain', 60, {
        levels: [
          ['asks', '0.50', '0'],
          ['asks', '0.51', '500'],
        ],
      }),
      book('plain', 120, [['0.36', '40']], [['0.38', '300']]),
      book('plain', 150, [['0.35', '400']], [['0.37', '300']]),
      book('free', 30, [['0.49', '300']], [['0.50', '300']]),
      book('free', 90, [['0.62', '300']], [['0.63', '300']]),
      book('firstOfThree', 100, [['0.40', '1000']], [['0.41', '1000']]),
      says('free', 400, { status: 'resolved', payout: ['1', '0'] }),
    ],
    1200,
  );

const MONEY = { bankroll_cap: 1000, stake_cap: 50 };
const ODDS = { filter: { min_odds: 1.9, max_odds: 3, side: 'BACK' } };
const FLAT = { sizing: { method: 'flat', value: 20 } };

/** Strategies that trade by themselves, by what is special about each. */
const AUTOMATED = [
  {
    name: 'Home with a stop',
    sport: 'soccer',
    automation: 'auto',
    rules: { match: { league: 'epl' }, outcome: { index: 0 }, ...ODDS, ...FLAT, exit: { stop: { loss: 0.2 } } },
  },
  {
    name: 'Bucks with a profit',
    sport: 'basketball',
    automation: 'auto',
    rules: {
      match: { league: 'nba' },
      outcome: { label: 'Bucks' },
      ...ODDS,
      ...FLAT,
      exit: { take_profit: { gain: 0.2 } },
    },
  },
  {
    name: 'Dutch on the cup',
    sport: 'soccer',
    automation: 'auto',
    rules: {
      match: { events: ['event-cup'] },
      outcome: 'each',
      filter: { min_odds: 1.1, max_odds: 10, side: 'BACK' },
      sizing: { method: 'dutch', value: 30 },
      limits: { event_loss: 20 },
    },
  },
  {
    name: 'Kelly by a model',
    sport: 'basketball',
    automation: 'auto',
    rules: {
      match: {},
      outcome: { index: 0 },
      ...ODDS,
      sizing: { method: 'kelly', value: 0.25 },
      signal: { name: 'model', required: true },
    },
  },
  {
    name: 'Lays and rests',
    sport: 'soccer',
    automation: 'auto',
    rules: {
      match: { text: 'home' },
      outcome: { index: 1 },
      filter: { min_odds: 1.2, max_odds: 5, side: 'LAY' },
      sizing: { method: 'fixed_liability', value: 10 },
      order: { time_in_force: 'GTC', give_up_after: '1m', max_slippage: 0 },
    },
  },
  {
    name: 'Asks a person',
    sport: 'soccer',
    automation: 'approve',
    rules: {
      match: { text: 'home' },
      outcome: 'each',
      ...ODDS,
      ...FLAT,
      limits: { max_bets_per_outcome: 3, cooldown: '1m' },
    },
  },
];

/** A strategy that asks a person about one market of the cup, whose bet is not made. */
const asking = (text: string) => ({
  ...MONEY,
  name: `Asks about the ${text}`,
  sport: 'soccer',
  automation: 'approve',
  rules: { match: { text }, outcome: { index: 0 }, filter: { min_odds: 1.1, max_odds: 10, side: 'BACK' }, ...FLAT },
});

/** Strategies bet, hold, sell, ask and skip as the tape goes. */
export async function automation({ transcript, api, server }: Fixture): Promise<void> {
  transcript.step('Strategies are in place before the prices that they wait for');
  const made: string[] = [];
  for (const strategy of AUTOMATED) made.push(id(await api.post(STRATEGIES, { ...MONEY, ...strategy })));
  await api.put('/v1/signals/model/bucks-thunder', {
    probabilities: { Bucks: 0.6 },
    expires_at: '2026-03-01T18:00:00Z',
  });
  for (const strategy of made) await api.post(`${STRATEGIES}/${strategy}/evaluate`, {});
  await api.post(`${STRATEGIES}/${made[0]}/evaluate`, { market_id: 'home-away' });
  await api.post(`${STRATEGIES}/${made[0]}/evaluate`, { market_id: 'nowhere' });
  const draft = { ...MONEY, ...AUTOMATED[0], name: 'Draft' };
  await api.post(`${STRATEGIES}/evaluate`, { strategy: draft, market_id: 'home-away' });
  await api.post(`${STRATEGIES}/evaluate`, { strategy: draft, strategy_id: made[0], market_id: 'home-away' });
  await api.post(`${STRATEGIES}/evaluate`, { strategy: { ...draft, stake_cap: 0 } });

  transcript.step('Bets are made, and one that waits for a person is approved, one rejected');
  await server.pass(26_000);
  const waiting = await api.get('/v1/approvals?state=waiting');
  const [first, second] = (waiting['data'] as Record<string, unknown>[]).map(id);
  await api.get(`/v1/approvals/${first}`);
  await api.post(`/v1/approvals/${first}/approve`, {});
  await api.post(`/v1/approvals/${first}/approve`, {});
  if (second !== undefined) await api.post(`/v1/approvals/${second}/reject`, {});
  await server.pass(70_000);
  await api.get('/v1/approvals');
  await api.get('/v1/portfolio');

  transcript.step('What is held is sold by its rules');
  await server.pass(90_000);
  await api.get(`${ORDERS}?limit=50`);
  for (const strategy of made) await api.post(`${STRATEGIES}/${strategy}/evaluate`, {});
  await api.post(`${STRATEGIES}/${made[0]}/pause`, {});
  await api.post('/v1/trading/state', { scope: `strategy:${made[2]}`, state: 'reducing', reason: 'enough' });

  transcript.step('A bet that is approved over a limit is refused, and one that nobody decides on expires');
  for (const text of ['blues', 'greens']) await api.post(STRATEGIES, asking(text));
  await server.pass(3000);
  const [over] = ((await api.get('/v1/approvals?state=waiting'))['data'] as Record<string, unknown>[]).map(id);
  await api.put('/v1/limits', { order_usdc: 1 });
  await api.post(`/v1/approvals/${over}/approve`, {});
  await api.put('/v1/limits', { order_usdc: null });
  await server.pass(700_000);
  await api.get('/v1/approvals?state=expired');

  transcript.step('Each decision is on record, and what kept strategies from betting is counted');
  for (const strategy of made) {
    await api.get(`${STRATEGIES}/${strategy}/decisions?verdict=bet`);
    await api.get(`${STRATEGIES}/${strategy}/decisions/summary`);
    await api.get(`/v1/portfolio?strategy_id=${strategy}`);
  }
  await api.get(`${STRATEGIES}/${made[0]}/decisions?verdict=maybe`);
  await api.get(`${STRATEGIES}/${made[0]}/decisions?market_id=nowhere`);
  await api.get('/v1/decisions/019ca945-0fdc-7000-8000-000000000000');
  await api.get('/v1/approvals');
  await api.get('/v1/alarms');

  transcript.step('A paper account is reset, and all that happened is in the log of events');
  const reset = '/v1/admin/accounts/dev/paper/reset';
  await api.post(reset, {}, { 'idempotency-key': 'reset' });
  await api.post(reset, {}, { 'idempotency-key': 'reset' });
  await api.get('/v1/portfolio');
  await everyEvent(api);
}

/** The whole log, page by page. */
export async function everyEvent(api: Fixture['api']): Promise<void> {
  let [after, next] = ['', '0'];
  while (next !== after) {
    after = next;
    next = String((await api.get(`/v1/events?after=${after}&limit=100`))['next_after']);
  }
}
