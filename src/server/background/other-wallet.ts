import type { OrderId } from '../../core/ids.js';
import { type Page, slices } from '../../core/ledger/query.js';
import type { Order } from '../../core/order/order.js';
import type { Ledger } from '../../ports/ledger.js';
import type { VenueWallet } from '../../ports/venue-wallet.js';

/**
 * Why this wallet must not trade on this database, in words; null when it may. A database belongs to one wallet per venue
 * for good: the venue shows nothing of another wallet's orders, and that must not be read as their outcome.
 */
export async function otherWallet(
  ledger: Pick<Ledger, 'listVenueOrders'>,
  wallet: Pick<VenueWallet, 'venue' | 'address' | 'chosenBy' | 'isOwn'>,
): Promise<string | null> {
  const read = (page: Page<OrderId>) => ledger.listVenueOrders({ paper: false, venue: wallet.venue }, page);
  for await (const orders of slices(read, ({ id }) => id)) {
    const signed = orders.find(wasSent);
    if (signed === undefined) continue;
    if (wallet.isOwn(signed)) return null;
    const how = `Use ${wallet.chosenBy} of that one, or another DATABASE_URL.`;
    return `The orders on record belong to another wallet than ${wallet.address}. ${how}`;
  }
  return null;
}

/** For an order that the venue never accepted, the wallet does not matter. */
const wasSent = (order: Order): boolean =>
  order.intent.envelope !== null && order.venueOrderId !== null && (order.state !== 'rejected' || order.presumed);
