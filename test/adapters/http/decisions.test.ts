import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountId, StrategyId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import { DECISIONS, EVENTS, ORDERS, type RunningApp, STRATEGIES, startApp } from '../../support/app.js';
import { anOrderContext } from '../../support/builders.js';
import { aBet } from '../../support/builders-of-bets.js';
import type { Client } from '../../support/http.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';

const ALICE = 'alice' as AccountId;
const GAME: Partial<Market> = {
  sport: 'nba',
  league: 'nba',
  kind: 'moneyline',
  role: 'home',
  startsAt: new Date('2026-03-01T14:00:00.000Z'),
  event: { id: 'game-1', slug: 'nba-mil-okc', title: 'Bucks against Thunder' },
};
const RULES = {
  outcome: { role: 'home' },
  filter: { min_odds: 1.9 },
  sizing: { method: 'flat', value: 10 },
};

let app: RunningApp;
let alice: Client;
let market: ScriptedMarket;

beforeEach(async () => {
  const clock = new ManualTimeline();
  market = new ScriptedMarket(aMarket({}, GAME), clock);
  market.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
  app = await startApp({ markets: market, context: anOrderContext({ clock }) });
  alice = app.client.as({ 'x-dev-user': ALICE });
});

async function strategyWith(rules: object): Promise<string> {
  const body = { name: 'Home', sport: 'nba', rules, bankroll_cap: 1000, stake_cap: 50 };
  return (await alice.post(STRATEGIES, body)).json<{ id: string }>().id;
}

type Shown = Record<string, unknown> & { rules: { rule: string; passed: boolean | null }[] };
const evaluate = async (id: string, body: object = {}) => {
  const reply = await alice.post(`${STRATEGIES}/${id}/evaluate`, body);
  return { status: reply.status, decisions: reply.json<{ data: Shown[] }>().data };
};

describe('POST /v1/strategies/evaluate', () => {
  const draft = (rules: object) => ({
    strategy: { name: 'Draft', sport: 'nba', rules, bankroll_cap: 1000, stake_cap: 50, automation: 'auto' },
  });
  const evaluateDraft = async (body: object) => {
    const reply = await alice.post(`${STRATEGIES}/evaluate`, body);
    return { status: reply.status, ...reply.json<{ data: Shown[]; detail: string }>() };
  };

  it('shows what a draft would bet now, and creates nothing', async () => {
    const { status, data } = await evaluateDraft(draft(RULES));
    expect(status).toBe(200);
    expect(data).toEqual([expect.objectContaining({ verdict: 'bet', token: 'YES', cost_usdc: '10' })]);
    expect((await alice.get(STRATEGIES)).json()).toMatchObject({ data: [] });
    expect((await alice.get(EVENTS)).json()).toMatchObject({ data: [] });
  });

  it('judges a change of a strategy by what that strategy has bet', async () => {
    const id = await strategyWith(RULES);
    await alice.post(ORDERS, {
      market_id: market.market.id,
      token: 'YES',
      price: '0.5',
      size_usdc: '10',
      strategy_id: id,
      time_in_force: 'FAK',
    });
    const limited = draft({ ...RULES, limits: { max_open: 1 } });
    const [fresh] = (await evaluateDraft(limited)).data;
    const [changed] = (await evaluateDraft({ ...limited, strategy_id: id })).data;
    expect([fresh?.['verdict'], changed?.['verdict']]).toEqual(['bet', 'skip']);
    expect(changed).toMatchObject({ strategy_id: id });
  });

  it('refuses a draft as a creation does, and a strategy that is not there', async () => {
    const wrong = await evaluateDraft(draft({ ...RULES, filter: { min_odds: 0.5 } }));
    expect([wrong.status, wrong.detail]).toEqual([422, expect.stringContaining('/strategy/rules/filter/min_odds')]);
    const none = await evaluateDraft({ ...draft(RULES), strategy_id: '01a1fda4-6dbf-72dd-91e5-f8da8c91b24c' });
    expect(none.status).toBe(404);
  });
});

