import * as v from 'valibot';
import { expect, test } from 'vitest';
import { EVENT_DATA } from '../../../src/adapters/http/event-wire.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { openBalance } from '../../../src/core/account/account.js';
import { emptyPosition } from '../../../src/core/account/position.js';
import { EVENT_TYPES, type EventType } from '../../../src/core/ledger/event-log.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { redeem } from '../../../src/core/posting/settling.js';
import { ManageAccounts } from '../../../src/core/usecases/accounts/manage-accounts.js';
import { EVENTS, ORDER, ORDERS, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import {
  ALICE,
  anOrderContext,
  countingIds,
  LIVE_CASH,
  MARKET,
  NOON,
  shares,
  usdc,
  WHERE,
} from '../../support/builders.js';
import type { Client, Reply } from '../../support/http.js';
import { rests, ScriptedSimulator } from '../../support/scripted-exchange.js';

interface Event {
  readonly id: string;
  readonly seq: string;
  readonly type: EventType;
  readonly at: string;
  readonly data: Record<string, Record<string, unknown>>;
}

interface EventPage {
  readonly data: readonly Event[];
  readonly next_after: string;
  readonly next_before: string | null;
  readonly head: string;
}

const idOf = (reply: Reply): string => reply.json<{ id: string }>().id;
const pageOf = async (client: Client, query = ''): Promise<EventPage> => (await client.get(EVENTS + query)).json();

/** Alice with a key, and what an operator may do to her account. */
async function fixture(paper?: ScriptedSimulator) {
  const ledger = new MemoryLedger();
  const app = await startApp({ ledger, authenticator: 'keys', ...(paper && { paper }) });
  const alice = await app.keyed(ALICE, ...AUTH_SCOPES);
  return { app, ledger, alice, manage: new ManageAccounts(ledger, anOrderContext()) };
}

test('every kind of event has a number, an id and schema-valid data', async () => {
  const { alice, manage } = await fixture();
  const strategy = `${STRATEGIES}/${idOf(await alice.post(STRATEGIES, STRATEGY))}`;
  await alice.post(`${strategy}/pause`);
  await alice.post(`${strategy}/resume`);
  await alice.patch(strategy, { name: 'Renamed' });
  await alice.post(ORDERS, ORDER);
  await alice.post(ORDERS, { ...ORDER, size_usdc: 900_000_000 });
  await alice.post(`/v1/admin/accounts/${ALICE}/paper/reset`);
  await alice.delete(strategy);
  await manage.allowLive(ALICE, true);
  await manage.deposit(ALICE, NO_VENUE, usdc('5'));
  await manage.withdraw(ALICE, NO_VENUE, usdc('5'));
  await manage.halt(ALICE, 'a look');
  await manage.release(ALICE);
  const { data, head, next_after } = await pageOf(alice);
  expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => `${index + 1}`));
  expect([head, next_after]).toEqual([`${data.length}`, `${data.length}`]);
  expect(data.map(({ type }) => type)).toEqual([
    'key.created',
    'strategy.created',
    'strategy.paused',
    'strategy.resumed',
    'strategy.changed',
    'order.requested',
    'order.accepted',
    'order.fill',
    'order.requested',
    'order.denied',
    'cash.reset',
    'strategy.archived',
    'account.live_allowed',
    'cash.deposited',
    'cash.withdrawn',
    'account.halted',
    'account.released',
  ]);
  for (const { type, data: about, id } of data) {
    const schema = EVENT_DATA.get(type) as v.GenericSchema;
    expect(v.safeParse(schema, about).issues).toBeUndefined();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(data.map(({ id }) => id)).size).toBe(data.length);
  expect((await pageOf(alice)).data).toEqual(data);
  expect([...EVENT_DATA.keys()]).toEqual(EVENT_TYPES);
});

test('an order event shows the order as the API showed it then', async () => {
  const { alice } = await fixture(new ScriptedSimulator({ place: rests() }));
  const placed = await alice.post(ORDERS, ORDER);
  const cancelled = await alice.post(`${ORDERS}/${idOf(placed)}/cancel`);
  const events = (await alice.get(`${ORDERS}/${idOf(placed)}/events`)).json<{ data: readonly object[] }>().data;
  const { data } = await pageOf(alice, '?after=1');
  expect(data.map(({ type }) => type)).toEqual([
    'order.requested',
    'order.accepted',
    'order.cancel_requested',
    'order.cancelled',
  ]);
  expect(data.map(({ data: { event } }) => event)).toEqual(events);
  expect(data[1]?.data['order']).toEqual(placed.json());
  expect(data[3]?.data['order']).toEqual(cancelled.json());
  expect(data[0]?.data['order']).toMatchObject({ status: 'pending' });
});

