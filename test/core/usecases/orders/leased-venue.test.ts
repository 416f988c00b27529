import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PAPER } from '../../../../src/adapters/paper/answers.js';
import { PAPER_CASH } from '../../../../src/core/account/account.js';
import { OrderNotCancellable, PaperElsewhere } from '../../../../src/core/errors.js';
import { underLease } from '../../../../src/core/ledger/decision.js';
import type { Lease, LeaseInHand } from '../../../../src/core/ledger/lease.js';
import { ResetPaperAccount } from '../../../../src/core/usecases/accounts/reset-paper-account.js';
import type { Exchange } from '../../../../src/ports/exchange.js';
import { ALICE } from '../../../support/builders.js';
import { ScriptedExchange } from '../../../support/scripted-exchange.js';
import { type Trading, trading } from '../../../support/trading.js';

const LONG = 3_600_000;

/** An exchange in this process where orders rest, which acts under the lease that it is given. */
function leasedExchange(inHand: () => LeaseInHand): Exchange & { readonly scripted: ScriptedExchange } {
  const scripted = new ScriptedExchange();
  const local = { lease: inHand, arrival: () => null, prepare: async () => {}, decide: () => null };
  return {
    venue: PAPER,
    local,
    scripted,
    signing: null,
    closedForMs: () => null,
    place: (order, mayStillSend) => scripted.place(order, mayStillSend),
    cancel: (order) => scripted.cancel(order),
    find: (order) => scripted.find(order),
  };
}

let ledger: MemoryLedger;
let held: Lease;
let inHand: LeaseInHand;
let exchange: ReturnType<typeof leasedExchange>;
let use: Trading;
beforeEach(async () => {
  ledger = new MemoryLedger();
  held = (await ledger.leases.claim('paper', 'here', LONG)) as Lease;
  inHand = held;
  exchange = leasedExchange(() => inHand);
  use = trading(ledger, { paper: exchange });
});

/** Another server takes it, and this one knows that, or does not know it yet. */
async function losesIt(knows: boolean): Promise<void> {
  await ledger.leases.release(held);
  await ledger.leases.claim('paper', 'elsewhere', LONG);
  if (knows) inHand = null;
}

const orders = () => ledger.listOrders(ALICE, {}, { limit: 10 });

describe.each([
  ['has lost', true],
  ['does not know that it has lost', false],
])('A server that %s the lease on paper orders', (_, knows) => {
  it('takes none, puts nothing on record, and answers a key that is', async () => {
    const first = await use.submit({}, { idempotencyKey: 'k' });
    await losesIt(knows);
    await expect(use.place()).rejects.toThrow(PaperElsewhere);
    await expect(use.submit({}, { idempotencyKey: 'new' })).rejects.toThrow(PaperElsewhere);
    expect(await use.submit({}, { idempotencyKey: 'k' })).toEqual({ record: first.record, replayed: true });
    expect([(await orders()).length, exchange.scripted.count('place')]).toEqual([1, 1]);
  });

  it('refuses to cancel orders that may trade elsewhere, unless already ended', async () => {
    const [resting, cancelled] = [await use.place(), await use.place()];
    const cancel = (orderId: typeof resting.id) =>
      use.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
    await cancel(cancelled.id);
    await losesIt(knows);
    await expect(cancel(resting.id)).rejects.toThrow(PaperElsewhere);
    expect((await cancel(cancelled.id)).record.state).toBe('cancelled');
    expect(await ledger.findOrder(ALICE, resting.id)).toEqual(resting);
    expect(exchange.scripted.count('cancel')).toBe(1);
  });

  it('resets no account whose orders rest elsewhere', async () => {
    await use.place();
    await losesIt(knows);
    const before = [await orders(), await ledger.findBalance(ALICE, PAPER_CASH)];
    const reset = new ResetPaperAccount(ledger, use.cancelOrder, use.context);
    await expect(reset.execute({ by: ALICE, account: ALICE, idempotencyKey: null })).rejects.toThrow(PaperElsewhere);
    expect([await orders(), await ledger.findBalance(ALICE, PAPER_CASH)]).toEqual(before);
  });

  it('records no answer that came after it, leaving the order unchanged', async () => {
    exchange.scripted.script.place = async () => {
      await losesIt(knows);
      return { kind: 'unknown', reason: 'given up' };
    };
    const placed = await use.place();
    expect([placed.state, placed.seq]).toEqual(['pending', 1]);
  });

  it('concludes no cancellation that it had begun', async () => {
    const order = await use.place();
    exchange.scripted.script.cancel = async () => {
      await losesIt(knows);
      return { kind: 'cancelled' };
    };
    const { record } = await use.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });
    expect(record.state).toBe('cancel_pending');
  });

  it('leaves orders in flight to the owner of the lease', async () => {
    exchange.scripted.script.place = () => new Promise(() => {});
    void use.place();
    await expect.poll(async () => (await orders()).length).toBe(1);
    await losesIt(knows);
    exchange.scripted.script.place = () => ({
      kind: 'accepted',
      venueOrderId: 'v',
      executions: [],
      failed: [],
      rest: 'open',
    });
    await use.recoverOrders.execute();
    expect((await orders())[0]?.state).toBe('pending');
  });
});

it('an order that cannot be cancelled is that on every server', async () => {
  exchange.scripted.script.place = () => ({ kind: 'rejected', refusal: { code: 'no', message: 'no' } });
  const { id: orderId } = await use.place();
  await losesIt(true);
  const cancelling = use.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
  await expect(cancelling).rejects.toThrow(OrderNotCancellable);
});

it('a server without the lease sends no write to the store', async () => {
  const unasked = { write: () => Promise.reject(new Error('asked')) };
  const writing = underLease(unasked, () => null).write({ account: ALICE }, () => ({ result: 0 }));
  await expect(writing).rejects.toThrow(PaperElsewhere);
});
