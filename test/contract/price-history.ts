import { describe, expect, it } from 'vitest';
import type { MarketId, VenueName } from '../../src/core/ids.js';
import type { MinutePrices } from '../../src/core/market/minute-prices.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { NOON, price } from '../support/builders.js';

const MINUTE_MS = 60_000;
const ALL = { limit: 1000 } as const;
const RAIN = { venue: 'sea' as VenueName, marketId: 'will-it-rain' as MarketId };

/** So many minutes after noon. */
const noonPlus = (minutes: number) => new Date(Date.parse(NOON) + minutes * MINUTE_MS);
const at = (minutes: number, changes: Partial<MinutePrices> = {}): MinutePrices => ({
  ...RAIN,
  at: noonPlus(minutes),
  bid: price('0.4'),
  ask: price('0.41'),
  ...changes,
});

export function priceHistory(open: () => Pick<Ledger, 'prices'>): void {
  describe('the prices of a market by the minute', () => {
    it('are listed newest first, of a period, page by page', async () => {
      const { prices } = open();
      const minutes = [at(0), at(1, { bid: null, ask: null }), at(2), at(3)];
      await prices.keep(minutes);
      expect(await prices.list(RAIN, {}, ALL)).toEqual(minutes.toReversed());
      expect(await prices.list(RAIN, { from: noonPlus(1), before: noonPlus(3) }, ALL)).toEqual([
        minutes[2],
        minutes[1],
      ]);
      const [, second] = await prices.list(RAIN, {}, { limit: 2 });
      expect(second).toEqual(minutes[2]);
      expect(await prices.list(RAIN, {}, { limit: 2, after: noonPlus(2) })).toEqual([minutes[1], minutes[0]]);
    });

    it('are those of this market at this venue alone', async () => {
      const { prices } = open();
      await prices.keep([at(0, { venue: 'land' as VenueName }), at(0, { marketId: 'Will-it-rain' as MarketId })]);
      expect(await prices.list(RAIN, {}, ALL)).toEqual([]);
    });

    it('are replaced by those of the same minute', async () => {
      const { prices } = open();
      await prices.keep([at(0)]);
      await prices.keep([at(0, { ask: price('0.5') })]);
      expect(await prices.list(RAIN, {}, ALL)).toEqual([at(0, { ask: price('0.5') })]);
    });

    it('are forgotten by age, a few at a time, the oldest first', async () => {
      const { prices } = open();
      await prices.keep([at(2), at(0), at(1), at(3)]);
      expect(await prices.forget(noonPlus(3), 2)).toBe(2);
      expect(await prices.list(RAIN, {}, ALL)).toEqual([at(3), at(2)]);
      expect(await prices.forget(noonPlus(3), 2)).toBe(1);
      expect(await prices.forget(noonPlus(3), 2)).toBe(0);
    });

    it('are kept of a thousand markets at once', async () => {
      const { prices } = open();
      await prices.keep(Array.from({ length: 1000 }, (_, n) => at(0, { marketId: `m${n}` as MarketId })));
      expect(await prices.list({ ...RAIN, marketId: 'm999' as MarketId }, {}, ALL)).toHaveLength(1);
    });
  });
}
