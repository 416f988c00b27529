import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../src/core/ids.js';
import type { Job, JobChange } from '../../src/core/ledger/job.js';
import type { JobQueue } from '../../src/ports/leases.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, BOB, newOrderId } from '../support/builders.js';

type Store = Ledger & JobQueue;

const LONG = 3_600_000;

function put(store: Ledger, orderId: OrderId, change: Partial<JobChange> = {}): Promise<unknown> {
  const job = { account: ALICE, orderId, fence: 1, inMs: 0, ...change };
  return store.write({ account: job.account }, () => ({ result: null, jobs: [job] }));
}

/** Ends a job for the worker that holds it; returns whether it still did. */
function end(store: Ledger, { account, orderId, fence }: Job): Promise<boolean> {
  return store.write({ account, jobs: [orderId] }, (now) => {
    const mine = now.job(orderId)?.fence === fence;
    return { result: mine, ...(mine ? { jobs: [{ account, orderId, fence, inMs: null }] } : {}) };
  });
}

export function jobQueue(open: () => Store): void {
  describe('a job', () => {
    it('is handed out once due, and not again within its lease', async () => {
      const store = open();
      const [due, later] = [newOrderId(), newOrderId()];
      await put(store, due);
      await put(store, later, { inMs: LONG });
      expect(await store.claimJobs(10, LONG)).toEqual([{ account: ALICE, orderId: due, fence: 2 }]);
      expect(await store.claimJobs(10, LONG)).toEqual([]);
    });

    it('is lost to its worker and free once its lease has expired', async () => {
      const store = open();
      const orderId = newOrderId();
      await put(store, orderId);
      const [early] = await store.claimJobs(1, 0);
      const [late] = await store.claimJobs(1, LONG);
      expect([early?.fence, late?.fence]).toEqual([2, 3]);
      expect(await end(store, early as Job)).toBe(false);
      expect(await end(store, late as Job)).toBe(true);
      expect(await store.claimJobs(1, LONG)).toEqual([]);
    });

    it('keeps its number when it is done, and may be created again', async () => {
      const store = open();
      const orderId = newOrderId();
      await put(store, orderId, { inMs: null });
      expect(await store.claimJobs(1, LONG)).toEqual([]);
      const fence = await store.write({ account: ALICE, jobs: [orderId] }, (now) => ({
        result: now.job(orderId)?.fence,
      }));
      expect(fence).toBe(1);
      await put(store, orderId, { fence: 1, inMs: 0 });
      expect(await store.claimJobs(1, LONG)).toMatchObject([{ orderId, fence: 2 }]);
    });

    it('is seen only by scopes of its own account that name it', async () => {
      const store = open();
      const orderId = newOrderId();
      await put(store, orderId);
      const seen = (account: typeof ALICE, jobs: OrderId[]) =>
        store.write({ account, jobs }, (now) => ({ result: now.job(orderId)?.fence }));
      expect(await seen(ALICE, [orderId])).toBe(1);
      expect(await seen(ALICE, [])).toBeUndefined();
      expect(await seen(BOB, [orderId])).toBeUndefined();
    });

    it('is handed out in order of due time, as many as requested', async () => {
      const store = open();
      const ids = [newOrderId(), newOrderId(), newOrderId()];
      for (const [index, id] of ids.toReversed().entries()) await put(store, id, { inMs: -1000 * (index + 1) });
      expect((await store.claimJobs(2, LONG)).map(({ orderId }) => orderId).sort()).toEqual(ids.slice(0, 2).sort());
    });

    it('is not created by a decision that throws', async () => {
      const store = open();
      const orderId = newOrderId();
      const thrown = store.write({ account: ALICE }, () => {
        throw new Error('no');
      });
      await expect(thrown).rejects.toThrow('no');
      expect(await store.claimJobs(1, LONG)).toEqual([]);
      await put(store, orderId);
      expect(await store.claimJobs(1, LONG)).toHaveLength(1);
    });
  });
}

/** Takes jobs and ends them until none is left; returns which. */
async function work(store: Store): Promise<OrderId[]> {
  const done: OrderId[] = [];
  for (;;) {
    const jobs = await store.claimJobs(3, LONG);
    if (jobs.length === 0) return done;
    for (const job of jobs) if (await end(store, job)) done.push(job.orderId);
  }
}

export function jobRaces(open: () => readonly Store[]): void {
  describe('many workers and many jobs', () => {
    it('do each job once', async () => {
      const stores = open();
      const store = (n: number) => stores[n % stores.length] as Store;
      const ids = Array.from({ length: 200 }, newOrderId);
      await Promise.all(ids.map((id, n) => put(store(n), id)));
      const done = await Promise.all(Array.from({ length: 16 }, (_, n) => work(store(n))));
      expect(done.flat().sort()).toEqual(ids.sort());
    });
  });
}
