import * as v from 'valibot';

/** The number of a shard; the first where the venue does not say. */
export const shardIndex = v.fallback(
  v.nullish(v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.safeInteger(), v.minValue(0)), 0),
  0,
);
const flag = v.nullish(v.boolean(), null);

/** Whether the exchange and each of its shards trade now. */
export interface ExchangeStatus {
  readonly exchangeActive: boolean;
  readonly tradingActive: boolean;
  readonly shards: ReadonlyMap<number, boolean>;
}

/** Reads the status of the exchange. */
export const exchangeStatus = v.pipe(
  v.object({
    exchange_active: v.boolean(),
    trading_active: v.boolean(),
    exchange_index_statuses: v.nullish(
      v.array(v.object({ exchange_index: shardIndex, exchange_active: flag, trading_active: flag })),
      [],
    ),
  }),
  v.transform(
    (row): ExchangeStatus => ({
      exchangeActive: row.exchange_active,
      tradingActive: row.trading_active,
      shards: new Map(
        row.exchange_index_statuses.map((one) => [
          one.exchange_index,
          one.exchange_active !== false && one.trading_active !== false,
        ]),
      ),
    }),
  ),
);

/** True where orders for markets of this shard are taken now. */
export const tradesOn = ({ exchangeActive, tradingActive, shards }: ExchangeStatus, index: number): boolean =>
  exchangeActive && tradingActive && (shards.get(index) ?? true);
