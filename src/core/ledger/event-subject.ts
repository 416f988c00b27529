import type { ApiKey } from '../access/api-key.js';
import type { Account } from '../account/account.js';
import type { PositionKey } from '../account/position.js';
import type { AlarmRecord } from '../alarm/alarm.js';
import type { ShownEndpoint } from '../endpoint/endpoint.js';
import type { VenueName } from '../ids.js';
import type { LossRecord } from '../limits/loss-marks.js';
import type { Usdc } from '../money.js';
import type { Approval } from '../strategy/record/approval.js';
import type { TradingState } from '../trading/state.js';

/** An API key as its account may see it: never with what authenticates. */
export type LoggedKey = Omit<ApiKey, 'digest'>;

/** Cash that was moved by something other than an order, or a reset: `amount` is what came, negative what went. */
export interface CashMoved {
  readonly paper: boolean;
  /** Null on paper. */
  readonly venue: VenueName | null;
  readonly amount: Usdc;
  /** Of what shares it is the redemption; absent where they were none, and in events before this was kept. */
  readonly redeemed?: Pick<PositionKey, 'marketId' | 'outcome'>;
}

/** What the event itself keeps of what it is about. */
export type KeptSubject =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'cash'; readonly moved: CashMoved }
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'key'; readonly key: LoggedKey }
  | { readonly kind: 'trading'; readonly state: TradingState }
  | { readonly kind: 'losses'; readonly measured: LossRecord }
  | { readonly kind: 'alarm'; readonly alarm: AlarmRecord }
  | { readonly kind: 'webhook'; readonly endpoint: ShownEndpoint };
