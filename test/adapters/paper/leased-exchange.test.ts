import { expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { BookPaperExchange, LeasedExchange } from '../../../src/adapters/paper/index.js';
import { PaperElsewhere } from '../../../src/core/errors.js';
import type { Lease } from '../../../src/core/ledger/lease.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import { price, usdc } from '../../support/builders.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { trading } from '../../support/trading.js';

it('no caller is left waiting for an exchange that was dropped', async () => {
  const timeline = new ManualTimeline();
  const markets = new ScriptedMarket(aMarket(), timeline, '0.40x10', '0.60x10');
  const ledger = new MemoryLedger();
  const lease = (await ledger.leases.claim('paper', 'here', 3_600_000)) as Lease;
  const leased = new LeasedExchange();
  const exchange = new BookPaperExchange({
    markets: marketsAt(markets),
    timeline,
    lease: () => lease,
    sink: async () => {},
  });
  leased.use(exchange);
  const trader = trading(ledger, { paper: leased, markets });
  const placing = trader.place({ marketId: aMarket().id, price: price('0.5'), size: usdc('10') });
  await timeline.planned();
  await ledger.leases.release(lease);
  leased.use(null);
  exchange.abandon();
  expect(await placing).toMatchObject({ state: 'pending', seq: 1 });
  expect(markets.isFollowed).toBe(false);
  await expect(exchange.adopt(await placing)).rejects.toThrow('does not answer');
  expect(markets.isFollowed).toBe(false);
  await expect(leased.cancel(await placing)).rejects.toThrow(PaperElsewhere);
});
