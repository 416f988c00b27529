import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/system/system.js';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { ManageAccounts } from '../../../src/core/usecases/accounts/manage-accounts.js';
import {
  APPROVALS,
  ORDER,
  ORDERS,
  type RunningApp,
  SIGNAL,
  SIGNALS,
  STRATEGIES,
  STRATEGY,
  startApp,
} from '../../support/app.js';
import { ALICE, anOrderContext } from '../../support/builders.js';
import { anApproval } from '../../support/builders-of-bets.js';
import type { Client, Reply } from '../../support/http.js';
import { PAGE, problem, SESSION, setCookie } from '../../support/login.js';
import { ScriptedExchange } from '../../support/scripted-exchange.js';

const STATE = '/v1/trading/state';
const LIMITS = '/v1/limits';
const KEYS = '/v1/admin/keys';
const WEBHOOKS = '/v1/webhooks';

/** How long after its beginning a session is judged. */
let laterMs = 0;
const clock = { now: () => new Date(systemClock.now().getTime() + laterMs) };

let app: RunningApp;
let program: Client;
let browser: Client;

/** A browser with a session of a key that may do everything, and the program whose key it is. */
async function logIn(mayRiskMoney: boolean): Promise<void> {
  laterMs = 0;
  app = await startApp({ authenticator: 'keys', paper: new ScriptedExchange(), sessions: { clock, mayRiskMoney } });
  program = await app.keyed('alice', ...AUTH_SCOPES);
  await again();
}

async function again(): Promise<void> {
  const cookie = setCookie(await program.post(SESSION, undefined, PAGE)).split(';')[0] ?? '';
  browser = app.client.as({ cookie, ...PAGE });
}

const halted = { scope: 'account', state: 'halted', reason: 'a test' };
const made = async (more: object = {}) => {
  const reply = await program.post(STRATEGIES, { ...STRATEGY, ...more });
  return `${STRATEGIES}/${reply.json()['id']}`;
};
const LIVE = { paper_only: false };

/** What risks more than before, each after what makes it possible. */
const RISKS: readonly (readonly [string, () => Promise<Reply>])[] = [
  [
    'trading again after a halt',
    async () => {
      await program.post(STATE, halted);
      return browser.post(STATE, { ...halted, state: 'active' });
    },
  ],
  [
    'reducing instead of a halt',
    async () => {
      await program.post(STATE, halted);
      return browser.post(STATE, { ...halted, state: 'reducing' });
    },
  ],
  [
    'releasing the halt of an operator',
    async () => {
      await new ManageAccounts(app.ledger, anOrderContext()).halt(ALICE, 'a drill');
      return browser.post(STATE, { ...halted, state: 'active' });
    },
  ],
  [
    'approving a bet with real money',
    async () => {
      const approval = anApproval({ account: ALICE, paper: false });
      await app.ledger.write({ account: ALICE }, () => ({ result: null, approvals: [approval] }));
      return browser.post(`${APPROVALS}/${approval.id}/approve`);
    },
  ],
  [
    'stopping the service for a shorter time',
    async () => {
      await program.post(STATE, { ...halted, scope: 'service' });
      return browser.post(STATE, { ...halted, scope: 'service', until: new Date(Date.now() + 60_000).toISOString() });
    },
  ],
  [
    'raising a limit',
    async () => {
      await program.put(LIMITS, { order_usdc: '5' });
      return browser.put(LIMITS, { order_usdc: '6' });
    },
  ],
  [
    'taking a limit away',
    async () => {
      await program.put(LIMITS, { order_usdc: '5' });
      return browser.put(LIMITS, { order_usdc: null });
    },
  ],
  ['an order with real money', () => browser.post(ORDERS, { ...ORDER, paper: false })],
  ['a strategy that may use real money', () => browser.post(STRATEGIES, { ...STRATEGY, ...LIVE })],
  ['letting a strategy use real money', async () => browser.patch(await made(), LIVE)],
  ['a larger stake of one that may', async () => browser.patch(await made(LIVE), { stake_cap: 60 })],
  ['resuming one that may', async () => browser.post(`${await made({ ...LIVE, is_paused: true })}/resume`)],
  ['a new key', () => browser.post(KEYS, { account: 'alice', scopes: ['orders:live'] })],
  ['telling strategies what is probable', () => browser.put(`${SIGNALS}/model/rain`, SIGNAL)],
];

/** A new webhook of the account, made by its program. */
const webhook = async (): Promise<string> => {
  const reply = await program.post(WEBHOOKS, { url: 'https://example.org/hook' });
  return `${WEBHOOKS}/${reply.json()['id']}`;
};

