import { afterEach, expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { DEFAULT_TERMS } from '../../../src/core/endpoint/message-terms.js';
import { WebhookDelivery } from '../../../src/server/background/webhook-delivery.js';
import { createLogger } from '../../../src/server/http/log.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { aWebhook } from '../../support/builders-of-endpoints.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A webhook whose rounds end as the test says. */
async function fixture(webhook = aWebhook()) {
  const ledger = new MemoryLedger();
  await ledger.write({ account: ALICE }, () => ({ result: null, endpoints: [webhook] }));
  const rounds: ((end: [Date | null, number]) => void)[] = [];
  const deliver = { execute: () => new Promise<[Date | null, number]>((end) => void rounds.push(end)) };
  const delivery = new WebhookDelivery(ledger, deliver, () => true, createLogger('silent'));
  ends.push(() => delivery.forget());
  const next = async () => {
    await expect.poll(() => rounds.length, { interval: 1 }).toBe(1);
    return rounds.splice(0)[0] ?? (() => {});
  };
  const write = () => ledger.write({ account: ALICE }, () => ({ result: null, strategies: [aStrategy()] }));
  return { delivery, next, write };
}

test('a webhook is behind from a commit until a round delivers everything', async () => {
  const { delivery, next, write } = await fixture();
  expect(delivery.behindMs).toBe(0);
  await delivery.look();
  const end = await next();
  expect(delivery.behindMs).toBeGreaterThan(0);
  end([null, 0]);
  await expect.poll(() => delivery.behindMs).toBe(0);

  await write();
  const fails = await next();
  fails([new Date(Date.now() + 60_000), 3]);
  await expect.poll(() => delivery.waiting).toBe(3);
  const behind = delivery.behindMs;
  expect(behind).toBeGreaterThan(0);
  await write();
  const succeeds = await next();
  expect(delivery.behindMs).toBeGreaterThan(behind);
  succeeds([null, 0]);
  await expect.poll(() => [delivery.behindMs, delivery.waiting]).toEqual([0, 0]);
});

test('a commit during a round keeps the webhook behind until the next', async () => {
  const { delivery, next, write } = await fixture();
  await delivery.look();
  const first = await next();
  await write();
  first([null, 0]);
  const second = await next();
  expect(delivery.behindMs).toBeGreaterThan(0);
  second([null, 0]);
  await expect.poll(() => delivery.behindMs).toBe(0);
});

test('a waiting message to a person does not count as webhook lag', async () => {
  const target = { kind: 'telegram', chatId: '1', threadId: null, terms: DEFAULT_TERMS } as const;
  const { delivery, next, write } = await fixture(aWebhook({ target }));
  await delivery.look();
  const first = await next();
  first([new Date(Date.now() + 60_000), 0]);
  await write();
  await write();
  expect(delivery.behindMs).toBe(0);
  await delivery.look();
  const second = await next();
  second([null, 0]);
  await delivery.look();
  expect(delivery.behindMs).toBe(0);
});
