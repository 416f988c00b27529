import type { SchemaElement } from 'hyparquet-writer';
import { decimalColumn, momentColumn, parquetOf, type Storing, textColumn, unscaled } from './pmxt-files.js';

/** One row of the archive of Kalshi as a test writes it: what is not said is null. */
export interface KalshiArchiveRow {
  /** When its batch was received. */
  readonly at: number;
  /** The venue's time, in microseconds; null of a snapshot. */
  readonly micros?: number;
  readonly ticker: string;
  readonly type?: string;
  readonly yes?: readonly (readonly [price: string, count: string])[];
  readonly no?: readonly (readonly [price: string, count: string])[];
  readonly price?: string;
  readonly delta?: string;
  readonly side?: string;
}

const PRICE = { scale: 4, precision: 9 };
const SIZE = { scale: 6, precision: 18 };

/** A list of structs, whose members have the names that the archive gives them. */
const ladder = (name: string, [price, size]: readonly [string, string], bytes: boolean): readonly SchemaElement[] => [
  { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, repetition_type: 'OPTIONAL', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'OPTIONAL', num_children: 2 },
  decimalColumn(price, PRICE, bytes),
  decimalColumn(size, SIZE, bytes),
];

/** The bytes of an hour of Kalshi. */
export function pmxtKalshiHour(
  rows: readonly KalshiArchiveRow[],
  { names = ['1', '2'], ...storing }: Storing & { readonly names?: readonly [string, string] } = {},
): Uint8Array {
  const bytes = storing.decimals === 'bytes';
  const micros = (value: number | undefined) => (value === undefined ? null : BigInt(value));
  const levels = (all: KalshiArchiveRow['yes']) =>
    (all ?? []).map(([price, count]) => ({ [names[0]]: unscaled(price, PRICE), [names[1]]: unscaled(count, SIZE) }));
  return parquetOf<KalshiArchiveRow>(
    rows,
    [
      [momentColumn('timestamp_received', 'MILLIS'), (row) => BigInt(row.at)],
      [momentColumn('timestamp', 'MICROS'), (row) => micros(row.micros)],
      [textColumn('market_ticker'), (row) => row.ticker],
      [textColumn('market_id'), () => '44444444-0000-4000-8000-000000000001'],
      [
        textColumn('event_type'),
        (row) => row.type ?? (row.delta === undefined ? 'orderbook_snapshot' : 'orderbook_delta'),
      ],
      [ladder('yes_bids', names, bytes), (row) => levels(row.yes)],
      [ladder('no_bids', names, bytes), (row) => levels(row.no)],
      [decimalColumn('price', PRICE, bytes), (row) => unscaled(row.price, PRICE)],
      [decimalColumn('delta', SIZE, bytes), (row) => unscaled(row.delta, SIZE)],
      [textColumn('side'), (row) => row.side ?? null],
    ],
    storing,
  );
}
