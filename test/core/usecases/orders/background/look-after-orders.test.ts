import { describe, expect, it } from 'vitest';
import { StorageUnavailable } from '../../../../../src/core/errors.js';
import { LEASE_MS } from '../../../../../src/core/ledger/job.js';
import type { Order } from '../../../../../src/core/order/order.js';
import { LookAfterOrders } from '../../../../../src/core/usecases/orders/background/look-after-orders.js';
import { ALICE, anExecution, LIVE_CASH, shares, usdc } from '../../../../support/builders.js';
import { accepts, breaks, delays, isUnsure, ScriptedSimulator, takes } from '../../../../support/scripted-exchange.js';
import { trading } from '../../../../support/trading.js';
import { fixture, types } from './worker-fixture.js';

const half = anExecution({ shares: shares('10') });

/** An order that the venue did not answer, and whose next query is due. */
async function lost(draft: Parameters<Awaited<ReturnType<typeof fixture>>['place']>[0] = {}) {
  const it = await fixture({ place: breaks() });
  const order = await it.place(draft);
  it.pass(5_000);
  return { ...it, order };
}

describe('A live order', () => {
  it('is not sent by a worker without its job', async () => {
    const it = await fixture();
    it.live.whileSigning = () => Promise.reject(new Error('not now'));
    const pending = await it.place();
    it.live.whileSigning = async () => {};
    expect(await it.trading.submitOrder.execute(pending)).toBe(pending);
    expect([await types(it), it.live.calls]).toEqual([['requested'], []]);
    it.pass(LEASE_MS);
    it.live.sendBy = it.clock.now();
    expect(await it.worker.execute()).toBe(1);
  });

  it('stays unchanged on a server without live trading', async () => {
    const it = await fixture();
    it.live.whileSigning = () => Promise.reject(new Error('not now'));
    const pending = await it.place();
    const elsewhere = trading(it.ledger, { context: it.trading.context });
    expect(await elsewhere.submitOrder.execute(pending, { account: ALICE, orderId: pending.id, fence: 1 })).toBe(
      pending,
    );
  });

  it('is not sent by a worker whose job was taken during rollback', async () => {
    const it = await fixture();
    const { write } = it.ledger;
    let isFirst = true;
    it.ledger.write = async (scope, decide) => {
      if (isFirst && scope.jobs !== undefined) {
        isFirst = false;
        await write.call(it.ledger, scope, (now) => {
          decide(now);
          return { result: null };
        });
        it.pass(LEASE_MS);
        await it.ledger.claimJobs(1, LEASE_MS);
        it.pass(-LEASE_MS);
      }
      return write.call(it.ledger, scope, decide) as never;
    };
    expect(await it.place()).toMatchObject({ state: 'pending' });
    expect(it.live.count('place')).toBe(0);
  });

  it('that could not be signed is signed later by another worker', async () => {
    const it = await fixture();
    it.live.sendBy = new Date(it.clock.now().getTime() + LEASE_MS);
    it.live.whileSigning = () => Promise.reject(new Error('not now'));
    expect(await it.place()).toMatchObject({ state: 'pending', venueOrderId: null });
    it.live.whileSigning = async () => {};
    it.pass(LEASE_MS);
    expect(await it.worker.execute()).toBe(1);
    expect(await it.first()).toMatchObject({ state: 'open', venueOrderId: '0x1' });
  });

  it('has a job, unless denied or placed at an in-process exchange', async () => {
    const it = await fixture();
    it.live.refusal = { code: 'invalid_amounts', message: 'No.' };
    expect(await it.place()).toMatchObject({ state: 'denied' });
    const paper = trading(it.ledger, {
      paper: new ScriptedSimulator({ place: delays() }),
      context: it.trading.context,
    });
    expect(await paper.place()).toMatchObject({ state: 'delayed' });
    it.pass(10 * LEASE_MS);
    expect(await it.ledger.claimJobs(9, LEASE_MS)).toEqual([]);
  });
});

