import type { Page, PositionCursor } from '../../core/ledger/query.js';

/** A page of a list, greatest key first. */
export function newestFirst<T, Key extends string | number>(
  all: readonly T[],
  keyOf: (item: T) => Key,
  page: Page<Key>,
): T[] {
  const { after, limit } = page;
  const older = after === undefined ? [...all] : all.filter((item) => keyOf(item) < after);
  return older.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1)).slice(0, limit);
}

/** A page of a list, smallest key first. */
export function inOrder<T, Key extends string>(all: readonly T[], keyOf: (item: T) => Key, page: Page<Key>): T[] {
  const { after, limit } = page;
  const later = after === undefined ? [...all] : all.filter((item) => keyOf(item) > after);
  return later.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, limit);
}

/** The order in which the positions of an account are listed. */
export const outcomeOrder = ({ marketId, outcome, venue }: PositionCursor): string =>
  `${marketId}\n${outcome}\n${venue}`;
