import * as v from 'valibot';
import type { Page, Slice } from '../../core/ledger/query.js';
import { describe, members } from './schema.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const LIMIT = /^[1-9][0-9]{0,3}$/;
const CURSOR = /^[A-Za-z0-9_-]{1,800}$/;
const NOT_OURS = 'must be a next_cursor of an earlier answer';

const limitUpTo = (most: number) =>
  describe(
    v.pipe(
      v.string('must be given once'),
      v.check((text) => LIMIT.test(text) && Number(text) <= most, `must be a whole number from 1 to ${most}`),
      v.transform(Number),
    ),
    { type: 'integer', minimum: 1, maximum: most, default: DEFAULT_LIMIT },
  );

/** How many items a page has at most. */
export const limit = limitUpTo(MAX_LIMIT);

/**
 * What the cursors of a list encode: the id of a record or of a bet, the place in a sequence, the id of an API key, a moment in
 * milliseconds since 1970, an opaque place of a source of market data, the name, venue and market of a signal, or the venue and,
 * where it is known, the key of a result.
 */
export const CURSOR_KEYS = {
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  bet: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[1-9][0-9]{0,8})?$/,
  place: /^[1-9][0-9]{0,8}$/,
  apiKey: /^[a-z0-9]{1,32}$/,
  moment: /^[1-9][0-9]{0,13}$/,
  source: /^[ -~]{1,600}$/,
  result: /^[a-z][a-z0-9_-]{0,31}(\/.{0,560})?$/,
  signal: /^[A-Za-z0-9_.-]{1,64}\/[a-z][a-z0-9_-]{0,31}\/[A-Za-z0-9._:-]{1,128}$/,
} as const;

const cursorOf = (key: keyof typeof CURSOR_KEYS) =>
  describe(
    v.pipe(
      v.string('must be given once'),
      v.regex(CURSOR, NOT_OURS),
      v.transform((text) => Buffer.from(text, 'base64url').toString('latin1')),
      v.regex(CURSOR_KEYS[key], NOT_OURS),
    ),
    { type: 'string', pattern: CURSOR.source, description: 'The `next_cursor` of the previous answer.' },
  );

/** The query of a list: its filters, `limit`, and `cursor`, which encodes such a key. */
export function listQuery<const Filters extends v.ObjectEntries>(
  filters: Filters,
  key: keyof typeof CURSOR_KEYS,
  most = MAX_LIMIT,
) {
  return members({ ...filters, limit: v.optional(limitUpTo(most)), cursor: v.optional(cursorOf(key)) });
}

/** One page of a list. */
export const listOut = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ data: v.array(item), next_cursor: v.nullable(v.string()) });

/** The requested page, its cursor decoded into a key. */
export function pageFrom<Key>(
  query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  key: (text: string) => Key,
): Page<Key> {
  return { limit: query.limit ?? DEFAULT_LIMIT, ...(query.cursor !== undefined && { after: key(query.cursor) }) };
}

/** The page found, its key encoded as an opaque cursor. */
export function presentPage<T, Key extends string | number>(
  slice: Slice<T, Key>,
  present: (item: T) => object,
): object {
  const cursor = slice.next === null ? null : Buffer.from(String(slice.next)).toString('base64url');
  return { data: slice.items.map(present), next_cursor: cursor };
}
