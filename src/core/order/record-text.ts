/** The members of a record that are not text, number or boolean in its document; omitting one does not compile. */
export type Codec<T> = {
  readonly [Name in keyof T as NonNullable<T[Name]> extends string | number | boolean ? never : Name]-?: NonNullable<
    T[Name]
  > extends bigint
    ? 'amount'
    : NonNullable<T[Name]> extends Date
      ? 'moment'
      : Codec<NonNullable<T[Name]>>;
};

/** A record as canonical JSON: micro-units as decimal integers in strings, moments as ISO 8601. */
export const recordText = (record: object): string => JSON.stringify(withoutAmounts(record));

/** The word of the text for `Intent.counted`: what was hashed keeps its words. */
const COUNTED = 'bet';

/** The record with its amounts as text. A copy is written faster than the record with a function for each value. */
function withoutAmounts(record: object): object {
  const members = record as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    const nested = typeof value === 'object' && value !== null && !(value instanceof Date);
    copy[name === 'counted' ? COUNTED : name] =
      typeof value === 'bigint' ? value.toString() : nested ? withoutAmounts(value) : value;
  }
  return copy;
}

/** Reads back a record that `recordText` wrote. */
export function recordIn<T extends object>(text: string, codec: RecordCodec): T {
  const record = JSON.parse(text) as T;
  restore(record, codec);
  return record;
}

/** Any of these codecs. */
export interface RecordCodec {
  readonly [member: string]: 'amount' | 'moment' | RecordCodec;
}

/** Restores members in place, so that they keep their order. Members that did not exist when the text was written stay absent. */
export function restore(record: object, codec: RecordCodec): void {
  const members = record as Record<string, unknown>;
  for (const [name, how] of Object.entries(codec)) {
    if (name === 'counted' && members[COUNTED] !== undefined) {
      members[name] = members[COUNTED];
      delete members[COUNTED];
    }
    const value = members[name];
    if (typeof value === 'string') members[name] = how === 'amount' ? BigInt(value) : new Date(value);
    else if (typeof value === 'object' && value !== null && typeof how === 'object') restore(value, how);
  }
}
