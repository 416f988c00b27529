import { describe, expect, it } from 'vitest';
import { PAPER_CASH } from '../../src/core/account/account.js';
import type { Position } from '../../src/core/account/position.js';
import type { Counted, DaySpent, LossMarks } from '../../src/core/limits/counted.js';
import type { WorkingRisk } from '../../src/core/limits/risk.js';
import { minus, type Price, plus, type Usdc } from '../../src/core/money.js';
import type { RulesDraft } from '../../src/core/strategy/rules/rules.js';
import type { DayOrders, StrategyCounted } from '../../src/core/strategy/strategy.js';
import { audited, found } from '../support/audited.js';
import { ALICE, anExecution, anOrderContext, clockAt, MARKET, NOON, price, shares, usdc } from '../support/builders.js';
import { QuotedMarkets } from '../support/quoted-markets.js';
import { ScriptedSimulator } from '../support/scripted-exchange.js';
import { seenAs } from '../support/seen-as.js';
import { Trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

const DAY = 24 * 3600 * 1000;
const MICRO = 1n as Usdc;

/** What limits stand on is proved by what is on record elsewhere: whatever of it is changed by hand, is found once. */
export function ledgerAudit(open: () => OpenedLedger['ledger']): void {
  /** A strategy that bet twice on one day, and on the next three times; a purchase and a sale of it rest. */
  async function twoDays() {
    const ledger = open();
    const [clock, markets] = [clockAt(NOON), new QuotedMarkets()];
    const trader = new Trading(ledger, {
      markets,
      paper: new ScriptedSimulator(),
      context: anOrderContext({ clock }),
    });
    const limits = { eventLoss: null, dailyLoss: usdc('100'), maxBetsPerDay: 10 };
    const rules: RulesDraft = {
      match: {},
      filter: {},
      sizing: { method: 'flat', value: usdc('10') },
      outcome: { index: 0 },
      limits,
    };
    const { id: strategyId } = await trader.strategy({ rules, bankrollCap: usdc('500'), stakeCap: usdc('100') });
    const change = { dailyLossUsdc: usdc('200'), drawdownUsdc: usdc('100') };
    await trader.use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
    const bet = () => trader.place({ strategyId, price: price('0.5'), size: usdc('5') });
    const filled = async () => {
      const order = await bet();
      const execution = anExecution({ shares: order.intent.shares, price: price('0.5'), fee: usdc('0.01') });
      return trader.book(order, (posting) => posting.fill(execution));
    };
    for (let n = 0; n < 2; n += 1) await filled();
    clock.tick(DAY);
    markets.bids.set(MARKET, '0.4x1000');
    for (let n = 0; n < 2; n += 1) await filled();
    await bet();
    await trader.place({ side: 'SELL', strategyId, price: price('0.6'), size: usdc('3') });
    const scope = { account: ALICE, strategies: [strategyId], holdings: 'paper' } as const;
    return {
      ledger,
      trader,
      clock,
      strategyId,
      bet,
      filled,
      counted: () => ledger.read(scope, (now) => now.exposure(strategyId, true)?.counted),
      /** Changes by hand what is counted of the strategy. */
      count: (changed: (counted: StrategyCounted) => StrategyCounted) =>
        ledger.write(scope, (now) => {
          const exposure = now.exposure(strategyId, true);
          if (exposure?.counted === undefined) throw new Error('Nothing is counted.');
          return { result: null, exposures: [{ ...exposure, counted: changed(exposure.counted) }] };
        }),
      /** Changes by hand the part of the strategy. */
      part: (changed: (part: Position) => Position) =>
        ledger.write(scope, (now) => {
          const parts = now.positions(true).filter((one) => one.strategyId === strategyId);
          return { result: null, positions: parts.map(changed) };
        }),
    };
  }

  const onDay = (n: number, change: (day: DayOrders) => DayOrders) => (counted: StrategyCounted) => ({
    ...counted,
    days: counted.days.map((one, i) => (i === n ? change(one) : one)),
  });
  const fewer = (one: DayOrders): DayOrders => ({ ...one, bets: one.bets - 1 });
  const more = (one: DayOrders): DayOrders => ({ ...one, bets: one.bets + 1 });

  describe('the audit proves what a strategy counts', () => {
    it('and finds nothing where nothing was changed', async () => {
      const { ledger, counted } = await twoDays();
      expect(await found(ledger)).toEqual([]);
      expect(await counted()).toMatchObject({
        days: [
          { day: '2026-03-01', bets: 2, start: 0n },
          { day: '2026-03-02', bets: 3, start: -2_020_000n },
        ],
        numbered: 5,
      });
    });

    it.each<readonly [string, (counted: StrategyCounted) => StrategyCounted, string, string]>([
      ['fewer bets today', onDay(1, fewer), 'bets', 'on 2026-03-02: on record 2, by its orders 3.'],
      ['more bets today', onDay(1, more), 'bets', 'on 2026-03-02: on record 4, by its orders 3.'],
      ['fewer bets on a day before', onDay(0, fewer), 'bets', 'on 2026-03-01: on record 1, by its orders 2.'],
      [
        'a day that is gone',
        (all) => ({ ...all, days: all.days.slice(0, 1) }),
        'bets',
        'on record none, by its orders 3.',
      ],
      [
        'another start of the day',
        onDay(1, (one) => ({ ...one, start: minus(one.start ?? MICRO, MICRO) })),
        'losses',
        'on record -2.020001, by its orders -2.02, 0.000001 too little.',
      ],
      [
        'no start of the day',
        onDay(1, (one) => ({ ...one, start: null })),
        'losses',
        'measures its losses of 2026-03-02: on record none, by its orders -2.02.',
      ],
      ['a number that was used', (all) => ({ ...all, numbered: 4 }), 'bets', 'on record 4, by its orders 5.'],
    ])('%s', async (_, changed, check, words) => {
      const { ledger, count, strategyId } = await twoDays();
      await count(changed);
      const findings = (await audited(ledger)).flatMap((one) => one.findings);
      expect(findings).toEqual([
        expect.objectContaining({ check, about: strategyId, message: expect.stringContaining(words) }),
      ]);
    });

    it('whatever its clock said, and after the account began anew', async () => {
      const { ledger, trader, clock, bet, counted } = await twoDays();
      for (const days of [-1, 30, 30, 30, -89, 0, -1, 40]) {
        clock.tick(days * DAY);
        await bet();
        expect(await found(ledger)).toEqual([]);
      }
      for (const { id: orderId } of await ledger.listOrders(ALICE, { status: 'open' }, { limit: 100 }))
        await trader.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
      await trader.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
      expect(await found(ledger)).toEqual([]);
      await bet();
      expect(await counted()).toMatchObject({ days: [{ bets: 1 }], numbered: 1 });
      expect(await found(ledger)).toEqual([]);
    });
  });

  describe('the audit proves what an account counts', () => {
    const first = (change: (day: DaySpent) => Partial<DaySpent>) => (counted: Counted) => ({
      ...counted,
      days: counted.days.map((one, n) => (n === 0 ? { ...one, ...change(one) } : one)),
    });
    const yesterday = 'The purchases of 2026-03-01 are';

    it.each<readonly [string, (counted: Counted) => Counted, readonly string[]]>([
      ['nothing was changed', (all) => all, []],
      ['a day of spending that is gone', (all) => ({ ...all, days: all.days.slice(1) }), [`${yesterday} not kept`]],
      [
        'all days that are gone',
        (all) => ({ ...all, days: [] }),
        [`${yesterday} not kept`, 'The purchases of 2026-03-02'],
      ],
      ['less that was spent', first(({ spent }) => ({ spent: minus(spent, MICRO) })), ['0.000001 too little']],
      [
        'a later first',
        first(({ spent }) => ({ first: 'ffffffff', spent: minus(spent, spent) })),
        [`${yesterday} counted from ffffffff on`],
      ],
      ['more that is reserved', first(() => ({ reserved: MICRO })), ['working purchases of 2026-03-01 may spend']],
    ])('%s', async (_, changed, words) => {
      const { ledger } = await twoDays();
      await ledger.write({ account: ALICE }, (now) => {
        const balance = now.balance(PAPER_CASH);
        if (balance?.counted === undefined) throw new Error('Nothing is counted.');
        return { result: null, balances: [{ ...balance, counted: changed(balance.counted) }] };
      });
      const findings = (await audited(ledger)).flatMap((one) => one.findings);
      expect(findings).toEqual(
        words.map((message) => expect.objectContaining({ check: 'spent', message: expect.stringContaining(message) })),
      );
    });
  });

  describe('the audit proves what a part of a strategy may lose', () => {
    const working = (change: (risk: WorkingRisk) => Partial<WorkingRisk>) => (part: Position) =>
      part.risk === undefined
        ? part
        : { ...part, risk: { ...part.risk, working: { ...part.risk.working, ...change(part.risk.working) } } };

    it.each<readonly [string, (part: Position) => Position]>([
      ['if it loses', working(({ lost }) => ({ lost: minus(lost, MICRO) }))],
      ['if it is split', working(({ split }) => ({ split: plus(split, MICRO) }))],
      ['if it wins', working(({ won }) => ({ won: plus(won, MICRO) }))],
      ['what sales take out', working(({ selling }) => ({ selling: minus(selling, shares('1')) }))],
      ['how many orders there are', working(({ orders }) => ({ orders: orders - 1 }))],
      ['their prices', working(() => ({ asks: [[500_001n as Price, 1]] }))],
      ['all of it', ({ risk: _, ...part }) => part],
    ])('%s', async (_, changed) => {
      const { ledger, part, strategyId } = await twoDays();
      await part(changed);
      const findings = (await audited(ledger)).flatMap((one) => one.findings);
      expect(findings).toEqual([
        expect.objectContaining({
          check: 'risk',
          about: `${MARKET} YES`,
          message: expect.stringContaining(`of strategy ${strategyId}`),
        }),
      ]);
    });
  });

  describe('the audit proves what losses of an account are measured from', () => {
    it.each<readonly [string, (marks: LossMarks) => LossMarks]>([
      ['the start of today', (marks) => startsBy(marks, 1)],
      ['the start of a day before', (marks) => startsBy(marks, 0)],
      ['a lower peak', (marks) => ({ ...marks, peak: -MICRO as Usdc })],
      ['a higher peak', (marks) => ({ ...marks, peak: usdc('10') })],
    ])('%s', async (_, changed) => {
      const { ledger } = await twoDays();
      const wrong = seenAs(ledger, {
        read: (scope, look) =>
          ledger.read(scope, (now) => {
            const { paper } = now.account.losses ?? {};
            const losses = paper && { paper: changed(paper) };
            return look({ ...now, account: { ...now.account, ...(losses && { losses }) } });
          }),
      });
      expect(await found(wrong)).toEqual(['losses account']);
    });

    const startsBy = (marks: LossMarks, n: number): LossMarks => ({
      ...marks,
      days: marks.days.map((one, i) => (i === n ? { ...one, start: plus(one.start, MICRO) } : one)),
    });
  });
}
