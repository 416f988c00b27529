import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventPresenter } from '../../src/adapters/http/index.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { AesSecretBox, EVERY_PORT, StandardWebhookSender } from '../../src/adapters/webhooks/index.js';
import { createStakeport, InputInvalid, type StakeportWithWebhooks, WebhookNotFound } from '../../src/index.js';
import { Receiver } from '../support/receiver.js';

const ORDER = { account: 'me', market: 'rain', outcome: 'YES', price: '0.5', usdc: 10 } as const;
const KEY = randomBytes(32);

let receiver: Receiver;
const open: StakeportWithWebhooks[] = [];
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await receiver.close();
});

function embedded(ledger = new MemoryLedger()): StakeportWithWebhooks {
  const box = new AesSecretBox(KEY);
  const guard = { allowHttp: true, networks: ['127.0.0.0/8'], ports: [EVERY_PORT] };
  const sender = new StandardWebhookSender({ box, present: eventPresenter(() => null), ...guard });
  const stakeport = createStakeport({ ledger, webhooks: { box, sender } });
  open.push(stakeport);
  return stakeport;
}

/** An active webhook of `me`, whose receiver verifies each message. */
async function subscribed({ webhooks }: StakeportWithWebhooks) {
  const { webhook, secret } = await webhooks.create('me', { url: receiver.url, types: ['order.fill'] });
  receiver.secret = secret;
  expect(await webhooks.ping('me', webhook.id)).toMatchObject({
    answer: { kind: 'taken' },
    webhook: { state: 'active' },
  });
  return webhook;
}

describe('Webhooks of a program', () => {
  it('are sent signed events only when the program delivers', async () => {
    const stakeport = embedded();
    await subscribed(stakeport);
    await stakeport.orders.place(ORDER);
    await stakeport.orders.place({ ...ORDER, account: 'you' });
    expect(receiver.taken).toEqual([]);
    expect(await stakeport.webhooks.deliver()).toEqual({ isHere: true, nextAt: null });
    const { items } = await stakeport.events.list('me', { types: ['order.fill'] });
    expect(receiver.taken).toEqual(items.map(({ seq }) => `${seq}`));
  });

  it('are sent by one program at a time on the same ledger', async () => {
    const ledger = new MemoryLedger();
    const [one, other] = [embedded(ledger), embedded(ledger)];
    await subscribed(one);
    await one.orders.place(ORDER);
    let both: Promise<unknown> | null = null;
    receiver.answering = () => {
      both = other.webhooks.deliver();
      return 204;
    };
    const first = one.webhooks.deliver();
    expect(one.webhooks.deliver()).toBe(first);
    await first;
    expect(await both).toEqual({ isHere: false, nextAt: null });
    expect(await other.webhooks.deliver()).toEqual({ isHere: true, nextAt: null });
    expect(receiver.taken).toHaveLength(1);
  });

  it('that fail are retried when due and resent on request', async () => {
    const stakeport = embedded();
    const { webhooks } = stakeport;
    const { id } = await subscribed(stakeport);
    await stakeport.orders.place(ORDER);
    receiver.answering = () => 500;
    const { nextAt } = await webhooks.deliver();
    expect(nextAt?.getTime()).toBeGreaterThan(Date.now());
    const { items } = await webhooks.deliveries('me', id);
    expect(items).toMatchObject([{ type: 'order.fill', tries: 1, status: 500, said: 'said so' }]);
    receiver.answering = () => 204;
    await webhooks.replay('me', id, { after: 0 });
    await webhooks.deliver();
    expect([...new Set(receiver.taken)]).toEqual(items.map(({ seq }) => `${seq}`));
    const before = receiver.taken.length;
    await webhooks.replay('me', id, { seq: Number(receiver.taken[0]) });
    await webhooks.deliver();
    expect(receiver.taken).toHaveLength(before + 1);
  });

  it('are changed, disabled, enabled and removed, and shown without their secrets', async () => {
    const stakeport = embedded();
    const { webhooks } = stakeport;
    const { id } = await subscribed(stakeport);
    expect(await webhooks.change('me', id, { description: 'phone' })).toMatchObject({ description: 'phone' });
    expect(await webhooks.disable('me', id)).toMatchObject({ state: 'disabled' });
    await stakeport.orders.place(ORDER);
    await webhooks.deliver();
    expect(receiver.taken).toEqual([]);
    expect(await webhooks.enable('me', id)).toMatchObject({ state: 'active' });
    await webhooks.deliver();
    expect(receiver.taken).toHaveLength(1);
    const { secret } = await webhooks.rotate('me', id);
    receiver.secret = secret;
    await webhooks.ping('me', id);
    const seen = JSON.stringify([
      await webhooks.list('me'),
      await webhooks.get('me', id),
      await webhooks.remove('me', id),
    ]);
    expect(seen).not.toMatch(/secret|sealed|whsec_|v1\./);
    expect(await webhooks.list('me')).toEqual([]);
    await expect(webhooks.get('you', id)).rejects.toThrow(WebhookNotFound);
  });

  it('refuse what HTTP refuses, and name the member', async () => {
    const { webhooks } = embedded();
    const no = async (what: Promise<unknown>) => what.then(String, (error: unknown) => error);
    expect(await no(webhooks.create('me', { url: 'ftp://example.org' }))).toMatchObject({
      code: 'webhook_url_invalid',
    });
    const wrong = [
      [{ url: 'https://example.org/', types: ['order.flll' as never] }, 'types'],
      [{ url: 5 as never }, 'url'],
      [{ url: 'https://example.org/', description: 'x'.repeat(201) }, 'description'],
      [{ url: 'https://example.org/', typs: [] } as never, 'typs'],
    ] as const;
    for (const [request, member] of wrong)
      expect(await no(webhooks.create('me', request))).toMatchObject({ member, code: 'input_invalid' });
    const id = '0197f1b0-0000-7000-8000-000000000000';
    for (const what of [{}, { seq: 1, after: 1 }, { seq: 1.5 }, { seq: '1' }])
      await expect(webhooks.replay('me', id, what as never)).rejects.toThrow(InputInvalid);
    await expect(webhooks.get('me', 'nonsense')).rejects.toThrow(InputInvalid);
  });

  it('are not there without what they need', () => {
    expect(createStakeport().webhooks).toBeNull();
  });
});
