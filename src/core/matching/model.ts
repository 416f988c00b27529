import { EVIDENCE, type Evidence } from '../market/event.js';
import { formatMicro, type Shares } from '../money.js';

/** Why every resting order is cancelled when the game starts. */
export const GAME_STARTED = 'game_started: the venue cancels every resting order when the game starts';
/** Why resting orders are cancelled when trading ends. */
export const MARKET_CLOSED = 'market_closed: the market has ended';
/** Why an order ended when a suspended market went on. */
export const MARKET_RESUMED = 'market_resumed: the venue cancels every resting order when it resumes the market';

/** What a simulated fill assumed. */
export type FillAssumption =
  /** The fill took what was displayed, less what the account had taken before, after the order's way to the venue and its delay. */
  | { readonly kind: 'walk'; readonly latencyMs: number; readonly delaySeconds: number }
  /** The order waited behind `ahead` shares until trades had served them, or the market had moved past its price. */
  | { readonly kind: 'queue'; readonly cause: 'traded' | 'crossed'; readonly ahead: Shares };

/**
 * The assumption as one word and its numbers, such as `book_walk;latency_ms=150;delay_s=3`. What proves less than `l2` is named at its end:
 * `book_walk;latency_ms=150;delay_s=0;evidence=snapshots`.
 */
export function fillModel(assumption: FillAssumption, evidence: Evidence = EVIDENCE[0]): string {
  const proof = evidence === EVIDENCE[0] ? '' : `${PROOF}${evidence}`;
  if (assumption.kind === 'walk') {
    return `${BOOK_WALK};latency_ms=${assumption.latencyMs};delay_s=${assumption.delaySeconds}${proof}`;
  }
  return `${QUEUE}${assumption.cause};ahead=${formatMicro(assumption.ahead)}${proof}`;
}

const BOOK_WALK = 'book_walk';
const QUEUE = 'queue_';
const PROOF = ';evidence=';

/** What the books prove that a simulated fill met; null for one that met none. */
export function evidenceOfModel(model: string): Evidence | null {
  if (!model.startsWith(BOOK_WALK) && !model.startsWith(QUEUE)) return null;
  const named = model.split(PROOF)[1];
  return EVIDENCE.find((one) => one === named) ?? EVIDENCE[0];
}
