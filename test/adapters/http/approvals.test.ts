import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { AccountId, StrategyId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { Approval } from '../../../src/core/strategy/record/approval.js';
import { ManageAccounts } from '../../../src/core/usecases/accounts/manage-accounts.js';
import { APPROVALS, EVENTS, ORDERS, type RunningApp, STRATEGIES, startApp } from '../../support/app.js';
import { anOrderContext, usdc } from '../../support/builders.js';
import { aBet, anApproval } from '../../support/builders-of-bets.js';
import type { Client, Reply } from '../../support/http.js';
import { ScriptedExchange, takes } from '../../support/scripted-exchange.js';
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
const STRATEGY = {
  name: 'Home',
  sport: 'nba',
  bankroll_cap: 1000,
  stake_cap: 50,
  automation: 'approve',
  paper_only: false,
  rules: { outcome: { role: 'home' }, filter: { min_odds: 1.8 }, sizing: { method: 'flat', value: 10 } },
};
const ALL = ['strategies:write', 'orders:read', 'orders:paper', 'orders:live', 'orders:cancel'] as const;

let app: RunningApp;
let alice: Client;
let ledger: MemoryLedger;
let clock: ManualTimeline;
let market: ScriptedMarket;
let live: ScriptedExchange;

beforeEach(async () => {
  clock = new ManualTimeline();
  market = new ScriptedMarket(aMarket({}, GAME), clock);
  market.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
  ledger = new MemoryLedger();
  live = new ScriptedExchange({ place: takes() });
  app = await startApp({ markets: market, ledger, live, context: anOrderContext({ clock }), authenticator: 'keys' });
  alice = await app.keyed(ALICE, ...ALL);
});

/** Asks as the strategy would have, at 0.50. */
async function waiting(changes: Partial<Approval> = {}, strategy: object = STRATEGY): Promise<string> {
  const made = await alice.post(STRATEGIES, strategy);
  const strategyId = made.json<{ id: StrategyId }>().id;
  const { id: marketId, venue } = market.market;
  const inputs = { best_ask: '0.5', first_price: '0.5', most_cost: '10' };
  const decision = aBet({ account: ALICE, strategyId, marketId, venue, at: clock.now(), inputs, orderId: null });
  const expiresAt = new Date(clock.now().getTime() + 600_000);
  const approval = anApproval({ account: ALICE, decision, expiresAt, ...changes });
  await ledger.write({ account: ALICE }, () => ({ result: null, approvals: [approval] }));
  return approval.id;
}

const approve = (id: string, client = alice, headers = {}) =>
  client.post(`${APPROVALS}/${id}/approve`, undefined, headers);
const reject = (id: string, client = alice) => client.post(`${APPROVALS}/${id}/reject`);
const seen = (reply: Reply) => [reply.status, reply.json()['state'] ?? reply.json()['type']];
const data = (reply: Reply) => reply.json<{ data: { id: string; state: string }[] }>().data;

describe('/v1/approvals', () => {
  it('lists what waits, newest first, by state and page by page', async () => {
    const [first, second] = [await waiting(), await waiting()];
    await reject(first);
    expect(data(await alice.get(APPROVALS)).map(({ id }) => id)).toEqual([second, first]);
    expect(data(await alice.get(`${APPROVALS}?state=waiting`)).map(({ id }) => id)).toEqual([second]);
    const page = await alice.get(`${APPROVALS}?limit=1`);
    const cursor = page.json()['next_cursor'];
    expect(data(await alice.get(`${APPROVALS}?limit=1&cursor=${cursor}`)).map(({ id }) => id)).toEqual([first]);
    expect((await alice.get(`${APPROVALS}?state=open`)).status).toBe(422);
  });

  it('shows what is asked for, and until when', async () => {
    const id = await waiting();
    const shown = await alice.get(`${APPROVALS}/${id}`);
    expect(shown.json()).toEqual({
      id,
      state: 'waiting',
      decision: expect.objectContaining({ verdict: 'bet', order_id: null, slot: 1 }),
      expires_at: new Date(clock.now().getTime() + 600_000).toISOString(),
      decided_by: null,
      decided_at: null,
      order_id: null,
    });
    await clock.pass(600_000);
    expect(seen(await alice.get(`${APPROVALS}/${id}`))).toEqual([200, 'expired']);
    expect(seen(await approve(id))).toEqual([409, '/problems/approval-not-waiting']);
  });

  it('makes the order of a bet that is approved, once', async () => {
    const id = await waiting();
    const approved = await approve(id, alice, { 'idempotency-key': 'yes' });
    const [order, ...others] = data(await alice.get(ORDERS));
    expect(others).toEqual([]);
    expect(approved.json()).toMatchObject({
      id,
      state: 'approved',
      order_id: order?.id,
      decided_at: clock.now().toISOString(),
      decision: { verdict: 'bet', order_id: order?.id, approval_id: id, price: '0.5', size_usdc: '10' },
    });
    expect(approved.json()['decided_by']).toEqual(expect.stringMatching(/.+/));
    const again = await approve(id, alice, { 'idempotency-key': 'yes' });
    expect([again.headers['idempotency-replayed'], again.json()]).toEqual(['true', approved.json()]);
    expect(seen(await approve(id))).toEqual([200, 'approved']);
    expect(seen(await reject(id))).toEqual([409, '/problems/approval-not-waiting']);
    const log = data(await alice.get(`${EVENTS}?limit=100&types=approval.waiting,approval.approved,decision.bet`));
    expect(log).toMatchObject([
      { type: 'approval.waiting', data: { approval: { id, state: 'waiting' } } },
      { type: 'decision.bet', data: { decision: { approval_id: id } } },
      { type: 'approval.approved', data: { approval: { id, state: 'approved' } } },
    ]);
  });

  it('says why what was approved may not be bet any more', async () => {
    const id = await waiting();
    market.shown = { bids: levels('0.52x1000'), asks: levels('0.53x1000') };
    const refused = await approve(id);
    expect(seen(refused)).toEqual([200, 'refused']);
    expect(refused.json()).toMatchObject({ order_id: null, decision: { verdict: 'skip', code: 'price_drifted' } });
    expect(data(await alice.get(ORDERS))).toEqual([]);
  });

  it('lets nobody answer without the scope for it', async () => {
    const id = await waiting();
    const reader = await app.keyed(ALICE, 'orders:read');
    expect(seen(await approve(id, reader))).toEqual([403, '/problems/insufficient-scope']);
    expect(seen(await reject(id, reader))).toEqual([403, '/problems/insufficient-scope']);
    expect(seen(await approve(id, await app.keyed(ALICE, 'orders:live')))).toEqual([
      403,
      '/problems/insufficient-scope',
    ]);
    expect(seen(await reject(id, await app.keyed(ALICE, 'orders:cancel')))).toEqual([200, 'rejected']);
  });
});

describe('A bet with real money', () => {
  const LIVE = { ...STRATEGY, automation_paper: false };
  const manage = () => new ManageAccounts(ledger, anOrderContext({ clock }));

  async function ready(): Promise<string> {
    await manage().allowLive(ALICE, true);
    await manage().deposit(ALICE, NO_VENUE, usdc('100'));
    return waiting({ paper: false }, LIVE);
  }

  it('needs orders:live of whoever approves it', async () => {
    const id = await ready();
    const refused = await approve(id, await app.keyed(ALICE, 'orders:paper', 'orders:read'));
    expect(seen(refused)).toEqual([403, '/problems/insufficient-scope']);
    expect(refused.headers['www-authenticate']).toContain('scope="orders:live"');
    expect(live.calls).toEqual([]);
    expect(seen(await approve(id, await app.keyed(ALICE, 'orders:live')))).toEqual([200, 'approved']);
    expect(live.calls.map(({ verb }) => verb)).toEqual(['place']);
  });

  it('needs an account that may trade live, and waits on without', async () => {
    const id = await ready();
    await manage().allowLive(ALICE, false);
    expect(seen(await approve(id))).toEqual([403, '/problems/live-trading-not-enabled']);
    expect(seen(await alice.get(`${APPROVALS}/${id}`))).toEqual([200, 'waiting']);
    expect(live.calls).toEqual([]);
  });

  it('is not ordered once the key that allowed live trading is revoked', async () => {
    const id = await ready();
    const admin = await app.keyed('root', 'admin');
    const keys = (await admin.get('/v1/admin/keys')).json<{ data: { id: string; scopes: string[] }[] }>().data;
    const granted = keys.find(({ scopes }) => scopes.includes('strategies:write'));
    const other = await app.keyed(ALICE, ...ALL);
    expect((await admin.send('DELETE', `/v1/admin/keys/${granted?.id}`, {})).status).toBe(200);
    const refused = await approve(id, other);
    expect(seen(refused)).toEqual([200, 'refused']);
    expect(refused.json()).toMatchObject({ decision: { code: 'automation_changed' } });
    expect(live.calls).toEqual([]);
  });
});
