import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { MarketDataUnavailable } from '../../../../src/core/errors.js';
import type { MarketId, StrategyId } from '../../../../src/core/ids.js';
import type { Market } from '../../../../src/core/market/market.js';
import { ForgetFirstPrices } from '../../../../src/core/usecases/strategies/background/forget-first-prices.js';
import { ALICE, clockAt, NOON, price, usdc } from '../../../support/builders.js';
import { aMarket, levels } from '../../../support/scripted-market.js';
import { HOME, strategyFixture } from '../../../support/strategy-fixture.js';

/** Bets while the price is within three cents of the first one seen. */
const STEADY = { ...HOME, filter: { minOdds: 1_500_000n, maxSpread: null, maxDrift: price('0.03') } };
/** The same where so much is offered. */
const BIG = { ...STEADY, filter: { ...STEADY.filter, minLiquidity: usdc('600') } };

type Fixture = Awaited<ReturnType<typeof strategyFixture>>;

/** What a dry run says of the drift at this offer of the home team. */
async function drift({ use, strategy, game }: Fixture, ask: string): Promise<unknown> {
  game.shown = { bids: [], asks: levels(`${ask}x2000`) };
  const asked = { account: ALICE, strategyId: strategy.id, market: null, limit: 1 };
  const [decision] = await use.strategies.evaluate.execute(asked);
  const rule = decision?.rules.find((one) => one.rule === 'filter/max_drift');
  return [decision?.inputs['first_price'], rule?.value, rule?.passed];
}

/** The server stops, and another one is started on the same record. */
async function restarted({ runner, after, serve }: Fixture) {
  runner.stop();
  after.stop();
  const next = serve();
  await next.refresh();
  return next;
}

describe('A strategy that bounds how far a price may have moved', () => {
  it('measures from the price that it saw first, also after a restart', async () => {
    // At 0.56 too little is offered.
    const fixture = await strategyFixture({ strategy: { rules: BIG } });
    await fixture.show('0.50x1000', '0.52x2000');
    await restarted(fixture);
    expect(await drift(fixture, '0.52')).toEqual(['0.56', '0.04', false]);
    await fixture.show('0.49x1000', '0.52x2000');
    expect(await fixture.orders()).toEqual([]);
    expect((await fixture.codes())[0]).toBe('price_drifted');
    await fixture.show('0.50x1000', '0.53x2000');
    expect(await fixture.orders()).toHaveLength(1);
  });

  it('reports in a dry run how far the price has moved', async () => {
    const fixture = await strategyFixture({ strategy: { automation: 'off', rules: STEADY } });
    expect(await drift(fixture, '0.56')).toEqual(['0.56', '0', true]);
    expect(await drift(fixture, '0.5')).toEqual(['0.5', '0', true]);
  });

  it("measures each outcome it may buy from that outcome's own first price", async () => {
    const fixture = await strategyFixture({ strategy: { rules: BIG } });
    await fixture.change({ rules: { ...STEADY, filter: { ...STEADY.filter, side: 'LAY' } } });
    await fixture.refresh();
    // The complement costs 0.46, and was never seen at 0.56.
    expect((await fixture.orders()).map(({ intent }) => intent.outcome)).toEqual(['NO']);
  });

  it('does not bet while its first price cannot be stored', async () => {
    const ledger = new MemoryLedger();
    const keep = ledger.firstPrices.keep.bind(ledger.firstPrices);
    ledger.firstPrices.keep = () => Promise.reject(new Error('no room'));
    const fixture = await strategyFixture({ ledger, strategy: { rules: STEADY } });
    expect([await fixture.codes(), await fixture.orders()]).toEqual([['input_missing:first_price'], []]);
    expect(fixture.faults).toHaveLength(1);
    ledger.firstPrices.keep = keep;
    await fixture.show('0.54x1000', '0.57x1000');
    expect(await fixture.orders()).toHaveLength(1);
    const [kept] = await ledger.firstPrices.find([firstOf(fixture)]);
    // It was seen before it could be put on record.
    expect(kept?.price).toBe(price('0.56'));
  });

  it('costs nothing on record where the rules do not bound it', async () => {
    const ledger = new MemoryLedger();
    ledger.firstPrices.keep = () => Promise.reject(new Error('asked'));
    const { faults, orders, show } = await strategyFixture({ ledger });
    await show('0.48x1000', '0.50x1000');
    expect([faults, (await orders()).length]).toEqual([[], 1]);
  });
});

function firstOf({ strategy, game }: Fixture) {
  const { venue, market } = game;
  return { account: ALICE, strategyId: strategy.id, venue, marketId: market.id, outcome: 'YES' } as const;
}

describe('First prices', () => {
  it('are deleted a week after they were seen once their market ended', async () => {
    const ledger = new MemoryLedger();
    const clock = clockAt(NOON);
    const statuses = new Map<string, Market['status']>([
      ...([
        ['open', 'open'],
        ['resolved', 'resolved'],
        ['amended', 'amended'],
        ['disputed', 'disputed'],
      ] as const),
    ]);
    const find = async ({ marketId }: { readonly marketId: MarketId }) => {
      if (marketId === 'silent') throw new MarketDataUnavailable();
      const status = statuses.get(marketId);
      return status === undefined ? undefined : aMarket({}, { id: marketId, status });
    };
    const { venue } = aMarket();
    const all = [...statuses.keys(), 'silent', 'unknown'].map((name) => ({
      account: ALICE,
      strategyId: 's' as StrategyId,
      venue,
      marketId: name as MarketId,
      outcome: 'YES' as const,
      price: price('0.5'),
      at: clock.now(),
    }));
    await ledger.firstPrices.keep(all);
    const forget = new ForgetFirstPrices(ledger.firstPrices, { find }, clock);
    clock.tick(7 * 86_400_000);
    expect(await forget.execute()).toBe(0);
    clock.tick(1);
    expect(await forget.execute()).toBe(2);
    const left = (await ledger.firstPrices.find(all)).map(({ marketId }) => marketId);
    expect(left).toEqual(['open', 'disputed', 'silent', 'unknown']);
  });
});
