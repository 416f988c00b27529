import { afterEach, describe, expect, it } from 'vitest';
import { beginning } from '../../../../src/core/endpoint/delivery.js';
import { storeDeliveries } from '../../../../src/core/usecases/endpoints/store-endpoint.js';
import { logOf } from '../../../contract/ledger-log.js';
import { ALICE } from '../../../support/builders.js';
import { aDelivery } from '../../../support/builders-of-endpoints.js';
import { deliveriesOf, endStages, webhookFixture } from './webhook-fixture.js';

const DAY = 86_400_000;
afterEach(endStages);

/** A webhook that was sent five strategies, of which its receiver did not take the second and the fourth. */
async function fixture() {
  const it = await webhookFixture(['strategy.created']);
  await it.ping();
  await it.write(5);
  const wanted = (await logOf(it.ledger)).filter(({ type }) => type === 'strategy.created').map(({ seq }) => `${seq}`);
  const refused = [wanted[1], wanted[3]];
  it.receiver.answering = ({ seq }) => (refused.includes(seq) ? 500 : 204);
  await it.deliver();
  expect(await deliveriesOf(it)).toHaveLength(2);
  return { ...it, wanted, sentBefore: it.receiver.received.length };
}

type Fixture = Awaited<ReturnType<typeof fixture>>;
const sentSince = ({ receiver, sentBefore }: Fixture) => receiver.received.slice(sentBefore).map(({ seq }) => seq);

describe('Everything after an event, sent once more,', () => {
  it('is sent once each and in order, also what awaited a retry', async () => {
    const it = await fixture();
    it.receiver.answering = () => 204;
    await it.use.replay.execute(it.webhook, { after: 0 });
    await it.deliver();
    expect(sentSince(it)).toEqual(it.wanted);
    expect(await deliveriesOf(it)).toEqual([]);
  });

  it('goes on with the tries that each had, where it fails again', async () => {
    const it = await fixture();
    await it.use.replay.execute(it.webhook, { after: 0 });
    await it.deliver();
    expect(sentSince(it)).toEqual(it.wanted);
    expect((await deliveriesOf(it)).map(({ seq, tries }) => [`${seq}`, tries])).toEqual([
      [it.wanted[3], 2],
      [it.wanted[1], 2],
    ]);
  });

  it('takes off the list what had been given up', async () => {
    const it = await fixture();
    await it.pass(4 * DAY);
    expect((await deliveriesOf(it)).map(({ nextAt, tries }) => [nextAt, tries])).toEqual([
      [null, 10],
      [null, 10],
    ]);
    const sentBefore = it.receiver.received.length;
    it.receiver.answering = () => 204;
    await it.use.replay.execute(it.webhook, { after: Number(it.wanted[2]) });
    await it.deliver();
    expect(sentSince({ ...it, sentBefore })).toEqual(it.wanted.slice(3));
    expect((await deliveriesOf(it)).map(({ seq }) => `${seq}`)).toEqual([it.wanted[1]]);
  });
});

describe('A webhook that is removed', () => {
  const leftOf = async ({ ledger: { endpoints }, webhook }: Pick<Fixture, 'ledger' | 'webhook'>) => [
    ...(await endpoints.deliveries.list(webhook, { limit: 10 })),
    ...(await endpoints.deliveries.progress(ALICE)),
  ];

  it('while it is sent something leaves nothing behind', async () => {
    const it = await fixture();
    const { webhook, use } = it;
    await it.write(1);
    let isRemoved = Promise.resolve<unknown>(null);
    it.receiver.answering = () => {
      isRemoved = use.change.remove(webhook);
      return 500;
    };
    await use.deliver.execute(await it.current(), () => true);
    await isRemoved;
    expect(await leftOf(it)).toEqual([]);
  });

  it('is not restored by a concurrent request to resend', async () => {
    const it = await fixture();
    await it.use.change.remove(it.webhook);
    const progress = { ...beginning(it.webhook, 1), epoch: 7 };
    await storeDeliveries(it.ledger.endpoints, it.webhook, { progress, put: [aDelivery(it.webhook, 2)] });
    expect(await leftOf(it)).toEqual([]);
  });
});
