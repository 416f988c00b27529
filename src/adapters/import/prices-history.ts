import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { VenueName } from '../../core/ids.js';
import { isPrice, ONE, parseMicro } from '../../core/money.js';
import type {
  Archive,
  ArchiveFindings,
  ArchiveLine,
  ArchiveSource,
  ImportedMarket,
  Importer,
} from '../../ports/importer.js';
import { ImportRefused } from './import-refused.js';
import { noPrices, onceEach, type PricePoint, pacedLines } from './paced-lines.js';
import { Counts } from './rebuilt-book.js';

const VENUE = 'polymarket' as VenueName;
const SOURCE: ArchiveSource = {
  evidence: 'mid',
  vendor: 'polymarket',
  version: 'prices-history',
  licence: null,
  clock: 'source',
};
const SECOND_MS = 1000;

/** Answers of the CLOB's `/prices-history`, which hold the middle of the book alone. */
export const pricesHistory: Importer = {
  kind: 'prices-history',
  summary: 'JSON answers of Polymarket’s /prices-history, each named after its token, or of its batch form',
  takesFee: true,
  async open(paths, markets, { onProgress }) {
    const histories: { readonly path: string; readonly token: string; readonly history: unknown }[] = [];
    for (const [at, path] of paths.entries()) {
      histories.push(...(await historiesOf(path)));
      onProgress((at + 1) / paths.length);
    }
    return new PriceArchive(histories, markets);
  },
};

async function historiesOf(path: string) {
  let answer: unknown;
  try {
    answer = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ImportRefused(path, 'is not JSON: save the answer as it came');
  }
  const history = (answer as { history?: unknown } | null)?.history;
  if (Array.isArray(history))
    return [{ path, token: basename(path).replace(/\..*$/, ''), history: history as unknown }];
  if (typeof history !== 'object' || history === null)
    throw new ImportRefused(path, 'has no history: an answer of /prices-history is {"history":[{"t":…,"p":…}]}');
  return Object.entries(history).map(([token, points]) => ({ path, token, history: points as unknown }));
}

class PriceArchive implements Archive {
  readonly venue = VENUE;
  readonly source = SOURCE;
  readonly attribution = null;
  readonly #counts = new Counts();
  readonly #points = new Map<number, readonly PricePoint[]>();

  constructor(
    histories: readonly { readonly path: string; readonly token: string; readonly history: unknown }[],
    private readonly markets: readonly ImportedMarket[],
  ) {
    const places = new Map(
      markets.flatMap(({ market: { outcomes } }, at) =>
        (outcomes ?? []).map(({ tokenId }, outcome) => [tokenId, { at, isSecond: outcome === 1 }] as const),
      ),
    );
    const second = new Map<number, readonly PricePoint[]>();
    for (const { path, token, history } of histories) {
      const place = places.get(token);
      if (place === undefined) {
        this.#counts.add('other_tokens');
        continue;
      }
      const points = this.#pointsOf(path, history, place.isSecond);
      const kept = place.isSecond ? second : this.#points;
      kept.set(place.at, onceEach([...(kept.get(place.at) ?? []), ...points]));
    }
    // The second outcome is the mirror of the first, and read only where that lacks.
    for (const [at, points] of second) if (!this.#points.has(at)) this.#points.set(at, points);
    if (this.#points.size === 0)
      throw new ImportRefused(
        null,
        'no file is named after a token of the markets: call each <token>.json after the token that it was asked for',
        null,
        'nothing',
      );
  }

  #pointsOf(path: string, history: unknown, isSecond: boolean): readonly PricePoint[] {
    if (!Array.isArray(history)) throw new ImportRefused(path, 'has a history that is no list');
    return history.flatMap((point: unknown, row): readonly PricePoint[] => {
      const { t, p } = (point ?? {}) as { t?: unknown; p?: unknown };
      if (!Number.isSafeInteger(t) || typeof p !== 'number')
        throw new ImportRefused(path, 'has a price that is not {"t":seconds,"p":number}', row);
      this.#counts.add('rows');
      const own = microOf(p);
      const price = isSecond ? ONE - own : own;
      if (isPrice(price)) return [{ at: (t as number) * SECOND_MS, change: { type: 'mid', price } }];
      this.#counts.add('prices_out_of_range');
      return [];
    });
  }

  async *lines(): AsyncGenerator<Iterable<ArchiveLine>> {
    yield pacedLines(
      this.#points,
      this.markets.map(({ market }) => market.id),
    );
  }

  findings(): ArchiveFindings {
    const quiet = this.markets.flatMap(({ market }, at) => (this.#points.has(at) ? [] : [market.id]));
    const mid = {
      code: 'mid_only',
      detail:
        'Prices are the middle of the book: they serve for calibration and signals, and no bet is filled at them.',
    };
    return { counts: this.#counts, warnings: [mid, ...noPrices(quiet)] };
  }
}

/** A number of JSON in millionths; more digits than six are rounded. */
function microOf(value: number): bigint {
  return value >= 0 && value <= 1 ? parseMicro(value.toFixed(6)) : 0n;
}
