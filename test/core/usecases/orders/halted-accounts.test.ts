import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { LEASE_MS } from '../../../../src/core/ledger/job.js';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import { ManageAccounts } from '../../../../src/core/usecases/accounts/manage-accounts.js';
import { LookAfterOrders } from '../../../../src/core/usecases/orders/background/look-after-orders.js';
import {
  ALICE,
  anExecution,
  anOrderContext,
  clockAt,
  type DraftChanges,
  LIVE_CASH,
  NOON,
  usdc,
} from '../../../support/builders.js';
import { rejects, SigningExchange, takes } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

/** An account with 100 dollars that may trade live under a strategy of its own. */
async function fixture() {
  const clock = clockAt(NOON);
  const ledger = new MemoryLedger(clock);
  const live = new SigningExchange({ place: takes() });
  let elapsed = 0;
  const context = anOrderContext({ clock, stopwatch: () => elapsed });
  const trading = new Trading(ledger, { live, context });
  const operator = new ManageAccounts(ledger, context);
  await operator.allowLive(ALICE, true);
  await operator.deposit(ALICE, NO_VENUE, usdc('100'));
  const strategy = await trading.strategy({ paperOnly: false, stakeCap: usdc('50'), bankrollCap: usdc('100') });
  const place = (draft: DraftChanges = {}) =>
    trading.place({ paper: false, size: usdc('10'), strategyId: strategy.id, ...draft }, { mayTradeLive: true });
  const change = (patch: object) =>
    trading.changeStrategy.execute({
      account: ALICE,
      strategyId: strategy.id,
      patch,
      precondition: null,
      idempotencyKey: null,
    } as never);
  const archive = () =>
    trading.archiveStrategy.execute({ account: ALICE, strategyId: strategy.id, precondition: null } as never);
  /** Does this after the order is on record and before it is claimed. */
  const meanwhile = (happens: () => Promise<unknown>) => {
    live.whileSigning = happens;
  };
  const pass = (ms: number) => {
    clock.tick(ms);
    elapsed += ms;
  };
  const worker = new LookAfterOrders(ledger, ledger, trading.ports.venues, trading.submitOrder, context);
  return { ledger, live, trading, operator, place, change, archive, meanwhile, pass, worker };
}

describe('An account that is halted', () => {
  it('refuses live orders, with the reason, until it is released', async () => {
    const it = await fixture();
    await it.operator.halt(ALICE, 'Something is odd.');
    await expect(it.place()).rejects.toMatchObject({ message: expect.stringContaining('Something is odd.') });
    expect(it.live.calls).toEqual([]);
    await it.operator.release(ALICE);
    expect(await it.place()).toMatchObject({ state: 'open' });
  });

  it('keeps the first reason', async () => {
    const it = await fixture();
    await it.operator.halt(ALICE, 'First.');
    await it.operator.halt(ALICE, 'Second.');
    expect(await it.operator.show(ALICE)).toMatchObject({ halt: { code: 'halted_by_operator', message: 'First.' } });
  });

  it('is halted in the same write as the answer that requires it', async () => {
    const it = await fixture();
    const halt = { code: 'forbidden', message: 'The venue forbids trading.' };
    it.live.script.place = () => ({ ...rejects('forbidden')(), halt });
    expect(await it.place()).toMatchObject({ state: 'rejected' });
    expect(await it.operator.show(ALICE)).toMatchObject({ halt: { ...halt, at: new Date(NOON) } });
    await expect(it.place()).rejects.toMatchObject({ message: expect.stringContaining('forbidden') });
    expect(it.live.count('place')).toBe(1);
  });

  it('is halted by an unknown outcome, whose order keeps its money', async () => {
    const it = await fixture();
    const halt = { code: 'identity_mismatch', message: 'It named another order.' };
    it.live.script.place = () => ({ kind: 'unknown', reason: 'another order', halt });
    expect(await it.place()).toMatchObject({ state: 'unknown' });
    expect(await it.operator.show(ALICE)).toMatchObject({ halt, balance: { reserved: usdc('10') } });
  });
});

describe('Between the record of an order and its being sent', () => {
  it('a cap is lowered to what it just meets: it is sent', async () => {
    const it = await fixture();
    it.meanwhile(() => it.change({ stakeCap: usdc('10'), bankrollCap: usdc('10') }));
    expect(await it.place()).toMatchObject({ state: 'open' });
  });

  it.each([
    ['the account is halted', (it: Fixture) => it.operator.halt(ALICE, 'No more.'), 'live_halted'],
    ['the account is no longer enabled', (it: Fixture) => it.operator.allowLive(ALICE, false), 'live_disabled'],
    ['the strategy is paused', (it: Fixture) => it.change({ isPaused: true }), 'strategy_paused'],
    ['the strategy becomes paper only', (it: Fixture) => it.change({ paperOnly: true }), 'strategy_paper_only'],
    ['the stake cap is lowered', (it: Fixture) => it.change({ stakeCap: usdc('9.99') }), 'stake_cap_exceeded'],
    ['the bankroll is lowered', (it: Fixture) => it.change({ bankrollCap: usdc('9.99') }), 'bankroll_cap_exceeded'],
    ['the strategy is archived', (it: Fixture) => it.archive(), 'strategy_archived'],
  ])('%s: it is denied without asking the venue, and releases its money', async (_, happens, code) => {
    const it = await fixture();
    it.meanwhile(() => happens(it));
    expect(await it.place()).toMatchObject({ state: 'denied', refusal: { code } });
    expect(it.live.count('place')).toBe(0);
    expect(await it.ledger.findBalance(ALICE, LIVE_CASH)).toMatchObject({ cash: usdc('100'), reserved: 0n });
  });

  it('every cap is lowered: a sale is sent all the same', async () => {
    const it = await fixture();
    it.live.script.place = takes([anExecution()], 'none');
    expect(await it.place()).toMatchObject({ state: 'filled' });
    it.live.script.place = takes();
    it.meanwhile(() => it.change({ stakeCap: usdc('0.01'), bankrollCap: usdc('0.01') }));
    expect(await it.place({ side: 'SELL' })).toMatchObject({ state: 'open' });
  });

  it('the signer fails: it waits, and expires once it is late', async () => {
    const it = await fixture();
    it.meanwhile(() => Promise.reject(new Error('the signer is away')));
    const order = await it.place();
    expect(order).toMatchObject({ state: 'pending' });
    it.pass(LEASE_MS);
    await it.worker.execute();
    expect(await it.ledger.findOrder(ALICE, order.id)).toMatchObject({ state: 'expired' });
    expect(it.live.count('place')).toBe(0);
  });
});

type Fixture = Awaited<ReturnType<typeof fixture>>;
