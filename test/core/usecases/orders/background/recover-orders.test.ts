import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../../src/adapters/memory/memory-ledger.js';
import { StorageUnavailable } from '../../../../../src/core/errors.js';
import type { OrderId } from '../../../../../src/core/ids.js';
import type { Decision, Scope, Snapshot } from '../../../../../src/core/ledger/decision.js';
import { NO_VENUE } from '../../../../../src/core/market/market.js';
import { intentOf } from '../../../../../src/core/order/draft.js';
import type { Order } from '../../../../../src/core/order/order.js';
import { Posting } from '../../../../../src/core/posting/posting.js';
import type { OrderStatusReport } from '../../../../../src/ports/exchange.js';
import type { Ledger } from '../../../../../src/ports/ledger.js';
import {
  ALICE,
  aMarket,
  anExecution,
  anOrderContext,
  anOrderDraft,
  newOrderId,
  price,
  shares,
  usdc,
} from '../../../../support/builders.js';
import { rests, ScriptedSimulator } from '../../../../support/scripted-exchange.js';
import { trading } from '../../../../support/trading.js';

/** Leaves an order behind as a process that ended at this point does: its money reserved, and no worker on it. */
async function leftBehind(ledger: Ledger, state: 'pending' | 'submitting' | 'unknown', paper = true): Promise<Order> {
  const fixture = anOrderContext({ openingCash: usdc('2000') });
  const { account, marketId, outcome } = anOrderDraft();
  const held = { account, paper, venue: NO_VENUE, marketId, outcome, strategyId: null };
  return ledger.write({ account, positions: [held] }, (now) => {
    const posting = Posting.begin(
      now,
      fixture,
      newOrderId(),
      account,
      intentOf(anOrderDraft({ paper }), aMarket(), null),
    );
    if (paper) posting.reserve();
    if (state !== 'pending') posting.record({ type: 'submitting' });
    if (state === 'unknown') posting.record({ type: 'unknown', refusal: { code: 'outcome_unknown', message: 'lost' } });
    return posting.decision(posting.order);
  });
}

/** Cannot write one order. */
class FailingLedger extends MemoryLedger {
  failing: OrderId | null = null;

  override async write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    if (this.failing !== null && scope.orders?.includes(this.failing)) throw new StorageUnavailable();
    return super.write(scope, decide);
  }
}

function fixture(find?: (order: Order) => OrderStatusReport | Promise<OrderStatusReport>) {
  const ledger = new MemoryLedger();
  const paper = new ScriptedSimulator(find === undefined ? {} : { find });
  return { ledger, paper, trader: trading(ledger, { paper }) };
}

describe('Recovery after a restart', () => {
  it('submits what had not left yet', async () => {
    const { ledger, paper, trader } = fixture();
    const { id } = await leftBehind(ledger, 'pending');
    expect(await trader.recoverOrders.execute()).toEqual({ recovered: 1, failures: [] });
    expect((await trader.orders.one(ALICE, id)).state).toBe('open');
    expect([paper.count('place'), paper.count('find')]).toEqual([1, 0]);
  });

  it.each(['submitting', 'unknown'] as const)('queries what is %s, and sends nothing again', async (state) => {
    const { ledger, paper, trader } = fixture(rests());
    const { id } = await leftBehind(ledger, state);
    await trader.recoverOrders.execute();
    expect((await trader.orders.one(ALICE, id)).state).toBe('open');
    expect([paper.count('place'), paper.count('find')]).toEqual([0, 1]);
  });

  it('books the trades that it finds, once', async () => {
    const execution = anExecution({ shares: shares('5'), price: price('0.4') });
    const { ledger, trader } = fixture((order) => ({ ...rests()(order), executions: [execution] }));
    const order = await leftBehind(ledger, 'submitting');
    await trader.recoverOrders.execute();
    await trader.recoverOrders.execute();
    expect(await trader.money(order)).toMatchObject({
      balance: { cash: usdc('1998'), reserved: usdc('7.5') },
      position: { shares: shares('5'), cost: usdc('2') },
    });
  });

  it('rejects what provably never arrived, and gives its money back', async () => {
    const { ledger, trader } = fixture(() => ({ kind: 'absent' }));
    const order = await leftBehind(ledger, 'submitting');
    await trader.recoverOrders.execute();
    expect(await trader.orders.one(ALICE, order.id)).toMatchObject({
      state: 'rejected',
      refusal: { code: 'never_arrived' },
    });
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('2000'), reserved: 0n });
  });

  it.each([
    ['knows nothing', () => ({ kind: 'unknown', reason: 'cannot tell' }) as const],
    [
      'does not answer',
      () => {
        throw new Error('timeout');
      },
    ],
  ])('leaves an order unknown, with its money reserved, while the venue %s', async (_, find) => {
    const { ledger, trader } = fixture(find);
    const orders = [await leftBehind(ledger, 'submitting'), await leftBehind(ledger, 'unknown')];
    expect(await trader.recoverOrders.execute()).toEqual({ recovered: 2, failures: [] });
    for (const { id } of orders) expect((await trader.orders.one(ALICE, id)).state).toBe('unknown');
    const [order] = orders;
    expect(order && (await trader.money(order)).balance).toMatchObject({ cash: usdc('2000'), reserved: usdc('20') });
  });

  it('leaves an order unknown when its report cannot be booked', async () => {
    const { ledger, trader } = fixture((order) => ({
      ...rests()(order),
      executions: [anExecution({ price: price('0.9') })],
    }));
    const { id } = await leftBehind(ledger, 'submitting');
    await trader.recoverOrders.execute();
    expect(await trader.orders.one(ALICE, id)).toMatchObject({ state: 'unknown', fills: [] });
  });

  it('looks after many more than it reads at once', async () => {
    const { ledger, trader } = fixture();
    for (let i = 0; i < 99; i++) await leftBehind(ledger, 'pending');
    for (let i = 0; i < 6; i++) await leftBehind(ledger, 'unknown');
    expect(await trader.recoverOrders.execute()).toEqual({ recovered: 105, failures: [] });
    expect(await trader.ledger.listInFlight({ limit: 200 })).toHaveLength(6);
  });

  it('leaves a live order alone while live trading is off', async () => {
    const { ledger, trader, paper } = fixture(() => ({ kind: 'absent' }));
    const order = await leftBehind(ledger, 'submitting', false);
    await trader.recoverOrders.execute();
    expect(await trader.orders.one(ALICE, order.id)).toEqual(order);
    expect(paper.calls).toEqual([]);
  });

  it('continues past an order that fails, and names it', async () => {
    const ledger = new FailingLedger();
    const broken = await leftBehind(ledger, 'pending');
    const sound = await leftBehind(ledger, 'pending');
    ledger.failing = broken.id;
    const { recoverOrders } = trading(ledger, { paper: new ScriptedSimulator() });
    const failures = [{ order: broken.id, error: expect.any(StorageUnavailable) }];
    expect(await recoverOrders.execute()).toEqual({ recovered: 1, failures });
    expect((await ledger.findOrder(ALICE, sound.id))?.state).toBe('open');
    expect((await ledger.findOrder(ALICE, broken.id))?.state).toBe('pending');
  });
});
