import type { Market, MarketChange, MarketId } from 'stakeport';
import { TapeWriter } from '../src/adapters/tape/tape-recorder.js';
import { shares } from '../test/support/builders.js';
import { aBook, chance, MARKET, priceAt, updates } from './generated-book.js';

const MARKETS = 20;
const CHANGES = 100_000;
const SOLD = shares('12.34');
const START = Date.parse('2026-03-01T12:00:00.000Z');

/** How many lines of each kind a tape has, beside its header. */
export type Lines = Record<'market' | 'book' | 'levels' | 'trade', number>;

/**
 * Writes a tape of some markets with a book of a hundred levels a side each: mostly updates of one level, one trade to ten
 * of those, and now and then the complete book.
 */
export async function writeTape(path: string, compressed: boolean): Promise<Lines> {
  const writer = new TapeWriter(path, compressed, new Date(START));
  const lines: Lines = { market: 0, book: 0, levels: 0, trade: 0 };
  const write = ({ id }: Market, ms: number, change: MarketChange & { type: keyof Lines }) => {
    lines[change.type] += 1;
    return writer.write({ at: new Date(START + ms), type: 'change', marketId: id, change });
  };
  await writer.header({ recordedAt: new Date(START), venue: 'bench' });
  const markets = Array.from({ length: MARKETS }, (_, number) => aMarket(number));
  for (const market of markets) {
    await write(market, 0, { type: 'market', market });
    await write(market, 0, wholeBook());
  }
  const random = chance(2);
  for (const [number, { changes }] of updates(CHANGES, 3).entries()) {
    const market = markets[Math.floor(random() * MARKETS)] ?? MARKET;
    const kind = random();
    if (kind < 0.001) await write(market, number, wholeBook());
    else if (kind < 0.1)
      await write(market, number, { type: 'trade', price: priceAt('asks', 0), shares: SOLD, taker: 'BUY' });
    else await write(market, number, { type: 'levels', changes });
  }
  await writer.close();
  return lines;
}

function aMarket(number: number): Market {
  const id = `0x${(number + 1).toString(16).padStart(64, '0')}` as MarketId;
  return { ...MARKET, id, conditionId: id, slug: `bench-${number}`, venueId: `${number + 1}` };
}

function wholeBook() {
  const { bids, asks } = aBook(shares('1000.5'));
  return { type: 'book', bids, asks } as const;
}
