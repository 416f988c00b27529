import { type MarketOrderCursor, type Page, slices } from '../../core/ledger/query.js';
import type { MarketRef } from '../../core/market/venue.js';
import { type TakenBefore, takenBy } from '../../core/matching/taken-before.js';
import type { Order } from '../../core/order/order.js';
import type { Ledger } from '../../ports/ledger.js';

/** What the paper orders of one market took of its book, by the record. @throws StorageUnavailable */
export async function takenOnRecord(
  ledger: Pick<Ledger, 'listMarketOrders'>,
  market: MarketRef,
): Promise<readonly TakenBefore[]> {
  const read = (page: Page<MarketOrderCursor>) => ledger.listMarketOrders({ ...market, paper: true }, page);
  let taken: readonly TakenBefore[] = [];
  for await (const orders of slices(read, ({ account, id }: Order) => ({ account, id })))
    taken = takenBy(orders, taken);
  return taken;
}
