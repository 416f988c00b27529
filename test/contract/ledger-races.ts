import { beforeEach, describe, expect, it } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { PAPER_CASH } from '../../src/core/account/account.js';
import { IdempotencyInProgress, VersionMismatch } from '../../src/core/errors.js';
import { scopeOf } from '../../src/core/ledger/decision.js';
import { jobOf } from '../../src/core/ledger/job.js';
import type { Order } from '../../src/core/order/order.js';
import type { MarketData } from '../../src/ports/market-data.js';
import { anOpenMarket } from '../core/matching/view.js';
import { ALICE, anOrderContext, aStrategy, clockAt, History, NOON, shares, usdc } from '../support/builders.js';
import { ScriptedExchange } from '../support/scripted-exchange.js';
import { look, Trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

/** Races on one ledger or on several handles of the same store; racer `n` runs on handle `n` modulo their number. */
export function ledgerRaces(open: () => readonly OpenedLedger['ledger'][]): void {
  /** All stages share their clock, ids and venue, so that only the store can keep the racers apart. */
  function stagesOn(paper?: ScriptedExchange, markets?: MarketData): (n: number) => Trading {
    const context = anOrderContext({ clock: clockAt(NOON) });
    const parts = { context, ...(paper && { paper }), ...(markets && { markets }) };
    const stages = open().map((ledger) => new Trading(ledger, parts));
    return (n) => {
      const chosen = stages[n % stages.length];
      if (chosen === undefined) throw new Error('a race needs a ledger');
      return chosen;
    };
  }

  function race<T>(racers: number, run: (n: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> {
    return Promise.allSettled(Array.from({ length: racers }, (_, n) => run(n)));
  }

  function won<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  function lost(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  }

  /** Orders that went to the venue; of the others, why not. */
  function sorted(orders: readonly Order[]): { placed: Order[]; denials: Set<string | undefined> } {
    const denied = orders.filter(({ state }) => state === 'denied');
    return {
      placed: orders.filter(({ state }) => state !== 'denied'),
      denials: new Set(denied.map(({ refusal }) => refusal?.code)),
    };
  }

  describe('in a race', () => {
    // A pool with one connection runs any race one by one and proves nothing.
    beforeEach(async () => {
      const warm = await race(40, (n) => {
        const strategy = aStrategy();
        const ledgers = open();
        const ledger = ledgers[n % ledgers.length] ?? ledgers[0];
        return ledger?.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] })) ?? Promise.reject();
      });
      expect(won(warm)).toHaveLength(40);
    });

    it('of 20 for one slot under a cap, exactly one wins', async () => {
      const stages = stagesOn();
      const strategy = await stages(0).strategy({ bankrollCap: usdc('10'), stakeCap: usdc('10') });
      const draft = { size: usdc('6'), strategyId: strategy.id };
      const outcomes = await race(20, (n) => stages(n).place(draft));
      expect(lost(outcomes)).toEqual([]);
      const { placed, denials } = sorted(won(outcomes));
      expect(placed).toHaveLength(1);
      expect(denials).toEqual(new Set(['bankroll_cap_exceeded']));
      const scope = { account: ALICE, strategies: [strategy.id] };
      expect(await look(stages(1).ledger, scope, (now) => now.exposure(strategy.id, true)?.committed)).toBe(usdc('6'));
    });

    it('of 30 orders for the same money, only those it covers win', async () => {
      const stages = stagesOn(new ScriptedExchange());
      const outcomes = await race(30, (n) => stages(n).place({ size: usdc('99') }));
      const { placed, denials } = sorted(won(outcomes));
      expect(placed).toHaveLength(10);
      expect(denials).toEqual(new Set(['insufficient_balance']));
      const balance = await look(stages(0).ledger, { account: ALICE }, (now) => now.balance(PAPER_CASH));
      expect(balance).toMatchObject({ cash: usdc('1000'), reserved: usdc('990') });
    });

    it('of 20 sellers of the same shares, none sells what another sold', async () => {
      const stages = stagesOn();
      const bought = await stages(0).place({ size: usdc('10') });
      const outcomes = await race(20, (n) => stages(n).place({ side: 'SELL', size: usdc('3') }));
      const { placed, denials } = sorted(won(outcomes));
      expect(placed).toHaveLength(3);
      expect(denials).toEqual(new Set(['insufficient_position']));
      const { position, balance } = await stages(1).money(bought);
      expect(position).toMatchObject({ shares: shares('2'), reserved: 0n, cost: usdc('1') });
      expect(balance?.cash).toBe(usdc('999'));
    });

    it('of 20 buyers of both outcomes of a netted market, those of one win', async () => {
      const market = anOpenMarket({ netsOutcomes: true });
      const stages = stagesOn(new ScriptedExchange(), Object.assign(new NoMarketData(), { find: async () => market }));
      const outcomes = await race(20, (n) => stages(n).place({ outcome: n % 4 < 2 ? 'YES' : 'NO' }));
      const { placed, denials } = sorted(won(outcomes));
      expect(placed).toHaveLength(10);
      expect(new Set(placed.map(({ intent }) => intent.outcome)).size).toBe(1);
      expect(denials).toEqual(new Set(['other_outcome_held']));
    });

    it('of 200 equal requests with one key, there is one order', async () => {
      const stages = stagesOn();
      const outcomes = await race(200, (n) => stages(n).place({ size: usdc('1') }, { idempotencyKey: 'the-same' }));
      expect(new Set(won(outcomes).map(({ id }) => id)).size).toBe(1);
      expect(lost(outcomes).every((error) => error instanceof IdempotencyInProgress)).toBe(true);
      expect(await stages(1).ledger.listOrders(ALICE, {}, { limit: 300 })).toHaveLength(1);
    });

    it('of 200 requests with 50 keys, there are 50 orders', async () => {
      const stages = stagesOn();
      const size = usdc('1');
      const outcomes = await race(200, (n) => stages(n).place({ size }, { idempotencyKey: `key ${n % 50}` }));
      expect(lost(outcomes).every((error) => error instanceof IdempotencyInProgress)).toBe(true);
      const orders = await stages(0).ledger.listOrders(ALICE, {}, { limit: 300 });
      expect(orders).toHaveLength(50);
      expect(new Set(won(outcomes).map(({ id }) => id))).toEqual(new Set(orders.map(({ id }) => id)));
      const balance = await look(stages(0).ledger, { account: ALICE }, (now) => now.balance(PAPER_CASH));
      expect(balance).toMatchObject({ cash: usdc('950'), reserved: 0n });
    });

    it('of 30 changes to one version of a strategy, exactly one wins', async () => {
      const stages = stagesOn();
      const { id: strategyId } = await stages(0).strategy();
      const change = (n: number) =>
        stages(n).changeStrategy.execute({
          account: ALICE,
          strategyId,
          patch: { name: `changed by ${n}` },
          precondition: (version) => version === 1,
          route: 'strategies.change',
          idempotencyKey: null,
        });
      const outcomes = await race(30, change);
      expect(won(outcomes)).toHaveLength(1);
      expect(lost(outcomes).every((error) => error instanceof VersionMismatch && error.actual === 2)).toBe(true);
      const versions = await stages(1).ledger.listVersions(ALICE, strategyId, { limit: 10 });
      expect(versions.map(({ version }) => version)).toEqual([2, 1]);
      expect(versions[0]).toEqual(won(outcomes)[0]?.record);
    });

    it('of 20 attempts to send one order over the network, one succeeds', async () => {
      const paper = new ScriptedExchange();
      const stages = stagesOn(paper);
      const { order, events } = new History();
      const job = jobOf(ALICE, order.id);
      await stages(0).ledger.write(scopeOf(order), () => ({ result: null, orders: [order], events, jobs: [job] }));
      const outcomes = await race(20, (n) => stages(n).submitOrder.execute(order, job));
      expect(lost(outcomes)).toEqual([]);
      expect(paper.count('place')).toBe(1);
      expect((await stages(1).ledger.findOrder(ALICE, order.id))?.state).toBe('open');
    });

    it('of many events of one order, each is counted exactly once', async () => {
      const stages = stagesOn(new ScriptedExchange());
      const order = await stages(0).place({ size: usdc('10') });
      const trade = (n: number) => ({ tradeId: `t-${n % 20}`, shares: shares('1'), price: order.intent.price });
      const rest = { fee: usdc('0'), liquidity: 'MAKER', confirmed: true, model: null } as const;
      const outcomes = await race(60, (n) =>
        stages(n).book(order, (posting) => posting.fill({ ...trade(n), ...rest })),
      );
      expect(lost(outcomes)).toEqual([]);
      const filled = await stages(1).ledger.findOrder(ALICE, order.id);
      expect(filled).toMatchObject({ state: 'filled', filled: { shares: shares('20'), notional: usdc('10') } });
      expect(await stages(1).history(order)).toHaveLength(23);
      expect((await stages(0).money(order)).balance).toMatchObject({ cash: usdc('990'), reserved: 0n });
    });
  });
}
