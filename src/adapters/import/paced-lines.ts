import type { MarketId } from '../../core/ids.js';
import type { MarketChange } from '../../core/market/event.js';
import type { ArchiveLine } from '../../ports/importer.js';
import { someOf } from './archive-hours.js';

/** Between two prices, the tape says that nothing was missed, more often than its 30 seconds. */
const ALIVE_MS = 20_000;
const MINUTE_MS = 60_000;
/** A wait of so many steps between prices is a gap. */
const MOST_STEPS = 1.5;

/** What is known of the price of one market at one moment, until the next one. */
export interface PricePoint {
  readonly at: number;
  readonly change: MarketChange;
}

/** Points in order of time, one for each moment: answers about parts of a span may overlap. */
export function onceEach(points: readonly PricePoint[]): readonly PricePoint[] {
  const sorted = points.toSorted((a, b) => a.at - b.at);
  return sorted.filter(({ at }, n) => at !== sorted[n - 1]?.at);
}

/** The lines of markets whose prices come in steps, by the place of each market; a step that lacks is a gap. */
export function* pacedLines(
  points: ReadonlyMap<number, readonly PricePoint[]>,
  ids: readonly MarketId[],
): Generator<ArchiveLine> {
  const all = [...points].flatMap(([at, own]) => {
    const marketId = ids[at];
    return marketId === undefined ? [] : linesOf(marketId, own, stepOf(own));
  });
  all.sort((a, b) => a.at.getTime() - b.at.getTime());
  // One pulse speaks for all markets: a wait of one of them is a gap of its own.
  const live = new Set<string>();
  let last = 0;
  for (const line of all) {
    const at = line.at.getTime();
    if (live.size > 0)
      for (let pulse = last + ALIVE_MS; pulse < at; pulse += ALIVE_MS) yield { type: 'alive', at: new Date(pulse) };
    last = at;
    if (line.type === 'change' && line.change.type === 'gap') live.delete(line.marketId);
    else if (line.type === 'change') live.add(line.marketId);
    yield line;
  }
}

/** The usual time between two prices: a minute, unless the history is coarser. */
function stepOf(points: readonly PricePoint[]): number {
  const steps = points.slice(1).map(({ at }, n) => at - (points[n] as PricePoint).at);
  const sorted = steps.filter((step) => step > 0).sort((a, b) => a - b);
  return Math.max(MINUTE_MS, sorted[Math.floor((sorted.length - 1) / 2)] ?? MINUTE_MS);
}

function linesOf(marketId: MarketId, points: readonly PricePoint[], step: number): readonly ArchiveLine[] {
  return points.flatMap(({ at, change }, n): readonly ArchiveLine[] => {
    const own: ArchiveLine = { type: 'change', at: new Date(at), marketId, change };
    const next = points[n + 1]?.at;
    if (next !== undefined && next - at <= MOST_STEPS * step) return [own];
    const lapsed = new Date(at + Math.floor(MOST_STEPS * step));
    return [own, { type: 'change', at: lapsed, marketId, change: { type: 'gap', reason: 'no later price' } }];
  });
}

/** A warning where markets have no prices; none where each has some. */
export const noPrices = (quiet: readonly string[]) =>
  quiet.length === 0 ? [] : [{ code: 'no_rows', detail: `${quiet.length} markets have no prices: ${someOf(quiet)}.` }];
