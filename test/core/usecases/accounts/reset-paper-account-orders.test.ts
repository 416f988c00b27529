import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../src/adapters/paper/paper-exchange.js';
import { openBalance, PAPER_CASH } from '../../../../src/core/account/account.js';
import { AccountBusy } from '../../../../src/core/account/account-errors.js';
import { IdempotencyKeyReused } from '../../../../src/core/errors.js';
import type { Order } from '../../../../src/core/order/order.js';
import { resetMoney } from '../../../../src/core/posting/reset.js';
import type { Exchange } from '../../../../src/ports/exchange.js';
import { ALICE, anExecution, BOB, NOON, price, shares, usdc } from '../../../support/builders.js';
import { AS_NEW, busyDay, OTHER, resetFixture } from '../../../support/reset-fixture.js';
import {
  accepts,
  breaks,
  delays,
  isUnsure,
  rests,
  ScriptedSimulator,
  type VenueScript,
} from '../../../support/scripted-exchange.js';

/** Something happens right after orders were listed. */
class Hurried extends MemoryLedger {
  afterList = async (): Promise<void> => {};

  override async listOrders(...asked: Parameters<MemoryLedger['listOrders']>): Promise<readonly Order[]> {
    const found = await super.listOrders(...asked);
    await this.afterList();
    return found;
  }
}

describe('An account with orders that cannot be cancelled now', () => {
  const cases: readonly (readonly [string, Partial<VenueScript>])[] = [
    ['are held back by the venue', { place: delays() }],
    ['have an unknown fate', { place: isUnsure() }],
    ['the venue does not let go', { cancel: () => ({ kind: 'refused', reason: 'too late' }) }],
    ['the venue is silent about', { cancel: breaks() }],
  ];

  it.each(cases)('is busy with those that %s, and keeps its money unchanged', async (_, script) => {
    const paper = new ScriptedSimulator();
    const { trading, fill, books, reset } = resetFixture(paper);
    await fill(await trading.place(), { shares: shares('20'), fee: usdc('0.1') });
    Object.assign(paper.script, script);
    const stuck = await trading.place();
    const before = await books();
    await expect(reset('k')).rejects.toThrow(AccountBusy);
    expect(await books()).toEqual(before);
    Object.assign(paper.script, { place: rests(), cancel: () => ({ kind: 'cancelled' }) });
    await trading.book(stuck, (posting) => {
      if (posting.order.state === 'unknown') posting.record({ type: 'accepted', venueOrderId: 'v', delayed: false });
      if (posting.order.state === 'delayed') posting.record({ type: 'cancelled', reason: 'ended' });
    });
    expect((await reset('k')).replayed).toBe(false);
    expect(await books()).toEqual(AS_NEW);
  });

  it.each([
    ['cash', { side: 'BUY' }],
    ['shares', { side: 'SELL', price: price('0.6'), size: usdc('6') }],
  ] as const)('is busy at the last moment, while an order keeps back %s', async (_, draft) => {
    const { trading, ledger, fill } = resetFixture(new ScriptedSimulator());
    await fill(await trading.place(), { shares: shares('20') });
    await trading.place(draft);
    const terms = { opening: usdc('1000'), entryId: 'an-entry', at: new Date(NOON) };
    const late = ledger.write({ account: ALICE, holdings: 'paper' }, (now) => ({
      result: null,
      ...resetMoney(now, now.balance(PAPER_CASH) ?? openBalance(ALICE, PAPER_CASH, terms.opening), terms),
    }));
    await expect(late).rejects.toThrow(AccountBusy);
  });

  it('is busy with an order whose rest costs less than a micro-unit', async () => {
    const paper = new ScriptedSimulator({ cancel: () => ({ kind: 'refused', reason: 'too late' }) });
    const { trading, fill, books, reset } = resetFixture(paper);
    await fill(await trading.place(), { shares: shares('19.999999') });
    expect((await books()).reserved).toBe(0n);
    await expect(reset()).rejects.toThrow(AccountBusy);
  });

  it('is not busy with an order filled just before its cancellation', async () => {
    const ledger = new Hurried();
    const { trading, fill, books, reset } = resetFixture(new ScriptedSimulator(), ledger);
    const order = await trading.place();
    ledger.afterList = async () => {
      if ((await trading.orders.one(ALICE, order.id)).state === 'open') await fill(order, {});
    };
    expect((await reset()).record.cancelledOrders).toBe(0);
    expect(await books()).toEqual(AS_NEW);
  });

  it('is not busy with an order that fills during its cancellation', async () => {
    const paper = new ScriptedSimulator();
    const { trading, books, reset } = resetFixture(paper);
    const order = await trading.place();
    paper.script.find = accepts([anExecution({ shares: order.intent.shares })], 'none');
    expect((await reset()).record.cancelledOrders).toBe(0);
    expect(await books()).toEqual(AS_NEW);
  });
});

