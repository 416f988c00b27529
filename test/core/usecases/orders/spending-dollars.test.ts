import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { FeeSchedule } from '../../../../src/core/market/fee.js';
import { NO_VENUE, unlistedMarket } from '../../../../src/core/market/market.js';
import type { Usdc } from '../../../../src/core/money.js';
import type { Execution } from '../../../../src/core/order/order.js';
import { AuditBooks } from '../../../../src/core/usecases/accounts/audit-books.js';
import { ManageAccounts } from '../../../../src/core/usecases/accounts/manage-accounts.js';
import {
  ALICE,
  anExecution,
  anOrderContext,
  clockAt,
  type DraftChanges,
  LIVE_CASH,
  MARKET,
  NOON,
  price,
  shares,
  usdc,
} from '../../../support/builders.js';
import { SigningExchange, takes } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

const FIVE_PERCENT: FeeSchedule = { rate: 50_000n, exponent: 1, takerOnly: true, asOf: new Date(NOON) };

/** A live account with so much money; its purchases that fill at once spend their dollars whole. */
async function fixture(money: string, fee: FeeSchedule | null = null) {
  const clock = clockAt(NOON);
  const ledger = new MemoryLedger(clock);
  const live = new SigningExchange();
  const context = anOrderContext({ clock });
  const terms = { tick: price('0.01'), minShares: shares('0'), minNotional: usdc('0'), negRisk: false, fee } as const;
  const open = { acceptingOrders: true, delaySeconds: 0, clearsBookAtStart: false } as const;
  const market = { ...unlistedMarket(MARKET), terms: fee === null ? null : { ...terms, ...open } };
  const markets = Object.assign(new NoMarketData(), { find: async () => market });
  const trading = new Trading(ledger, { live, context, markets });
  const operator = new ManageAccounts(ledger, context);
  await operator.allowLive(ALICE, true);
  await operator.deposit(ALICE, NO_VENUE, usdc(money));
  const buy = (draft: DraftChanges = {}) => {
    live.spends = draft.size ?? usdc('10');
    const order = { paper: false, price: price('0.52'), size: usdc('10'), timeInForce: 'FAK', ...draft } as const;
    return trading.place(order, { mayTradeLive: true });
  };
  const fills = (executions: readonly Partial<Execution>[]) => {
    live.script.place = takes(executions.map(anExecution), 'none');
  };
  const balance = () => ledger.findBalance(ALICE, LIVE_CASH);
  const findings = async () => {
    const all = [];
    for await (const audit of new AuditBooks(ledger, context).execute()) all.push(...audit.findings);
    return all;
  };
  return { ledger, live, trading, buy, fills, balance, findings };
}

describe('A purchase that spends its dollars', () => {
  it('reserves all of them, also those beyond its whole lots', async () => {
    const it = await fixture('10');
    it.live.script.place = () => ({ kind: 'unknown', reason: 'silence' });
    expect(await it.buy()).toMatchObject({ state: 'unknown', intent: { shares: shares('19.23') } });
    expect(await it.balance()).toMatchObject({ cash: usdc('10'), reserved: usdc('10') });
  });

  it('is denied where only the price of its shares is there', async () => {
    const it = await fixture('9.9999');
    expect(await it.buy()).toMatchObject({ state: 'denied', refusal: { code: 'insufficient_balance' } });
    expect(it.live.calls).toEqual([]);
  });

  it('buys more shares than ordered when the price was better', async () => {
    const it = await fixture('10');
    it.fills([{ price: price('0.4'), shares: shares('25') }]);
    expect(await it.buy()).toMatchObject({ state: 'filled', filled: { shares: shares('25'), notional: usdc('10') } });
    expect(await it.balance()).toMatchObject({ cash: 0n, reserved: 0n });
    expect(await it.findings()).toEqual([]);
  });

  it('gets the rest back when the venue filled the shares as signed', async () => {
    const it = await fixture('10');
    it.fills([{ price: price('0.4'), shares: shares('19.2307') }]);
    expect(await it.buy()).toMatchObject({ state: 'filled', filled: { notional: usdc('7.69228') } });
    expect(await it.balance()).toMatchObject({ cash: usdc('2.30772'), reserved: 0n });
    expect(await it.findings()).toEqual([]);
  });

  it('spends them over several trades, some beyond its ordered shares', async () => {
    const it = await fixture('10');
    it.fills([
      { price: price('0.1'), shares: shares('50') },
      { price: price('0.5'), shares: shares('10') },
    ]);
    expect(await it.buy()).toMatchObject({ state: 'filled', filled: { shares: shares('60'), notional: usdc('10') } });
    expect(await it.balance()).toMatchObject({ cash: 0n, reserved: 0n });
  });

  it('never spends more than its dollars because the venue rounded the shares', async () => {
    const it = await fixture('5');
    it.fills([{ price: price('0.99'), shares: shares('5.051') }]);
    const order = await it.buy({ price: price('0.99'), size: usdc('5') });
    expect(order.filled).toMatchObject({ shares: shares('5.051'), notional: usdc('5') });
    expect(await it.balance()).toMatchObject({ cash: 0n });
  });

  it('is left unknown when a fill exceeds its dollars beyond rounding', async () => {
    const it = await fixture('10');
    it.fills([{ price: price('0.5'), shares: shares('20.1') }]);
    expect(await it.buy()).toMatchObject({ state: 'unknown', filled: { shares: 0n } });
    expect(await it.balance()).toMatchObject({ cash: usdc('10'), reserved: usdc('10') });
  });

  it('reserves the fee for the most shares its dollars may buy', async () => {
    const broke = await fixture('10.49', FIVE_PERCENT);
    expect(await broke.buy()).toMatchObject({ state: 'denied', refusal: { code: 'insufficient_balance' } });
    const it = await fixture('10.51', FIVE_PERCENT);
    const fee = usdc('0.495');
    it.fills([{ price: price('0.01'), shares: shares('1000'), fee }]);
    expect(await it.buy()).toMatchObject({ state: 'filled', filled: { notional: usdc('10'), fees: fee } });
    expect((await it.balance())?.cash).toBe((usdc('0.51') - fee) as Usdc);
    expect(await it.findings()).toEqual([]);
  });
});
