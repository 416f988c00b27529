/**
 * The rules and the use cases, to be wired by hand where `createStakeport` of `stakeport` is not enough. Nothing here reads
 * a clock, opens a socket or starts by itself: give `useCases` its ports, or make one with plain `new`, and call `execute`.
 * - Storage: `stakeport/memory`, `stakeport/sql`, or a `Ledger` of your own.
 * - Venues: `stakeport/memory`, or an `Exchange` of your own, checked by `stakeport/testing`.
 * - The machine's clock, ids and digest: `stakeport/memory`.
 * Money is `bigint` in millionths: read it with `usdc`, `price` and `shares`, write it with `formatMicro`.
 * @packageDocumentation
 * @example
 * ```ts
 * import { createStakeport, usdc } from 'stakeport';
 * import { useCases } from 'stakeport/core';
 *
 * const { ports } = createStakeport();
 * const { accounts } = useCases({ ...ports, openingCash: usdc('50') });
 * for await (const { findings } of accounts.audit.execute()) console.log(findings.length);
 * ```
 */

export * from './core/access/index.js';
export * from './core/account/account.js';
export * from './core/account/account-errors.js';
export type { EquityPoint } from './core/account/portfolio.js';
export { type Holding, type Portfolio, type PortfolioParts, portfolioOf, worthOf } from './core/account/portfolio.js';
export { freeShares, type HoldingFilter, type Position, type PositionKey } from './core/account/position.js';
export { ALARM_KINDS, type AlarmKey, type AlarmKind, type AlarmRecord } from './core/alarm/alarm.js';
export { ALARM_MEANINGS, type AlarmMeaning } from './core/alarm/meanings.js';
export type { AuditCheck, BooksKey, Finding } from './core/audit/books-audit.js';
export type { HoldingsFinding, HoldingsVerdict } from './core/audit/holdings-audit.js';
export type { InOrder } from './core/concurrency/concurrency.js';
export * from './core/endpoint/webhook-errors.js';
export * from './core/errors.js';
export type * from './core/ids.js';
export type {
  Decision,
  FirstPart,
  HolderRisks,
  Records,
  RiskHolder,
  Scope,
  SecondPart,
  Snapshot,
} from './core/ledger/decision.js';
export { scopeOf } from './core/ledger/decision.js';
export type * from './core/ledger/event-log.js';
export { EVENT_TYPES, EventsGone } from './core/ledger/event-log.js';
export type { Job, JobChange } from './core/ledger/job.js';
export type { Lease, LeaseInHand, LeaseName } from './core/ledger/lease.js';
export type { Program } from './core/ledger/program.js';
export type * from './core/ledger/query.js';
export type { RequestKey, RequestRecord, RequestRoute } from './core/ledger/request.js';
export { type LogHead, WorkingSet } from './core/ledger/working-set.js';
export type {
  ByDay,
  Counted,
  DaySpent,
  DayStart,
  EquityMark,
  KeptLosses,
  LossMarks,
  LossRecord,
  OfDay,
} from './core/limits/counted.js';
export {
  LIMIT_NAMES,
  type LimitKind,
  type LimitName,
  type Limits,
  type LimitsChange,
  type LimitTable,
  type LimitValues,
  NO_LIMITS,
  type RefusingState,
} from './core/limits/limits.js';
export type {
  HeldRisks,
  Losses,
  LossNames,
  MarketResults,
  PriceCounts,
  Results,
  Risk,
  RiskGroup,
  RiskHere,
  RiskyPosition,
  WorkingRisk,
} from './core/limits/risk.js';
export { Book, type BookView, mirrored, type QuotedPrices, seenFrom } from './core/market/book.js';
export type { BookSide, Evidence, Level, LevelChange, MarketChange, MarketEvent } from './core/market/event.js';
export * from './core/market/fee.js';
export * from './core/market/lifecycle.js';
export type { MarketDataState, MarketRef, MoneyKind, TimeInForce } from './core/market/market.js';
export {
  answers,
  CENTI_SHARE,
  MARKET_KINDS,
  type Market,
  type MarketEventRef,
  type MarketKind,
  type MarketQuery,
  type MarketTerms,
  type Outcome,
  type OutcomeRole,
  type OutcomeSide,
  outcomeOf,
  type PriceBand,
  type PriceGrid,
  unlistedMarket,
} from './core/market/market.js';
export type { MinutePrices, PricePeriod } from './core/market/minute-prices.js';
export type { Side } from './core/market/side.js';
export type { ReportBatch } from './core/matching/matcher.js';
export { Matcher } from './core/matching/matcher.js';
export type { Cancelling, OrderReplay, ReplayedOrder } from './core/matching/order-replay.js';
export { type TakenBefore, takenBy } from './core/matching/walk.js';
export {
  formatMicro,
  type Micro,
  notional,
  type Price,
  parseMicro,
  price,
  type Ratio,
  type Rounding,
  type Shares,
  shares,
  sharesFor,
  type Usdc,
  usdc,
} from './core/money.js';
export { replay } from './core/order/apply.js';
export type { OrderDraft, OrderTerms } from './core/order/draft.js';
export type { OrderChange, OrderEvent, OrderEventType } from './core/order/event.js';
export { chainText, decodeChange, encodeChange } from './core/order/event.js';
export { isInFlight, isWorking, ORDER_STATUSES, type OrderState, type OrderStatus } from './core/order/lifecycle.js';
export type { BoughtFor, KnownPrices, MarketAtOrder } from './core/order/market-at-order.js';
export type {
  Basis,
  CountedOrder,
  Envelope,
  Execution,
  Fill,
  Filled,
  Intent,
  Liquidity,
  StrategyRef,
  TakenLevel,
} from './core/order/order.js';
export { type Order, type Refusal, remaining, type Settlement, statusOf } from './core/order/order.js';
export type { Contradiction, Reconciliation } from './core/order/reconciliation.js';
export { BET_RESULTS, type BetResult, type BetRow, type ClosePrice, type NoClose } from './core/performance/bet.js';
export type { BetFilter, BetOrder } from './core/performance/bet-filter.js';
export type { BetBook } from './core/performance/bet-ledger.js';
export type { BetPlots, ClosingSpread, ExpectedDay, PointClass, SlippageParts } from './core/performance/bet-plots.js';
export type { BetSumName, BetSums } from './core/performance/bet-sums.js';
export type { BookedMove, MovedOutcome } from './core/performance/booked-moves.js';
export type { EarlierOrders } from './core/performance/earlier-orders.js';
export type { CalibrationBin, ForecastBin } from './core/performance/forecasts.js';
export type { Interval, ReturnSums } from './core/performance/intervals.js';
export { type KeptSums, RESULTS_BY, type ResultBy, type SumKey } from './core/performance/kept-sums.js';
export type { Measure, NoMeasure } from './core/performance/measure.js';
export type { MeasureName, MeasuresByName } from './core/performance/measures.js';
export * from './core/performance/results.js';
export type { Books } from './core/posting/books.js';
export type { Again, Beside, Lacking } from './core/posting/order-checks.js';
export { Posting, type StepChange } from './core/posting/posting.js';
export type { PaperReset } from './core/posting/reset.js';
export type { OrderContext } from './core/posting/trading-stop.js';
export type { AnyDomainError, ErrorCode } from './core/refusals/request-refusals.js';
export * from './core/signal/signal.js';
export * from './core/signal/signal-check.js';
export * from './core/signal/signal-errors.js';
export type {
  BetInputs,
  BetsMade,
  DecidingStrategy,
  Estimate,
  LimitLeft,
  Proposal,
  Proposer,
  RuleResult,
  SeenOutcome,
  SetMember,
} from './core/strategy/conditions/candidate.js';
export type * from './core/strategy/decide/decide.js';
export { conditionsHold, decideBet } from './core/strategy/decide/decide.js';
export { decideExit, type ExitDecision, type NoSale, type Sale } from './core/strategy/exit/decide-exit.js';
export type * from './core/strategy/exit/exit-inputs.js';
export type { ExitEvaluation, ExitOrdered } from './core/strategy/exit/exit-record.js';
export type { AutomatedRules } from './core/strategy/explain/automation-warnings.js';
export { type Explained, type Explanation, explainRules } from './core/strategy/explain/explain-rules.js';
export type { Warning } from './core/strategy/explain/warning.js';
export { type WarnedAbout, type WarningTerms, warningsOf } from './core/strategy/explain/warnings.js';
export type * from './core/strategy/record/approval.js';
export type * from './core/strategy/record/decision-record.js';
export { type DecisionFilter, isWantedDecision } from './core/strategy/record/listed-decisions.js';
export { RecentSkips, type SkipLimits } from './core/strategy/record/recent-skips.js';
export {
  BET_SIDES,
  type BetSide,
  type DayLimit,
  type Fraction,
  type ObjectKind,
  type ObjectOf,
  type ObjectTable,
  type Odds,
  type OneOf,
  type OneOrMore,
  PHASES,
  type Phase,
  type PlainKind,
  type PlainValues,
  type RuleKind,
  type RuleValues,
  SIZING_METHODS,
  type SizingMethod,
  type ValueOf,
} from './core/strategy/rules/rule-member.js';
export type { DayCounter, DayLimitName, RulePart, RuleTable } from './core/strategy/rules/rule-members.js';
export * from './core/strategy/rules/rules.js';
export * from './core/strategy/rules/strategy-refusals.js';
export * from './core/strategy/rules/trading-rules.js';
export type {
  AddedCounts,
  DayOrders,
  Exposure,
  Strategy,
  StrategyCounted,
  StrategyDraft,
  StrategyPatch,
} from './core/strategy/strategy.js';
export type {
  MarketView,
  MarketWithBook,
  WatchedMarket,
} from './core/strategy/watch/watched-market.js';
export type {
  FirstPrice,
  FirstPriceKey,
  KnownBets,
  RefusedBet,
  Watcher,
} from './core/strategy/watch/watcher.js';
export type * from './core/trading/state.js';
export { LooseningForbidden } from './core/trading/trading-refusals.js';
export { type AccountAudit, AuditBooks, type AuditContext } from './core/usecases/accounts/audit-books.js';
export { AuditHoldings, type HoldingsComparison } from './core/usecases/accounts/audit-holdings.js';
export { RedeemPositions } from './core/usecases/accounts/background/redeem-positions.js';
export { type Holder, SampleEquity, type Sampling } from './core/usecases/accounts/background/sample-equity.js';
export {
  type HaltedAccount,
  type LiveAccount,
  ManageAccounts,
  type ReleasedAccount,
} from './core/usecases/accounts/manage-accounts.js';
export type { RevokedKey, RevokeKeyCommand } from './core/usecases/accounts/manage-keys.js';
export { type CreatedKey, type CreateKeyCommand, ManageKeys } from './core/usecases/accounts/manage-keys.js';
export { ManageSessions, type SessionPorts, type StartedSession } from './core/usecases/accounts/manage-sessions.js';
export { type DataPage, type EventPage, type LatestEvents, ReadEvents } from './core/usecases/accounts/read-events.js';
export type { QuoteSource } from './core/usecases/accounts/read-portfolio.js';
export { type PortfolioContext, ReadPortfolio } from './core/usecases/accounts/read-portfolio.js';
export { ResetPaperAccount, type ResetPaperAccountCommand } from './core/usecases/accounts/reset-paper-account.js';
export * from './core/usecases/alarms/background/raise-alarms.js';
export * from './core/usecases/alarms/read-alarms.js';
export type { ApprovalAnswer } from './core/usecases/approvals/answered.js';
export { ApproveBet, type ApproveCommand } from './core/usecases/approvals/approve-bet.js';
export { ExpireApprovals } from './core/usecases/approvals/background/expire-approvals.js';
export { ReadApprovals } from './core/usecases/approvals/read-approvals.js';
export { RejectBet } from './core/usecases/approvals/reject-bet.js';
export { CloseBets } from './core/usecases/bets/background/close-bets.js';
export type { FollowedCloses } from './core/usecases/bets/background/followed-closes.js';
export { type BetsKept, KeepAllBets } from './core/usecases/bets/background/keep-all-bets.js';
export { type DayZone, KeepBets } from './core/usecases/bets/background/keep-bets.js';
export { type BetPrices, ReadBets } from './core/usecases/bets/read-bets.js';
export * from './core/usecases/bets/read-results.js';
export * from './core/usecases/compose.js';
export * from './core/usecases/compose-strategies.js';
export * from './core/usecases/compose-webhooks.js';
export * from './core/usecases/endpoints/background/index.js';
export * from './core/usecases/endpoints/index.js';
export type { ExportedRows, ExportFilter, ExportRecords } from './core/usecases/exports/export-records.js';
export * from './core/usecases/limits/background/watch-losses.js';
export { ChangeLimits, type ChangeLimitsCommand } from './core/usecases/limits/change-limits.js';
export {
  MarkEquity,
  type MarkedHolder,
  MeasureLosses,
  type PricedMarkets,
} from './core/usecases/limits/mark-equity.js';
export { type LimitsInUse, ReadLimits } from './core/usecases/limits/read-limits.js';
export type * from './core/usecases/markets/background/market-subscriptions.js';
export { RecordPrices } from './core/usecases/markets/background/record-prices.js';
export { SettleMarket } from './core/usecases/markets/background/settle-market.js';
export { type SettledResults, SettleResults } from './core/usecases/markets/background/settle-results.js';
export type { ByMarket, MarketFilters } from './core/usecases/markets/market-filters.js';
export { type MarketBook, ReadMarkets } from './core/usecases/markets/read-markets.js';
export { HaltOnContradiction } from './core/usecases/orders/background/halt-on-contradiction.js';
export { LookAfterOrders } from './core/usecases/orders/background/look-after-orders.js';
export { ReconcileOrders } from './core/usecases/orders/background/reconcile-orders.js';
export { RecordReports } from './core/usecases/orders/background/record-reports.js';
export { RecoverOrders, type Recovery } from './core/usecases/orders/background/recover-orders.js';
export { type RecordedTime, type Replaying, ReplayOrders } from './core/usecases/orders/background/replay-orders.js';
export * from './core/usecases/orders/background/restore-orders.js';
export { CancelOrder, type CancelOrderCommand } from './core/usecases/orders/cancel-order.js';
export type {
  OrderPlacement,
  PlacedFor,
  PlacementPorts,
  PlacementRequest,
  PlacementTerms,
} from './core/usecases/orders/order-placement.js';
export { PlaceOrder, type PlaceOrderCommand, type Recorded } from './core/usecases/orders/place-order.js';
export { ReadOrders } from './core/usecases/orders/read-orders.js';
export { SubmitOrder } from './core/usecases/orders/submit-order.js';
export { ReadServers, type WorkingServer } from './core/usecases/servers/read-servers.js';
export * from './core/usecases/signals/complete-signal.js';
export { PutSignals, type PutSignalsCommand } from './core/usecases/signals/put-signals.js';
export { ReadSignals } from './core/usecases/signals/read-signals.js';
export { RemoveSignal } from './core/usecases/signals/remove-signal.js';
export type {
  AutomatedTrading,
  AutomatedTradingTerms,
  TradingParts,
} from './core/usecases/strategies/background/automated-trading.js';
export type { ExitEntry } from './core/usecases/strategies/background/exit-entries.js';
export type { ForgetFirstPrices } from './core/usecases/strategies/background/forget-first-prices.js';
export * from './core/usecases/strategies/background/give-up-orders.js';
export type { HeldBackExits } from './core/usecases/strategies/background/held-back-exits.js';
export * from './core/usecases/strategies/background/judge-exit.js';
export * from './core/usecases/strategies/background/look-after-bets.js';
export type { SignalParts } from './core/usecases/strategies/background/look-by-signals.js';
export * from './core/usecases/strategies/background/run-exits.js';
export { RunStrategies } from './core/usecases/strategies/background/run-strategies.js';
export type * from './core/usecases/strategies/background/runner-parts.js';
export type { ShareWatching } from './core/usecases/strategies/background/share-watching.js';
export type { ChosenMarket, MarketChoice, NotFollowed } from './core/usecases/strategies/background/wanted-markets.js';
export type { FollowedMarkets, MarketUser } from './core/usecases/strategies/background/watched-markets.js';
export type { BetPorts } from './core/usecases/strategies/bet-orders.js';
export * from './core/usecases/strategies/change-strategy.js';
export * from './core/usecases/strategies/close-position.js';
export { CreateStrategy, type CreateStrategyCommand } from './core/usecases/strategies/create-strategy.js';
export * from './core/usecases/strategies/evaluate-strategy.js';
export type { ExitJudgement, HeldPart, HeldPosition } from './core/usecases/strategies/exit-orders.js';
export type {
  BetBounds,
  Estimates,
  Judgement,
  PossibleBet,
  RecordedBets,
} from './core/usecases/strategies/judgement.js';
export * from './core/usecases/strategies/place-bet.js';
export { ReadDecisions } from './core/usecases/strategies/read-decisions.js';
export { ReadStrategies } from './core/usecases/strategies/read-strategies.js';
export * from './core/usecases/trading/background/reduce-for-now.js';
export * from './core/usecases/trading/cancel-in-scope.js';
export * from './core/usecases/trading/read-trading.js';
export * from './core/usecases/trading/set-trading-state.js';
export type { UseCasePorts } from './core/usecases/use-case-ports.js';
export type { SearchTerms, SharedSearch } from './core/venues/market-searches.js';
export { type Destination, marketsAt, type RealMoney, Venues, VenueUnusable, venueFrom } from './core/venues/venues.js';
export type { ApprovalFilter, ApprovalStore } from './ports/approval-store.js';
export type { Authentication, Authenticator, Credentials } from './ports/authenticator.js';
export type { BetMeasuring } from './ports/bet-measuring.js';
export type { BetChange, BetHead, BetProgress, BetScope, BetStore, SumScope, UnclosedBet } from './ports/bet-store.js';
export type { ClosePrices, ClosingBet } from './ports/close-prices.js';
export type { DecisionLog } from './ports/decision-log.js';
export type { EventFilter, EventLog, HistoryRange, LatestFilter, LogRange, VersionName } from './ports/event-log.js';
export type * from './ports/exchange.js';
export type { ExternalOrder, ExternalOrderCursor, ExternalOrders } from './ports/external-orders.js';
export type { FirstPrices } from './ports/first-prices.js';
export type { IssuedSecret, KeyMaker, KeyStore } from './ports/key-store.js';
export type { JobQueue, Leases, Leasing, Programs } from './ports/leases.js';
export type { Bookmarks, Ledger, WholeStore } from './ports/ledger.js';
export type { Asker, Following, FollowPlace, MarketData, MarketListener } from './ports/market-data.js';
export type { PlayedTime } from './ports/played-time.js';
export type { PriceHistory } from './ports/price-history.js';
export type * from './ports/session-store.js';
export type { ReportProblem, Setting, Settings, SettingValues } from './ports/setting.js';
export type { SignalFilter, SignalQuestion, SignalSource, SignalStore } from './ports/signals.js';
export type {
  Clock,
  DayOf,
  Digest,
  Ids,
  InBackground,
  LocalTime,
  Pause,
  Stopwatch,
  Timeline,
} from './ports/system.js';
export type { MarketDirectory, Redemption, Venue } from './ports/venue.js';
export type * from './ports/venue-adapter.js';
