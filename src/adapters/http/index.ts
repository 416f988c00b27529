/**
 * The HTTP API as a Koa app, for a server of your own; `stakeport/server` is the whole server.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { useCases } from 'stakeport/core';
 * import { orderRoutes } from 'stakeport/http';
 *
 * const { orders } = useCases(createStakeport().ports);
 * const routes = orderRoutes({ placeOrder: orders.place, cancelOrder: orders.cancel, readOrders: orders.read });
 * ```
 */

export { AccountReadings, type Followed } from './account-readings.js';
export { accountRoutes, portfolioRoutes } from './account-routes.js';
export { type AppParts, createApp } from './app.js';
export type { State } from './app-context.js';
export { type ApprovalUseCases, approvalRoutes } from './approval-routes.js';
export type { ConnectionLimit, ConnectionObserver } from './connections.js';
export { type DecisionUseCases, decisionRoutes } from './decision-routes.js';
export type { DocsParts } from './docs.js';
export type { StreamTerms } from './event-stream.js';
export {
  EventStreams,
  type StreamLimits,
  type StreamParts,
  type StreamRequest,
} from './event-streams.js';
export { eventPresenter } from './event-wire.js';
export type { GateParts } from './gate.js';
export { keyRoutes } from './key-routes.js';
export type { LabelCounts } from './label-counts.js';
export { type LimitsUseCases, limitsRoutes } from './limits-routes.js';
export { marketRoutes } from './market-routes.js';
export { type AnsweredOrder, type AnsweredRequest, Metrics, type Observer, type ReadLabelled } from './metrics.js';
export { type OrderUseCases, orderRoutes } from './order-routes.js';
export type { ServerNames } from './own-pages.js';
export { type FieldError, Problem, type ProblemMore, type ProblemName } from './problem.js';
export type { Method, Reply, Route, RouteCall, StreamReply } from './route.js';
export { type HttpServer, serve, type Tolerance } from './serve.js';
export { serverRoutes } from './server-routes.js';
export type { ServiceParts } from './service-routes.js';
export { type SessionRouteParts, sessionRoutes } from './session-routes.js';
export { type SignalUseCases, signalRoutes } from './signal-routes.js';
export { type StrategyUseCases, strategyRoutes } from './strategy-routes.js';
export type { PageParts } from './stream-pages.js';
export { type EventParts, eventRoutes, streamRoutes } from './stream-routes.js';
export type { Tag } from './tags.js';
export { alarmRoutes, type TradingUseCases, tradingRoutes } from './trading-routes.js';
export type { HaltUseCases } from './ui-halt.js';
export type { UiParts } from './ui-routes.js';
export { webhookRoutes } from './webhook-routes.js';
