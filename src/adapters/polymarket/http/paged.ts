import * as v from 'valibot';
import type { NoAnswer } from '../../transport/result.js';
import type { Delivery } from '../../transport/send-once.js';
import { boundedText } from '../../venue/wire-types.js';
import { resultOf } from './answer.js';

/** Base64 of `0` and of `-1` (`polymarket.md` 2.3). */
const FIRST = 'MA==';
const END = 'LTE=';
/** No list that is read to its end should come near it. */
const MOST_PAGES = 200;
const MOST_ROWS = 5000;

const page = v.object({
  data: v.pipe(v.array(v.unknown()), v.maxLength(MOST_ROWS)),
  next_cursor: v.nullish(boundedText, ''),
});

/** A list that was read page by page. */
export interface Paged<T> {
  readonly kind: 'ok';
  /** Each row once; of two with the same key, the one read later. */
  readonly items: readonly T[];
  /** Rows that could not be read, as received; each is worth an alarm. */
  readonly unreadable: readonly unknown[];
  /** True when the list was read to its end, readable or not. */
  readonly ended: boolean;
  /** False when rows may be missing: one was unreadable, a cursor came back or was missing, or there were too many pages. */
  readonly complete: boolean;
}

/** How a list is read. */
export interface PagedQuery<T> {
  readonly row: v.GenericSchema<unknown, T>;
  readonly key: (item: T) => string;
  fetch(cursor: string): Promise<Delivery>;
  readonly mostPages?: number;
}

/**
 * Reads every page. The venue's cursors are offsets: a row may come twice when others were added in between, and may be
 * missed when others were removed, so an order's absence proves nothing even in a complete list.
 */
export async function readPaged<T>({
  row,
  key,
  fetch,
  mostPages = MOST_PAGES,
}: PagedQuery<T>): Promise<Paged<T> | NoAnswer> {
  const items = new Map<string, T>();
  const cursors = new Set<string>();
  const unreadable: unknown[] = [];
  let cursor = FIRST;
  while (cursor !== END && cursor !== '' && !cursors.has(cursor) && cursors.size < mostPages) {
    cursors.add(cursor);
    const result = resultOf(page, await fetch(cursor));
    if (result.kind === 'no_answer') return result;
    for (const raw of result.value.data) {
      const read = v.safeParse(row, raw);
      if (read.success) items.set(key(read.output), read.output);
      else unreadable.push(raw);
    }
    cursor = result.value.next_cursor;
  }
  const ended = cursor === END;
  const complete = ended && unreadable.length === 0;
  return { kind: 'ok', items: [...items.values()], unreadable, ended, complete };
}
