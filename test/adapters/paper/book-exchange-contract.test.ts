import { describe, expect, it } from 'vitest';
import { BookPaperExchange } from '../../../src/adapters/paper/index.js';
import { systemTimeline } from '../../../src/adapters/system/index.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import { exchangeContract } from '../../../src/testing/index.js';
import { aMarket, ScriptedMarket } from '../../support/scripted-market.js';

/** Shares on both sides, so that orders at the contract's prices fill whole, in part, and not at all. */
const BIDS = '0.49x15 0.48x30';
const ASKS = '0.50x15 0.51x30';

async function aVenue() {
  const market = aMarket();
  const markets = new ScriptedMarket(market, systemTimeline, BIDS, ASKS);
  const exchange = new BookPaperExchange({
    markets: marketsAt(markets),
    timeline: systemTimeline,
    latencyMs: 0,
    sink: async () => {},
  });
  await exchange.local.prepare(market);
  return { exchange, market, close: async () => exchange.close() };
}

describe('The paper exchange with a book, as a venue like any other', () => {
  for (const { name, check } of exchangeContract(aVenue)) it(name, () => expect(check()).resolves.toBeUndefined());
});
