import { InvariantBroken } from '../../core/errors.js';
import { isoText } from '../../core/moment.js';

/** One value of a row as JSON carries it. */
export type Cell = string | number | boolean | null | readonly Cell[];

type Stored = Cell | undefined;

/** A text. @throws InvariantBroken when something else is stored, as for every reader here. */
export function textIn<V extends string = string>(cell: Stored): V {
  if (typeof cell !== 'string') throw new InvariantBroken('a stored text is a text');
  return cell as V;
}

/** A whole number below 2^53. */
export function wholeIn(cell: Stored): number {
  if (typeof cell !== 'number' || !Number.isSafeInteger(cell)) {
    throw new InvariantBroken('a stored number is whole and below 2^53');
  }
  return cell;
}

/** Micro-units of any kind. */
export function microIn<V extends bigint>(cell: Stored): V {
  return BigInt(wholeIn(cell)) as V;
}

/** A boolean; SQLite keeps 0 and 1. */
export function flagIn(cell: Stored): boolean {
  if (cell === true || cell === 1) return true;
  if (cell === false || cell === 0) return false;
  throw new InvariantBroken('a stored flag is true or false');
}

/** A moment, from ISO 8601 text. */
export function momentIn(cell: Stored): Date {
  const date = new Date(textIn(cell));
  if (Number.isNaN(date.getTime())) throw new InvariantBroken('a stored moment is ISO 8601');
  return date;
}

/** The members of a nested list. */
export function listIn(cell: Stored): readonly (readonly Cell[])[] {
  if (!Array.isArray(cell)) throw new InvariantBroken('a stored list is a list');
  return cell.filter((member) => Array.isArray(member));
}

/** The rows in the JSON text that a reading statement returns. */
export function rowsIn(json: string): readonly (readonly Cell[])[] {
  return JSON.parse(json) as readonly (readonly Cell[])[];
}

/** The one row in the JSON text of a list's row. */
export function rowIn(json: string): readonly Cell[] {
  return JSON.parse(json) as readonly Cell[];
}

/** A moment as it is stored. */
export const stamp = isoText;
