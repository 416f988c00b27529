/** A program at work on a store, as far as it matters which of several decides for strategies. */
export interface Program {
  /** Identifies one start of one process. */
  readonly owner: string;
  /** Of stakeport: `1.4.0`. */
  readonly version: string;
  /** Whether it runs strategies. */
  readonly automates: boolean;
}

/** What a program finds on a store that others may use too. */
export interface Company {
  /** The version of the one alive that should decide instead: a newer one, or one that runs strategies; null where none should. */
  readonly better: string | null;
  /** Whether a newer version has migrated the store. */
  readonly isMigrated: boolean;
}

/** Wide enough for any number in a version. */
const WIDTH = 10;
const padded = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(WIDTH, '0'));

/** A version as text that sorts: one before a release (`1.0.0-beta`) is older than that. */
const sortable = (version: string): string => (version.includes('-') ? padded(version) : `${padded(version)}~`);

/** True of a version that is newer than the other one. */
export const isNewer = (version: string, than: string): boolean => sortable(version) > sortable(than);

/**
 * The rank of a program as text, of which the greatest decides: first by the steps of its schema, then by its version, then
 * by whether it runs strategies. Ends with the version as it is.
 */
export const rankOf = ({ version, automates }: Omit<Program, 'owner'>, steps: number): string =>
  `${padded(`${steps}`)}/${sortable(version)}/${automates ? 1 : 0}/${version}`;

/** The program of this owner, by its rank. */
export function programOf(owner: string, rank: string): Program {
  return { owner, version: versionIn(rank), automates: rank.split('/')[2] === '1' };
}

/** The version in a rank. */
export const versionIn = (rank: string): string => rank.slice(rank.lastIndexOf('/') + 1);
