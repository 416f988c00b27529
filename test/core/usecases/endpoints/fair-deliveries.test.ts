import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import type { Endpoint } from '../../../../src/core/endpoint/endpoint.js';
import { DEFAULT_TERMS } from '../../../../src/core/endpoint/message-terms.js';
import type { Person } from '../../../../src/core/endpoint/person.js';
import type { AccountId } from '../../../../src/core/ids.js';
import { DeliverDue } from '../../../../src/core/usecases/endpoints/background/deliver-due.js';
import { DeliverEvents } from '../../../../src/core/usecases/endpoints/background/deliver-events.js';
import type { Turn } from '../../../../src/core/usecases/endpoints/background/deliver-webhooks.js';
import { DeliverWebhooks } from '../../../../src/core/usecases/endpoints/background/deliver-webhooks.js';
import { PingWebhook } from '../../../../src/core/usecases/endpoints/ping-webhook.js';
import type { WebhookAnswer, WebhookSender } from '../../../../src/ports/webhook-sender.js';
import { WebhookDelivery } from '../../../../src/server/background/webhook-delivery.js';
import { createLogger } from '../../../../src/server/http/log.js';
import { ALICE, anOrderContext, aStrategy, BOB, clockAt, countingIds, NOON } from '../../../support/builders.js';
import { aWebhook } from '../../../support/builders-of-endpoints.js';
import { trading } from '../../../support/trading.js';
import { MessageFixture } from './message-fixture.js';

const TAKEN: WebhookAnswer = { kind: 'taken' };
const TELEGRAM = { kind: 'telegram', chatId: '1', threadId: null, terms: DEFAULT_TERMS } as const;
const nameOf = (number: number) => `account-${number}` as AccountId;
const webhooksOf = (account: AccountId, many: number) => Array.from({ length: many }, () => aWebhook({ account }));

/** Receivers that answer when the test says so, and the requests that were begun, in their order. */
async function fixture(endpoints: readonly Endpoint[], eventsEach = 2) {
  const ledger = new MemoryLedger();
  const clock = clockAt(NOON);
  const { accounts } = trading(ledger, { context: anOrderContext({ clock }) }).use;
  for (const account of new Set(endpoints.map((one) => one.account))) {
    const own = endpoints.filter((one) => one.account === account);
    await ledger.write({ account }, () => ({ result: null, endpoints: own }));
    for (let event = 0; event < eventsEach; event += 1)
      await ledger.write({ account }, () => ({
        result: null,
        strategies: [aStrategy({ account, id: countingIds.next() as never })],
      }));
  }
  const began: AccountId[] = [];
  const answers: (() => void)[] = [];
  const ask = <T>(account: AccountId, answer: T) =>
    new Promise<T>((end) => {
      began.push(account);
      answers.push(() => end(answer));
    });
  const sender: WebhookSender = {
    problemOf: () => null,
    send: ({ account }) => ask(account, TAKEN),
  };
  const context = { wallClock: clock, digest: trading(ledger).ports.digest };
  const programs = new DeliverWebhooks(ledger, accounts.events, sender, context);
  const people = {
    execute: async ({ account }: { account: AccountId; description: string }, turn: never) => {
      const { send } = turn as { send: (work: () => Promise<null>, isUrgent: boolean) => Promise<null> };
      return send(() => ask(account, null), account.startsWith('urgent'));
    },
  };
  const deliver = new DeliverEvents(programs, people as never);
  return { ledger, deliver, began, answers, clock, sender };
}

test('a second account is served while forty webhooks of the first hang', async () => {
  const { ledger, deliver, began } = await fixture(webhooksOf(ALICE, 40));
  const delivery = new WebhookDelivery(ledger, deliver, () => true, createLogger('silent'));
  await delivery.look();
  // All but the last quarter of 32 places.
  await expect.poll(() => began.length).toBe(24);
  const event = { strategies: [aStrategy({ account: BOB })] };
  await ledger.write({ account: BOB }, () => ({ result: null, endpoints: [aWebhook({ account: BOB })], ...event }));
  await delivery.look();
  await expect.poll(() => began.slice(24)).toEqual([BOB]);
  delivery.forget();
});

