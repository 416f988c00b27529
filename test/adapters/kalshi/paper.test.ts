import { expect, test } from 'vitest';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { KalshiMarketData } from '../../../src/adapters/kalshi/market-data/kalshi-market-data.js';
import { systemClock } from '../../../src/adapters/system/index.js';
import type { MarketId } from '../../../src/core/ids.js';
import { usdc } from '../../../src/core/money.js';
import { statusOf } from '../../../src/core/order/order.js';
import { createStakeport } from '../../../src/stakeport/create-stakeport.js';
import { eventually } from '../../support/eventually.js';
import { ED25519_KEY, keyFileOf } from '../../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';

const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD';

test('a paper order at Kalshi fills on its book, for its fee, one outcome at a time', async () => {
  const venue = await FakeKalshi.start();
  venue.books.set(TICKER, { yes: [['0.4700', '3.00']], no: [['0.4800', '3.00']] });
  const signer = await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY));
  const where = { api: venue.api, socket: venue.socket, signer, series: ['KXNFLGAME'] };
  const marketData = new KalshiMarketData({ environment: 'production', ...where, clock: systemClock });
  const stakeport = createStakeport({ marketData, latencyMs: 0 });
  const bets = { account: 'me', market: TICKER, price: '0.52', usdc: 1.04 };
  try {
    const bought = await stakeport.orders.place({ ...bets, outcome: 'YES' });
    await eventually(async () => expect(statusOf(await stakeport.orders.get('me', bought.id))).toBe('filled'));
    const { filled } = await stakeport.orders.get('me', bought.id);
    // 2 × 0.07 × 0.52 × 0.48 = 0.034944, and what brings the balance down to whole ten thousandths.
    expect(filled).toMatchObject({ notional: usdc('1.04'), fees: usdc('0.035') });
    const other = await stakeport.orders.place({ ...bets, outcome: 'NO', price: '0.53' });
    expect(other.refusal).toMatchObject({ code: 'other_outcome_held' });
  } finally {
    await stakeport.close();
    await marketData.close();
    await venue.stop();
  }
});

test('A paper order that rests outlasts a pause of the exchange, and ends when the venue activates its market again', async () => {
  const venue = await FakeKalshi.start();
  venue.books.set(TICKER, { yes: [['0.4700', '3.00']], no: [['0.4800', '3.00']] });
  const signer = await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY));
  const where = { api: venue.api, socket: venue.socket, signer, series: ['KXNFLGAME'] };
  let now = Date.now();
  const marketData = new KalshiMarketData({ environment: 'production', ...where, clock: { now: () => new Date(now) } });
  const stakeport = createStakeport({ marketData, latencyMs: 0 });
  const announce = (event_type: string) =>
    venue.tell('market_lifecycle_v2', 'market_lifecycle_v2', { market_ticker: TICKER, event_type });
  try {
    const bet = {
      account: 'me',
      market: TICKER,
      outcome: 'YES',
      price: '0.47',
      usdc: 0.94,
      timeInForce: 'GTC',
    } as const;
    const { id } = await stakeport.orders.place(bet);
    const status = async () => statusOf(await stakeport.orders.get('me', id));
    const takesOrders = async () => (await marketData.find(TICKER as MarketId))?.terms?.acceptingOrders;
    await eventually(async () => expect(await status()).toBe('open'));
    for (const trading_active of [false, true]) {
      venue.status = { exchange_active: true, trading_active };
      now += 40_000;
      announce('metadata_updated');
      await eventually(async () => expect(await takesOrders()).toBe(trading_active));
      await eventually(() => expect(reads()).toBeGreaterThan(trading_active ? 2 : 1));
    }
    function reads() {
      return venue.requests.filter((path) => path.endsWith(`/markets/${TICKER}`)).length;
    }
    expect(await status()).toBe('open');
    venue.changes(TICKER, { status: 'inactive' });
    announce('deactivated');
    now += 40_000;
    await eventually(async () => expect(await takesOrders()).toBe(false));
    expect(await status()).toBe('open');
    venue.changes(TICKER, { status: 'active' });
    now += 40_000;
    announce('activated');
    await eventually(async () => expect(await status()).toBe('cancelled'));
    const events = await stakeport.orders.events('me', id);
    expect(events.items.at(-1)?.change).toMatchObject({
      reason: expect.stringMatching(/^market_resumed: the venue cancels/),
    });
  } finally {
    await stakeport.close();
    await marketData.close();
    await venue.stop();
  }
});
