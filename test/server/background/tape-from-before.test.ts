import { expect, it } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { VenueName } from '../../../src/core/ids.js';
import { openLeasedPaper } from '../../../src/server/background/leased-paper.js';
import { createLogger } from '../../../src/server/http/log.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { openMarketSource } from '../../../src/server/wiring/market-source.js';
import { described, level, line, pastNoon, tape } from '../../adapters/tape/tapes.js';
import { anOpenMarket } from '../../core/matching/view.js';
import { ALICE, anOrderContext, clockAt, price, usdc } from '../../support/builders.js';
import { rests, ScriptedExchange } from '../../support/scripted-exchange.js';
import { trading } from '../../support/trading.js';

const market = { ...anOpenMarket(), venue: 'test' as VenueName };
const offered = (at: string, size: string) => ({ type: 'book', bids: [], asks: [level(at, size)] }) as const;
const logger = createLogger('silent');

/** Two chances for who buys at 0.5, two seconds and five seconds after noon. */
const played = tape(
  line(0, described(market), market),
  line(1, offered('0.6', '20'), market),
  line(2000, offered('0.5', '6'), market),
  line(3000, offered('0.6', '20'), market),
  line(5000, offered('0.5', '7'), market),
  line(9000, offered('0.6', '20'), market),
);

/** Starts a server's orders on the tape and plays it to its end. */
async function play(ledger: MemoryLedger): Promise<Date | null> {
  const config = readConfig({ DATABASE_URL: 'memory:', MARKET_DATA: `tape:${played}`, TAPE_SPEED: 'max' });
  const source = await openMarketSource(config.marketData, () => {});
  const container = createContainer(config, { ledger }, source);
  const parts = { container, source, logger, latencyMs: 150 };
  const from = await openLeasedPaper(parts, () => undefined, new AbortController().signal).returning.start();
  source.goOn();
  await source.ended;
  await source.close();
  return from;
}

it('an order older than its tape rests from the resumption point on', async () => {
  const ledger = new MemoryLedger();
  const before = anOrderContext({ clock: clockAt('2026-03-01T11:00:00.000Z') });
  const paper = new ScriptedExchange({ place: rests() });
  const trader = trading(ledger, { context: before, paper, markets: new NoMarketData(market.venue) });
  const { id } = await trader.place({ marketId: market.id, price: price('0.5'), size: usdc('10') });
  await ledger.setBookmark('test 2026-03-01T12:00:00.000Z', pastNoon(3500));
  expect(await play(ledger)).toEqual(pastNoon(3501));
  const order = await ledger.findOrder(ALICE, id);
  expect(order).toMatchObject({ state: 'open', fills: [{ shares: 7_000_000n, liquidity: 'MAKER' }] });
});