test('after each answer its place goes to the next account in rotation', async () => {
  const busy = Array.from({ length: 40 }, (_, i) => webhooksOf(nameOf(i), 2)).flat();
  const { ledger, deliver, began, answers } = await fixture(busy);
  const own = aWebhook({ account: BOB });
  const delivery = new WebhookDelivery(ledger, deliver, () => true, createLogger('silent'));
  await delivery.look();
  await expect.poll(() => began.length).toBe(32);
  await ledger.write({ account: BOB }, () => ({
    result: null,
    endpoints: [own],
    strategies: [aStrategy({ account: BOB })],
  }));
  await delivery.look();
  // One round: an answer for each account that waits.
  for (let answered = 0; answered < 41 && !began.includes(BOB); answered += 1) {
    const many = began.length;
    answers.shift()?.();
    await expect.poll(() => began.length).toBeGreaterThan(many);
  }
  expect(began).toContain(BOB);
  delivery.forget();
});

test('messages to people are sent urgent first, and wait for no webhook', async () => {
  const { deliver, began, answers } = await fixture([]);
  const send = (account: string, endpoint: Partial<Endpoint> = {}) =>
    void deliver.execute(aWebhook({ account: account as AccountId, ...endpoint }), () => true);
  for (let person = 0; person < 16; person += 1) send(nameOf(person), { target: TELEGRAM });
  await expect.poll(() => began.length).toBe(16);
  for (const account of ['first', 'second', 'urgent']) send(account, { target: TELEGRAM });
  answers.shift()?.();
  await expect.poll(() => began.length).toBe(17);
  expect(began.at(-1)).toBe('urgent');
});

test('a halt is sent before bets that have waited longer', async () => {
  const stages = new Map(['bets', 'other bets', 'halt'].map((name) => [name, new MessageFixture({ gatherMs: 0 })]));
  await stages.get('bets')?.bets();
  await stages.get('other bets')?.bets();
  await stages.get('halt')?.halts();
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const people = {
    execute: async ({ account }: Person, turn: Turn): Promise<Date | null> => {
      const send: Turn['send'] = (work, isUrgent) =>
        turn.send(() => {
          sent.push(account);
          return work();
        }, isUrgent);
      const busy = () => new Promise<null>((end) => answers.push(() => end(null)));
      return stages.get(account)?.round({ send }) ?? turn.send(busy);
    },
  };
  const deliver = new DeliverEvents({ execute: async () => [null, 0] }, people);
  const begin = (account: string) =>
    void deliver.execute(aWebhook({ account: account as AccountId, target: TELEGRAM }), () => true);
  for (let person = 0; person < 16; person += 1) begin(nameOf(person));
  await expect.poll(() => answers.length).toBe(16);
  for (const account of stages.keys()) {
    begin(account);
    // It has read what there is to tell, and waits.
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  }
  expect(sent).toEqual([]);
  for (const answer of answers) answer();
  await expect.poll(() => sent).toEqual(['halt', 'bets', 'other bets']);
});

test('a ping of one account is sent while twenty of another hang', async () => {
  const mine = webhooksOf(ALICE, 20);
  const [other = aWebhook()] = webhooksOf(BOB, 1);
  const { ledger, began, sender, clock } = await fixture([...mine, other], 0);
  const ping = new PingWebhook(ledger, sender, null, { wallClock: clock, ids: countingIds });
  for (const { account, id } of mine) void ping.execute({ account, id });
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  void ping.execute({ account: BOB, id: other.id });
  await expect.poll(() => began.filter((one) => one === BOB).length).toBe(1);
  expect(began.filter((one) => one === ALICE)).toHaveLength(6);
});

test('a library call begins with accounts left out of the last one', async () => {
  const all = Array.from({ length: 40 }, (_, i) => webhooksOf(nameOf(i), 3)).flat();
  const { ledger, deliver, began, answers, clock } = await fixture(all);
  let ms = 0;
  const context = { wallClock: clock, ids: countingIds, stopwatch: () => ms };
  const due = new DeliverDue(ledger.endpoints, null, deliver, context);
  const call = async () => {
    const running = due.execute();
    await expect.poll(() => answers.length).toBe(32);
    // The receivers took all the time of the call.
    ms += 20_000;
    for (const answer of answers.splice(0)) answer();
    await running;
    return new Set(began.splice(0));
  };
  const [first, second] = [await call(), await call()];
  expect(first.size).toBe(32);
  expect(new Set([...first, ...second]).size).toBe(40);
});

test('a webhook that another process disabled is sent nothing more', async () => {
  const mine = aWebhook({ account: ALICE });
  const { ledger, deliver, began, answers } = await fixture([mine]);
  const round = deliver.execute(mine, () => true);
  await expect.poll(() => answers).toHaveLength(1);
  await ledger.write({ account: ALICE, endpoints: true }, () => ({
    result: null,
    endpoints: [{ ...mine, state: 'disabled', disabledBecause: 'Its key was revoked.' }],
  }));
  answers[0]?.();
  expect(await round).toEqual([null, 0]);
  expect(began).toHaveLength(1);
});
