import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../../src/adapters/memory/index.js';
import { openBalance } from '../../../../../src/core/account/account.js';
import { emptyPosition, type Position } from '../../../../../src/core/account/position.js';
import type { AccountId, MarketId, StrategyId } from '../../../../../src/core/ids.js';
import { NO_WON, YES_WON } from '../../../../../src/core/market/lifecycle.js';
import { NO_VENUE } from '../../../../../src/core/market/market.js';
import { SampleEquity } from '../../../../../src/core/usecases/accounts/background/sample-equity.js';
import { SettleMarket } from '../../../../../src/core/usecases/markets/background/settle-market.js';
import { marketsAt } from '../../../../../src/core/venues/venues.js';
import {
  ALICE,
  anOrderContext,
  BOB,
  clockAt,
  type DraftChanges,
  LIVE_CASH,
  NOON,
  price,
  shares,
  usdc,
  WHERE,
} from '../../../../support/builders.js';
import { busyLedger, inTurn } from '../../../../support/busy-ledger.js';
import { QuotedMarkets } from '../../../../support/quoted-markets.js';
import { Trading } from '../../../../support/trading.js';

const [RAIN, SNOW, HAIL] = ['rain' as MarketId, 'snow' as MarketId, 'hail' as MarketId];
const FIVE_MINUTES = 5 * 60_000;

function fixture(ledger = new MemoryLedger()) {
  const clock = clockAt(NOON);
  const trading = new Trading(ledger, { context: anOrderContext({ clock }) });
  const markets = new QuotedMarkets();
  const sampler = new SampleEquity(ledger, marketsAt(markets), clock);
  const buy = (marketId: MarketId, at: string, size: string, more: DraftChanges = {}) =>
    trading.place({ marketId, price: price(at), size: usdc(size), ...more });
  const history = (account: AccountId, paper = true, strategyId: StrategyId | null = null) =>
    ledger.listEquity(account, { paper, strategyId }, { limit: 100 });
  return { ledger, clock, trading, markets, buy, history, sample: () => sampler.execute(FIVE_MINUTES) };
}

const quiet = { skipped: 0, failures: [] };

