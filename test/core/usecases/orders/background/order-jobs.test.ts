import { describe, expect, it } from 'vitest';
import { StorageUnavailable } from '../../../../../src/core/errors.js';
import { LEASE_MS } from '../../../../../src/core/ledger/job.js';
import type { Order } from '../../../../../src/core/order/order.js';
import { breaks, hangs, isUnsure, takes } from '../../../../support/scripted-exchange.js';
import { fixture } from './worker-fixture.js';

type Fixture = Awaited<ReturnType<typeof fixture>>;

const turn = () => new Promise(setImmediate);

const becomes = async ({ first }: Fixture, state: Order['state']) => {
  while ((await first())?.state !== state) await turn();
};

const asked = async ({ live }: Fixture, times: number) => {
  while (live.count('find') < times) await turn();
};

/** An order that the venue did not answer, and whose next query is due. */
async function lost() {
  const it = await fixture({ place: breaks() });
  await it.place();
  it.pass(5_000);
  return it;
}

/** From now on the store is slow, so that a caller that does not wait for it goes on without its result. */
function slowStore({ ledger }: Fixture): void {
  const { write } = ledger;
  ledger.write = async (scope, decide) => {
    await turn();
    return write.call(ledger, scope, decide) as never;
  };
}

describe('The sender of a live order', () => {
  it('has it for thirty seconds after signing, however long that took', async () => {
    const it = await fixture();
    it.live.sendBy = new Date(it.clock.now().getTime() + 2 * LEASE_MS);
    const signing = hangs(() => '0x1');
    Object.assign(it.live.signing, { identify: (order: Order) => signing.answer(order, () => true) });
    const answer = hangs(takes());
    it.live.script.place = answer.answer;
    const placing = it.place();
    await becomes(it, 'pending');
    it.pass(20_000);
    signing.release();
    await becomes(it, 'submitting');
    it.pass(LEASE_MS - 1);
    expect([await it.worker.execute(), it.live.count('find')]).toEqual([0, 0]);
    it.pass(1);
    expect([await it.worker.execute(), it.live.count('find')]).toEqual([1, 1]);
    answer.release();
    expect(await placing).toMatchObject({ state: 'open' });
  });
});

describe('The worker of an order', () => {
  it('has it for thirty seconds despite late answers to earlier workers', async () => {
    const it = await lost();
    const [early, late] = [hangs(isUnsure()), hangs(takes())];
    it.live.script.find = early.answer;
    const before = it.worker.execute();
    await asked(it, 1);
    it.pass(LEASE_MS);
    it.live.script.find = late.answer;
    const after = it.worker.execute();
    await asked(it, 2);
    early.release();
    expect(await before).toBe(1);
    it.pass(LEASE_MS - 1);
    expect([await it.worker.execute(), it.live.count('find')]).toEqual([0, 2]);
    late.release();
    expect(await after).toBe(1);
    expect(await it.first()).toMatchObject({ state: 'open' });
  });
});

describe('Looking after orders in a slow store', () => {
  it('is over when all of it is on record', async () => {
    const it = await lost();
    it.live.script.find = takes();
    slowStore(it);
    expect(await it.worker.execute()).toBe(1);
    expect(await it.first()).toMatchObject({ state: 'open' });
  });

  it('records an order as unknown before the venue is asked about it', async () => {
    const it = await fixture({ place: () => new Promise(() => {}) });
    void it.place();
    await becomes(it, 'submitting');
    it.pass(LEASE_MS);
    const seen: unknown[] = [];
    it.live.script.find = async () => {
      seen.push((await it.first()).state);
      return isUnsure()();
    };
    slowStore(it);
    await it.worker.execute();
    expect(seen).toEqual(['unknown']);
  });

  it.each([
    ['what the venue showed', async () => {}],
    [
      'the end of the queries',
      async ({ trading, first }: Fixture) => {
        const order = await first();
        const accepted = { type: 'accepted', venueOrderId: `${order.venueOrderId}`, delayed: false } as const;
        await trading.book(order, (posting) => posting.record(accepted));
      },
    ],
  ])('fails when %s could not be put on record', async (_, meanwhile) => {
    const it = await lost();
    await meanwhile(it);
    it.live.script.find = takes();
    it.ledger.write = async () => {
      await turn();
      throw new StorageUnavailable();
    };
    await expect(it.worker.execute()).rejects.toBeInstanceOf(StorageUnavailable);
  });
});
