import type { VenueName } from '../../core/ids.js';
import type { OutcomeSide } from '../../core/market/market.js';
import { NO_VENUE } from '../../core/market/venue.js';
import { least, type Shares } from '../../core/money.js';
import type { OrderChange } from '../../core/order/event.js';
import { decodeChange } from '../../core/order/event.js';
import type { Intent } from '../../core/order/intent.js';

const FIRST_VENUE = 'polymarket' as VenueName;
/** The most that the venue rounds away. */
const DUST = 10_000n as Shares;
/** Rejections, by the venue or concluded here, that later trades may still correct. */
const PRESUMED = ['never_arrived', 'dropped_after_delay', 'fok_not_filled', 'fak_no_match'];

/** An intent as it was written before venues had names. */
type StoredIntent = Pick<Intent, 'conditionId' | 'paper' | 'shares'> & {
  outcome?: OutcomeSide;
  token?: OutcomeSide;
  venue?: VenueName;
  envelope?: { dust?: Shares } | null;
};

/**
 * Reads a stored change. One from before venues had names is of the only venue at that time, and gets the members that were
 * implicit then. The text that was hashed stays as it is.
 */
export function storedChange(text: string): OrderChange {
  const change = decodeChange(text);
  if (change.type === 'requested') named(change.intent);
  if (change.type === 'rejected') {
    const rejection: { presumed?: boolean } = change;
    rejection.presumed ??= PRESUMED.includes(change.refusal.code);
  }
  return change;
}

/** In place. The venue is that of its row: the only one if its market had a condition id or its money was real. */
function named(intent: StoredIntent): void {
  const { conditionId, paper, shares, token, envelope } = intent;
  intent.venue ??= conditionId === null && paper ? NO_VENUE : FIRST_VENUE;
  if (token !== undefined) intent.outcome = token;
  delete intent.token;
  if (envelope) envelope.dust ??= least(DUST, (shares / 100n) as Shares);
}
