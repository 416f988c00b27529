import type { MarketId, VenueName } from '../core/ids.js';
import type { Evidence, MarketChange } from '../core/market/event.js';
import type { Market } from '../core/market/market.js';

/** A market that is to be imported, as a file of the user describes it. */
export interface ImportedMarket {
  /** As it was described when that file was made. */
  readonly market: Market;
  /** When trading ended; null where that is not known. */
  readonly closedAt: Date | null;
  /** When the result that its description has was final; null where that is not known. */
  readonly resolvedAt: Date | null;
}

/** What an archive holds, and under which terms. */
export interface ArchiveSource {
  readonly evidence: Evidence;
  readonly vendor: string;
  readonly version: string | null;
  readonly licence: string | null;
  readonly clock: 'received' | 'source' | 'block';
}

/** One line of the tape that is made: a change of a market, or only that the archive was being written. */
export type ArchiveLine = { readonly at: Date } & (
  | { readonly type: 'change'; readonly marketId: MarketId; readonly change: MarketChange }
  | { readonly type: 'alive' }
);

/** What was found in an archive, beside its lines. */
export interface ArchiveFindings {
  /** How often something was found, by its name, such as `ghosts_removed`. */
  readonly counts: ReadonlyMap<string, number>;
  /** What a user has to know, each a code and a sentence. */
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

/** Files of an archive that were opened, and that can be read as a tape. */
export interface Archive {
  readonly venue: VenueName;
  readonly source: ArchiveSource;
  /** What whoever publishes results of it has to repeat; null where nothing has to be. */
  readonly attribution: string | null;
  /** The lines in order of time, once, as many together as are there. @throws ImportRefused with the file and the row */
  lines(): AsyncIterable<Iterable<ArchiveLine>>;
  /** What was found; complete once all lines were read. */
  findings(): ArchiveFindings;
}

/** How an archive is opened. */
export interface ImportTerms {
  /** Files below the least size of an hour count too: somebody cut them to size. */
  readonly anySize: boolean;
  /** A market of which an archive has the second outcome alone is read from that, mirrored. */
  readonly useSecond: boolean;
  /** Files count whose rows were received so late that they tell of another hour than their names. */
  readonly late: boolean;
  /** Called now and then with the part of the files that was read, from 0 to 1. */
  readonly onProgress: (done: number) => void;
}

/** Reads one kind of archive that others publish. */
export interface Importer {
  /** Its name on the command line. */
  readonly kind: string;
  /** What it reads, in a few words. */
  readonly summary: string;
  /** Whether a rate of a fee alone describes the fee of its venue. */
  readonly takesFee: boolean;
  /** Checks what the files are, and nothing of their rows. @throws ImportRefused */
  open(files: readonly string[], markets: readonly ImportedMarket[], terms: ImportTerms): Promise<Archive>;
}
