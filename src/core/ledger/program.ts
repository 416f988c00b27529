/** A program at work on a store, as far as it matters which of several decides for strategies. */
export interface Program {
  /** Identifies one start of one process. */
  readonly owner: string;
  /** The version of stakeport: `1.4.0`. */
  readonly version: string;
  /** Whether it runs strategies. */
  readonly automates: boolean;
}

/** Wide enough for any number in a version. */
const WIDTH = 10;
const padded = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(WIDTH, '0'));

/** A version as text that sorts: one before a release (`1.0.0-beta`) is older than that. */
const sortable = (version: string): string => (version.includes('-') ? padded(version) : `${padded(version)}~`);

/** True of a version that is newer than the other one. */
export const isNewer = (version: string, than: string): boolean => sortable(version) > sortable(than);

/** True of a program that decides instead of the other: it is newer, or as new and runs strategies where the other does not. */
const isBefore = (one: Program, other: Program): boolean =>
  one.version === other.version ? one.automates && !other.automates : isNewer(one.version, other.version);

/** The version of the program that decides instead of this one; null where none of those alive does. */
export function deciderBefore(own: Program, alive: readonly Program[]): string | null {
  const first = alive.reduce((best, one) => (isBefore(one, best) ? one : best), own);
  return first === own ? null : first.version;
}
