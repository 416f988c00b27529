import { type Account, tradingFor } from '../account/account.js';
import type { OrderEvent } from '../order/event.js';
import type { Order } from '../order/order.js';
import { type Trading, type TradingMode, type TradingState, withState } from '../trading/state.js';

/** How many rejections in a row halt an account: what it sends is not what the venue takes. */
const MOST_REJECTIONS = 5;
/** How many unknown orders let an account send only what lowers a worst case: what it holds is not known either. */
const MOST_UNKNOWN = 3;

/** Rejections that say nothing of what is sent: the market moved, or the venue takes no orders for a while. */
const OF_THE_HOUR: readonly string[] = [
  'fok_not_filled',
  'fak_no_match',
  'post_only_would_cross',
  'order_crosses',
  'throttled',
  'trading_disabled',
  'cancel_only',
];

/**
 * The account after an order with real money took its next events; null where nothing about its trading changed. Counted here,
 * in the write that stores the events, so that neither a restart nor a second server loses count.
 */
export function watched(account: Account, before: Order, after: Order, events: readonly OrderEvent[], at: Date) {
  if (after.intent.paper) return null;
  const trading = tradingFor(account);
  const next = withUnknown(withRejections(trading, events, at), before, after, at);
  return next === trading ? null : { ...account, trading: next };
}

function withRejections(trading: Trading, events: readonly OrderEvent[], at: Date): Trading {
  return events.reduce((state, { change }) => {
    const { rejections = 0, ...others } = state;
    if (change.type === 'accepted' || change.type === 'fill') return rejections === 0 ? state : others;
    // A presumed rejection is what the silence of the venue was taken for: it rejected nothing.
    if (change.type !== 'rejected' || change.presumed || OF_THE_HOUR.includes(change.refusal.code)) return state;
    if (rejections + 1 < MOST_REJECTIONS) return { ...others, rejections: rejections + 1 };
    const reason = `The venue rejected ${MOST_REJECTIONS} orders in a row, the last as ${change.refusal.code}`;
    return ofService(others, 'rejections_in_a_row', 'halted', reason, at);
  }, trading);
}

function withUnknown(trading: Trading, before: Order, { id, state }: Order, at: Date): Trading {
  if ((before.state === 'unknown') === (state === 'unknown')) return trading;
  const { unknown = [], ...others } = trading;
  const now = state === 'unknown' ? [...unknown, id] : unknown.filter((one) => one !== id);
  const next = now.length === 0 ? others : { ...others, unknown: now };
  const wasMany = unknown.length >= MOST_UNKNOWN;
  if (wasMany === now.length >= MOST_UNKNOWN) return next;
  const reason = wasMany
    ? `Fewer than ${MOST_UNKNOWN} orders are unknown`
    : `It is not known of ${MOST_UNKNOWN} orders whether the venue has them`;
  return ofService(next, 'unknown_orders', wasMany ? 'active' : 'reducing', reason, at);
}

/** Sets a state of the account's orders by itself: of those with real money, unless `about` says otherwise. */
export function ofService(
  trading: Trading,
  code: string,
  state: TradingMode,
  reason: string,
  at: Date,
  about: Partial<Pick<TradingState, 'scope' | 'stops'>> = {},
): Trading {
  const change = { scope: 'account', state, stops: 'live', reason, by: 'service', until: null, ...about } as const;
  return withState(trading, change, at, code).after;
}
