/**
 * Trading on prediction markets by rule, as a library: strategies with caps, orders with their whole history, on paper or
 * with real money. Nothing here reads a clock, opens a socket or starts by itself: give the use cases a `Ledger`, an
 * `Exchange` and a `Desk`, with plain `new`, and call `execute`.
 *
 * - Storage: `stakeport/memory`, `stakeport/sql`, or a `Ledger` of your own.
 * - Venues: `stakeport/paper`, or an `Exchange` of your own, held to its promises by `stakeport/testing`.
 * - The machine's clock, ids and digest: `stakeport/system`.
 *
 * Money is `bigint` in millionths: read it with `usdc`, `price` and `shares`, write it with `formatMicro`.
 *
 * @packageDocumentation
 */
export { type ApiKey, isUsable } from './core/access/api-key.js';
export { AUTH_SCOPES, type AuthScope, type Principal } from './core/access/principal.js';
export { type Account, type Balance, freeCash } from './core/account/account.js';
export { freeShares, type Position, type PositionKey } from './core/account/position.js';
export * from './core/errors.js';
export type { AccountId, MarketId, OrderId, StrategyId } from './core/ids.js';
export type { Decision, Scope, Snapshot } from './core/ledger/decision.js';
export type { OrderFilter, Page, Slice, StrategyFilter } from './core/ledger/query.js';
export type { RequestKey, RequestRecord, RequestRoute } from './core/ledger/request.js';
export { scopeOf } from './core/ledger/scope.js';
export { WorkingSet } from './core/ledger/working-set.js';
export { CENTI_SHARE, type Market, outcomeLabel, type Token } from './core/market/market.js';
export {
  formatMicro,
  notional,
  type Price,
  parseMicro,
  price,
  type Rounding,
  type Shares,
  shares,
  sharesFor,
  type Usdc,
  usdc,
} from './core/money.js';
export { replay } from './core/order/apply.js';
export type { OrderDraft } from './core/order/draft.js';
export {
  chainText,
  decodeChange,
  encodeChange,
  type OrderChange,
  type OrderEvent,
  type OrderEventType,
} from './core/order/event.js';
export type { Basis, Execution, Fill, Filled, Liquidity } from './core/order/fill.js';
export type { Intent, Side, StrategyRef, TimeInForce } from './core/order/intent.js';
export {
  isInFlight,
  isWorking,
  ORDER_STATUSES,
  type OrderState,
  type OrderStatus,
  statusOf,
} from './core/order/lifecycle.js';
export { type Order, type Refusal, remaining, type Settlement } from './core/order/order.js';
export { type Desk, Posting } from './core/order/posting.js';
export {
  BET_SIDES,
  type BetSide,
  MARKET_KINDS,
  type MarketKind,
  type Odds,
  type Rules,
  type RulesDraft,
  SIZING_METHODS,
  type SizingMethod,
} from './core/strategy/rules.js';
export type { Exposure, Strategy, StrategyDraft, StrategyPatch } from './core/strategy/strategy.js';
export { CancelOrder, type CancelOrderCommand } from './core/usecases/cancel-order.js';
export {
  ArchiveStrategy,
  type ArchiveStrategyCommand,
  ChangeStrategy,
  type ChangeStrategyCommand,
  type Precondition,
} from './core/usecases/change-strategy.js';
export { CreateStrategy, type CreateStrategyCommand } from './core/usecases/create-strategy.js';
export { type CreatedKey, type CreateKeyCommand, ManageKeys } from './core/usecases/manage-keys.js';
export { PlaceOrder, type PlaceOrderCommand, type Recorded, type Venues } from './core/usecases/place-order.js';
export { ReadOrders } from './core/usecases/read-orders.js';
export { ReadStrategies } from './core/usecases/read-strategies.js';
export { RecoverOrders } from './core/usecases/recover-orders.js';
export { SubmitOrder } from './core/usecases/submit-order.js';
export type { Authentication, Authenticator, Credentials } from './ports/authenticator.js';
export type {
  Accepted,
  Cancellation,
  Exchange,
  Placement,
  Rejected,
  Sighting,
  Unknown,
} from './ports/exchange.js';
export type { IssuedSecret, KeyMaker } from './ports/key-maker.js';
export type { KeyStore } from './ports/key-store.js';
export type { Ledger } from './ports/ledger.js';
export type { MarketData } from './ports/market-data.js';
export type { Clock, Digest, Ids } from './ports/system.js';
