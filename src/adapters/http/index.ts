export { AccountReadings, type Followed } from './account-readings.js';
export { type ApiParts, apiRoutes } from './api-routes.js';
export { type AppParts, createApp } from './app.js';
export type { State } from './app-context.js';
export type { ConnectionLimit, ConnectionObserver } from './connections.js';
export type { DocsParts } from './docs.js';
export type { StreamTerms } from './event-stream.js';
export {
  EventStreams,
  type MarketStreamRequest,
  type StreamCaller,
  type StreamLimits,
  type StreamParts,
  type StreamRequest,
} from './event-streams.js';
export { eventPresenter } from './event-wire.js';
export type { GateParts } from './gate.js';
export type { LabelCounts } from './metrics.js';
export { type AnsweredOrder, type AnsweredRequest, Metrics, type Observer, type ReadLabelled } from './metrics.js';
export type { ServerNames } from './own-pages.js';
export { type FieldError, Problem, type ProblemMore, type ProblemName } from './problem.js';
export type { Method, Reply, Route, RouteCall, StreamReply, Tag, TextReply } from './route.js';
export type { PlainShown, ShownPart, ShownTable, ShownValues } from './rules-out.js';
export { type HttpServer, serve, type Tolerance } from './serve.js';
export type { ServiceParts } from './service-routes.js';
export type { SessionRouteParts } from './session-routes.js';
export type { PageParts } from './stream-pages.js';
export type { StreamTimes } from './stream-writer.js';
export type { HaltUseCases } from './ui-halt.js';
export type { UiParts } from './ui-routes.js';
