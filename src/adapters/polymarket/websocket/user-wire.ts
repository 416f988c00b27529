import * as v from 'valibot';
import { exactJson } from '../../transport/exact-json.js';
import { FrameMalformed } from '../../transport/websocket-session.js';
import { type VenueOrder, venueOrder } from '../http/order-wire.js';
import {
  type AccountNames,
  oursIn,
  type TradePart,
  tradeKey,
  type VenueTrade,
  venueTrade,
} from '../http/trade-wire.js';

/** The venue's live events about our orders. A message may come twice, out of order, or never. */
export type UserEvent =
  | { readonly type: 'order'; readonly change: 'placement' | 'update' | 'cancellation'; readonly order: VenueOrder }
  | {
      readonly type: 'trade';
      /** The trade's name, the same by REST; with an order's id it is the key of a fill. */
      readonly key: string;
      readonly trade: VenueTrade;
      /** The parts that the venue says are ours; all of them when it does not say. */
      readonly ours: readonly TradePart[];
    };

/** The event of a message; null for an unknown shape, which may have meant anything. */
export type UserReading = UserEvent | null;

const kind = v.object({ event_type: v.string() });
const orderChange = v.object({ type: v.picklist(['PLACEMENT', 'UPDATE', 'CANCELLATION']) });
/**
 * Reads a text frame of the user channel, message by message (`polymarket.md` 5). `us` holds the venue's names for us.
 * @throws FrameMalformed when it is not JSON, so that a message may have been lost
 */
export function readUserFrame(text: string, us: AccountNames): UserReading[] {
  const document = parsed(text);
  const messages: readonly unknown[] = Array.isArray(document) ? document : [document];
  return messages.map((message) => readMessage(message, us));
}

function parsed(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    throw new FrameMalformed('a frame is not JSON');
  }
}

function readMessage(message: unknown, us: AccountNames): UserReading {
  const named = v.safeParse(kind, message);
  if (!named.success) return null;
  if (named.output.event_type === 'order') return readOrder(message);
  return named.output.event_type === 'trade' ? readTrade(message, us) : null;
}

function readOrder(message: unknown): UserReading {
  const order = v.safeParse(venueOrder, message);
  const change = v.safeParse(orderChange, message);
  if (!order.success || !change.success) return null;
  const word = change.output.type.toLowerCase() as 'placement' | 'update' | 'cancellation';
  return { type: 'order', change: word, order: order.output };
}

function readTrade(message: unknown, us: AccountNames): UserReading {
  const read = v.safeParse(venueTrade, message);
  if (!read.success) return null;
  const trade = read.output;
  return { type: 'trade', key: tradeKey(trade), trade, ours: oursIn(trade, us) };
}
