import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MarketId } from '../../core/ids.js';
import type { Market } from '../../core/market/market.js';
import { parseMicro } from '../../core/money.js';
import type { Archive, ArchiveLine, ImportedMarket, Importer } from '../../ports/importer.js';
import { packingNamed, zstdMissing } from '../tape/packing.js';
import type { TapeLine } from '../tape/tape-line.js';
import { TapeWriter } from '../tape/tape-writer.js';
import { ImportRefused } from './import-refused.js';
import { kalshiCandles } from './kalshi-candles.js';
import { atTheBeginning, type ImportedResult, readMarkets, readResults } from './markets-file.js';
import { pmxt } from './pmxt.js';
import { pmxtKalshi } from './pmxt-kalshi.js';
import { pricesHistory } from './prices-history.js';

/** Every kind of archive that can be imported. */
export const IMPORTERS: readonly Importer[] = [pmxt, pricesHistory, pmxtKalshi, kalshiCandles];

/** What is imported, and where to. */
export interface ImportOptions {
  /** One of `IMPORTERS`. */
  readonly importer: Importer;
  readonly files: readonly string[];
  /** Ids of markets, or `all` of those that `meta` describes. */
  readonly markets: readonly string[] | 'all';
  /** A file with the markets. */
  readonly meta: string;
  /** A file with results; without one, markets stay without a result. */
  readonly results?: string | undefined;
  /** The rate of the fee of markets whose fee is not known, such as `0.05`. */
  readonly fee?: string | undefined;
  readonly anySize?: boolean;
  readonly useSecond?: boolean;
  readonly late?: boolean;
  /** The tape, a new file; compressed when it ends in `.gz` or `.zst`. */
  readonly out: string;
  readonly onProgress?: (done: number) => void;
}

