import { writeFileSync } from 'node:fs';
import { type ColumnSource, parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import { formatMicro, parseMicro } from '../../src/core/money.js';

/** One row of the archive as a test writes it: what is not said is null. */
export interface PmxtRow {
  /** Milliseconds since 1970, at which the archive received it. */
  readonly at: number;
  readonly source?: number;
  readonly market: string;
  readonly token: string;
  readonly type: 'book' | 'price_change' | 'last_trade_price' | 'tick_size_change' | string;
  readonly bids?: readonly (readonly [price: string, size: string])[];
  readonly asks?: readonly (readonly [price: string, size: string])[];
  readonly price?: string;
  readonly size?: string;
  readonly side?: string;
  readonly bestBid?: string;
  readonly bestAsk?: string;
  readonly hash?: string;
  readonly tick?: string;
}

/** How a file stores what it holds. */
export interface Storing {
  /** `int`: decimals in INT32 and INT64; `bytes`: decimals as bytes of a fixed length, as other writers do. */
  readonly decimals?: 'int' | 'bytes';
  readonly times?: 'MILLIS' | 'MICROS';
  readonly codec?: 'SNAPPY' | 'ZSTD' | 'UNCOMPRESSED';
  readonly groupSize?: number;
  readonly statistics?: boolean;
}

const ID_LENGTH = 66;
const PRICE = { scale: 4, precision: 9 };
const SIZE = { scale: 6, precision: 18 };

/** A decimal, in a number or in bytes of a fixed length. */
export const decimalColumn = (name: string, { scale, precision }: typeof PRICE, bytes: boolean): SchemaElement => ({
  name,
  ...(bytes
    ? { type: 'FIXED_LEN_BYTE_ARRAY' as const, type_length: precision > 9 ? 8 : 4 }
    : { type: precision > 9 ? ('INT64' as const) : ('INT32' as const) }),
  converted_type: 'DECIMAL',
  logical_type: { type: 'DECIMAL', scale, precision },
  scale,
  precision,
  repetition_type: 'OPTIONAL',
});
/** A text. */
export const textColumn = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: 'OPTIONAL',
});
/** A moment in this unit. */
export const momentColumn = (name: string, unit: 'MILLIS' | 'MICROS'): SchemaElement => ({
  name,
  type: 'INT64',
  converted_type: `TIMESTAMP_${unit}`,
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit },
  repetition_type: 'OPTIONAL',
});

/** The unscaled number of a decimal, as a file stores it. */
export const unscaled = (value: string | undefined, { scale }: typeof PRICE): bigint | null => {
  if (value === undefined) return null;
  const [sign, digits] = value.startsWith('-') ? [-1n, value.slice(1)] : [1n, value];
  return (sign * parseMicro(digits)) / 10n ** BigInt(6 - scale);
};

const levels = (all: PmxtRow['bids']): string | null => (all === undefined ? null : JSON.stringify(all));
/** Rows by market and outcome, each in the order of its time, as the archive sorts its files. */
export const asArchived = (rows: readonly PmxtRow[]): readonly PmxtRow[] =>
  rows.toSorted((a, b) => compare(a.market, b.market) || compare(a.token, b.token) || a.at - b.at);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The bytes of an hour of the second version. */
export function pmxtHour(rows: readonly PmxtRow[], storing: Storing = {}): Uint8Array {
  const { decimals = 'int', times = 'MILLIS' } = storing;
  const bytes = decimals === 'bytes';
  const at = (value: number | undefined) =>
    value === undefined ? null : BigInt(value) * (times === 'MILLIS' ? 1n : 1000n);
  const columns: readonly (readonly [SchemaElement, (row: PmxtRow) => unknown])[] = [
    [momentColumn('timestamp_received', times), (row) => at(row.at)],
    [momentColumn('timestamp', times), (row) => at(row.source ?? row.at - 40)],
    [{ name: 'market', type: 'FIXED_LEN_BYTE_ARRAY', type_length: ID_LENGTH }, (row) => Buffer.from(row.market)],
    [textColumn('event_type'), (row) => row.type],
    [textColumn('asset_id'), (row) => row.token],
    [textColumn('bids'), (row) => levels(row.bids)],
    [textColumn('asks'), (row) => levels(row.asks)],
    [decimalColumn('price', PRICE, bytes), (row) => unscaled(row.price, PRICE)],
    [decimalColumn('size', SIZE, bytes), (row) => unscaled(row.size, SIZE)],
    [textColumn('side'), (row) => row.side ?? null],
    [decimalColumn('best_bid', PRICE, bytes), (row) => unscaled(row.bestBid, PRICE)],
    [decimalColumn('best_ask', PRICE, bytes), (row) => unscaled(row.bestAsk, PRICE)],
    [{ name: 'fee_rate_bps', type: 'INT32', repetition_type: 'OPTIONAL' }, () => null],
    [textColumn('transaction_hash'), (row) => row.hash ?? null],
    [decimalColumn('old_tick_size', PRICE, bytes), () => null],
    [decimalColumn('new_tick_size', PRICE, bytes), (row) => unscaled(row.tick, PRICE)],
  ];
  return parquetOf(rows, columns, storing);
}

