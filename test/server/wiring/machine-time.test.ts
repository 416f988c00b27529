import { afterEach, expect, test, vi } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/index.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { MarketData } from '../../../src/ports/market-data.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { USE_CASES } from '../../../src/server/wiring/tokens.js';
import { ALICE, anOrderDraft } from '../../support/builders.js';
import { quotedMarkets, sourceOf } from '../../support/quoted-markets.js';
import { ManualTimeline } from '../../support/scripted-market.js';

afterEach(() => vi.useRealTimers());

/** A server on this market data, whose market time is long past. */
function server(data: MarketData, ledger = new MemoryLedger()) {
  const timeline = new ManualTimeline('2020-03-01T12:00:00.000Z');
  return createContainer(readConfig({ DATABASE_URL: 'memory:' }), { ledger }, sourceOf(data, timeline));
}

test("an idempotency key used in a tape's time survives the expiry cleanup", async () => {
  const ledger = new MemoryLedger();
  const placeOrder = server(quotedMarkets(), ledger).get(USE_CASES).orders.place;
  const command = { draft: anOrderDraft(), mayTradeLive: false, idempotencyKey: 'k' };
  const { record } = await placeOrder.execute(command);
  expect(record.placedAt.getUTCFullYear()).toBe(2020);
  await ledger.forgetExpiredRequests(new Date());
  expect(await placeOrder.execute(command)).toEqual({ record, replayed: true });
});

test("an account's equity does not wait for a hanging source", async () => {
  const data = Object.assign(new NoMarketData(), { book: () => new Promise<never>(() => {}) });
  const { orders, accounts } = server(data).get(USE_CASES);
  await orders.place.execute({ draft: anOrderDraft(), mayTradeLive: false, idempotencyKey: null });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const looks = [
    accounts.portfolio.now(ALICE, { paper: true, strategyId: null }),
    accounts.sampleEquity.execute(1000),
  ] as const;
  await vi.advanceTimersByTimeAsync(2_000);
  const [portfolio, sampling] = await Promise.all(looks);
  expect(portfolio).toMatchObject({ unmarked: 1, value: portfolio.holdings[0]?.position.cost });
  expect(sampling).toMatchObject({ stored: 0, skipped: 1 });
});
