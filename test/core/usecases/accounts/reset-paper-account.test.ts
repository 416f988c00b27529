import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../src/adapters/paper/paper-exchange.js';
import { openBalance } from '../../../../src/core/account/account.js';
import { PaperAccountNotFound } from '../../../../src/core/account/account-errors.js';
import { emptyPosition } from '../../../../src/core/account/position.js';
import { NO_WON, YES_WON } from '../../../../src/core/market/lifecycle.js';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import { ResetPaperAccount } from '../../../../src/core/usecases/accounts/reset-paper-account.js';
import { ALICE, BOB, LIVE_CASH, MARKET, NOON, shares, usdc } from '../../../support/builders.js';
import { AS_NEW, busyDay, OPERATOR, OTHER, resetFixture } from '../../../support/reset-fixture.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';

describe('A paper account that is reset', () => {
  it('has its opening cash, and no shares, fees, profit or exposure', async () => {
    const { books, reset } = await busyDay();
    const before = await books();
    expect(Object.values(before).some((amount) => amount === 0n)).toBe(false);
    const { record, replayed } = await reset();
    expect(await books()).toEqual(AS_NEW);
    const expected = { account: ALICE, cash: usdc('1000'), reserved: 0n, cancelledOrders: 3, at: new Date(NOON) };
    expect([record, replayed]).toEqual([expected, false]);
  });

  it('gets there by one entry that reverses its profit and fees', async () => {
    const { trading, fill, settle, reset, journal } = resetFixture(new ScriptedSimulator());
    await fill(await trading.place(), { shares: shares('20'), fee: usdc('0.1') });
    await fill(await trading.place({ marketId: OTHER }), { shares: shares('20') });
    await settle(NO_WON, OTHER);
    await reset();
    expect((await journal()).entries.at(-1)).toMatchObject({
      cause: 'reset',
      orderId: null,
      at: new Date(NOON),
      lines: [
        { ledger: 'cash', held: null, amount: usdc('20.1') },
        { ledger: 'position', held: { marketId: MARKET, outcome: 'YES' }, amount: -usdc('10') },
        { ledger: 'fees', held: null, amount: -usdc('0.1') },
        { ledger: 'realised', held: null, amount: -usdc('10') },
      ],
    });
  });

  it('has the current opening cash, with the difference booked to capital', async () => {
    const { trading, books, journal } = await busyDay();
    const context = { ...trading.context, openingCash: usdc('250') };
    const today = new ResetPaperAccount(trading.ledger, trading.cancelOrder, context);
    await today.execute({ by: OPERATOR, account: ALICE, idempotencyKey: null });
    expect(await books()).toEqual({ ...AS_NEW, cash: usdc('250'), capital: -usdc('250') });
    const { lines } = (await journal()).entries.at(-1) ?? {};
    expect(lines?.at(-1)).toEqual({ ledger: 'capital', held: null, amount: usdc('750') });
  });

  it('keeps its orders with events, its strategies and its equity history', async () => {
    const { trading, ledger, reset, bought, resting, partly, strategy, now } = await busyDay();
    const worth = {
      cash: usdc('1'),
      positions: usdc('2'),
      realised: usdc('3'),
      unrealised: usdc('4'),
      fees: usdc('5'),
      redeemable: usdc('0'),
    };
    const point = { account: ALICE, paper: true, strategyId: null, at: new Date(NOON), ...worth };
    await ledger.write({ account: ALICE }, () => ({ result: null, equity: [point] }));
    const [order, events] = [await now(bought), await trading.history(bought)];
    await reset();
    expect([await now(bought), await trading.history(bought)]).toEqual([order, events]);
    expect(await now(partly)).toMatchObject({ state: 'cancelled', filled: { shares: shares('5') } });
    const types = (await trading.history(resting)).map(({ change }) => change.type);
    expect(types.slice(-2)).toEqual(['cancel_requested', 'cancelled']);
    expect(await trading.strategies.one(ALICE, strategy.id)).toEqual(strategy);
    const filter = { paper: true, strategyId: null };
    expect(await ledger.listEquity(ALICE, filter, { limit: 10 })).toEqual([point]);
  });

  it('can spend all its opening cash again, and strategies their bankrolls', async () => {
    const { trading, reset, strategy } = await busyDay();
    await reset();
    const first = await trading.place({ size: usdc('50'), strategyId: strategy.id });
    const second = await trading.place({ size: usdc('50'), strategyId: strategy.id });
    const rest = await trading.place({ size: usdc('900') });
    expect([first, second, rest].map(({ state }) => state)).toEqual(['open', 'open', 'open']);
  });

  it('is out of debt left by an amended result', async () => {
    const { trading, settle, reset, books } = resetFixture();
    await trading.place({ size: usdc('1000') });
    await settle(YES_WON);
    await trading.place({ size: usdc('2000'), marketId: OTHER });
    await settle(NO_WON);
    expect((await books()).cash).toBe(-usdc('2000'));
    await reset();
    expect(await books()).toEqual(AS_NEW);
  });

  it('may be reset again, with the same result each time', async () => {
    const { reset, books, journal } = await busyDay();
    await reset();
    const { entries } = await journal();
    expect((await reset()).record.cancelledOrders).toBe(0);
    expect([await books(), (await journal()).entries]).toEqual([AS_NEW, entries]);
  });

  it('touches neither live money nor another account', async () => {
    const { trading, ledger, reset, books } = resetFixture();
    await trading.place();
    await trading.place({ account: BOB });
    const live = openBalance(ALICE, LIVE_CASH, usdc('7'));
    const whole = {
      account: ALICE,
      paper: false,
      venue: NO_VENUE,
      marketId: MARKET,
      outcome: 'YES',
      strategyId: null,
    } as const;
    const held = { ...emptyPosition(whole), shares: shares('3'), cost: usdc('1') };
    await ledger.write({ account: ALICE }, () => ({ result: null, balances: [live], positions: [held] }));
    const bob = await books(BOB);
    await reset();
    expect(await books(BOB)).toEqual(bob);
    expect(bob.shares).toBe(shares('20'));
    expect(await ledger.findBalance(ALICE, LIVE_CASH)).toEqual(live);
    expect(await ledger.listPositions(ALICE, { paper: false, strategyId: null }, { limit: 5 })).toEqual([held]);
  });
});

