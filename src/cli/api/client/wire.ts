import type { InferOutput } from 'valibot';
import type { approvalOut } from '../../../adapters/http/approval-wire.js';
import type { decisionOut, evaluationOut, skipCountOut } from '../../../adapters/http/decision-wire.js';
import type { eventOut } from '../../../adapters/http/event-wire.js';
import type { limitsInUseOut } from '../../../adapters/http/limits-wire.js';
import type { bookOut, marketOut } from '../../../adapters/http/market-wire.js';
import type { orderEventOut } from '../../../adapters/http/order-event-wire.js';
import type { orderOut } from '../../../adapters/http/order-wire.js';
import type { portfolioOut } from '../../../adapters/http/portfolio-wire.js';
import type { signalOut } from '../../../adapters/http/signal-wire.js';
import type { strategyOut } from '../../../adapters/http/strategy-wire.js';
import type { tradingNowOut, tradingSetOut, tradingStateOut } from '../../../adapters/http/trading-wire.js';
import type {
  deliveryOut,
  pingOut,
  secretOut,
  webhookOut,
  webhookStatusOut,
} from '../../../adapters/http/webhook-wire.js';

// The commands read what the routes write: a member that is renamed there does not compile here.

/** A market as the API shows it. */
export type WireMarket = InferOutput<typeof marketOut>;
/** A book as the API shows it. */
export type WireBook = InferOutput<typeof bookOut>;
/** An order as the API shows it. */
export type WireOrder = InferOutput<typeof orderOut>;
/** One line of an order's history as the API shows it. */
export type WireOrderEvent = InferOutput<typeof orderEventOut>;
/** A portfolio as the API shows it. */
export type WirePortfolio = InferOutput<typeof portfolioOut>;
/** A strategy as the API shows it. */
export type WireStrategy = InferOutput<typeof strategyOut>;
/** A decision on record as the API shows it. */
export type WireDecision = InferOutput<typeof decisionOut>;
/** A decision that is not on record as the API shows it. */
export type WireEvaluation = InferOutput<typeof evaluationOut>;
/** How often a strategy skipped, as the API shows it. */
export type WireSkipCount = InferOutput<typeof skipCountOut>;
/** An approval as the API shows it. */
export type WireApproval = InferOutput<typeof approvalOut>;
/** A signal as the API shows it. */
export type WireSignal = InferOutput<typeof signalOut>;
/** Limits and what of them is in use, as the API shows them. */
export type WireLimits = InferOutput<typeof limitsInUseOut>;
/** What stops trading, as the API shows it. */
export type WireTradingState = InferOutput<typeof tradingStateOut>;
/** What stops trading now, as the API shows it. */
export type WireTradingNow = InferOutput<typeof tradingNowOut>;
/** What was set about trading, as the API shows it. */
export type WireTradingSet = InferOutput<typeof tradingSetOut>;
/** An event of the log as the API shows it. */
export type WireEvent = InferOutput<typeof eventOut>;

/** A webhook as the API shows it. */
export type WireWebhook = InferOutput<typeof webhookOut>;
/** A webhook with its secret, which the API shows once. */
export type WireWebhookWithSecret = InferOutput<typeof secretOut>;
/** A webhook, and how far it has come, as the API shows it. */
export type WireWebhookStatus = InferOutput<typeof webhookStatusOut>;
/** What became of a ping, as the API shows it. */
export type WirePing = InferOutput<typeof pingOut>;
/** What a webhook did not take, as the API shows it. */
export type WireDelivery = InferOutput<typeof deliveryOut>;

/** One page of a list as the API shows it. */
export interface WireList<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  readonly warnings?: readonly { readonly detail: string }[];
}

/** A page of events as the API shows it. */
export interface WireEventPage {
  readonly data: readonly WireEvent[];
  readonly next_after: string;
  readonly head: string;
}

/** An error as the API says it (RFC 9457). */
export interface WireProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
