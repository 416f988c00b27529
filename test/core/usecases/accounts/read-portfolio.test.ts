import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import type { EquityPoint } from '../../../../src/core/account/portfolio.js';
import { StrategyNotFound } from '../../../../src/core/errors.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { ReadPortfolio } from '../../../../src/core/usecases/accounts/read-portfolio.js';
import { marketsAt } from '../../../../src/core/venues/venues.js';
import { ALICE, anOrderContext, BOB, clockAt, NOON, price, usdc } from '../../../support/builders.js';
import { busyLedger, inTurn } from '../../../support/busy-ledger.js';
import { QuotedMarkets } from '../../../support/quoted-markets.js';
import { rests, ScriptedExchange } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

const [RAIN, SNOW, HAIL] = ['rain' as MarketId, 'snow' as MarketId, 'hail' as MarketId];
const whole = { paper: true, strategyId: null } as const;

function fixture(paper?: ScriptedExchange) {
  const ledger = new MemoryLedger();
  const trading = new Trading(ledger, { context: anOrderContext({ clock: clockAt(NOON) }), ...(paper && { paper }) });
  const portfolio = new ReadPortfolio(ledger, marketsAt(new QuotedMarkets()), trading.context);
  return { ledger, trading, portfolio };
}

describe('A portfolio', () => {
  it('counts moving money once, either as cash or as shares', async () => {
    const { ledger, trading } = fixture();
    const { id: strategyId } = await trading.strategy({ bankrollCap: usdc('900'), stakeCap: usdc('900') });
    const deal = { marketId: RAIN, price: price('0.5'), size: usdc('500'), strategyId };
    const trade = inTurn((side) => trading.place({ ...deal, side }));
    const portfolio = new ReadPortfolio(busyLedger(ledger, trade), marketsAt(new QuotedMarkets()), trading.context);
    const all = [await portfolio.now(ALICE, whole), await portfolio.now(ALICE, whole)];
    expect(all).toMatchObject([
      { cash: usdc('500'), value: usdc('500'), equity: usdc('1000') },
      { cash: usdc('1000'), value: 0n, equity: usdc('1000') },
    ]);
    const part = { paper: true, strategyId };
    const parts = [await portfolio.now(ALICE, part), await portfolio.now(ALICE, part)];
    expect(parts).toMatchObject([
      { value: usdc('500'), exposure: usdc('500'), reserved: 0n },
      { value: 0n, exposure: 0n, reserved: 0n },
    ]);
  });

  it('of a strategy shows only what its own working orders reserve', async () => {
    const { trading, portfolio } = fixture(new ScriptedExchange({ place: rests() }));
    const [one, other] = [await trading.strategy(), await trading.strategy()];
    await trading.place({ size: usdc('10'), strategyId: one.id });
    await trading.place({ size: usdc('20'), strategyId: other.id });
    await trading.place({ size: usdc('40') });
    const reserved = async (strategyId: typeof one.id | null) =>
      (await portfolio.now(ALICE, { paper: true, strategyId })).reserved;
    expect([await reserved(one.id), await reserved(other.id), await reserved(null)]).toEqual(
      ['10', '20', '70'].map(usdc),
    );
  });

  it('has no mark for shares whose book is crossed', async () => {
    const { ledger, trading } = fixture();
    await trading.place({ marketId: RAIN, price: price('0.5'), size: usdc('10') });
    const markets = new QuotedMarkets();
    const portfolio = new ReadPortfolio(ledger, marketsAt(markets), trading.context);
    expect((await portfolio.now(ALICE, whole)).holdings).toMatchObject([{ mark: usdc('0.5') }]);
    markets.crossed.add(RAIN);
    expect((await portfolio.now(ALICE, whole)).holdings).toMatchObject([{ mark: null }]);
  });

  it('lists its positions by market and token', async () => {
    const { trading, portfolio } = fixture();
    for (const [marketId, outcome] of [[SNOW, 'YES'] as const, [RAIN, 'YES'] as const, [HAIL, 'NO'] as const]) {
      await trading.place({ marketId, outcome });
    }
    await trading.place({ marketId: RAIN, outcome: 'NO' });
    const { holdings } = await portfolio.now(ALICE, whole);
    expect(holdings.map(({ position }) => `${position.marketId} ${position.outcome}`)).toEqual([
      'hail NO',
      'rain NO',
      'rain YES',
      'snow YES',
    ]);
  });

  it('includes what an archived, no longer readable strategy bought', async () => {
    const { trading, portfolio } = fixture();
    const { id: strategyId } = await trading.strategy();
    await trading.place({ strategyId });
    await trading.archiveStrategy.execute({ account: ALICE, strategyId, precondition: null });
    expect(await portfolio.now(ALICE, whole)).toMatchObject({ cash: usdc('990'), value: usdc('10') });
    await expect(portfolio.now(ALICE, { paper: true, strategyId })).rejects.toThrow(StrategyNotFound);
  });

  it('of a new account has opening cash on paper, nothing live', async () => {
    const { portfolio } = fixture();
    expect(await portfolio.now(BOB, whole)).toMatchObject({ cash: usdc('1000'), equity: usdc('1000'), holdings: [] });
    expect((await portfolio.now(BOB, { paper: false, strategyId: null })).equity).toBe(0n);
  });
});

describe('A history', () => {
  it('by the hour has the last point of each, over pages', async () => {
    const { ledger, portfolio } = fixture();
    const at = (minutes: number) => new Date(Date.parse(NOON) + minutes * 60_000);
    const none = { redeemable: 0n, positions: 0n, realised: 0n, unrealised: 0n, fees: 0n };
    const equity = [0, 20, 40, 60, 65, 300].map(
      (minutes) =>
        ({ account: ALICE, ...whole, at: at(minutes), cash: usdc(`${minutes}`), ...none }) as unknown as EquityPoint,
    );
    await ledger.write({ account: ALICE }, () => ({ result: null, equity }));
    const first = await portfolio.history(ALICE, whole, { limit: 2 }, 3_600_000);
    const rest = await portfolio.history(ALICE, whole, { limit: 2, after: first.next as Date }, 3_600_000);
    expect([...first.items, ...rest.items].map(({ cash }) => cash)).toEqual(['300', '65', '40'].map(usdc));
    expect(rest.next).toBeNull();
  });
});
