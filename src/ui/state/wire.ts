import type * as v from 'valibot';
import type { alarmOut } from '../../adapters/http/alarm-wire.js';
import type { approvalOut } from '../../adapters/http/approval-wire.js';
import type { decisionOut, evaluationOut, skipCountOut } from '../../adapters/http/decision-wire.js';
import type { eventOut } from '../../adapters/http/event-wire.js';
import type { keyOut } from '../../adapters/http/key-wire.js';
import type { limitsInUseOut, limitsOut } from '../../adapters/http/limits-wire.js';
import type { bookOut, marketOut } from '../../adapters/http/market-wire.js';
import type { orderEventWithChangeOut } from '../../adapters/http/order-event-wire.js';
import type { orderOut } from '../../adapters/http/order-wire.js';
import type { equityOut, portfolioOut } from '../../adapters/http/portfolio-wire.js';
import type { serverOut } from '../../adapters/http/server-wire.js';
import type { callerOut } from '../../adapters/http/session-wire.js';
import type { strategyOut } from '../../adapters/http/strategy-wire.js';
import type { tradingNowOut, tradingStateOut } from '../../adapters/http/trading-wire.js';
import type { deliveryOut, pingOut, webhookOut, webhookStatusOut } from '../../adapters/http/webhook-wire.js';

/** An order, as the API shows it. */
export type OrderRow = v.InferOutput<typeof orderOut>;
/** One event of an order. */
export type OrderEventRow = v.InferOutput<typeof orderEventWithChangeOut>;
/** A version of a strategy. */
export type StrategyRow = v.InferOutput<typeof strategyOut>;
/** A decision on record. */
export type DecisionRow = v.InferOutput<typeof decisionOut>;
/** What a strategy would do now. */
export type EvaluationRow = v.InferOutput<typeof evaluationOut>;
/** How often it skipped, within an hour. */
export type SkipRow = v.InferOutput<typeof skipCountOut>;
/** A bet that waits, or waited, for a person. */
export type ApprovalRow = v.InferOutput<typeof approvalOut>;
/** A state that was set about trading. */
export type TradingRow = v.InferOutput<typeof tradingStateOut>;
/** What stops trading now, and whether an operator lets it be with real money. */
export type TradingNowRow = v.InferOutput<typeof tradingNowOut>;
/** Something that is wrong. */
export type AlarmRow = v.InferOutput<typeof alarmOut>;
/** The limits of an account. */
export type LimitsRow = v.InferOutput<typeof limitsOut>;
/** The same, and what of them is used. */
export type LimitsInUseRow = v.InferOutput<typeof limitsInUseOut>;
/** What an account holds. */
export type PortfolioRow = v.InferOutput<typeof portfolioOut>;
/** One position of it. */
export type HoldingRow = PortfolioRow['positions'][number];
/** What an account was worth at a moment. */
export type EquityRow = v.InferOutput<typeof equityOut>;
/** How old the book of a market is, in milliseconds; null without one. */
export interface FeedRow {
  readonly market_id: string;
  readonly venue: string;
  readonly age_ms: number | null;
  /** Whether it can be traded on. */
  readonly fresh: boolean;
}
/** A market. */
export type MarketRow = v.InferOutput<typeof marketOut>;
/** The book of an outcome. */
export type BookRow = v.InferOutput<typeof bookOut>;
/** A caller, with its session. */
export type CallerRow = v.InferOutput<typeof callerOut>;
/** A webhook, and how it does. */
export type WebhookRow = v.InferOutput<typeof webhookStatusOut>;
/** An event that a webhook did not take. */
export type DeliveryRow = v.InferOutput<typeof deliveryOut>;
/** What became of a ping. */
export type PingRow = v.InferOutput<typeof pingOut>;
/** A server on the database. */
export type ServerRow = v.InferOutput<typeof serverOut>;
/** An API key, without its secret. */
export type KeyRow = v.InferOutput<typeof keyOut>;

type AnyEvent = v.InferOutput<typeof eventOut>;

/** One event of the account's log. `data` has one member, named like the part of `type` before the dot. */
export interface EventRow extends Pick<AnyEvent, 'id' | 'seq' | 'type' | 'at'> {
  readonly data: {
    readonly order?: OrderRow;
    readonly event?: OrderEventRow;
    readonly strategy?: StrategyRow;
    readonly account?: {
      readonly live_enabled: boolean;
      readonly halt: HaltRow | null;
      readonly limits?: LimitsRow | undefined;
    };
    readonly approval?: ApprovalRow;
    readonly trading?: TradingRow;
    readonly alarm?: AlarmRow;
    readonly decision?: DecisionRow;
    readonly key?: KeyRow;
    readonly webhook?: v.InferOutput<typeof webhookOut>;
    readonly losses?: { readonly paper: boolean };
    readonly cash?: { readonly paper: boolean; readonly amount_usdc: string };
  };
}

/** Why orders with real money are stopped. */
export interface HaltRow {
  readonly code: string;
  readonly message: string;
  readonly at: string;
}
