import { expect, test } from 'vitest';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { KalshiMarketData } from '../../../src/adapters/kalshi/market-data/kalshi-market-data.js';
import { systemClock } from '../../../src/adapters/system/index.js';
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
