import { expect } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { PaperExchange } from '../../src/adapters/paper/paper-exchange.js';
import type { JournalAccount } from '../../src/core/account/account.js';
import { PAPER_CASH } from '../../src/core/account/account.js';
import type { AccountId, MarketId } from '../../src/core/ids.js';
import { type Payout, YES_WON } from '../../src/core/market/lifecycle.js';
import type { Order } from '../../src/core/order/order.js';
import type { Exchange } from '../../src/ports/exchange.js';
import { ALICE, anExecution, anOrderContext, clockAt, MARKET, NOON, price, shares, usdc, WHERE } from './builders.js';
import { ScriptedSimulator } from './scripted-exchange.js';
import { look, Trading } from './trading.js';

/** The operator of the reset; not the trader. */
export const OPERATOR = 'operator' as AccountId;
export const OTHER = 'another-market' as MarketId;
/** The result of `books` for an account that was just reset. */
export const AS_NEW = {
  cash: usdc('1000'),
  reserved: 0n,
  shares: 0n,
  fees: 0n,
  realised: 0n,
  settled: 0n,
  returned: 0n,
  committed: 0n,
  capital: -usdc('1000'),
};

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** A stage with everything that a reset meets; `books` checks each account against its journal. */
export function resetFixture(paper: Exchange = new PaperExchange(), ledger = new MemoryLedger()) {
  const clock = clockAt(NOON);
  const trading = new Trading(ledger, { paper, context: anOrderContext({ clock }) });
  const { markets, accounts } = trading.use;

  async function journal(account = ALICE) {
    const entries = await ledger.listEntries(account, true, { limit: 1000 });
    for (const { lines } of entries) expect(total(lines.map(({ amount }) => amount))).toBe(0n);
    const lines = entries.flatMap((entry) => entry.lines);
    const sum = (name: JournalAccount) => total(lines.filter((l) => l.ledger === name).map(({ amount }) => amount));
    return { sum, entries };
  }

  /** The account's balance, checked against its journal. */
  async function books(account = ALICE) {
    const { sum } = await journal(account);
    const { balance, positions, exposures } = await look(ledger, { account, holdings: 'paper' }, (now) => ({
      balance: now.balance(PAPER_CASH),
      positions: now.positions(true),
      exposures: now.exposures(true),
    }));
    const whole = positions.filter(({ strategyId }) => strategyId === null);
    const totals = { cash: sum('cash'), cost: sum('position'), fees: sum('fees'), realised: -sum('realised') };
    const cost = total(whole.map((position) => position.cost));
    const fees = total(whole.map((position) => position.fees));
    const realised = total(whole.map((position) => position.realised));
    expect(totals).toEqual({ cash: balance?.cash, cost, fees, realised });
    return {
      cash: balance?.cash,
      reserved: balance?.reserved,
      fees,
      realised,
      capital: sum('capital'),
      shares: total(positions.map((position) => position.shares)),
      settled: total(positions.map((position) => position.settled)),
      returned: total(positions.map((position) => position.returned)),
      committed: total(exposures.map(({ committed }) => committed)),
    };
  }

  return {
    trading,
    ledger,
    clock,
    journal,
    books,
    reset: (idempotencyKey: string | null = null, by = OPERATOR, account = ALICE) =>
      accounts.resetPaper.execute({ by, account, idempotencyKey }),
    settle: (payout: Payout, market = MARKET) => markets.settle.execute({ ...WHERE, marketId: market }, payout),
    now: (order: Order) => trading.orders.one(order.account, order.id),
    fill: (order: Order, execution: Parameters<typeof anExecution>[0]) =>
      trading.book(order, (posting) => posting.fill(anExecution(execution))),
  };
}

/** Bought with fees for a strategy and besides, sold some, won in another market; one order rests, one filled in part. */
export async function busyDay() {
  const staged = resetFixture(new ScriptedSimulator());
  const { trading, fill, settle } = staged;
  const strategy = await trading.strategy();
  const bought = await trading.place({ strategyId: strategy.id });
  await fill(bought, { shares: shares('20'), fee: usdc('0.25') });
  await fill(await trading.place(), { shares: shares('20'), fee: usdc('0.1') });
  const sale = { side: 'SELL', price: price('0.6'), size: usdc('6') } as const;
  await fill(await trading.place(sale), { shares: shares('10'), price: price('0.6'), fee: usdc('0.05') });
  await fill(await trading.place({ marketId: OTHER }), { shares: shares('20') });
  await settle(YES_WON, OTHER);
  const resting = await trading.place({ strategyId: strategy.id });
  const partly = await trading.place({ outcome: 'NO' });
  await fill(partly, { shares: shares('5') });
  const selling = await trading.place({ ...sale, price: price('0.9'), size: usdc('9') });
  return { ...staged, strategy, bought, resting, partly, selling };
}
