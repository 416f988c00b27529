import * as v from 'valibot';
import type { NoAnswer } from '../../transport/result.js';
import type { Delivery } from '../../transport/send-once.js';
import { boundedText } from '../../venue/wire-types.js';
import { kalshiResult } from './answer.js';

/** No list of an account that is read to its end should come near it. */
const MOST_PAGES = 200;
const MOST_ROWS = 1000;

/** A list that was read page by page. */
export interface KalshiList<T> {
  readonly kind: 'ok';
  /** Each row once; of two with the same key, the one read later. */
  readonly items: readonly T[];
  /** How many rows could not be read; each is worth an alarm. */
  readonly unreadable: number;
  /** False when rows may be missing: one was unreadable, a page came again, or there were too many pages. */
  readonly complete: boolean;
}

/** How a list is read. */
export interface KalshiListQuery<T> {
  /** The member of an answer that has its rows. */
  readonly member: string;
  readonly row: v.GenericSchema<unknown, T>;
  readonly key: (item: T) => string;
  /** Undefined for the first page. */
  fetch(cursor: string | undefined): Promise<Delivery>;
}

/**
 * Reads every page. The empty cursor is the end. A cursor that the venue does not know answers with the first page again, so a page that adds
 * nothing ends the reading (`kalshi.md` K26).
 */
export async function readKalshiList<T>({
  member,
  row,
  key,
  fetch,
}: KalshiListQuery<T>): Promise<KalshiList<T> | NoAnswer> {
  const page = v.object({
    [member]: v.nullish(v.pipe(v.array(v.unknown()), v.maxLength(MOST_ROWS)), []),
    cursor: v.nullish(boundedText, ''),
  });
  const items = new Map<string, T>();
  let unreadable = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const result = kalshiResult(page, await fetch(cursor));
    if (result.kind === 'no_answer') return result;
    const rows = result.value[member] as readonly unknown[];
    const before = items.size;
    for (const raw of rows) {
      const read = v.safeParse(row, raw);
      if (read.success) items.set(key(read.output), read.output);
      else unreadable += 1;
    }
    cursor = result.value.cursor as string;
    if (cursor === '') return { kind: 'ok', items: [...items.values()], unreadable, complete: unreadable === 0 };
    if (items.size === before && rows.length > 0) break;
  }
  return { kind: 'ok', items: [...items.values()], unreadable, complete: false };
}