describe('Looking after an order', () => {
  it('books no answer that came after another worker took its job', async () => {
    const it = await lost();
    it.live.script.find = async (order) => {
      it.pass(LEASE_MS);
      expect(await it.ledger.claimJobs(1, LEASE_MS)).toMatchObject([{ orderId: order.id }]);
      return takes([half])(order);
    };
    expect(await it.worker.execute()).toBe(1);
    expect(await types(it)).toEqual(['requested', 'submitting', 'unknown']);
    it.live.script.find = takes([half]);
    expect(await it.worker.execute()).toBe(0);
    it.pass(LEASE_MS);
    expect(await it.worker.execute()).toBe(1);
    expect(await it.first()).toMatchObject({ state: 'open', filled: { shares: shares('10') } });
  });

  it('throws its error after it has handled the others', async () => {
    const it = await fixture({ place: breaks(), find: takes() });
    const [broken, fine] = [await it.place(), await it.place()];
    it.pass(5_000);
    const { findOrder } = it.ledger;
    it.ledger.findOrder = async (account, id) => {
      if (id === broken.id) throw new StorageUnavailable();
      return findOrder.call(it.ledger, account, id);
    };
    await expect(it.worker.execute()).rejects.toBeInstanceOf(StorageUnavailable);
    it.ledger.findOrder = findOrder;
    const states = await Promise.all([broken, fine].map(({ id }) => it.ledger.findOrder(ALICE, id)));
    expect(states.map((order) => order?.state)).toEqual(['unknown', 'open']);
  });

  it('leaves due jobs to others if every exchange is in this process', async () => {
    const it = await lost();
    const paper = new ScriptedSimulator();
    const worker = new LookAfterOrders(
      it.ledger,
      it.ledger,
      it.trading.ports.venues.onPaper(paper),
      it.trading.submitOrder,
      it.trading.context,
    );
    expect(await worker.execute()).toBe(0);
    expect([await it.first(), it.live.count('find')]).toEqual([it.order, 0]);
    expect(await it.ledger.claimJobs(1, LEASE_MS)).toMatchObject([{ orderId: it.order.id }]);
  });

  it('does not query an order that was answered meanwhile', async () => {
    const it = await lost();
    await it.trading.book(it.order, (posting) =>
      posting.record({ type: 'accepted', venueOrderId: `${it.order.venueOrderId}`, delayed: false }),
    );
    expect(await it.worker.execute()).toBe(1);
    it.pass(10 * LEASE_MS);
    expect([await it.worker.execute(), it.live.count('find')]).toEqual([0, 0]);
  });

  it.each([
    ['while it is held', delays(), {}],
    ['while it is unknown', isUnsure(), {}],
    ['while the end of one that never rests is not reported', accepts([half], 'open'), { timeInForce: 'FAK' }],
  ] as const)('goes on every five seconds %s, and ends with it', async (_, reported, draft) => {
    const it = await lost(draft);
    const named = (order: Order) => ({ ...reported(order), venueOrderId: `${order.venueOrderId}` });
    it.live.script.find = named as never;
    for (let look = 1; look <= 3; look++) {
      expect([await it.worker.execute(), it.live.count('find')]).toEqual([1, look]);
      it.pass(4_999);
      expect(await it.worker.execute()).toBe(0);
      it.pass(1);
    }
    it.live.script.find = takes([half], 'cancelled');
    expect(await it.worker.execute()).toBe(1);
    it.pass(10 * LEASE_MS);
    expect(await it.worker.execute()).toBe(0);
    expect(await it.first()).toMatchObject({ state: 'cancelled' });
  });

  it('marks an order in flight as unknown before asking the venue', async () => {
    const it = await fixture();
    const seen: unknown[] = [];
    it.live.script.place = () => new Promise(() => {});
    void it.place();
    while ((await it.first())?.state !== 'submitting') await Promise.resolve();
    it.pass(LEASE_MS);
    it.live.script.find = async () => {
      seen.push(await it.first());
      return { kind: 'unknown', reason: 'slow' };
    };
    await it.worker.execute();
    expect(seen).toMatchObject([{ state: 'unknown', refusal: { code: 'outcome_unknown' } }]);
    expect(await it.ledger.findBalance(ALICE, LIVE_CASH)).toMatchObject({ reserved: usdc('10') });
  });
});

describe('Cancelling an unknown order', () => {
  const cancel = ({ trading: context, order }: Awaited<ReturnType<typeof lost>>) =>
    context.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });

  it('books what filled until then, at once', async () => {
    const it = await lost();
    it.live.script.find = takes([half], 'cancelled');
    expect((await cancel(it)).record).toMatchObject({ state: 'cancelled', filled: { shares: shares('10') } });
    expect(await it.ledger.findBalance(ALICE, LIVE_CASH)).toMatchObject({ cash: usdc('995'), reserved: 0n });
  });

  it('ends it where the venue cancelled it and shows nothing of it', async () => {
    const it = await lost();
    expect((await cancel(it)).record).toMatchObject({ state: 'cancelled', refusal: null });
    expect(await types(it)).toEqual([
      'requested',
      'submitting',
      'unknown',
      'cancel_requested',
      'accepted',
      'cancel_requested',
      'cancelled',
    ]);
  });

  it('is requested as often as asked, and is recorded once', async () => {
    const it = await lost();
    it.live.script.cancel = isUnsure();
    await cancel(it);
    await cancel(it);
    expect(await types(it)).toEqual(['requested', 'submitting', 'unknown', 'cancel_requested']);
    expect(it.live.count('cancel')).toBe(2);
  });

  it.each([isUnsure(), () => ({ kind: 'refused', reason: 'not found' }) as const])(
    'leaves it unknown where the venue neither cancelled it nor shows it',
    async (answer) => {
      const it = await lost();
      it.live.script.cancel = answer;
      expect((await cancel(it)).record).toMatchObject({ state: 'unknown', refusal: { code: 'cancellation_unknown' } });
      expect(await it.ledger.findBalance(ALICE, LIVE_CASH)).toMatchObject({ reserved: usdc('10') });
    },
  );
});