describe('POST /v1/strategies/{sid}/evaluate', () => {
  it('shows what it would bet now, with every rule, and changes nothing', async () => {
    const id = await strategyWith(RULES);
    const { status, decisions } = await evaluate(id);
    expect(status).toBe(200);
    expect(decisions).toHaveLength(1);
    const [bet] = decisions;
    expect(bet).toMatchObject({
      strategy_id: id,
      strategy_version: 1,
      token: 'YES',
      outcome_label: 'Bucks',
      verdict: 'bet',
      code: null,
      price: '0.5',
      size_usdc: '10',
      shares: '20',
      cost_usdc: '10',
      odds: '2',
      edge: null,
      probability: null,
      bound_by: 'method',
      slot: 1,
      order_id: null,
      approval_id: null,
    });
    expect(bet).not.toHaveProperty('id');
    expect(bet?.rules.find(({ rule }) => rule === 'filter/min_odds')).toEqual({
      rule: 'filter/min_odds',
      value: '2',
      bound: '1.9',
      passed: true,
    });
    expect((await alice.get(ORDERS)).json()['data']).toEqual([]);
    expect((await alice.get(`${STRATEGIES}/${id}/decisions`)).json()['data']).toEqual([]);
  });

  it('lists sales first, and while paused says why nothing is sold', async () => {
    const id = await strategyWith({ ...RULES, exit: { take_profit: { price: 0.48 } } });
    const order = { market_id: market.market.id, token: 'YES', side: 'BUY', price: 0.5, size_usdc: 10 };
    expect((await alice.post(ORDERS, { ...order, strategy_id: id })).json()['status']).toBe('filled');
    const { decisions } = await evaluate(id);
    expect(decisions).toHaveLength(2);
    expect(decisions[0]).toMatchObject({
      strategy_id: id,
      token: 'YES',
      outcome_label: 'Bucks',
      verdict: 'bet',
      code: null,
      slot: null,
      bound_by: 'exit/take_profit',
      price: '0.48',
      size_usdc: '9.6',
      shares: '20',
      cost_usdc: null,
      rules: [{ rule: 'exit/take_profit', value: '0.48', bound: '0.48', passed: true }],
      order_id: null,
    });
    expect(decisions[0]).toMatchObject({ inputs: { paper: 'true', held_shares: '20', proceeds: '9.6' } });
    expect(Object.keys(decisions[0] ?? {})).toEqual(Object.keys(decisions[1] ?? {}));
    await alice.post(`${STRATEGIES}/${id}/pause`);
    expect((await evaluate(id)).decisions[0]).toMatchObject({
      verdict: 'skip',
      code: 'strategy_paused',
      slot: null,
      reason: 'The strategy is paused.',
    });
  });

  it('shows the first rule because of which there is no bet', async () => {
    const id = await strategyWith({ ...RULES, filter: { min_odds: 2.1 } });
    const { decisions } = await evaluate(id, { market_id: market.market.id });
    expect(decisions).toMatchObject([{ verdict: 'skip', code: 'odds_out_of_range', price: null, slot: null }]);
    expect(decisions[0]).toMatchObject({
      reason: expect.stringMatching(/^The odds are \d\S*; the rules want 2.1 or longer\.$/),
    });
  });

  it('of rules without an outcome guesses no side', async () => {
    const { outcome: _, ...rules } = RULES;
    const { decisions } = await evaluate(await strategyWith(rules));
    expect(decisions).toMatchObject([{ verdict: 'skip', code: 'input_missing:outcome' }]);
  });

  it('knows neither another strategy nor another market', async () => {
    const none = await alice.post(`${STRATEGIES}/01a1fda4-6dbf-72dd-91e5-f8da8c91b24c/evaluate`, {});
    expect([none.status, none.json()['type']]).toEqual([404, '/problems/not-found']);
    const id = await strategyWith(RULES);
    const other = await alice.post(`${STRATEGIES}/${id}/evaluate`, { market_id: 'no-such-market' });
    expect([other.status, other.json()['type']]).toEqual([404, '/problems/market-not-found']);
  });
});

describe('Decisions on record', () => {
  it('can be read by id, by strategy, and in the event log', async () => {
    const strategyId = (await strategyWith(RULES)) as StrategyId;
    const { id, ...bet } = aBet({ account: ALICE, strategyId });
    await app.ledger.write({ account: ALICE }, () => ({ result: null, decisions: [{ ...bet, id }] }));
    const one = (await alice.get(`${DECISIONS}/${id}`)).json();
    expect(one).toEqual({
      id,
      at: '2026-12-05T14:59:00.123Z',
      strategy_id: strategyId,
      strategy_version: 3,
      venue: 'none',
      market_id: 'epl-ars-che',
      token: 'YES',
      outcome_label: 'Arsenal',
      verdict: 'bet',
      code: null,
      reason: 'Buys 35.08 shares of Arsenal for 20.123457 USDC at odds of 1.743; the stake cap makes it no larger.',
      question: 'Arsenal or Chelsea?',
      event: 'Arsenal against Chelsea',
      name: 'Arsenal against Chelsea: Arsenal',
      price: '0.57',
      size_usdc: '20',
      shares: '35.08',
      cost_usdc: '20.123457',
      odds: '1.743227',
      edge: '0.045937',
      probability: '0.600001',
      bound_by: 'stake_cap',
      slot: 1,
      inputs: { best_offer: '0.57', mid: null },
      rules: [
        { rule: 'filter/min_odds', value: '1.743227', bound: '1.5', passed: true },
        { rule: 'filter/max_drift', value: null, bound: '0.02', passed: null },
      ],
      order_id: bet.orderId,
      approval_id: null,
    });
    const list = async (query: string) =>
      (await alice.get(`${STRATEGIES}/${strategyId}/decisions?${query}`)).json()['data'];
    expect(await list('verdict=bet&market_id=epl-ars-che')).toEqual([one]);
    expect(await list('verdict=skip')).toEqual([]);
    expect((await alice.get(`${EVENTS}?types=decision.bet`)).json()['data']).toMatchObject([
      { type: 'decision.bet', data: { decision: one } },
    ]);
  });

  it('are counted by hour and code', async () => {
    const strategyId = (await strategyWith(RULES)) as StrategyId;
    const skip = { account: ALICE, strategyId, code: 'no_edge' };
    const [early, late] = [new Date('2026-03-01T10:00:00Z'), new Date('2026-03-01T11:00:00Z')];
    await app.ledger.decisions.count([
      { ...skip, hour: early, count: 2 },
      { ...skip, hour: late, count: 3 },
    ]);
    const counts = async (query: string) =>
      (await alice.get(`${STRATEGIES}/${strategyId}/decisions/summary${query}`)).json()['data'];
    expect(await counts('?since=2026-03-01T11:59:00Z')).toEqual([
      {
        hour: '2026-03-01T11:00:00.000Z',
        code: 'no_edge',
        reason: expect.stringMatching(/^There is nothing to gain/),
        count: 3,
      },
    ]);
    expect(await counts('')).toHaveLength(2);
  });
});
