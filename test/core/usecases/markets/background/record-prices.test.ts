import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../../src/adapters/memory/index.js';
import { MarketDataUnavailable } from '../../../../../src/core/errors.js';
import type { BookView } from '../../../../../src/core/market/book.js';
import { type Market, refOf } from '../../../../../src/core/market/market.js';
import { formatMicro } from '../../../../../src/core/money.js';
import { RecordPrices } from '../../../../../src/core/usecases/markets/background/record-prices.js';
import { clockAt } from '../../../../support/builders.js';
import { aMarket, levels } from '../../../../support/scripted-market.js';

const MINUTE_MS = 60_000;

/** A market that is followed, and one minute after another. */
function followed() {
  const clock = clockAt('2026-12-05T15:00:10.000Z');
  const { prices } = new MemoryLedger();
  const market = aMarket({});
  let heard: (market: Market) => void = () => {};
  let shown: BookView | Error = book('0.40', '0.41');
  const record = new RecordPrices(
    prices,
    {
      hear: (listener) => {
        heard = listener;
      },
      book: async () => {
        if (shown instanceof Error) throw shown;
        return shown;
      },
    },
    clock,
  );
  return {
    begin: () => record.execute(),
    /** A minute in which the book became this one, if there was news. */
    async minute(next?: BookView | Error): Promise<number> {
      if (next !== undefined) {
        shown = next;
        heard(market);
      }
      clock.tick(MINUTE_MS);
      return record.execute();
    },
    async known() {
      const rows = await prices.list(refOf(market), {}, { limit: 10 });
      const text = (price: bigint | null) => price && formatMicro(price);
      return rows.map(({ at, bid, ask }) => `${at.toISOString().slice(11, 16)} ${text(bid)} ${text(ask)}`);
    },
    prices,
    market,
    clock,
  };
}

const book = (bid: string, ask: string, fresh = true): BookView => ({
  bids: levels(`${bid}x10`),
  asks: levels(`${ask}x10`),
  at: new Date(),
  fresh,
});

describe('The prices of followed markets', () => {
  it('are recorded at the end of each minute that changed them', async () => {
    const { begin, minute, known } = followed();
    await begin();
    await minute(book('0.40', '0.41'));
    await minute(book('0.40', '0.41'));
    await minute();
    await minute(book('0.45', '0.46'));
    expect(await known()).toEqual(['15:04 0.45 0.46', '15:01 0.4 0.41']);
  });

  it('are unknown while the book is stale', async () => {
    const { begin, minute, known } = followed();
    await begin();
    await minute(book('0.40', '0.41'));
    await minute(book('0.40', '0.41', false));
    await minute(book('0.40', '0.41'));
    expect(await known()).toEqual(['15:03 0.4 0.41', '15:02 null null', '15:01 0.4 0.41']);
  });

  it('of a market that does not answer are left out', async () => {
    const { begin, minute, known } = followed();
    await begin();
    expect(await minute(new MarketDataUnavailable())).toBe(0);
    expect(await known()).toEqual([]);
  });

  it('are tried again with the next news where they could not be stored', async () => {
    const { begin, minute, known, prices } = followed();
    await begin();
    const { keep } = prices;
    prices.keep = () => Promise.reject(new Error('The disk is full.'));
    await expect(minute(book('0.40', '0.41'))).rejects.toThrow('full');
    prices.keep = keep;
    await minute(book('0.40', '0.41'));
    expect(await known()).toEqual(['15:02 0.4 0.41']);
  });

  it('are forgotten after 90 days', async () => {
    const { begin, minute, known, clock } = followed();
    await begin();
    await minute(book('0.40', '0.41'));
    clock.tick(90 * 24 * 60 * MINUTE_MS);
    await minute();
    expect(await known()).toEqual([]);
  });
});
