import type * as v from 'valibot';
import type { alarmOut } from './alarm-wire.js';
import type { approvalOut } from './approval-wire.js';
import type { betOut } from './bet-wire.js';
import type { decisionOut, evaluationOut, skipCountOut } from './decision-wire.js';
import type { eventOut, eventPageOut } from './event-wire.js';
import type { keyOut } from './key-wire.js';
import type { limitsInUseOut, limitsOut } from './limits-wire.js';
import type { bookOut, listedMarketOut, marketOut, minuteOut } from './market-wire.js';
import type { orderEventOut, orderEventWithChangeOut } from './order-event-wire.js';
import type { orderOut } from './order-wire.js';
import type { equityOut, portfolioOut } from './portfolio-wire.js';
import type { coveredOut, plotsOut, resultOut } from './result-wire.js';
import type { serverOut } from './server-wire.js';
import type { callerOut } from './session-wire.js';
import type { signalOut } from './signal-wire.js';
import type { strategyOut } from './strategy-wire.js';
import type { tradingNowOut, tradingSetOut, tradingStateOut } from './trading-wire.js';
import type { deliveryOut, pingOut, secretOut, webhookOut, webhookStatusOut } from './webhook-wire.js';

// The answers of the API, for those who read them: a member that is renamed in a schema does not compile in the dashboard and
// the command line.

/** A market. */
export type WireMarket = v.InferOutput<typeof marketOut>;
/** A market of a list, with its prices where they were asked for. */
export type WireListedMarket = v.InferOutput<typeof listedMarketOut>;
/** What was bought and sold of one outcome. */
export type WireBet = v.InferOutput<typeof betOut>;
/** The book of an outcome. */
export type WireBook = v.InferOutput<typeof bookOut>;
/** The best prices of an outcome at the end of a minute. */
export type WireMinute = v.InferOutput<typeof minuteOut>;
/** How old the book of a market is, in milliseconds; null without one. */
export interface WireFeed {
  readonly market_id: string;
  readonly venue: string;
  readonly age_ms: number | null;
  /** Whether it can be traded on. */
  readonly fresh: boolean;
}

/** An order. */
export type WireOrder = v.InferOutput<typeof orderOut>;
/** One line of an order's history. */
export type WireOrderEvent = v.InferOutput<typeof orderEventOut>;
/** One line of an order's history in the account's log, with what it changed. */
export type WireOrderEventWithChange = v.InferOutput<typeof orderEventWithChangeOut>;

/** What an account holds. */
export type WirePortfolio = v.InferOutput<typeof portfolioOut>;
/** One position of it. */
export type WireHolding = WirePortfolio['positions'][number];
/** What the bets that share one property showed. */
export type WireResult = v.InferOutput<typeof resultOut>;
/** Results, and how many bets they are of. */
export interface WireResults extends WireList<WireResult> {
  readonly covered: v.InferOutput<typeof coveredOut>;
}
/** What the plots of the settled bets of one venue are drawn from. */
export type WirePlots = v.InferOutput<typeof plotsOut>;
/** What plots are drawn from, and of how many bets that is. */
export interface WireResultPlots {
  readonly data: readonly WirePlots[];
  readonly covered: v.InferOutput<typeof coveredOut>;
}
/** What an account was worth at a moment. */
export type WireEquity = v.InferOutput<typeof equityOut>;
/** The limits of an account. */
export type WireLimits = v.InferOutput<typeof limitsOut>;
/** The limits of an account, and what of them is used. */
export type WireLimitsInUse = v.InferOutput<typeof limitsInUseOut>;

/** A version of a strategy. */
export type WireStrategy = v.InferOutput<typeof strategyOut>;
/** A decision on record. */
export type WireDecision = v.InferOutput<typeof decisionOut>;
/** What a strategy would do now. */
export type WireEvaluation = v.InferOutput<typeof evaluationOut>;
/** How often a strategy skipped, within an hour. */
export type WireSkipCount = v.InferOutput<typeof skipCountOut>;
/** A bet that waits, or waited, for a person. */
export type WireApproval = v.InferOutput<typeof approvalOut>;
/** What a model says of a market. */
export type WireSignal = v.InferOutput<typeof signalOut>;

/** A state that was set about trading. */
export type WireTradingState = v.InferOutput<typeof tradingStateOut>;
/** What stops trading now, and whether an operator lets it be with real money. */
export type WireTradingNow = v.InferOutput<typeof tradingNowOut>;
/** What was set about trading, and what was cancelled by it. */
export type WireTradingSet = v.InferOutput<typeof tradingSetOut>;
/** Something that is wrong. */
export type WireAlarm = v.InferOutput<typeof alarmOut>;
/** A server on the database. */
export type WireServer = v.InferOutput<typeof serverOut>;

/** A caller, with its session. */
export type WireCaller = v.InferOutput<typeof callerOut>;
/** An API key, without its secret. */
export type WireKey = v.InferOutput<typeof keyOut>;

/** A webhook. */
export type WireWebhook = v.InferOutput<typeof webhookOut>;
/** A webhook with its secret, which the API shows once. */
export type WireWebhookWithSecret = v.InferOutput<typeof secretOut>;
/** A webhook, and how far it has come. */
export type WireWebhookStatus = v.InferOutput<typeof webhookStatusOut>;
/** What became of a ping. */
export type WirePing = v.InferOutput<typeof pingOut>;
/** What a webhook did not take. */
export type WireDelivery = v.InferOutput<typeof deliveryOut>;

/** An event of the account's log. */
export type WireEvent = v.InferOutput<typeof eventOut>;
/** A page of events. */
export type WireEventPage = v.InferOutput<typeof eventPageOut>;

type Names<Data> = Data extends unknown ? keyof Data : never;
type Members<Data> = { readonly [Name in Names<Data>]?: Extract<Data, { readonly [N in Name]: unknown }>[Name] };

/** An event of any type. `data` has one member, named like the part of `type` before the dot. */
export interface WireLoggedEvent extends Pick<WireEvent, 'id' | 'seq' | 'type' | 'at' | 'text'> {
  readonly data: Members<WireEvent['data']>;
}

/** Why orders with real money are stopped. */
export type WireHalt = NonNullable<NonNullable<WireLoggedEvent['data']['account']>['halt']>;

/** One page of a list. */
export interface WireList<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  readonly warnings?: readonly { readonly detail: string }[];
}

/** An error (RFC 9457). */
export interface WireProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