describe('A point of the history', () => {
  it('says to the micro-dollar what the account and the strategy were worth', async () => {
    const { trading, markets, buy, history, sample } = fixture();
    const { id: strategyId } = await trading.strategy();
    // 10 / 0.3 is 33.33 shares in whole lots, for 33.33 × 0.3 = 9.999.
    await buy(RAIN, '0.3', '10', { strategyId });
    // 20 shares for 10, which then pay 20: 10 realised.
    await buy(HAIL, '0.5', '10', { strategyId });
    await new SettleMarket(trading.ledger, trading.ports.venues, trading.context).execute(
      { ...WHERE, marketId: HAIL },
      YES_WON,
    );
    // 10 shares for 4, outside of any strategy.
    await buy(SNOW, '0.4', '4', { outcome: 'NO' });
    markets.bids.set(RAIN, '0.413777x1000');
    expect(await sample()).toEqual({ stored: 2, ...quiet });

    // 33.33 × 0.413777 = 13.79118741, rounded down; who sells NO gets 1 − 0.55 for it, and 10 × 0.45 = 4.5.
    const common = {
      account: ALICE,
      paper: true,
      at: new Date(NOON),
      redeemable: usdc('0'),
      realised: 10_000_000n,
      fees: 0n,
    };
    expect(await history(ALICE)).toEqual([
      {
        ...common,
        strategyId: null,
        cash: 996_001_000n, // 1000 − 9.999 − 10 + 20 − 4
        positions: 18_291_187n, // 13.791187 + 4.5
        unrealised: 4_292_187n, // 18.291187 − 9.999 − 4
      },
    ]);
    expect(await history(ALICE, true, strategyId)).toEqual([
      { ...common, strategyId, cash: null, positions: 13_791_187n, unrealised: 3_792_187n /* 13.791187 − 9.999 */ },
    ]);
  });

  it('counts shares at their payout, or at cost without a bid', async () => {
    const { markets, buy, history, sample } = fixture();
    await buy(SNOW, '0.4', '4', { outcome: 'NO' });
    await buy(RAIN, '0.3', '6');
    markets.payouts.set(SNOW, NO_WON);
    markets.bids.set(RAIN, '');
    await sample();
    expect(await history(ALICE)).toMatchObject([{ cash: usdc('990'), positions: usdc('16'), unrealised: usdc('6') }]);
  });

  it('is left out while the book of a holding is crossed', async () => {
    const { markets, buy, history, sample } = fixture();
    await buy(RAIN, '0.5', '10');
    markets.crossed.add(RAIN);
    expect(await sample()).toEqual({ ...quiet, stored: 0, skipped: 1 });
    expect(await history(ALICE)).toEqual([]);
    markets.crossed.clear();
    expect(await sample()).toEqual({ ...quiet, stored: 1 });
  });

  it('is dated at the last full interval, and a repeat replaces it', async () => {
    const { clock, markets, buy, history, sample } = fixture();
    await buy(RAIN, '0.5', '10');
    clock.tick(FIVE_MINUTES);
    await sample();
    clock.tick(FIVE_MINUTES - 1);
    markets.bids.set(RAIN, '0.6x100');
    expect(await sample()).toEqual({ stored: 1, ...quiet });
    const at = new Date('2026-03-01T12:05:00.000Z');
    expect(await history(ALICE)).toMatchObject([{ at, positions: usdc('12') }]);
    clock.tick(1);
    markets.bids.set(RAIN, '0.7x100');
    await sample();
    expect((await history(ALICE)).map((point) => point.at.toISOString())).toEqual([
      '2026-03-01T12:10:00.000Z',
      '2026-03-01T12:05:00.000Z',
    ]);
  });

  it('equal to the one before it is not stored', async () => {
    const { clock, markets, buy, history, sample } = fixture();
    await buy(RAIN, '0.5', '10');
    const stored: number[] = [];
    for (const bid of ['0.5', '0.5', '0.6', '0.6', '0.5']) {
      markets.bids.set(RAIN, `${bid}x100`);
      stored.push((await sample()).stored);
      clock.tick(FIVE_MINUTES);
    }
    expect(stored).toEqual([1, 0, 1, 0, 1]);
    expect((await history(ALICE)).map(({ positions }) => positions)).toEqual([usdc('10'), usdc('12'), usdc('10')]);
  });

  it('is made for no archived strategy, and none that never held anything', async () => {
    const { trading, buy, history, sample } = fixture();
    const [idle, past] = [await trading.strategy(), await trading.strategy()];
    await buy(RAIN, '0.5', '10', { strategyId: past.id });
    await trading.archiveStrategy.execute({ account: ALICE, strategyId: past.id, precondition: null });
    expect((await sample()).stored).toBe(1);
    for (const { id } of [idle, past]) expect(await history(ALICE, true, id)).toEqual([]);
  });
});

