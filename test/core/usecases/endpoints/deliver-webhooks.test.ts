import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { AesSecretBox } from '../../../../src/adapters/webhooks/index.js';
import { ReadAlarms } from '../../../../src/core/usecases/alarms/read-alarms.js';
import { logOf } from '../../../contract/ledger-log.js';
import { ALICE } from '../../../support/builders.js';
import { trading } from '../../../support/trading.js';
import { deliveriesOf, endStages, webhookFixture } from './webhook-fixture.js';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
afterEach(endStages);

describe('A webhook', () => {
  it('is sent events, in order, only once it took a ping', async () => {
    const it = await webhookFixture();
    await it.write(2);
    expect(await it.deliver()).toBeNull();
    it.receiver.answering = () => 500;
    expect(await it.ping()).toMatchObject({
      webhook: { state: 'unverified' },
      answer: { kind: 'failed', status: 500 },
    });
    it.receiver.answering = () => 204;
    expect(await it.ping()).toMatchObject({ webhook: { state: 'active' }, answer: { kind: 'taken' } });
    await it.write(40);
    await it.deliver();
    const log = await logOf(it.ledger);
    expect(it.receiver.taken).toEqual(log.map(({ seq }) => `${seq}`));
    const pings = it.receiver.received.filter(({ type }) => type === 'webhook.ping');
    expect(pings.map(({ status }) => status)).toEqual([500, 204]);
    expect(await deliveriesOf(it)).toEqual([]);
  });

  it('is sent only the types that it wants', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    await it.write(3);
    await trading(it.ledger).place();
    await it.deliver();
    const taken = it.receiver.received.filter(({ seq }) => seq !== '').map(({ type }) => type);
    expect(taken).toEqual(['strategy.created', 'strategy.created', 'strategy.created']);
  });

  it.each([
    ['fails', () => 500],
    ['redirects', () => 302],
    ['stalls', () => null],
    ['asks to wait', () => 429],
  ])('resends an event under the same id when its receiver %s first', async (_, answer) => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    let first = true;
    it.receiver.answering = () => {
      const answered = first ? answer() : 204;
      first = false;
      return answered;
    };
    await it.write(1);
    await it.pass(10 * SECOND);
    const [one, other] = it.receiver.received.slice(1);
    expect(it.receiver.received).toHaveLength(3);
    expect([one?.id, other?.status]).toEqual([other?.id, 204]);
    expect(one?.id).toMatch(/^evt_[0-9a-f]{16}_[0-9]+$/);
  });

  it('is held back for as long as its receiver asks', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    it.receiver.answering = (_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
      return 429;
    };
    await it.write(5);
    await it.pass(HOUR - 10 * SECOND);
    expect(it.receiver.received).toHaveLength(2);
    it.receiver.answering = () => 204;
    await it.pass(20 * SECOND);
    expect(it.receiver.taken).toHaveLength(5);
  });

  it('holds later events of an order for five tries, then sends them', async () => {
    const it = await webhookFixture([
      'order.requested',
      'order.accepted',
      'order.fill',
      'order.cancelled',
      'webhook.skipped',
    ]);
    await it.ping();
    const stuck = new Set<string>();
    it.receiver.answering = ({ orderId, seq }) => {
      if (orderId === null) return 204;
      if (stuck.size === 0) stuck.add(seq);
      return stuck.has(seq) ? 500 : 204;
    };
    const placed = await trading(it.ledger).place();
    const other = await trading(it.ledger).place();
    const ofOrder = (id: string) => it.receiver.received.filter((one) => one.orderId === id && one.status === 204);
    await it.pass(2 * HOUR);
    expect(ofOrder(placed.id)).toEqual([]);
    expect(ofOrder(other.id).length).toBeGreaterThan(1);
    await it.pass(HOUR);
    expect(ofOrder(placed.id).length).toBeGreaterThan(0);
    expect((await it.current()).skipped).toMatchObject({ because: 'passed', orderId: placed.id });
    const skips = (await logOf(it.ledger)).filter(({ type }) => type === 'webhook.skipped');
    expect(skips).toHaveLength(1);
  });

  it('is disabled after five days without success, with a bounded backlog', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    it.receiver.answering = () => 503;
    for (let day = 0; day < 6; day += 1) {
      await it.write(50);
      await it.pass(DAY);
    }
    expect(await it.current()).toMatchObject({
      state: 'disabled',
      disabledBecause: expect.stringMatching('five days'),
    });
    const waiting = (await deliveriesOf(it)).filter(({ nextAt }) => nextAt !== null);
    expect(waiting.length).toBeLessThanOrEqual(256);
    const alarms = new ReadAlarms(it.ledger);
    expect(await alarms.execute(ALICE, false)).toMatchObject([{ kind: 'webhook_disabled', subject: it.webhook.id }]);
    it.receiver.answering = () => 204;
    await it.use.change.enable(it.webhook);
    expect(await alarms.execute(ALICE, false)).toEqual([]);
    await it.pass(DAY);
    const given = (await deliveriesOf(it)).map(({ seq }) => `${seq}`);
    const wanted = (await logOf(it.ledger)).filter(({ type }) => type === 'strategy.created');
    expect(new Set([...it.receiver.taken, ...given])).toEqual(new Set(wanted.map(({ seq }) => `${seq}`)));
    await it.use.replay.execute(it.webhook, { after: 0 });
    await it.pass(DAY);
    expect(new Set(it.receiver.taken)).toEqual(new Set(wanted.map(({ seq }) => `${seq}`)));
  });

  it('is disabled at once by a 410, with an alarm until removed', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    it.receiver.answering = () => 410;
    await it.write(3);
    await it.deliver();
    expect(await it.current()).toMatchObject({ state: 'disabled', disabledBecause: expect.stringMatching('410') });
    expect(it.receiver.received).toHaveLength(2);
    await it.use.change.remove(it.webhook);
    expect(await new ReadAlarms(it.ledger).execute(ALICE, false)).toEqual([]);
  });

  it('is sent one event again on request, with its first id', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    await it.write(2);
    await it.deliver();
    const [first] = it.receiver.received.slice(1);
    await it.use.replay.execute(it.webhook, { seq: Number(first?.seq) });
    await it.deliver();
    expect(it.receiver.received.at(-1)).toEqual(first);
  });

  it('is signed with both secrets for a day after a rotation', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    const { secret } = await it.use.change.rotate(it.webhook, null);
    const old = it.receiver.secret;
    const takes = async (with_: string | null) => {
      it.receiver.secret = with_;
      const before = it.receiver.taken.length;
      await it.write(1);
      await it.deliver();
      return it.receiver.taken.length - before;
    };
    expect([await takes(old), await takes(secret)]).toEqual([1, 1]);
    it.clock.tick(DAY);
    expect(await takes(secret)).toBe(1);
  });

  it('is sent nothing while disabled by a person, and everything afterwards', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    await it.use.change.disable(it.webhook);
    expect(await it.current()).toMatchObject({ state: 'disabled', disabledBecause: 'Somebody disabled it.' });
    await it.write(2);
    await it.deliver();
    expect(await new ReadAlarms(it.ledger).execute(ALICE, false)).toEqual([]);
    expect(it.receiver.taken).toEqual([]);
    await it.use.change.enable(it.webhook);
    await it.deliver();
    expect(it.receiver.taken).toHaveLength(2);
  });

  it('whose secret cannot be opened says so, and recovers by rotation', async () => {
    const it = await webhookFixture(['strategy.created']);
    await it.ping();
    it.box.current = new AesSecretBox(randomBytes(32));
    await it.write(1);
    await it.deliver();
    expect(it.receiver.taken).toEqual([]);
    expect(await deliveriesOf(it)).toMatchObject([{ status: null, said: expect.stringMatching('SECRETS_KEY') }]);
    it.receiver.secret = (await it.use.change.rotate(it.webhook, null)).secret;
    await it.pass(10 * SECOND);
    expect(it.receiver.taken).toHaveLength(1);
  });
});
