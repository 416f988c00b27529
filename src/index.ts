/**
 * Trading on prediction markets by rule, as a library: strategies with caps, orders with their whole history, on paper or
 * with real money. `createStakeport` returns everything ready to use; nothing starts by itself.
 *
 * - Storage: memory by default, `openSqlLedger` of `stakeport/sql`, or a `Ledger` of your own.
 * - Market data: none by default, `stakeport/polymarket`, a tape from `stakeport/tape`, or a `MarketData` of your own.
 * - Venues: paper by default, or an `Exchange` of your own, checked by `stakeport/testing`.
 * - A server from a program: `stakeport/server`. The classes, to be wired by hand: `stakeport/core`.
 *
 * Money in records is `bigint` in millionths: `formatMicro` writes it as a decimal, `usdc`, `price` and `shares` read one.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport, statusOf } from 'stakeport';
 *
 * const stakeport = createStakeport();
 * const order = await stakeport.orders.place({ account: 'me', market: 'rain', outcome: 'YES', price: '0.57', usdc: 20 });
 * console.log(statusOf(order));
 * await stakeport.close();
 * ```
 */

export { freeCash } from './core/account/account.js';
export * from './core/account/account-errors.js';
export { ALARM_MEANINGS } from './core/alarm/meanings.js';
export * from './core/endpoint/webhook-errors.js';
export * from './core/errors.js';
export { EVENT_TYPES, EventsGone } from './core/ledger/event-log.js';
export { NO_WON, SPLIT, YES_WON } from './core/market/lifecycle.js';
export { formatMicro, type Price, price, type Shares, shares, type Usdc, usdc } from './core/money.js';
export { isInFlight, isWorking, ORDER_STATUSES } from './core/order/lifecycle.js';
export { remaining, statusOf } from './core/order/order.js';
export * from './core/signal/signal-errors.js';
export * from './core/strategy/rules/strategy-refusals.js';
export * from './core/trading/trading-refusals.js';
export type * from './core.js';
export type { AnyDomainError, ErrorCode } from './core.js';
export type { Accounts, PortfolioRequest, Portfolios } from './stakeport/accounts.js';
export type { ApprovalAnswerRequest, ApprovalListRequest, Approvals } from './stakeport/approvals.js';
export type { BetListRequest, Bets, ResultsRequest } from './stakeport/bets.js';
export {
  createStakeport,
  type Stakeport,
  type StakeportOptions,
  type StakeportWithWebhooks,
} from './stakeport/create-stakeport.js';
export type { EventRequest, Events } from './stakeport/events.js';
export {
  accountId,
  approvalId,
  type Decimal,
  InputInvalid,
  marketId,
  orderId,
  type PageRequest,
  strategyId,
  venueName,
  webhookId,
} from './stakeport/input.js';
export type { AccountLimits, LimitsRequest } from './stakeport/limits.js';
export type { EventListener, ListenOptions, On } from './stakeport/listeners.js';
export type { FollowRequest, MarketNewsListener, Markets } from './stakeport/markets.js';
export type { OrderListRequest, OrderRequest, Orders } from './stakeport/orders.js';
export type { NtfyRequest, PersonRequest, RecipientTerms, TelegramRequest } from './stakeport/people.js';
export type {
  NameWithoutUnit,
  PlainInputs,
  RequiredMember,
  RuleDuration,
  RuleInputs,
  RulesPart,
  RulesRequest,
} from './stakeport/rules-input.js';
export type {
  MarketSignal,
  SaidOfMarket,
  SignalListRequest,
  SignalModel,
  SignalRequest,
  Signals,
} from './stakeport/signals.js';
export type { Strategies, StrategyChange, StrategyRequest } from './stakeport/strategies.js';
export type { Alarms, TradingHistoryRequest, TradingRequest, TradingStates } from './stakeport/trading.js';
export type {
  WebhookChange,
  WebhookFound,
  WebhookMade,
  WebhookOptions,
  WebhookRequest,
  Webhooks,
} from './stakeport/webhooks.js';
