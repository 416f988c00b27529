import { describe, expect, test } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { ManageAccounts } from '../../../src/core/usecases/accounts/manage-accounts.js';
import { ORDER, ORDERS, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import { ALICE, anOrderContext, usdc } from '../../support/builders.js';
import { ScriptedExchange, SigningExchange, takes } from '../../support/scripted-exchange.js';
import { watched } from '../../support/watched-exchange.js';

/** All that an order needs to move real money, beside saying so. */
const GIVEN = { isOn: true, isEnabled: true, hasScope: true, isDev: false, paperOnly: false, isHalted: false };
const LIVE_ORDER = { ...ORDER, paper: false };
const KEY = { 'idempotency-key': 'once' };

/** Alice at a server with these conditions, her strategy among them. */
async function fixture(conditions: typeof GIVEN, ledger = new MemoryLedger()) {
  const { isOn, isEnabled, hasScope, isDev, paperOnly, isHalted } = conditions;
  const stillContext = anOrderContext();
  const exchange = new SigningExchange({ place: takes() });
  const [live, paper] = [watched(exchange), watched(new ScriptedExchange())];
  const exchanges = { live: isOn ? live.exchange : null, paper: paper.exchange };
  const app = await startApp({
    markets: new NoMarketData(),
    ledger,
    context: stillContext,
    ...exchanges,
    ...(isDev ? {} : { authenticator: 'keys' }),
  });
  const manage = new ManageAccounts(ledger, stillContext);
  await manage.allowLive(ALICE, true);
  await manage.deposit(ALICE, NO_VENUE, usdc('100'));
  await manage.allowLive(ALICE, isEnabled);
  await (isHalted ? manage.halt(ALICE, 'a drill') : manage.release(ALICE));
  const scopes = AUTH_SCOPES.filter((scope) => hasScope || scope !== 'orders:live');
  const alice = isDev ? app.client.as({ 'x-dev-user': ALICE }) : await app.keyed(ALICE, ...scopes);
  const strategy = await alice.post(STRATEGIES, { ...STRATEGY, paper_only: paperOnly });
  const strategy_id = strategy.json()['id'];
  const sends = (body: object) => alice.post(ORDERS, { ...body, strategy_id }, KEY);
  return { ledger, manage, exchange, live, paper, sends };
}

const MISSES: readonly [string, Partial<typeof GIVEN>, string, string][] = [
  ['live trading is off on the server', { isOn: false }, 'live-trading-not-enabled', 'off on this server'],
  ['the account is not enabled', { isEnabled: false }, 'live-trading-not-enabled', 'account is not enabled'],
  ['the key lacks orders:live', { hasScope: false }, 'insufficient-scope', 'orders:live'],
  ['every caller is trusted', { isDev: true }, 'live-trading-not-enabled', 'credentials cannot trade live'],
  ['the strategy is paper only', { paperOnly: true }, 'live-trading-not-enabled', 'strategy is paper only'],
  ['the account is halted', { isHalted: true }, 'live-trading-not-enabled', 'a drill'],
];

describe('An order with real money', () => {
  test('reaches the exchange once, when nothing is missing', async () => {
    const { sends, exchange, live, paper } = await fixture(GIVEN);
    const reply = await sends(LIVE_ORDER);
    expect([reply.status, reply.json()]).toEqual([201, expect.objectContaining({ status: 'open', paper: false })]);
    expect([exchange.calls.map(({ verb }) => verb), exchange.envelopes]).toEqual([['place'], 1]);
    expect(live.touched).toContain('signing.envelope');
    expect(paper.touched).toEqual([]);
  });

  test.each(MISSES)('is refused where only this is wrong: %s', async (_, miss, problem, words) => {
    const { ledger, manage, sends, live, paper } = await fixture({ ...GIVEN, ...miss });
    const reply = await sends(LIVE_ORDER);
    expect([reply.status, reply.json()]).toEqual([
      403,
      expect.objectContaining({ type: `/problems/${problem}`, detail: expect.stringContaining(words) }),
    ]);
    expect([live.touched, paper.touched]).toEqual([[], []]);
    expect(await ledger.listOrders(ALICE, {}, { limit: 5 })).toEqual([]);
    expect(await ledger.claimJobs(5, 1000)).toEqual([]);
    expect((await manage.show(ALICE)).balance).toMatchObject({ cash: usdc('100'), reserved: 0n });
  });

  test.each(MISSES)('can be sent with the same key once this is right: %s', async (_, miss) => {
    const refused = await fixture({ ...GIVEN, ...miss });
    expect((await refused.sends(LIVE_ORDER)).status).toBe(403);
    const { sends, exchange } = await fixture(GIVEN, refused.ledger);
    const reply = await sends(LIVE_ORDER);
    expect([reply.status, reply.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(exchange.count('place')).toBe(1);
  });
});

describe('Where nothing is missing but that `paper` is exactly false', () => {
  test.each([undefined, true])('%s is an order on paper', async (said) => {
    const { sends, live, paper } = await fixture(GIVEN);
    const reply = await sends({ ...ORDER, paper: said });
    expect([reply.status, reply.json()['paper']]).toEqual([201, true]);
    expect(live.touched).toEqual([]);
    expect(paper.touched).toContain('place');
  });

  const others = ['false', 'FALSE', '', 0, null, [], {}, [false]].map((said) => [JSON.stringify(said), said] as const);
  test.each(others)('%s is not an order at all', async (_, said) => {
    const { ledger, sends, live, paper } = await fixture(GIVEN);
    const reply = await sends({ ...ORDER, paper: said });
    expect([reply.status, reply.json()['type']]).toEqual([422, '/problems/validation-failed']);
    expect([live.touched, paper.touched]).toEqual([[], []]);
    expect(await ledger.listOrders(ALICE, {}, { limit: 5 })).toEqual([]);
  });
});
