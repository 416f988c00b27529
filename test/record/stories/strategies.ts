import { type Fixture, id, ORDERS, STRATEGIES } from './fixture.js';

/** Strategies: made, read, changed, paused, explained, refused, archived. */
export async function strategies({ transcript, api }: Fixture): Promise<string> {
  transcript.step('A strategy is created, read and listed');
  const plain = { name: 'Home at fair odds', sport: 'soccer', bankroll_cap: 1000, stake_cap: 50 };
  const rules = {
    match: { league: 'epl', market: 'moneyline' },
    filter: { min_odds: 1.5, max_odds: 3, side: 'BACK' },
    sizing: { method: 'fixed_fraction', value: 0.02 },
  };
  const first = await api.post(STRATEGIES, { ...plain, rules }, { 'idempotency-key': 'first' });
  await api.post(STRATEGIES, { ...plain, rules }, { 'idempotency-key': 'first' });
  await api.post(STRATEGIES, { ...plain, name: 'Another', rules }, { 'idempotency-key': 'first' });
  const path = `${STRATEGIES}/${id(first)}`;
  await api.get(path);
  await api.get(path, { 'if-none-match': '"1"' });
  const full = {
    match: { league: ['epl', 'laliga'], market: ['moneyline'], text: 'home' },
    outcome: { role: 'home' },
    window: { from: '-24h', to: '-5m' },
    phase: 'pre',
    filter: { min_odds: 1.5, max_odds: 3, side: 'BACK', max_spread: 0.05, min_liquidity_usdc: 10, max_drift: 0.03 },
    sizing: { method: 'flat', value: 10 },
    limits: {
      max_bets_per_event: 2,
      max_bets_per_day: null,
      max_open: 5,
      cooldown: '5m',
      event_loss: 50,
      daily_loss: 100,
    },
    order: { time_in_force: 'GTC', give_up_after: '1m', max_slippage: 0.02 },
    exit: { stop: { loss: 0.2 } },
  };
  await api.post(STRATEGIES, { ...plain, name: 'With every member', rules: full, automation: 'approve' });
  await api.post(STRATEGIES, { ...plain, name: 'Paused from the first', sport: 'basketball', rules, is_paused: true });
  for (const query of [
    '',
    '?sport=soccer',
    '?is_paused=true',
    '?limit=1',
    '?limit=0',
    '?sport=',
    '?nothing=1',
    '?cursor=x',
  ])
    await api.get(`${STRATEGIES}${query}`);

  transcript.step('What rules mean is told before they are used');
  await api.post(`${STRATEGIES}/validate`, { ...plain, rules: full, automation: 'auto' });
  for (const wrong of [
    {},
    { ...rules, sizing: { method: 'flat', value: -1 } },
    { ...rules, sizing: { method: 'martingale', value: 1 } },
    { ...rules, filter: { min_odds: 3, max_odds: 1.5 } },
    { ...rules, window: { from: '-5m', to: '-24h' } },
    { ...rules, outcome: { role: 'referee' } },
    { ...rules, limits: { max_open: 0, cooldown: '5 minutes' } },
    { ...rules, exit: { stop: { loss: 2 } } },
    { ...rules, exit: { take_profit: { price: 0.6 }, stop: { price: 0.6 } } },
    { ...rules, nothing: 1 },
  ])
    await api.post(`${STRATEGIES}/validate`, { ...plain, rules: wrong });
  for (const cap of [50, 49.99]) await api.post(`${STRATEGIES}/validate`, { ...plain, bankroll_cap: cap, rules });
  await api.post(`${STRATEGIES}/validate`, { ...plain, rules, automation: 'auto' });

  transcript.step('A strategy is changed, paused, resumed and archived');
  await api.patch(path, { stake_cap: 60 });
  await api.patch(path, { stake_cap: 70 }, { 'if-match': '"1"' });
  await api.patch(path, { stake_cap: 70 }, { 'if-match': '"2"' });
  for (const wrong of [{}, { name: '' }, { stake_cap: 'many' }, { id: 'other' }, { bankroll_cap: -1 }, { rules: null }])
    await api.patch(path, wrong);
  await api.post(`${path}/pause`, {});
  await api.post(`${path}/pause`, { reason: 'holiday' });
  await api.post(ORDERS, { market_id: 'home-away', token: 'YES', price: 0.5, size_usdc: 5, strategy_id: id(first) });
  await api.post(`${path}/resume`, {});
  await api.get(`${path}/versions`);
  await api.get(`${path}/versions?limit=2`);
  const gone = await api.post(STRATEGIES, { ...plain, name: 'To be archived', rules });
  await api.delete(`${STRATEGIES}/${id(gone)}`);
  await api.delete(`${STRATEGIES}/${id(gone)}`);
  await api.get(`${STRATEGIES}/${id(gone)}`);
  await api.post(ORDERS, { market_id: 'home-away', token: 'YES', price: 0.5, size_usdc: 5, strategy_id: id(gone) });
  return id(first);
}
