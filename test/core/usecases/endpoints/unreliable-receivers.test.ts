import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { logOf } from '../../../contract/ledger-log.js';
import { runs } from '../../../support/runs.js';
import { trading } from '../../../support/trading.js';
import { deliveriesOf, endStages, webhookFixture } from './webhook-fixture.js';

const HOUR = 3_600_000;
const ORDER_EVENTS = ['order.requested', 'order.accepted', 'order.fill'] as const;
afterEach(endStages);

/** What a receiver answers, one after another; then it takes everything. */
const answers = fc.array(fc.constantFrom(204, 204, 302, 404, 429, 500, 503), { maxLength: 60 });

it('whatever a receiver answers, each event is taken or on record', async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.integer({ min: 1, max: 5 }), fc.nat(3), async (given, orders, replayed) => {
      const it = await webhookFixture([...ORDER_EVENTS]);
      await it.ping();
      const left = [...given];
      it.receiver.answering = () => left.shift() ?? 204;
      const placing = trading(it.ledger);
      for (let placed = 0; placed < orders; placed += 1) {
        await placing.place();
        await it.deliver();
        if (placed === replayed) await it.use.replay.execute(it.webhook, { after: 0 });
      }
      await it.pass(80 * HOUR);

      const wanted = (await logOf(it.ledger)).filter(({ type }) => (ORDER_EVENTS as readonly string[]).includes(type));
      const notTaken = await deliveriesOf(it);
      expect(notTaken.every(({ nextAt }) => nextAt === null)).toBe(true);
      const accounted = new Set([...it.receiver.taken, ...notTaken.map(({ seq }) => `${seq}`)]);
      expect(accounted).toEqual(new Set(wanted.map(({ seq }) => `${seq}`)));

      const sent = it.receiver.received.filter(({ orderId }) => orderId !== null);
      const passed = sent.some(({ seq }) => sent.filter((one) => one.seq === seq && one.status !== 204).length >= 5);
      for (const order of new Set(sent.map(({ orderId }) => orderId))) {
        const firsts = new Set(sent.filter((one) => one.orderId === order && one.status === 204).map(({ seq }) => seq));
        const inOrder = [...firsts].toSorted((a, b) => Number(a) - Number(b));
        if (!passed) expect([...firsts]).toEqual(inOrder);
      }
      await endStages();
    }),
    { numRuns: runs(15) },
  );
});