/** The bytes of an hour of the first version, which keeps all but the time and the market as JSON. */
export function pmxtHourV1(rows: readonly PmxtRow[], storing: Storing = {}): Uint8Array {
  const data = (row: PmxtRow) =>
    JSON.stringify({
      update_type: row.type,
      market_id: row.market,
      token_id: row.token,
      side: 'YES',
      timestamp: row.at / 1000 + 0.5,
      ...(row.type === 'price_change'
        ? {
            change_price: row.price,
            change_size: row.size,
            change_side: row.side,
            best_bid: row.bestBid,
            best_ask: row.bestAsk,
          }
        : { bids: row.bids, asks: row.asks }),
    });
  return parquetOf(
    rows,
    [
      [momentColumn('timestamp_received', 'MILLIS'), (row) => BigInt(row.at)],
      [momentColumn('timestamp_created_at', 'MILLIS'), (row) => BigInt(row.at + 300)],
      [textColumn('market_id'), (row) => row.market],
      [textColumn('update_type'), (row) => row.type],
      [textColumn('data'), data],
    ],
    storing,
  );
}

/** A file with these columns. */
export function parquetOf<Row>(
  rows: readonly Row[],
  columns: readonly (readonly [SchemaElement | readonly SchemaElement[], (row: Row) => unknown])[],
  { codec = 'SNAPPY', groupSize = 100_000, statistics = true }: Storing = {},
): Uint8Array {
  const columnData = columns.map(
    ([element, cell]): ColumnSource => ({
      name: [element].flat()[0]?.name ?? '',
      data: rows.map((row) => cell(row) ?? null) as ColumnSource['data'],
    }),
  );
  const schema = [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(([element]) => element)];
  const options = { columnData, schema, codec, rowGroupSize: groupSize, statistics, compressors: { ZSTD: stored } };
  return new Uint8Array(parquetWriteBuffer(options as Parameters<typeof parquetWriteBuffer>[0]));
}

/** Blocks of a Zstandard frame are at most this long. */
const BLOCK = 131_072;

/** A Zstandard frame whose blocks are not compressed: what Node 20 can make of one. */
function stored(input: Uint8Array): Uint8Array {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(input.length, 5);
  const parts: Uint8Array[] = [head];
  for (let from = 0; from < Math.max(1, input.length); from += BLOCK) {
    const block = input.subarray(from, from + BLOCK);
    const isLast = from + BLOCK >= input.length;
    const word = (block.length << 3) | (isLast ? 1 : 0);
    parts.push(Uint8Array.from([word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff]), block);
  }
  return Buffer.concat(parts);
}

/** A market of the archive, as the file of `--meta` describes it. */
export function pmxtMarket(number: number, changes: Record<string, unknown> = {}) {
  const id = `0x${`${number}`.padStart(64, '0')}`;
  return {
    id,
    venue_id: `${number}`,
    slug: `game-${number}`,
    condition_id: id,
    question: 'Home or away?',
    outcomes: [
      { label: 'Home', token_id: `71${number}` },
      { label: 'Away', token_id: `52${number}` },
    ],
    event: { id: `${number}`, slug: null, title: 'Home against away' },
    sport: 'soccer',
    league: 'epl',
    kind: 'moneyline',
    line: null,
    starts_at: '2026-06-26T03:30:00.000Z',
    status: 'resolved',
    payout: ['1', '0'],
    lot: '0.01',
    terms: {
      tick: '0.01',
      min_shares: '5',
      min_notional: '1',
      fee: { rate: '0.05', exponent: 1, taker_only: true, as_of: '2026-08-01T00:00:00.000Z' },
      neg_risk: false,
      accepting_orders: false,
      delay_seconds: 0,
      clears_book_at_start: true,
    },
    ...changes,
  };
}

/** Writes these bytes, or this text, and returns the path. */
export function written(path: string, content: Uint8Array | string): string {
  writeFileSync(path, content);
  return path;
}

/** Some three hundred rows of two markets within an hour, with what an archive has: books, changes, matches and ticks. */
export function anHour(began: number, seconds = 75): readonly PmxtRow[] {
  return [1, 2].flatMap((number) => {
    const { id: market, outcomes } = pmxtMarket(number);
    const [first, second] = outcomes.map(({ token_id }) => token_id) as [string, string];
    const rows: PmxtRow[] = [];
    for (let n = 0; n < seconds; n += 1) {
      const at = began + n * 9_100 + number * 7;
      const bid = 40 + ((n * 7 + number) % 9);
      const cents = (value: number) => formatMicro(BigInt(value) * 10_000n);
      if (n % 10 === 0) {
        const asks = [
          [cents(bid + 2), '120.5'],
          [cents(bid + 3), '80'],
        ] as const;
        const bids = [
          [cents(bid), '33.333333'],
          [cents(bid - 1), '200'],
        ] as const;
        const mirror = (all: readonly (readonly [string, string])[]) =>
          all.map(([price, size]) => [formatMicro(1_000_000n - parseMicro(price)), size] as const);
        rows.push({ at, market, token: first, type: 'book', bids, asks });
        rows.push({ at, market, token: second, type: 'book', bids: mirror(asks), asks: mirror(bids) });
        continue;
      }
      const was = 40 + ((Math.floor(n / 10) * 70 + number) % 9);
      rows.push({
        at,
        market,
        token: first,
        type: 'price_change',
        price: cents(was - 3),
        size: `${n}.25`,
        side: 'BUY',
        bestBid: cents(was),
        bestAsk: cents(was + 2),
      });
      rows.push({
        at,
        market,
        token: second,
        type: 'price_change',
        price: cents(100 - was + 3),
        size: `${n}.25`,
        side: 'SELL',
        bestBid: cents(98 - was),
        bestAsk: cents(100 - was),
      });
    }
    return rows;
  });
}
