import { describe, expect, it } from 'vitest';
import { NO_WON, SPLIT, YES_WON } from '../../../../src/core/market/lifecycle.js';
import { ResetPaperAccount } from '../../../../src/core/usecases/accounts/reset-paper-account.js';
import { audited, found, view } from '../../../support/audited.js';
import { ALICE, anExecution, BOB, price, shares, usdc, WHERE } from '../../../support/builders.js';
import { restingFixture } from '../../../support/resting-fixture.js';
import { seenAs } from '../../../support/seen-as.js';

describe('the books of every account', () => {
  it('hold while orders work, are filled, voided, cancelled and denied', async () => {
    const { trader, ledger, fill, undo, buying } = await view();
    await fill(buying, { tradeId: 'gone', shares: shares('2'), price: price('0.25') });
    await undo(buying, 'gone', true);
    await trader.cancelOrder.execute({ account: ALICE, orderId: buying.id, idempotencyKey: null });
    await trader.place({ account: BOB, size: usdc('5000') });
    expect(await audited(ledger)).toEqual([
      { account: ALICE, paper: true, findings: [], busy: false, orders: 3, events: 16, entries: 6 },
      { account: BOB, paper: true, findings: [], busy: false, orders: 1, events: 2, entries: 0 },
    ]);
  });

  it('hold after results, and after the account sold shares of its strategy', async () => {
    const { ledger, settle, done } = await view();
    await done({ side: 'SELL', price: price('0.5'), size: usdc('3') });
    for (const payout of [YES_WON, NO_WON, SPLIT]) {
      await settle.execute(WHERE, payout);
      expect(await found(ledger)).toEqual([]);
    }
  });

  it('hold after a paper reset, and after results that follow it', async () => {
    const { trader, ledger, settle, selling } = await view();
    const reset = new ResetPaperAccount(ledger, trader.cancelOrder, trader.context);
    await trader.cancelOrder.execute({ account: ALICE, orderId: selling.id, idempotencyKey: null });
    await settle.execute(WHERE, YES_WON);
    await reset.execute({ by: BOB, account: ALICE, idempotencyKey: null });
    expect(await audited(ledger)).toMatchObject([{ findings: [], busy: false }]);
    await trader.place({ size: usdc('3') });
    for (const payout of [NO_WON, SPLIT]) {
      await settle.execute(WHERE, payout);
      expect(await found(ledger)).toEqual([]);
    }
  });

  it('hold over histories that are longer than one page', async () => {
    const { trader, done } = restingFixture();
    for (let n = 0; n < 101; n += 1) await done({ size: usdc('1') });
    const resting = await trader.place({ size: usdc('500') });
    for (let n = 0; n < 101; n += 1)
      await trader.book(resting, (posting) => {
        posting.record({ type: 'cancel_requested' });
        posting.record({ type: 'cancel_refused', reason: 'no' });
      });
    expect(await audited(trader.ledger)).toMatchObject([{ findings: [], orders: 102, events: 609, entries: 102 }]);
  });
});

describe('while others write', () => {
  it('what only looks wrong because it moved is examined again', async () => {
    const { ledger, trader } = await view();
    let trades = 3;
    const moving = seenAs(ledger, {
      findBalance: async (...of) => {
        const balance = await ledger.findBalance(...of);
        if (trades-- > 0) await trader.place({ size: usdc('1') });
        return balance;
      },
    });
    expect(await audited(moving)).toMatchObject([{ findings: [], busy: false }]);
    expect(trades).toBeLessThan(0);
  });

  it('an account that moves during every attempt is reported as busy', async () => {
    const { ledger, done } = await view();
    const moving = seenAs(ledger, {
      findBalance: async (...of) => {
        const balance = await ledger.findBalance(...of);
        await done({ size: usdc('0.01'), price: price('0.5'), outcome: 'NO' });
        return balance;
      },
    });
    expect(await audited(moving)).toMatchObject([{ findings: [], busy: true }]);
  });

  it('a late entry with an earlier id is not a finding', async () => {
    const { ledger } = await view();
    const [, late] = await ledger.listEntries(ALICE, true, { limit: 2 });
    let first = true;
    const behind = seenAs(ledger, {
      listEntries: async (...of) => {
        const all = await ledger.listEntries(...of);
        const shown = first ? all.filter(({ id }) => id !== late?.id) : all;
        first = false;
        return shown;
      },
    });
    expect(await audited(behind)).toMatchObject([{ findings: [], busy: false }]);
  });

  it('a reset whose entry id runs ahead is not a finding', async () => {
    const { ledger, trader, settle, selling } = await view();
    await trader.use.limits.change.execute({
      account: ALICE,
      change: { dailyStakeUsdc: usdc('900') },
      mayLoosen: true,
    });
    const reset = new ResetPaperAccount(ledger, trader.cancelOrder, trader.context);
    await trader.cancelOrder.execute({ account: ALICE, orderId: selling.id, idempotencyKey: null });
    await settle.execute(WHERE, YES_WON);
    await reset.execute({ by: BOB, account: ALICE, idempotencyKey: null });
    const order = await trader.place({ size: usdc('3') });
    await trader.book(order, (posting) => posting.fill(anExecution({ shares: shares('2'), price: price('0.5') })));
    const ahead = seenAs(ledger, {
      listEntries: async (account, paper, { limit, after = '' }) => {
        const all = await ledger.listEntries(account, paper, { limit: 1000 });
        const last = all.at(-1)?.id ?? '';
        const moved = all.map((entry) => (entry.cause === 'reset' ? { ...entry, id: `${last}0` } : entry));
        return moved
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .filter(({ id }) => id > after)
          .slice(0, limit);
      },
    });
    expect(await found(ledger)).toEqual([]);
    expect(await found(ahead)).toEqual([]);
  });

  it('a late bet with an earlier id is not a finding', async () => {
    const { ledger, trader, strategy } = await view();
    const late = await trader.place({ strategyId: strategy.id, size: usdc('1') });
    await trader.place({ strategyId: strategy.id, size: usdc('1') });
    let seen = 0;
    const behind = seenAs(ledger, {
      listOrders: async (account, filter, page) => {
        const all = await ledger.listOrders(account, filter, page);
        // Its histories, and the first look.
        if (filter.status === undefined) seen += 1;
        return seen > 2 || filter.status !== undefined ? all : all.filter(({ id }) => id !== late.id);
      },
    });
    expect(await found(behind)).toEqual([]);
    expect(seen).toBeGreaterThan(2);
  });

  it('an order that moves meanwhile is compared with events of its row', async () => {
    const { ledger, fill, buying } = await view();
    let moved = false;
    const moving = seenAs(ledger, {
      listEvents: async (...of) => {
        if (!moved) await fill(buying, { shares: shares('1'), price: price('0.3') });
        moved = true;
        return ledger.listEvents(...of);
      },
    });
    expect(await audited(moving)).toMatchObject([{ findings: [], busy: false }]);
  });
});