describe('A result that comes after a reset', () => {
  it('is recorded on the orders from before, and moves no cash', async () => {
    const { settle, reset, books, now, bought } = await busyDay();
    await reset();
    expect(await settle(YES_WON)).toBeGreaterThan(0);
    expect((await now(bought)).settlement?.returned).toBe(usdc('20'));
    expect(await books()).toEqual(AS_NEW);
  });

  it('moves no cash when amended, whenever the first one came', async () => {
    const { settle, reset, books, bought, now } = await busyDay();
    await reset();
    await settle(YES_WON);
    expect(await settle(NO_WON)).toBeGreaterThan(0);
    expect(await settle(NO_WON, OTHER)).toBe(1);
    expect((await now(bought)).settlement?.returned).toBe(0n);
    expect(await books()).toEqual(AS_NEW);
  });

  it('pays, and takes back, only for shares bought since the reset', async () => {
    const { trading, settle, reset, books } = resetFixture();
    await trading.place();
    await reset();
    await trading.place({ size: usdc('2') });
    await settle(YES_WON);
    expect(await books()).toMatchObject({ cash: usdc('1002'), realised: usdc('2') });
    await settle(NO_WON);
    expect(await books()).toMatchObject({ cash: usdc('998'), realised: -usdc('2') });
  });
});

describe('An account that has never traded on paper', () => {
  it('is not there to be reset', async () => {
    const { reset } = resetFixture();
    await expect(reset()).rejects.toThrow(PaperAccountNotFound);
  });

  it('is not created by a mistyped name: nothing is written', async () => {
    class Untouchable extends MemoryLedger {
      override write(): never {
        throw new Error('this ledger is only read');
      }
    }
    const { reset } = resetFixture(new PaperExchange(), new Untouchable());
    await expect(reset()).rejects.toThrow(PaperAccountNotFound);
  });

  it('is not created by an order that was denied', async () => {
    const { trading, reset } = resetFixture();
    expect((await trading.place({ size: usdc('1001') })).state).toBe('denied');
    await expect(reset()).rejects.toThrow('No paper account of that name has traded yet.');
  });
});
