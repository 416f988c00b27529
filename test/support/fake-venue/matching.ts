import { createHash } from 'node:crypto';
import type { Slice } from './book.js';
import type { VenueOrder } from './orders.js';
import { transactionOf, type VenueTrade } from './trades.js';
import { costOf, type Hex, ONE, sum } from './wire.js';

/** How one match becomes rows of trades. */
export interface Cutting {
  /** One for each price, for each maker, or a single one at the average price, rounded down. */
  tradePer: 'price' | 'maker' | 'match';
  /** Whether a trade has its transaction from the start. */
  hashesAtMatch: boolean;
}

/** The trades of one match, bucket by bucket; nothing has moved yet. */
export function tradesOf(taker: VenueOrder, slices: readonly Slice[], cutting: Cutting, now: number): VenueTrade[] {
  const parts = new Map<bigint, Slice[]>();
  slices.forEach((slice, index) => {
    const name = { match: 0n, price: slice.price, maker: BigInt(index) }[cutting.tradePer];
    parts.set(name, [...(parts.get(name) ?? []), slice]);
  });
  return [...parts.values()].map((part, bucket) => tradeOf(taker, part, cutting, bucket, now));
}

function tradeOf(
  taker: VenueOrder,
  slices: readonly Slice[],
  { tradePer, hashesAtMatch }: Cutting,
  bucket: number,
  now: number,
): VenueTrade {
  const size = sum(slices.map((slice) => slice.size));
  const cost = sum(slices.map((slice) => slice.cost));
  const [first] = slices;
  const price = tradePer === 'match' || first === undefined ? (cost * ONE) / size : first.price;
  const id = idOf(`${taker.hash}:${taker.trades.length}:${bucket}`);
  const transaction: Hex | '' = hashesAtMatch ? transactionOf(id) : '';
  return {
    id,
    taker,
    makers: slices.map(({ maker, size: given }) => ({ order: maker, size: given, cost: costOf(given, maker.price) })),
    size,
    price,
    cost,
    fee: taker.market.feeOf(size, price),
    bucket,
    matchedAt: now,
    updatedAt: now,
    status: 'MATCHED',
    transaction,
    moved: false,
  };
}

/** A UUID that is the same each time. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