/** What came of an import; `OUT.import.json` holds the same. */
export interface ImportReport {
  readonly kind: string;
  readonly source: Archive['source'];
  readonly attribution: string | null;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly from: string;
  readonly to: string;
  readonly markets: readonly {
    readonly id: string;
    readonly lines: number;
    readonly gaps: number;
    readonly coverage: string;
  }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

/**
 * Writes what an archive holds of some markets as a tape, and beside it what was found. The same files give the same bytes, but for
 * how they are compressed. Nothing is left of a tape that could not be written to its end.
 * @throws ImportRefused that names the file and the row
 */
export async function importTape(options: ImportOptions): Promise<ImportReport> {
  const { importer, files, meta, out, onProgress = () => {} } = options;
  const { anySize = false, useSecond = false, late = false } = options;
  if (options.fee !== undefined && !importer.takesFee)
    throw new ImportRefused(
      null,
      `--fee is not for ${importer.kind}: give its series in the file of --meta, which say the fee`,
    );
  const markets = wantedOf(await readMarkets(meta), options);
  const results = resultsOf(markets, options.results === undefined ? new Map() : await readResults(options.results));
  if (existsSync(out)) throw new ImportRefused(out, 'is there already: give --out another name, or remove it');
  const packing = packingNamed(out);
  if (packing === 'zstd' && zstdMissing() !== null) throw new ImportRefused(out, `cannot be written: ${zstdMissing()}`);
  const archive = await importer.open(files, markets, { anySize, useSecond, late, onProgress });
  const partial = `${out}.partial`;
  await rm(partial, { force: true });
  const fee = options.fee === undefined ? null : parseMicro(options.fee);
  const tape = new ImportedTape(archive, markets, results, fee, new TapeWriter(partial, packing, new Date(0), 'wx'));
  try {
    await tape.write();
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await rename(partial, out);
  const hashed = [];
  for (const path of files) hashed.push({ name: basename(path), sha256: await sha256Of(path) });
  const report = tape.report(importer.kind, hashed);
  await writeFile(`${out}.import.json`, `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

function wantedOf(described: readonly ImportedMarket[], { markets, meta }: ImportOptions): readonly ImportedMarket[] {
  if (markets === 'all') {
    if (described.length === 0) throw new ImportRefused(meta, 'describes no market');
    return described;
  }
  const known = new Map(described.map((one) => [one.market.id as string, one]));
  return [...new Set(markets)].map((id) => {
    const found = known.get(id);
    if (found === undefined) throw new ImportRefused(meta, `does not describe the market ${id}`);
    return found;
  });
}

/** Those that are given, and for other markets those that their descriptions have. */
function resultsOf(
  markets: readonly ImportedMarket[],
  given: ReadonlyMap<string, ImportedResult>,
): ReadonlyMap<string, ImportedResult> {
  const described = markets.flatMap(
    ({ market: { id, payout }, resolvedAt }): readonly (readonly [string, ImportedResult])[] =>
      payout === null || resolvedAt === null ? [] : [[id, { at: resolvedAt, payout }]],
  );
  return new Map([...described, ...given]);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = createReadStream(path).pipe(hash, { end: true });
  await once(file, 'finish');
  return hash.digest('hex');
}

/** Without a line for this long every market has a gap. */
const SILENCE_MS = 30_000;

const LINES_A_WRITE = 1000;

/** How long a market was live, as the tape shows it. */
interface Seen {
  lines: number;
  gaps: number;
  liveSince: number | null;
  liveMs: number;
  lastTrade: number;
}

/** Something that happens to a market beside the lines of the archive. */
interface Planned {
  readonly at: number;
  readonly market: Market;
}

class ImportedTape {
  readonly #seen = new Map<MarketId, Seen>();
  #began: number | null = null;
  #newest = 0;
  #waiting: TapeLine[] = [];

  constructor(
    private readonly archive: Archive,
    private readonly markets: readonly ImportedMarket[],
    private readonly results: ReadonlyMap<string, ImportedResult>,
    private readonly fee: bigint | null,
    private readonly tape: TapeWriter,
  ) {}

  async write(): Promise<void> {
    let planned: Planned[] = [];
    try {
      for await (const lines of this.archive.lines())
        for (const line of lines) {
          if (this.#began === null) planned = await this.#begin(line.at);
          if (planned.length > 0) planned = this.#due(planned, line.at.getTime());
          this.#put(line);
          if (this.#waiting.length >= LINES_A_WRITE) await this.#flush();
        }
      if (this.#began === null || [...this.#seen.values()].every(({ lines }) => lines === 0))
        throw new ImportRefused(
          null,
          'the files hold nothing of these markets: check their ids and the hours',
          null,
          'nothing',
        );
      this.#refuseEarlyResults();
      this.#due(planned, Number.POSITIVE_INFINITY);
      await this.#flush();
    } finally {
      await this.tape.close();
    }
  }

  /** The first lines of the tape; returns the changes of markets that come later. */
  async #begin(at: Date): Promise<Planned[]> {
    this.#began = at.getTime();
    const { source, venue } = this.archive;
    await this.tape.header({ recordedAt: at, venue, source: { ...source, metadata: 'as_of_now' } });
    const planned: Planned[] = [];
    for (const imported of this.markets) {
      const market = atTheBeginning(imported, this.fee, at);
      this.#seen.set(market.id, { lines: 0, gaps: 0, liveSince: null, liveMs: 0, lastTrade: 0 });
      this.#waiting.push({ type: 'change', at, marketId: market.id, change: { type: 'market', market } });
      planned.push(...this.#endsOf(market, imported.closedAt));
    }
    return planned.sort((a, b) => a.at - b.at);
  }

  #endsOf(market: Market, closedAt: Date | null): readonly Planned[] {
    const { terms, id } = market;
    const result = this.results.get(id);
    const over = { ...market, terms: terms && { ...terms, acceptingOrders: false } };
    return [
      ...(closedAt === null || (result !== undefined && result.at <= closedAt)
        ? []
        : [{ at: closedAt.getTime(), market: { ...over, status: 'closed' as const } }]),
      ...(result === undefined
        ? []
        : [{ at: result.at.getTime(), market: { ...over, status: 'resolved' as const, payout: result.payout } }]),
    ];
  }

  /** Writes what is due by this moment, and returns the rest. What ended before the tape begins is told at its beginning. */
  #due(planned: Planned[], until: number): Planned[] {
    let due = 0;
    for (const { at, market } of planned) {
      if (at > until) break;
      due += 1;
      // Trading that ended after the last line is nothing that the archive shows; a result is known whenever it came.
      if (until === Number.POSITIVE_INFINITY && market.payout === null) continue;
      this.#waiting.push({
        type: 'change',
        at: new Date(at),
        marketId: market.id,
        change: { type: 'market', market },
      });
    }
    return due === 0 ? planned : planned.slice(due);
  }

  #put(line: ArchiveLine): void {
    const at = line.at.getTime();
    if (at - this.#newest > SILENCE_MS)
      for (const seen of this.#seen.values()) endLive(seen, this.#newest + SILENCE_MS);
    this.#newest = Math.max(this.#newest, at);
    if (line.type === 'change') this.#count(line, at);
    this.#waiting.push(line);
  }

  /** Lines are written many at a time. */
  async #flush(): Promise<void> {
    await this.tape.writeAll(this.#waiting);
    this.#waiting = [];
  }

  #count({ marketId, change }: ArchiveLine & { type: 'change' }, at: number): void {
    const seen = this.#seen.get(marketId);
    if (seen === undefined) return;
    seen.lines += change.type === 'gap' ? 0 : 1;
    if (change.type === 'gap') {
      seen.gaps += 1;
      endLive(seen, at);
    } else if (change.type === 'book' || change.type === 'mid') seen.liveSince ??= at;
    else if (change.type === 'trade') seen.lastTrade = at;
  }

  #refuseEarlyResults(): void {
    for (const [id, { lastTrade }] of this.#seen) {
      const result = this.results.get(id);
      if (result !== undefined && result.at.getTime() < lastTrade)
        throw new ImportRefused(
          null,
          `the result of ${id} is dated ${result.at.toISOString()}, and its last trade is of ${new Date(lastTrade).toISOString()}: give the moment at which it was known`,
        );
    }
  }

  report(kind: string, files: ImportReport['files']): ImportReport {
    const { source, attribution } = this.archive;
    const { counts, warnings } = this.archive.findings();
    const began = this.#began ?? 0;
    const span = this.#newest - began;
    for (const seen of this.#seen.values()) endLive(seen, this.#newest);
    const metadata = {
      code: 'metadata_as_of_now',
      detail:
        'Ticks, fees and starts are those of the file of --meta, not those of the time: no history of them exists.',
    };
    const gaps = [...this.#seen.values()].reduce((sum, seen) => sum + seen.gaps, 0);
    return {
      kind,
      source,
      attribution,
      files,
      from: new Date(began).toISOString(),
      to: new Date(this.#newest).toISOString(),
      markets: [...this.#seen].map(([id, { lines, gaps, liveMs }]) => ({
        id,
        lines,
        gaps,
        coverage: (span === 0 ? 1 : liveMs / span).toFixed(4),
      })),
      counts: {
        ...Object.fromEntries([...counts].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))),
        gaps,
      },
      warnings: [...warnings, metadata],
    };
  }
}

function endLive(seen: Seen, at: number): void {
  if (seen.liveSince === null) return;
  seen.liveMs += Math.max(0, at - seen.liveSince);
  seen.liveSince = null;
}
