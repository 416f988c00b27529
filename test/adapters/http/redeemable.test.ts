import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import { RedeemPositions } from '../../../src/core/usecases/accounts/background/redeem-positions.js';
import { SampleEquity } from '../../../src/core/usecases/accounts/background/sample-equity.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import { PORTFOLIO, startApp } from '../../support/app.js';
import { ALICE, aMarket, MARKET, usdc } from '../../support/builders.js';
import { liveFixture } from '../../support/live-fixture.js';
import { QuotedMarkets } from '../../support/quoted-markets.js';

/** Alice bought 20 shares at 0.5 for a strategy with 1000 USDC of real money, and they won. */
async function won() {
  const ledger = new MemoryLedger();
  const { trading, bought, settle, context } = await liveFixture(ledger);
  const { id: strategy } = await trading.strategy({ paperOnly: false });
  await bought({ strategyId: strategy });
  await settle(YES_WON);
  const app = await startApp({ ledger, context });
  const sampling = new SampleEquity(ledger, marketsAt(new QuotedMarkets()), context.clock);
  const redeeming = new RedeemPositions(
    ledger,
    { find: async () => aMarket(), redemptionAt: () => ({ instructions: () => [], isRedeemed: async () => true }) },
    context,
    1,
  );
  const alice = app.client.as({ 'x-dev-user': ALICE });
  return { alice, strategy, ledger, sampling, redeeming };
}

const LIVE = `${PORTFOLIO}?paper=false`;

test('redeemable positions count towards account value until they are redeemed', async () => {
  const { alice, redeeming } = await won();
  const before = (await alice.get(LIVE)).json();
  expect(before).toMatchObject({
    cash_usdc: '990',
    redeemable_usdc: '20',
    equity_usdc: '1010',
    value_usdc: '0',
    realised_usdc: '10',
    unrealised_usdc: '0',
    unmarked_positions: 0,
  });
  const position = {
    market_id: MARKET,
    token: 'YES',
    shares: '0',
    cost_usdc: '0',
    average_price: '0',
    value_usdc: '0',
  };
  expect(before['positions']).toMatchObject([{ ...position, redeemable_usdc: '20', realised_usdc: '10' }]);
  await redeeming.execute();
  const after = { cash_usdc: '1010', redeemable_usdc: '0', equity_usdc: '1010', positions: [] };
  expect((await alice.get(LIVE)).json()).toMatchObject(after);
});

test('a strategy has nothing to redeem: its winnings become account cash', async () => {
  const { alice, strategy } = await won();
  const own = { redeemable_usdc: null, cash_usdc: null, equity_usdc: null, realised_usdc: '10', positions: [] };
  expect((await alice.get(`${LIVE}&strategy_id=${strategy}`)).json()).toMatchObject(own);
});

test('the value history does not fall while a redemption is pending', async () => {
  const { alice, ledger, sampling, redeeming } = await won();
  await sampling.execute(1000);
  const points = async () => (await alice.get(`${PORTFOLIO}/history?paper=false`)).json()['data'];
  expect(await points()).toMatchObject([{ cash_usdc: '990', redeemable_usdc: '20', equity_usdc: '1010' }]);
  await redeeming.execute();
  await sampling.execute(1000);
  expect(await points()).toMatchObject([{ cash_usdc: '1010', redeemable_usdc: '0', equity_usdc: '1010' }]);
  const [point] = await ledger.listEquity(ALICE, { paper: false, strategyId: null }, { limit: 1 });
  expect(point).toMatchObject({ cash: usdc('1010'), redeemable: 0n });
});