test('cash that was redeemed names the shares', async () => {
  const { alice, ledger } = await fixture();
  const key = { ...WHERE, account: ALICE, paper: false, outcome: 'YES', strategyId: null } as const;
  const position = { ...emptyPosition(key), settled: shares('5'), returned: usdc('5'), redeemable: usdc('5') };
  const balance = { ...openBalance(ALICE, LIVE_CASH, usdc('1')), outstanding: shares('5') };
  await ledger.write({ account: ALICE }, () => ({ result: null, positions: [position], balances: [balance] }));
  const booked = redeem(balance, position, countingIds.next(), new Date(NOON));
  await ledger.write({ account: ALICE, positions: [position] }, () => ({ result: null, ...booked }));
  const { data } = await pageOf(alice, '?types=cash.redeemed');
  const amount = { paper: false, venue: NO_VENUE, amount_usdc: '5' };
  expect(data[0]?.data).toEqual({ cash: { ...amount, market_id: MARKET, token: 'YES' } });
});

test('a reader that resumes gets each event once, at any page size', async () => {
  const { alice } = await fixture();
  for (let order = 0; order < 5; order += 1) await alice.post(ORDERS, ORDER);
  const { data: all } = await pageOf(alice, '?limit=100');
  for (const limit of [1, 4, 16]) {
    const seen: Event[] = [];
    for (let page = await pageOf(alice, `?limit=${limit}`); ; ) {
      seen.push(...page.data);
      if (page.next_after === page.head) break;
      page = await pageOf(alice, `?limit=${limit}&after=${page.next_after}`);
    }
    expect(seen).toEqual(all);
  }
  expect(await pageOf(alice, '?types=order.fill,key.created&limit=3')).toEqual({
    data: [all[0], all[3], all[6]],
    next_after: '7',
    next_before: null,
    head: '16',
  });
  expect(await pageOf(alice, '?types=key.revoked')).toEqual({
    data: [],
    next_after: '16',
    next_before: null,
    head: '16',
  });
  expect(await pageOf(alice, '?after=16')).toEqual({
    data: [],
    next_after: '16',
    next_before: null,
    head: '16',
  });
});

test('a reader that goes back gets each event once, newest first', async () => {
  const { alice, ledger } = await fixture();
  for (let order = 0; order < 5; order += 1) await alice.post(ORDERS, ORDER);
  const { data: all } = await pageOf(alice, '?limit=100');
  for (const limit of [1, 4, 16]) {
    const seen: Event[] = [];
    for (let before: string | null = 'head'; before !== null; ) {
      const page: EventPage = await pageOf(alice, `?limit=${limit}&before=${before}`);
      expect([page.next_after, page.head]).toEqual(['16', '16']);
      seen.push(...page.data);
      before = page.next_before;
    }
    expect(seen).toEqual(all.toReversed());
  }
  const fills = await pageOf(alice, '?types=order.fill&before=head&limit=2');
  expect(fills.data.map(({ seq }) => seq)).toEqual(['16', '13']);
  await ledger.log.forget(new Date('2999-01-01'));
  expect(await pageOf(alice, '?before=5')).toMatchObject({ data: [], next_before: null });
  const both = await alice.get(`${EVENTS}?after=1&before=head`);
  expect([both.status, both.json()['detail']]).toEqual([400, 'Give after or before, not both.']);
});

test('a cursor at missing events is 410 and names where to resume', async () => {
  const { alice, ledger } = await fixture();
  await alice.post(ORDERS, ORDER);
  await ledger.log.forget(new Date('2999-01-01'));
  for (const after of ['0', '2', '5']) {
    const reply = await alice.get(`${EVENTS}?after=${after}`);
    expect([reply.status, reply.json()['type']]).toEqual([410, '/problems/events-gone']);
    expect(reply.json()['detail']).toContain('then go on after 4');
  }
  expect((await pageOf(alice, '?after=3')).data).toHaveLength(1);
  expect((await pageOf(alice)).data).toHaveLength(1);
  const { alice: other } = await fixture();
  expect(await pageOf(other, '?after=1')).toEqual({
    data: [],
    next_after: '1',
    next_before: null,
    head: '1',
  });
});

test.each([
  ['after=-1', 'must be the seq of an event, or 0'],
  ['after=01', 'must be the seq of an event, or 0'],
  ['after=1&after=2', 'must be given once'],
  ['before=x', 'must be the seq of an event, or 0, or head'],
  ['types=', 'must be types of events'],
  ['types=order.fill,order.flll', 'must be types of events'],
  ['limit=0', 'must be a whole number from 1 to 100'],
  ['cursor=MQ', 'is not known here'],
])('%s is refused, and says what to send', async (query, words) => {
  const { alice } = await fixture();
  const reply = await alice.get(`${EVENTS}?${query}`);
  expect([reply.status, reply.json<{ errors: readonly { detail: string }[] }>().errors[0]?.detail]).toEqual([
    422,
    expect.stringContaining(words),
  ]);
});

test('an account sees no event of another account', async () => {
  const { app, alice } = await fixture();
  await alice.post(ORDERS, ORDER);
  const bob = await app.keyed('bob', 'orders:read');
  expect((await pageOf(bob)).data.map(({ type }) => type)).toEqual(['key.created']);
  const blind = await app.keyed('bob', 'strategies:read');
  expect((await blind.get(EVENTS)).status).toBe(403);
});