describe('The same reset again', () => {
  it('with its key answers the same, and leaves alone what came since', async () => {
    const { trading, clock, reset, books, now } = await busyDay();
    const first = await reset('k');
    clock.tick(60_000);
    const since = await trading.place();
    const before = await books();
    expect(await reset('k')).toEqual({ record: first.record, replayed: true });
    expect([await books(), (await now(since)).state]).toEqual([before, 'open']);
    expect((await reset('l')).record).toEqual({ ...first.record, cancelledOrders: 1, at: clock.now() });
  });

  it('sent many times at once with one key is done once', async () => {
    const { reset, books, journal } = await busyDay();
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset('k')));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ record }) => JSON.stringify({ ...record, cash: '', reserved: '' }))).size).toBe(1);
    expect((await journal()).entries.filter(({ cause }) => cause === 'reset')).toHaveLength(1);
    expect(await books()).toEqual(AS_NEW);
  });

  it('by another operator with the same key is refused, and resets nothing', async () => {
    const { trading, reset, books } = await busyDay();
    await reset('k');
    await trading.place();
    const before = await books();
    await expect(reset('k', BOB)).rejects.toThrow(IdempotencyKeyReused);
    expect(await books()).toEqual(before);
  });
});

describe('An order that is placed while the account is reset', () => {
  const BOUGHT = { ...AS_NEW, cash: usdc('990'), shares: shares('40'), committed: usdc('10') };
  const RESTING = { ...AS_NEW, reserved: usdc('10'), committed: usdc('10') };
  const venues = [
    ['fills at once', BOUGHT, () => new PaperExchange()],
    ['fills when the venue answers', BOUGHT, () => new ScriptedSimulator({ place: accepts([anExecution()], 'none') })],
    ['rests', RESTING, () => new ScriptedSimulator()],
  ] as const;

  /** Lets the reset go ahead for so many turns before the order comes. */
  async function race(paper: Exchange, turns: number) {
    const { trading, reset, books } = resetFixture(paper);
    const strategy = await trading.strategy();
    await trading.place({ strategyId: strategy.id });
    const resetting = reset().then(
      () => true,
      (error: unknown) => (error instanceof AccountBusy ? false : Promise.reject(error)),
    );
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const placing = trading.place({ marketId: OTHER, strategyId: strategy.id });
    const [done] = await Promise.all([resetting, placing]);
    return { done, after: await books(), reset, books };
  }

  it.each(venues)('and %s is alone afterwards, or reset too, or blocks the reset', async (_, one, paper) => {
    const seen = new Set<string>();
    for (let step = 0; step < 20; step += 1) {
      const { done, after, reset, books } = await race(paper(), step * 3);
      if (done) expect([AS_NEW, one]).toContainEqual(after);
      else {
        await reset();
        expect(await books()).toEqual(AS_NEW);
      }
      seen.add(`${done} ${after.committed}`);
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});
