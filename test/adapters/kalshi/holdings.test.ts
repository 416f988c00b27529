import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KALSHI_DEMO } from '../../../src/adapters/kalshi/venue-name.js';
import { NoMarketData } from '../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { Usdc } from '../../../src/core/money.js';
import { AuditHoldings } from '../../../src/core/usecases/accounts/audit-holdings.js';
import { ALICE, anOrderContext, BOB, type DraftChanges, price, usdc } from '../../support/builders.js';
import { Trading } from '../../support/trading.js';
import { atKalshi, listedAtKalshi, TICKER } from './exchange-fixture.js';

type AtKalshi = Awaited<ReturnType<typeof atKalshi>>;

/** Long enough that no change of an order is fresh any more. */
const LONG_MS = 120_000;
const [ALICES, BOBS] = [60_000_000n as Usdc, 40_000_000n as Usdc];
/** In hundredths of a contract. */
const ONE_CONTRACT = 100n;
const BUY = { paper: false, venue: KALSHI_DEMO, marketId: TICKER as MarketId, price: price('0.52') } as const;

let at: AtKalshi;
let trading: Trading;

/** Two accounts behind one key, with all of its money on their books. */
beforeEach(async () => {
  at = await atKalshi();
  const ledger = new MemoryLedger(at.clock);
  const markets = Object.assign(new NoMarketData(KALSHI_DEMO), { find: async () => listedAtKalshi() });
  const context = anOrderContext({ clock: at.clock, stopwatch: () => at.time.now });
  trading = new Trading(ledger, { live: at.exchange, markets, context, settlesInCash: true });
  const { manage } = trading.use.accounts;
  for (const [trader, cash] of [[ALICE, ALICES] as const, [BOB, BOBS] as const]) {
    await manage.allowLive(trader, true);
    await manage.deposit(trader, KALSHI_DEMO, cash);
  }
});

afterEach(() => at.close());

const place = (changes: DraftChanges) => trading.place({ account: ALICE, ...BUY, ...changes }, { mayTradeLive: true });
/** Alice buys 20 YES, and it is no news any more. */
async function held(): Promise<void> {
  await place({ size: usdc('10.40') });
  at.time.now += LONG_MS;
}
const compared = () => new AuditHoldings(trading.ledger, at.exchange).execute();
async function found(): Promise<readonly string[]> {
  const comparison = await compared();
  if (comparison.kind === 'unknown') throw new Error(comparison.reason);
  return comparison.findings.map(({ verdict, message }) => `${verdict}: ${message}`);
}
const changeByHand = (contracts: bigint, ticker = TICKER) =>
  at.account.positions.set(ticker, (at.account.positions.get(ticker) ?? 0n) + contracts * ONE_CONTRACT);

describe('The books of all accounts and what the venue shows of their one account', () => {
  it('agree, whatever was bought, sold and played on paper', async () => {
    await place({ size: usdc('10.40') });
    await place({ side: 'SELL', price: price('0.47'), size: usdc('0.94') });
    await place({ paper: true, size: usdc('5.20') });
    expect(await compared()).toEqual({ kind: 'compared', venue: KALSHI_DEMO, markets: 1, findings: [] });
    at.time.now += LONG_MS;
    expect(await found()).toEqual([]);
    expect(at.account.positions.get(TICKER)).toBe(18n * ONE_CONTRACT);
  });

  it('agree where accounts hold both outcomes: the venue nets them, and has paid a dollar a pair', async () => {
    await place({ size: usdc('10.40') });
    await place({ account: BOB, outcome: 'NO', price: price('0.53'), size: usdc('1.59') });
    at.time.now += LONG_MS;
    expect(at.account.positions.get(TICKER)).toBe(17n * ONE_CONTRACT);
    expect(await found()).toEqual([expect.stringMatching(/^told: The cash: .*, 3 more\. /)]);
  });

  it('agree where the venue has more cash, which may be money of others', async () => {
    await held();
    at.account.cash += 7_000_000n;
    expect(await found()).toEqual([expect.stringMatching(/^told: The cash: .*, 7 more\. /)]);
  });
});

