import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { tradingFor } from '../../src/core/account/account.js';
import type { AccountId, MarketId } from '../../src/core/ids.js';
import type { Page } from '../../src/core/ledger/query.js';
import type { LimitsChange } from '../../src/core/limits/limits.js';
import { worstCase } from '../../src/core/limits/risk.js';
import type { Market } from '../../src/core/market/market.js';
import type { Order } from '../../src/core/order/order.js';
import { found } from '../support/audited.js';
import { ALICE, aMarket, anOrderContext, clockAt, type DraftChanges, NOON, price, usdc } from '../support/builders.js';
import { ScriptedSimulator } from '../support/scripted-exchange.js';
import { Trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

/** A game of three exclusive markets, each with its role. */
const GAME: readonly Market[] = (['home', 'draw', 'away'] as const).map((role) =>
  aMarket({
    id: role as string as MarketId,
    role,
    exclusiveSet: 'game',
    sport: 'soccer',
    league: 'epl',
    event: { id: 'game', slug: null, title: null },
  }),
);

const games = Object.assign(new NoMarketData(), {
  find: async (id: MarketId) => GAME.find((market) => market.id === id) ?? aMarket({ id }),
});

/** Limits hold in every committed state, whoever of the handles of one store decides. */
export function ledgerAccountLimits(open: () => readonly OpenedLedger['ledger'][]): void {
  /** Paper that fills at once, or that rests. */
  function stagesOn(paper?: ScriptedSimulator): (n: number) => Trading {
    const context = anOrderContext({ clock: clockAt(NOON) });
    const stages = open().map(
      (ledger) => new Trading(ledger, { context, markets: games, ...(paper === undefined ? {} : { paper }) }),
    );
    return (n) => stages[n % stages.length] as Trading;
  }
  const limit = (fixture: Trading, change: LimitsChange, account: AccountId = ALICE) =>
    fixture.use.limits.change.execute({ account, change, mayLoosen: true });
  const used = async (fixture: Trading) => (await fixture.use.limits.read.execute(ALICE, true)).used;
  const codes = (orders: readonly Order[]) => new Set(orders.map(({ refusal }) => refusal?.code ?? 'placed'));
  async function hundred(stages: (n: number) => Trading, draft: (n: number) => DraftChanges) {
    const orders = await Promise.all(Array.from({ length: 100 }, (_, n) => stages(n).place(draft(n))));
    return { orders, placed: orders.filter(({ state }) => state !== 'denied') };
  }

  /** Sells so many shares at once, each by an order of its own. */
  const sold = (stages: (n: number) => Trading, count: number) => {
    const sale = { side: 'SELL', price: price('0.1'), size: usdc('0.1') } as const;
    return Promise.all(Array.from({ length: count }, (_, n) => stages(n).place(sale)));
  };

  describe('under the limits of an account, of 100 orders at once', () => {
    const RESTING = () => new ScriptedSimulator();

    it('no more pass than the event loss limit allows, filled or resting', async () => {
      for (const paper of [undefined, RESTING()]) {
        const stages = stagesOn(paper);
        const account = ALICE;
        await limit(stages(0), { eventLossUsdc: usdc('25') });
        const { orders } = await hundred(stages, (n) => ({
          account,
          marketId: GAME[n % 3]?.id as MarketId,
          outcome: 'YES',
          size: usdc('4'),
        }));
        expect(codes(orders)).toEqual(new Set(['placed', 'event_loss_exceeded']));
        const { eventLossUsdc } = await used(stages(1));
        expect(eventLossUsdc).toBeLessThanOrEqual(usdc('25'));
        expect(eventLossUsdc).toBeGreaterThan(usdc('21'));
        expect(await found(stages(0).ledger)).toEqual([]);
        if (paper !== undefined) continue;
        // The second turn is of orders that rest: begin with nothing held.
        await stages(0).use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
      }
    });

    it('none exceeds the limits on open orders, daily stake or order rate', async () => {
      const stages = stagesOn(RESTING());
      await limit(stages(0), { openOrders: 7 });
      const first = await hundred(stages, () => ({ size: usdc('1') }));
      expect(first.placed).toHaveLength(7);
      expect(codes(first.orders)).toEqual(new Set(['placed', 'max_open_exceeded']));
      await limit(stages(1), { openOrders: null, dailyStakeUsdc: usdc('20') });
      const second = await hundred(stages, () => ({ size: usdc('2') }));
      expect(second.placed).toHaveLength(6);
      expect(codes(second.orders)).toEqual(new Set(['placed', 'daily_stake_exceeded']));
      await limit(stages(0), { dailyStakeUsdc: null, ordersPerMinute: 30 });
      const third = await hundred(stages, () => ({ size: usdc('1') }));
      expect(third.placed).toHaveLength(30);
      expect(codes(third.orders)).toEqual(new Set(['placed', 'order_rate_exceeded']));
      expect(await used(stages(0))).toMatchObject({ openOrders: 43, dailyStakeUsdc: usdc('49'), ordersPerMinute: 30 });
      expect(await found(stages(1).ledger)).toEqual([]);
    });

    it('none passes once the daily loss limit is reached, on any handle', async () => {
      const stages = stagesOn();
      await limit(stages(0), { dailyLossUsdc: usdc('8') });
      await limit(stages(1), { drawdownUsdc: usdc('1000') }, 'bob' as AccountId);
      await stages(1).place({ size: usdc('20') });
      // 40 shares that cost 20, sold one by one for a tenth of a dollar: 0.4 are lost with each.
      expect(codes(await sold(stages, 20))).toEqual(new Set(['placed']));
      const { orders } = await hundred(stages, () => ({ size: usdc('1') }));
      expect(codes(orders)).toEqual(new Set(['daily_loss_exceeded', 'trading_halted']));
      const lost = (await used(stages(1))).dailyLossUsdc as bigint;
      expect(lost).toBe(usdc('8'));
      for (const n of [0, 1]) expect((await stages(n).place()).refusal?.code).toBe('trading_halted');
      const measured = (page: Page<AccountId>) => stages(1).ledger.listAccounts({ lossLimited: true }, page);
      expect(await measured({ limit: 9 })).toEqual([ALICE, 'bob']);
      await limit(stages(1), { dailyLossUsdc: null });
      expect(await measured({ limit: 9 })).toEqual(['bob']);
      expect(await found(stages(0).ledger)).toEqual([]);
    });

    it.each([
      ['drawdownUsdc', 'drawdown_exceeded'],
      ['dailyLossUsdc', 'daily_loss_exceeded'],
    ] as const)('none passes beyond %s, and the account is halted once', async (name, code) => {
      const stages = stagesOn();
      await limit(stages(0), { [name]: usdc('6') });
      await stages(1).place({ size: usdc('20') });
      // 0.4 are lost with each sale, which no limit of losses refuses: the fifteenth reaches the limit.
      expect(codes(await sold(stages, 15))).toEqual(new Set(['placed']));
      expect((await used(stages(1)))[name]).toBe(usdc('6'));
      const { orders } = await hundred(stages, () => ({ size: usdc('1') }));
      expect(codes(orders)).toEqual(new Set([code, 'trading_halted']));
      const { states } = await stages(0).ledger.read({ account: ALICE }, (now) => tradingFor(now.account));
      expect(states.map((one) => [one.code, one.state])).toEqual([[code, 'halted']]);
      const halts = await stages(1).ledger.log.list(ALICE, { types: ['trading.state'] }, { limit: 100 });
      expect(halts).toHaveLength(1);
      expect(await found(stages(0).ledger)).toEqual([]);
    });

    it('those of one strategy stay within the event loss of its rules', async () => {
      for (const paper of [undefined, RESTING()]) {
        const stages = stagesOn(paper);
        const sizing = { method: 'flat', value: usdc('4') } as const;
        const rules = { match: {}, filter: {}, sizing, limits: { eventLoss: usdc('25'), maxBetsPerDay: 30 } };
        const { id: strategyId } = await stages(0).strategy({ rules, bankrollCap: usdc('500') });
        const first = await hundred(stages, (n) => ({
          strategyId,
          marketId: GAME[n % 3]?.id as MarketId,
          size: usdc('4'),
        }));
        expect(codes(first.orders)).toEqual(new Set(['placed', 'event_loss_exceeded']));
        const holder = { paper: true, strategyId };
        const risks = await stages(1).ledger.read({ account: ALICE, risks: [holder] }, (now) => now.risks(holder));
        expect(worstCase(risks).exposure).toBeLessThanOrEqual(usdc('25'));
        expect(worstCase(risks).exposure).toBeGreaterThan(usdc('21'));
        const left = 30 - first.placed.length;
        const second = await hundred(stages, (n) => ({ strategyId, marketId: `m${n}` as MarketId, size: usdc('1') }));
        expect([second.placed.length, codes(second.orders)]).toEqual([left, new Set(['placed', 'max_bets_exceeded'])]);
        expect(await found(stages(0).ledger)).toEqual([]);
      }
    });

    it('those that were placed before the first limit was set count', async () => {
      const stages = stagesOn(RESTING());
      await hundred(stages, () => ({ size: usdc('1') }));
      await limit(stages(1), { exposureUsdc: usdc('105') });
      const { placed } = await hundred(stages, () => ({ size: usdc('1'), price: price('0.4') }));
      expect(placed).toHaveLength(5);
      expect(await used(stages(0))).toMatchObject({ exposureUsdc: usdc('105'), openOrders: 105 });
      expect(await found(stages(1).ledger)).toEqual([]);
    });
  });
}
