import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RandomKeyMaker } from '../../src/adapters/auth/index.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { type Order, statusOf } from '../../src/core/order/order.js';
import type { RulesDraft } from '../../src/core/strategy/rules/rules.js';
import { keyUseCases, liveUseCases } from '../../src/core/usecases/compose.js';
import { afterBetsUseCase, runnerUseCase } from '../../src/core/usecases/compose-strategies.js';
import { aFixture, listed, YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { ALICE, aDraft, anOrderContext, price, shares, usdc } from '../support/builders.js';
import * as faults from '../support/fake-venue/faults.js';
import { contradictions, funded } from '../support/live-trader.js';
import { ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { SharedMarket } from '../support/shared-market.js';
import { Trading } from '../support/trading.js';

const SOON = new Date('2027-12-31T12:00:00.000Z');
const PAGE = { limit: 100 };

/** A strategy that has bet 10 dollars of real money on the first outcome at 0.50, at a fake venue, and leaves by these rules. */
async function liveExits(exit: NonNullable<RulesDraft['exit']>) {
  const fixture = await aFixture();
  const { venue } = fixture;
  venue.habits.settlesAtOnce = ['MINED', 'CONFIRMED'];
  const timeline = new ManualTimeline(new Date(fixture.time.now).toISOString());
  const ledger = new MemoryLedger(timeline);
  const game = new ScriptedMarket(listed({ sport: 'nba', status: 'open', startsAt: SOON }), timeline, '', '0.56x1000');
  const markets = new SharedMarket(Object.assign(game, { venue: POLYMARKET }));
  const context = anOrderContext({ clock: timeline, stopwatch: () => fixture.time.now });
  const trading = new Trading(ledger, { live: fixture.exchange, markets, context });
  const live = { exchange: fixture.exchange, jobs: ledger, externals: ledger };
  const { lookAfter } = liveUseCases(trading.ports, live);
  await funded(trading.use.accounts.manage);
  const keys = keyUseCases(trading.ports, { keys: ledger, keyMaker: new RandomKeyMaker('pepper') });
  const { key } = await keys.create({
    by: ALICE,
    account: ALICE,
    lifetimeMs: null,
    idempotencyKey: null,
    scopes: ['strategies:write', 'orders:live'],
  });
  const sizing = { method: 'flat', value: usdc('10') } as const;
  const rules: RulesDraft = {
    match: {},
    filter: { minOdds: 2_000_000n, maxSpread: null },
    outcome: { index: 0 },
    sizing,
    exit,
    limits: { eventLoss: null },
  };
  const money = { automation: 'auto', automationPaper: false, paperOnly: false } as const;
  const draft = aDraft({ sport: 'nba', rules, ...money });
  const command = { account: ALICE, draft, by: { keyId: key.id }, idempotencyKey: null };
  const { record: strategy } = await trading.use.strategies.create.execute(command);
  const faults: unknown[] = [];
  const onFault = (_: string, error: unknown) => void faults.push(error);
  const { skips, decisions } = trading.use.strategies;
  const after = afterBetsUseCase({ ...trading.ports, timeline }, skips, onFault);
  const runner = runnerUseCase({ ...trading.ports, timeline }, skips, onFault, after);
  const refresh = async () => {
    await after.refresh();
    await runner.refreshStrategies();
    await runner.refreshMarkets();
  };
  const pass = async (ms: number) => {
    fixture.time.now += ms;
    await timeline.pass(ms);
  };
  await refresh();
  venue.offer(YES, 'SELL', '0.5', '20');
  await game.show('0.48x1000', '0.50x20');
  const bets = venue.log.requests.length;
  const now = async (order: Order | undefined) => (await ledger.findOrder(ALICE, order?.id as Order['id'])) as Order;
  return {
    venue,
    token: YES,
    faults,
    refresh,
    pass,
    now,
    show: (bids: string, asks: string) => game.show(bids, asks),
    /** Oldest first. */
    sales: async () =>
      (await ledger.listOrders(ALICE, {}, PAGE)).toReversed().filter(({ intent }) => intent.side === 'SELL'),
    /** Every order that was sent after the bet. */
    sent: () =>
      venue.log.requests
        .slice(bets)
        .filter(({ method, path }) => method === 'POST' && path === '/order')
        .map(({ body }) => {
          const { order, orderType: type } = JSON.parse(body);
          return { side: order.side, type };
        }),
    /** What the strategy holds. */
    held: async () =>
      (await ledger.listPositions(ALICE, { paper: false, strategyId: strategy.id }, PAGE))[0]?.shares ?? 0n,
    balance: () => ledger.findBalance(ALICE, { paper: false, venue: POLYMARKET }),
    skips: async (code: string) => (await decisions.many(ALICE, strategy.id, { code }, PAGE)).items,
    revoke: () => keys.revoke(key.id),
    /** Time passes, and the worker does its due work; this many times. */
    async lookAfter(times: number): Promise<void> {
      for (let look = 0; look < times; look++) {
        await pass(5000);
        await lookAfter.execute();
      }
    },
    wrong: () => contradictions(fixture, ledger),
    async close(): Promise<void> {
      after.stop();
      runner.stop();
      await fixture.close();
    },
  };
}

/** What `liveExits` makes. */
type LiveExits = Awaited<ReturnType<typeof liveExits>>;

let live: LiveExits;
beforeEach(async () => {
  live = await liveExits({ takeProfit: { price: price('0.60') } });
});
afterEach(async () => {
  expect([live.faults, await live.wrong()]).toEqual([[], []]);
  await live.close();
});

/** The bids that a sale is for, at the venue and in the market data. */
async function bids(size: string, at = '0.60'): Promise<void> {
  live.venue.offer(live.token, 'BUY', at, size);
  await live.show(`${at}x${size}`, '0.62x1000');
}

describe('A strategy that leaves a bet of real money', () => {
  it('sells with FAK, and gets what the venue paid', async () => {
    expect([await live.held(), (await live.balance())?.cash]).toEqual([shares('20'), usdc('90')]);
    await bids('1000');
    const [sale, ...others] = await live.sales();
    expect(others).toEqual([]);
    expect(sale?.intent).toMatchObject({ paper: false, side: 'SELL', timeInForce: 'FAK', shares: shares('20') });
    expect(live.sent()).toEqual([expect.objectContaining({ side: 'SELL', type: 'FAK' })]);
    expect([await live.held(), (await live.balance())?.cash]).toEqual([0n, usdc('102')]);
  });

  it('sells the rest of what was filled in part, as bids come', async () => {
    await bids('8');
    expect([await live.held(), live.sent().length]).toEqual([shares('12'), 1]);
    await bids('1000');
    expect((await live.sales()).map(({ filled }) => filled.shares)).toEqual([shares('8'), shares('12')]);
    expect([await live.held(), (await live.balance())?.cash]).toEqual([0n, usdc('102')]);
  });

  it('whose sale the venue took without a word sells nothing twice', async () => {
    live.venue.script('POST /order', faults.hangsUp());
    await bids('1000');
    expect((await live.sales()).map(statusOf)).toEqual(['unknown']);
    for (const at of ['0.61', '0.60', '0.61']) await live.show(`${at}x1000`, '0.63x1000');
    await live.pass(90_000);
    expect(live.sent()).toHaveLength(1);
    await live.lookAfter(3);
    expect((await live.sales()).map(statusOf)).toEqual(['filled']);
    await live.show('0.60x1000', '0.62x1000');
    expect([live.sent().length, await live.held(), (await live.balance())?.cash]).toEqual([1, 0n, usdc('102')]);
  });

  it('sells again only once its lost sale certainly never reached the venue', async () => {
    live.venue.script('POST /order', faults.hangsUp({ acts: false }));
    await bids('1000');
    const [lost] = await live.sales();
    let seconds = 0;
    while (statusOf(await live.now(lost)) === 'unknown') {
      expect([(await live.sales()).length, live.sent().length]).toEqual([1, 1]);
      await live.lookAfter(1);
      seconds += 5;
      await live.show('0.60x1000', '0.62x1000');
    }
    expect(seconds).toBeGreaterThanOrEqual(120);
    await live.refresh();
    await live.pass(2000);
    expect((await live.sales()).map(statusOf)).toEqual(['rejected', 'filled']);
    expect([await live.held(), (await live.balance())?.cash]).toEqual([0n, usdc('102')]);
  });

  it('sells nothing once its key is revoked and records the reason', async () => {
    await live.revoke();
    await bids('1000');
    await live.refresh();
    await live.show('0.61x1000', '0.62x1000');
    expect([live.sent(), await live.held()]).toEqual([[], shares('20')]);
    const skips = () => live.skips('live_trading_not_enabled');
    expect(await skips()).toMatchObject([
      { verdict: 'skip', token: 'YES', boundBy: 'exit/take_profit', orderId: null },
    ]);
    await live.pass(10_000);
    expect((await skips()).length).toBeGreaterThan(2);
    expect(live.sent()).toEqual([]);
  });
});
