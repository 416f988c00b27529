import { formatMicro, type Shares } from '../money.js';

/** Why every resting order is cancelled when the game starts. */
export const GAME_STARTED = 'game_started: the venue cancels every resting order when the game starts';
/** Why resting orders are cancelled when trading ends. */
export const MARKET_CLOSED = 'market_closed: the market has ended';

/** What a simulated fill assumed. */
export type FillAssumption =
  /** The fill took what was displayed, less what the account had taken before, after the order's way to the venue and its delay. */
  | { readonly kind: 'walk'; readonly latencyMs: number; readonly delaySeconds: number }
  /** The order waited behind `ahead` shares until trades had served them, or the market had moved past its price. */
  | { readonly kind: 'queue'; readonly cause: 'traded' | 'crossed'; readonly ahead: Shares };

/** The assumption as one word and its numbers, such as `book_walk;latency_ms=150;delay_s=3`. */
export function fillModel(assumption: FillAssumption): string {
  if (assumption.kind === 'walk') {
    return `book_walk;latency_ms=${assumption.latencyMs};delay_s=${assumption.delaySeconds}`;
  }
  return `queue_${assumption.cause};ahead=${formatMicro(assumption.ahead)}`;
}
