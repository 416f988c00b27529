import { describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import type { LimitsChange } from '../../../../src/core/limits/limits.js';
import { ALICE, type DraftChanges, price, usdc } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { HOME, strategyFixture } from '../../../support/strategy-fixture.js';

const BOOK = ['0.46x1000', '0.50x1000'] as const;
const WAITS: DraftChanges = { price: price('0.10'), size: usdc('5') };

/** What a dry run says of the bet on its game, and what then becomes of its order, after these orders and under these limits. */
async function refused(before: readonly DraftChanges[], change: LimitsChange) {
  const fixture = await strategyFixture({ matches: true });
  const { use, game, ledger, place, strategy, show, orders, faults } = fixture;
  await use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
  // Too wide for the strategy.
  await show('0.30x1000', '0.60x1000');
  for (const draft of before) expect((await place(draft)).record.refusal).toBeNull();
  const [bids, asks] = BOOK;
  game.shown = { bids: levels(bids), asks: levels(asks) };
  const { id: marketId, venue } = game.market;
  const asked = { account: ALICE, strategyId: strategy.id, market: { venue, marketId }, limit: 1 };
  const states = async () => (await use.trading.read.now(ALICE)).states.length;
  const quiet = [(await orders()).length, (await ledger.log.range(ALICE))?.last, await states()];
  const [dry] = await use.strategies.evaluate.execute(asked);
  expect([(await orders()).length, (await ledger.log.range(ALICE))?.last, await states()]).toEqual(quiet);
  await show(bids, asks);
  const [order] = (await orders()).filter(({ intent }) => intent.strategy !== null);
  expect(faults).toEqual([]);
  return { dry: dry?.code ?? dry?.verdict, order: order?.state === 'denied' ? order.refusal?.code : 'bet' };
}

const LOST: readonly DraftChanges[] = [
  { price: price('0.60'), size: usdc('60'), timeInForce: 'FAK' },
  { side: 'SELL', price: price('0.30'), size: usdc('30'), timeInForce: 'FAK' },
];

describe('A dry run says which limit of the account would refuse the order of the bet', () => {
  it.each<[string, readonly DraftChanges[], LimitsChange, string]>([
    ['orders within a minute', [WAITS], { ordersPerMinute: 1 }, 'order_rate_exceeded'],
    ['open orders', [WAITS], { openOrders: 1 }, 'max_open_exceeded'],
    ['the price band', [], { priceBand: price('0.01') }, 'price_band'],
    ['a trade with itself', [{ ...WAITS, outcome: 'NO', price: price('0.51') }], { openOrders: 9 }, 'self_cross'],
    ['the loss of a day', LOST, { dailyLossUsdc: usdc('1') }, 'daily_loss_exceeded'],
    ['the fall from a peak', LOST, { drawdownUsdc: usdc('1') }, 'drawdown_exceeded'],
    ['none of them', [], { openOrders: 9, priceBand: price('0.1'), dailyLossUsdc: usdc('99') }, 'bet'],
  ])('%s', async (_words, before, change, code) => {
    expect(await refused(before, change)).toEqual({ dry: code, order: code });
  });
});

describe('A dry run of what a strategy holds says what would refuse the order of the sale', () => {
  /** A strategy with 20 shares of the home team; `also` is what the account buys by itself. */
  async function holding(also: DraftChanges | null, { limits = {}, reducing = false }: Held = {}) {
    const rules = { ...HOME, exit: { takeProfit: { price: price('0.60') } } };
    const fixture = await strategyFixture({ strategy: { rules } });
    const { use, game, show, place, strategy, sales } = fixture;
    await show('0.48x1000', '0.50x1000');
    if (also !== null) expect((await place(also)).record.state).toBe('filled');
    await use.limits.change.execute({ account: ALICE, change: limits, mayLoosen: true });
    if (reducing)
      await use.trading.set.execute({
        change: { scope: 'account', state: 'reducing', stops: 'all', reason: 'Enough', by: 'me', until: null },
        account: ALICE,
        cancel: false,
        idempotencyKey: null,
        may: new Set(AUTH_SCOPES),
      });
    const [bids, asks] = ['0.60x1000', '0.62x1000'];
    game.shown = { bids: levels(bids), asks: levels(asks) };
    const asked = { account: ALICE, strategyId: strategy.id, market: null, limit: 1 };
    const [dry] = await use.strategies.evaluate.execute(asked);
    await show(bids, asks);
    return { dry: dry?.code ?? dry?.verdict, sold: (await sales()).length };
  }
  interface Held {
    readonly limits?: LimitsChange;
    readonly reducing?: boolean;
  }
  const HEDGE: DraftChanges = { outcome: 'NO', price: price('0.40'), size: usdc('8') };

  it.each<[string, DraftChanges | null, Held, string]>([
    ['a sale that lowers the worst case, while only that is taken', null, { reducing: true }, 'bet'],
    ['a sale that raises it, because the shares hedge others', HEDGE, { reducing: true }, 'trading_reducing'],
    ['a sale within the limits', HEDGE, { limits: { ordersPerMinute: 9, exposureUsdc: usdc('99') } }, 'bet'],
    [
      'a sale of which less than the minimum may be sold before more can be lost than may be',
      HEDGE,
      { limits: { exposureUsdc: usdc('0.4') } },
      'account_exposure_exceeded',
    ],
    ['a sale of which a part may be sold', HEDGE, { limits: { exposureUsdc: usdc('1') } }, 'bet'],
    ['one order too many within a minute', null, { limits: { ordersPerMinute: 0 } }, 'order_rate_exceeded'],
  ])('%s', async (_words, also, held, code) => {
    expect(await holding(also, held)).toEqual({ dry: code, sold: code === 'bet' ? 1 : 0 });
  });
});
