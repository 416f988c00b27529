export type Json = Readonly<Record<string, unknown>>;
export type Hex = `0x${string}`;
export type Side = 'BUY' | 'SELL';
export type OrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK';

/** One dollar or one share, in millionths. */
export const ONE = 1_000_000n;

/** The cursor of the last page. */
const END = 'LTE=';

/** Millionths of a plain decimal text with at most six decimals. */
export function micro(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  if (!/^\d+$/.test(whole) || !/^\d{0,6}$/.test(fraction)) throw new Error(`${text} is no amount`);
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(6, '0'));
}

/** The shortest decimal text of this many millionths. */
export function decimal(value: bigint): string {
  if (value < 0n) return `-${decimal(-value)}`;
  const fraction = `${value % ONE}`.padStart(6, '0').replace(/0+$/, '');
  return `${value / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Dollars for this many shares at this price; fractions of a millionth are dropped. */
export const costOf = (shares: bigint, price: bigint): bigint => (shares * price) / ONE;

export const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** One page of rows; a cursor is the base64 of an offset. */
export function pageOf(rows: readonly unknown[], cursor: string | null, limit: number): Json {
  const from = cursor === null || cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString());
  const data = from < 0 ? [] : rows.slice(from, from + limit);
  const end = from < 0 || from + limit >= rows.length;
  return { limit, count: data.length, next_cursor: end ? END : cursorAt(from + limit), data };
}

/** The cursor of the page that begins at this row. */
export const cursorAt = (offset: number): string => Buffer.from(`${offset}`).toString('base64');
