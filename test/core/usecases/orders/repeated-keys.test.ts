import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/index.js';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import {
  type DomainError,
  IdempotencyKeyReused,
  MarketDataUnavailable,
  MarketNotFound,
  MarketUnusable,
} from '../../../../src/core/errors.js';
import { ResetPaperAccount } from '../../../../src/core/usecases/accounts/reset-paper-account.js';
import { ALICE, aMarket, anOrderContext, BOB, clockAt, NOON, usdc } from '../../../support/builders.js';
import { rests, ScriptedExchange } from '../../../support/scripted-exchange.js';
import { trading } from '../../../support/trading.js';

const k = { idempotencyKey: 'k' };
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

describe('A key that was used on a tape of last year', () => {
  /** A stage at which the market is a year behind the machine. */
  function yesteryear() {
    const [ledger, machine] = [new MemoryLedger(), clockAt(NOON)];
    const context = anOrderContext({ clock: clockAt('2025-03-01T12:00:00.000Z'), wallClock: machine });
    const trader = trading(ledger, { context, paper: new ScriptedExchange({ place: rests() }) });
    const reset = new ResetPaperAccount(ledger, trader.cancelOrder, context);
    /** What the server does every hour. */
    const tidy = () => ledger.forgetExpiredRequests(machine.now());
    return { ledger, machine, trader, reset, tidy };
  }

  it('is still known when expired keys are forgotten', async () => {
    const { ledger, machine, trader, tidy } = yesteryear();
    const { record } = await trader.submit({}, k);
    machine.tick(HOUR_MS);
    expect(await tidy()).toBe(0);
    expect(await trader.submit({}, k)).toEqual({ record, replayed: true });
    expect(await ledger.listOrders(ALICE, {}, { limit: 5 })).toHaveLength(1);
    expect(record.placedAt.toISOString()).toBe('2025-03-01T12:00:00.000Z');
  });

  it('is still known when it cancelled an order or reset an account', async () => {
    const { machine, trader, reset, tidy } = yesteryear();
    const { id: orderId } = await trader.place();
    const cancel = () => trader.cancelOrder.execute({ account: ALICE, orderId, ...k });
    const asNew = () => reset.execute({ by: BOB, account: ALICE, ...k });
    await cancel();
    const first = await asNew();
    machine.tick(HOUR_MS);
    expect(await tidy()).toBe(0);
    expect((await cancel()).replayed).toBe(true);
    expect(await asNew()).toEqual({ ...first, replayed: true });
    expect(first.record.at.toISOString()).toBe('2025-03-01T12:00:00.000Z');
  });

  it('is new again after 30 days of machine time', async () => {
    const { machine, trader, tidy } = yesteryear();
    await trader.place({}, k);
    machine.tick(30 * DAY_MS - 1);
    expect((await trader.submit({}, k)).replayed).toBe(true);
    machine.tick(1);
    expect((await trader.submit({}, k)).replayed).toBe(false);
    expect(await tidy()).toBe(0);
  });
});

describe.each<[string, DomainError | null]>([
  ['the source of market data is down', new MarketDataUnavailable()],
  ['the market has become unusable', new MarketUnusable('token_ids_equal', 'Both outcomes have the same token id.')],
  ['the venue no longer knows the market', null],
])('While %s', (_, trouble) => {
  /** Market data that works until the test breaks it, and a ledger whose writes are counted. */
  function fixture() {
    let down = false;
    const find = async () => {
      if (down && trouble !== null) throw trouble;
      return down ? undefined : aMarket();
    };
    const counts = { writes: 0 };
    class Counting extends MemoryLedger {
      override write<T>(...asked: Parameters<typeof MemoryLedger.prototype.write<T>>): Promise<T> {
        counts.writes += 1;
        return super.write(...asked);
      }
    }
    const trader = trading(new Counting(), { markets: Object.assign(new NoMarketData(), { find }) });
    const fail = (is: boolean) => {
      down = is;
      counts.writes = 0;
    };
    return { trader, fail, counts };
  }
  const problem = trouble ?? MarketNotFound;

  it('a key on record is answered from the record, by one read', async () => {
    const { trader, fail, counts } = fixture();
    const { record } = await trader.submit({}, k);
    fail(true);
    expect(await trader.submit({}, k)).toEqual({ record, replayed: true });
    expect(counts.writes).toBe(1);
  });

  it('a key on record with another body is refused as such', async () => {
    const { trader, fail } = fixture();
    await trader.place({}, k);
    fail(true);
    await expect(trader.place({ size: usdc('11') }, k)).rejects.toThrow(IdempotencyKeyReused);
  });

  it('a first request gets its problem, and records no order or key', async () => {
    const { trader, fail } = fixture();
    fail(true);
    await expect(trader.place({}, k)).rejects.toThrow(problem);
    expect(await trader.ledger.listOrders(ALICE, {}, { limit: 5 })).toEqual([]);
    fail(false);
    expect((await trader.submit({ size: usdc('11') }, k)).replayed).toBe(false);
  });

  it('a request without a key fails before the ledger is asked', async () => {
    const { trader, fail, counts } = fixture();
    fail(true);
    await expect(trader.place()).rejects.toThrow(problem);
    expect(counts.writes).toBe(0);
  });
});
