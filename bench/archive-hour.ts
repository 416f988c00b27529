import { writeFile } from 'node:fs/promises';
import { type PmxtRow, pmxtHour, pmxtMarket } from '../test/support/pmxt-files.js';

const BEGAN = Date.UTC(2026, 5, 26, 2);
const HOUR_MS = 3_600_000;

/** Writes an invented hour of the PMXT archive in one part, sorted as the archive sorts, and a file with its markets. */
export async function writeArchiveHour(
  { file, meta }: { readonly file: string; readonly meta: string },
  { markets, rows }: { readonly markets: number; readonly rows: number },
): Promise<void> {
  const described = Array.from({ length: markets }, (_, n) => pmxtMarket(n + 1));
  const each = Math.floor(rows / (2 * markets));
  const all = described.flatMap(({ id, outcomes }, at) =>
    outcomes.flatMap(({ token_id }, outcome) => rowsOf(id, token_id, outcome, each, at)),
  );
  await writeFile(meta, described.map((market) => `${JSON.stringify(market)}\n`).join(''));
  await writeFile(file, pmxtHour(all, { groupSize: rows }));
}

/** Changes of a book of one outcome, a whole book at each hundredth. */
function rowsOf(market: string, token: string, outcome: number, many: number, seed: number): readonly PmxtRow[] {
  return Array.from({ length: many }, (_, n): PmxtRow => {
    const at = BEGAN + Math.floor((n * HOUR_MS) / many) + (seed % 7);
    const price = (cents: number) => (outcome === 0 ? cents : 100 - cents).toString().padStart(2, '0');
    const [bid, ask] = outcome === 0 ? [price(48), price(50)] : [price(50), price(48)];
    const text = (cents: string) => `0.${cents}`;
    if (n % 100 === 0)
      return {
        at,
        market,
        token,
        type: 'book',
        bids: [
          [text(bid), '100'],
          ['0.3', '55.5'],
        ],
        asks: [
          [text(ask), '90'],
          ['0.7', '44.25'],
        ],
      };
    const size = `${1 + ((n * 37 + seed) % 900)}.${(n * 7) % 10}`;
    return {
      at,
      market,
      token,
      type: 'price_change',
      price: `0.${20 + (n % 20)}`,
      size,
      side: 'BUY',
      bestBid: text(bid),
      bestAsk: text(ask),
    };
  });
}