/** What leads events elsewhere, or ends them: it risks no money, and needs the key all the same. */
const WEBHOOK_CHANGES: readonly (readonly [string, () => Promise<Reply>])[] = [
  ['making a webhook', () => browser.post(WEBHOOKS, { url: 'https://example.org/hook' })],
  ['sending it elsewhere', async () => browser.patch(await webhook(), { url: 'https://example.org/other' })],
  ['a new secret of it', async () => browser.post(`${await webhook()}/rotate`)],
  ['disabling it', async () => browser.post(`${await webhook()}/disable`)],
  ['enabling it', async () => browser.post(`${await webhook()}/enable`)],
  ['activating it by a ping', async () => browser.post(`${await webhook()}/ping`)],
  ['having events sent again', async () => browser.post(`${await webhook()}/replay`, { after: '0' })],
  ['removing it', async () => browser.delete(await webhook())],
];

/** What a page may do at any time. */
const SAFE: readonly (readonly [string, () => Promise<Reply>])[] = [
  ['halting', () => browser.post(STATE, { ...halted, cancel: true })],
  ['halting the service', () => browser.post(STATE, { ...halted, scope: 'service' })],
  ['reducing', () => browser.post(STATE, { ...halted, state: 'reducing' })],
  ['setting a limit', () => browser.put(LIMITS, { order_usdc: '5' })],
  [
    'lowering one',
    async () => {
      await program.put(LIMITS, { order_usdc: '5' });
      return browser.put(LIMITS, { order_usdc: '4' });
    },
  ],
  [
    'cancelling',
    async () => {
      const { id } = (await program.post(ORDERS, ORDER)).json<{ id: string }>();
      return browser.post(`${ORDERS}/${id}/cancel`);
    },
  ],
  ['pausing a strategy that may use real money', async () => browser.post(`${await made(LIVE)}/pause`)],
  ['keeping one to paper', async () => browser.patch(await made(LIVE), { paper_only: true })],
  ['changing one on paper', async () => browser.patch(await made(), { stake_cap: 60 })],
  ['a paper order', () => browser.post(ORDERS, ORDER)],
  [
    'revoking a key',
    async () => {
      const { id } = (await program.post(KEYS, { account: 'bob', scopes: ['admin'] })).json<{ id: string }>();
      return browser.delete(`${KEYS}/${id}`);
    },
  ],
  ['reading', () => browser.get(APPROVALS)],
  ['logging out', () => browser.delete(SESSION)],
];

const named = (reply: Reply): unknown => (reply.status < 400 ? reply.status : problem(reply)[1]);
const REFUSALS = ['/problems/ui-trading-off', '/problems/key-needed'];

describe('A session whose key was shown more than five minutes ago', () => {
  beforeEach(async () => {
    await logIn(true);
    laterMs = 5 * 60_000;
  });

  test.each([...RISKS, ...WEBHOOK_CHANGES])('does not do: %s', async (_, act) => {
    expect(problem(await act())).toEqual([403, '/problems/key-needed']);
  });

  test.each(SAFE)('does: %s', async (_, act) => {
    expect(named(await act())).toBeOneOf([200, 201]);
  });
});

describe('A session that has just begun', () => {
  beforeEach(() => logIn(true));

  test.each([...RISKS, ...WEBHOOK_CHANGES])('does what its key may, such as %s', async (_, act) => {
    laterMs = 5 * 60_000 - 1000;
    expect(REFUSALS).not.toContain(named(await act()));
  });

  test('takes the place of the one before, whose cookie then means nothing', async () => {
    const before = browser;
    const reply = await program.as(before.headers).post(SESSION);
    expect([reply.status, reply.json<{ kind: string }>().kind]).toEqual([201, 'session']);
    expect((await before.get(SESSION)).status).toBe(401);
  });
});

describe('Where pages may not risk real money', () => {
  beforeEach(() => logIn(false));

  test.each(RISKS)('a session does not do, however fresh: %s', async (_, act) => {
    expect(problem(await act())).toEqual([403, '/problems/ui-trading-off']);
  });

  test.each(SAFE)('a session does: %s', async (_, act) => {
    expect(named(await act())).toBeOneOf([200, 201]);
  });

  test.each(WEBHOOK_CHANGES)('a fresh session does, and an older one does not: %s', async (_, act) => {
    expect(REFUSALS).not.toContain(named(await act()));
    laterMs = 5 * 60_000;
    expect(problem(await act())).toEqual([403, '/problems/key-needed']);
  });

  test('a program with the key is unaffected, even with a cookie', async () => {
    await program.post(STATE, halted);
    for (const caller of [program, program.as(browser.headers)])
      expect((await caller.post(STATE, { ...halted, state: 'active' })).status).toBe(200);
  });
});