describe('A difference is told with its amount', () => {
  beforeEach(held);

  it('a position that was changed at the web page of the venue', async () => {
    changeByHand(-2n);
    expect(await found()).toEqual([`differs: The net position of ${TICKER}: the books have 20, the venue 18, 2 less.`]);
  });

  it('a position that the books know nothing of', async () => {
    changeByHand(-3n, 'KXNFLGAME-27JAN17AAABBB-AAA');
    expect(await found()).toEqual([
      'differs: The net position of KXNFLGAME-27JAN17AAABBB-AAA: the books have 0, the venue -3, 3 less.',
    ]);
  });

  it('a position that is gone though no result was paid', async () => {
    at.account.positions.delete(TICKER);
    expect(await found()).toEqual([expect.stringMatching(/^differs: .* the books have 20, the venue 0, 20 less\.$/)]);
  });

  it('cash that was taken out at the venue', async () => {
    at.account.cash -= 1_500_000n;
    expect(await found()).toEqual([expect.stringMatching(/^differs: The cash: .*, 1\.5 less\.$/)]);
  });

  it('cash that is short of more than the venue may have rounded', async () => {
    at.account.cash -= 100n;
    expect(await found()).toEqual([expect.stringMatching(/^told: The cash: .*, 0\.0001 less\. /)]);
    at.account.cash -= 100n;
    expect(await found()).toEqual([expect.stringMatching(/^differs: The cash: .*, 0\.0002 less\.$/)]);
  });

  it('and nothing was changed for it: no order was sent, and every account has what it had', async () => {
    const before = [at.venue.placed.length, at.account.cash, await trading.ledger.listBalances({ limit: 9 })];
    changeByHand(-2n);
    await found();
    expect([at.venue.placed.length, at.account.cash, await trading.ledger.listBalances({ limit: 9 })]).toEqual(before);
  });
});

describe('It is not known, rather than a difference,', () => {
  it('while reads of the venue lag behind an order, however long', async () => {
    await held();
    at.account.lagMs = 3_600_000;
    expect(await found()).toEqual([
      expect.stringMatching(/^unknown: .* the books have 20, the venue 0, 20 less\. Orders/),
    ]);
    changeByHand(-1n);
    expect(await found()).toEqual([expect.stringMatching(/^differs: .* the books have 20, the venue -1, 21 less\.$/)]);
  });

  it('while an order changed a moment ago, in the time of the venue', async () => {
    at.venue.skewMs = 30_000;
    await at.client.venueClock.measure();
    await place({ size: usdc('10.40') });
    at.time.now += 59_000;
    changeByHand(-2n);
    expect(await found()).toEqual([expect.stringMatching(/^unknown: The net position/)]);
  });

  it('while an order rests that may have filled', async () => {
    const { venueOrderId } = await place({ price: price('0.40'), size: usdc('4') });
    at.time.now += LONG_MS;
    expect(await found()).toEqual([]);
    at.account.take(venueOrderId ?? '', '3.00');
    expect(await found()).toEqual([
      expect.stringMatching(/^unknown: The net position .* the books have 0, the venue 3, 3 more\. Orders/),
      expect.stringMatching(/^unknown: The cash: .* less\. Orders/),
    ]);
    changeByHand(8n);
    expect(await found()).toContainEqual(
      expect.stringMatching(/^differs: .* the books have 0, the venue 11, 11 more\.$/),
    );
  });

  it('whether the venue shows the cash that resting orders reserve, and no more than that', async () => {
    await place({ price: price('0.40'), size: usdc('4') });
    at.time.now += LONG_MS;
    at.account.cash -= 4_000_000n;
    expect(await found()).toEqual([expect.stringMatching(/^unknown: The cash: .*, 4 less\. Orders/)]);
    at.account.cash -= 1_000_000n;
    expect(await found()).toEqual([expect.stringMatching(/^differs: The cash: .*, 5 less\.$/)]);
  });

  it('when the venue has paid a result that is not booked yet, or does not say whether', async () => {
    await held();
    at.account.settle(TICKER, '1.0000');
    expect(await found()).toEqual([
      expect.stringMatching(/^unknown: .* It has paid the result, which is not booked yet\.$/),
      expect.stringMatching(/^told: The cash: .*, 20 more\. /),
    ]);
    at.venue.faults.push({ path: '/portfolio/settlements', status: 200, body: '"?"' });
    expect((await found())[0]).toMatch(/^unknown: .* It does not say whether it has paid the result\.$/);
  });

  it.each([
    ['/exchange/user_data_timestamp', '{}'],
    ['/portfolio/positions', '"?"'],
    ['/portfolio/positions', '{"market_positions":[{"ticker":"A","position_fp":"many"}],"cursor":""}'],
    ['/portfolio/positions', '{"market_positions":[{"ticker":"A","position_fp":"1.00"}],"cursor":"more"}'],
    ['/portfolio/balance', '{"balance":100}'],
  ])('when %s answers %s', async (path, body) => {
    await held();
    at.venue.faults.push(...Array.from({ length: 9 }, () => ({ path, status: 200, body })));
    expect(await compared()).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/^The venue did not /) });
  });
});

it('A venue without net positions has nothing to compare', async () => {
  const exchange = { venue: KALSHI_DEMO };
  expect(await new AuditHoldings(trading.ledger, exchange).execute()).toMatchObject({ kind: 'unknown' });
});