describe('Sampling all accounts', () => {
  it('asks each market once, and keeps accounts separate', async () => {
    const { markets, buy, history, sample } = fixture();
    await buy(RAIN, '0.4', '4');
    await buy(RAIN, '0.25', '5', { account: BOB });
    await buy(SNOW, '0.5', '5', { account: BOB });
    expect((await sample()).stored).toBe(2);
    expect(markets.asked.toSorted()).toEqual([RAIN, SNOW]);
    // 10 shares at 0.5; 20 and 10 shares at 0.5.
    expect(await history(ALICE)).toMatchObject([{ account: ALICE, cash: usdc('996'), positions: usdc('5') }]);
    expect(await history(BOB)).toMatchObject([{ account: BOB, cash: usdc('990'), positions: usdc('15') }]);
  });

  it('keeps live and paper separate', async () => {
    const { ledger, trading, buy, history, sample } = fixture();
    const { id: strategyId } = await trading.strategy();
    await buy(RAIN, '0.4', '4', { strategyId });
    const key = {
      account: ALICE,
      paper: false,
      venue: NO_VENUE,
      marketId: SNOW,
      outcome: 'YES',
      strategyId: null,
    } as const;
    const live: Position = { ...emptyPosition(key), shares: shares('3'), cost: usdc('1'), fees: usdc('0.25') };
    const balance = openBalance(ALICE, LIVE_CASH, usdc('7'));
    await ledger.write({ account: ALICE }, () => ({ result: null, balances: [balance], positions: [live] }));
    expect((await sample()).stored).toBe(3);
    expect(await history(ALICE)).toMatchObject([{ paper: true, cash: usdc('996'), positions: usdc('5'), fees: 0n }]);
    const worth = {
      paper: false,
      cash: usdc('7'),
      positions: usdc('1.5'),
      unrealised: usdc('0.5'),
      fees: usdc('0.25'),
    };
    expect(await history(ALICE, false)).toMatchObject([worth]);
    expect(await history(ALICE, false, strategyId)).toEqual([]);
  });

  it('leaves out holders in a silent market until it answers', async () => {
    const { clock, trading, markets, buy, history, sample } = fixture();
    const [wet, white] = [await trading.strategy(), await trading.strategy()];
    await buy(RAIN, '0.4', '4', { strategyId: wet.id });
    await buy(SNOW, '0.4', '4', { strategyId: white.id });
    await buy(SNOW, '0.4', '4', { account: BOB });
    markets.silent.add(RAIN);
    expect(await sample()).toEqual({ stored: 2, skipped: 2, failures: [] });
    expect(await history(ALICE)).toEqual([]);
    expect(await history(ALICE, true, wet.id)).toEqual([]);
    expect(await history(ALICE, true, white.id)).toHaveLength(1);
    expect(await history(BOB)).toHaveLength(1);
    markets.silent.clear();
    clock.tick(FIVE_MINUTES);
    expect(await sample()).toEqual({ stored: 2, ...quiet });
    expect(await history(ALICE)).toMatchObject([{ positions: usdc('10') }]);
  });

  it('does not wait for a market without holdings', async () => {
    const { trading, markets, buy, history, sample } = fixture();
    await buy(HAIL, '0.5', '10');
    await new SettleMarket(trading.ledger, trading.ports.venues, trading.context).execute(
      { ...WHERE, marketId: HAIL },
      NO_WON,
    );
    markets.silent.add(HAIL);
    await sample();
    expect(await history(ALICE)).toMatchObject([{ cash: usdc('990'), positions: 0n, realised: -10_000_000n }]);
  });

  it('goes on past an account that cannot be read', async () => {
    const broken = new Error('a row that cannot be');
    class Torn extends MemoryLedger {
      override listStrategies(...[account, ...asked]: Parameters<MemoryLedger['listStrategies']>) {
        return account === ALICE ? Promise.reject(broken) : super.listStrategies(account, ...asked);
      }
    }
    const { buy, history, sample } = fixture(new Torn());
    await buy(RAIN, '0.4', '4');
    await buy(RAIN, '0.4', '4', { account: BOB });
    const failures = [{ account: ALICE, paper: true, error: broken }];
    expect(await sample()).toEqual({ stored: 1, skipped: 0, failures });
    expect(await history(BOB)).toHaveLength(1);
  });
});

describe('Money that moves while an account is sampled', () => {
  it('is counted once, as cash or as shares', async () => {
    const { ledger, clock, markets, buy, history } = fixture();
    await buy(RAIN, '0.5', '10');
    const trade = inTurn((side) => buy(RAIN, '0.5', '500', { side }));
    const sampler = new SampleEquity(busyLedger(ledger, trade), marketsAt(markets), clock);
    expect(await sampler.execute(FIVE_MINUTES)).toEqual({ stored: 1, ...quiet });
    const [point] = await history(ALICE);
    expect((point?.cash ?? 0n) + (point?.positions ?? 0n)).toBe(usdc('1000'));
  });
});
