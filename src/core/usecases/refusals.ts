import type { AccountRefusal } from '../account/account-errors.js';
import type { WebhookError } from '../endpoint/webhook-errors.js';
import type {
  AmountMalformed,
  ExchangeUnavailable,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvariantBroken,
  KeyNotFound,
  LiveTradingNotEnabled,
  MarketDataUnavailable,
  MarketNotFound,
  MarketUnusable,
  OrderInvalid,
  OrderNotCancellable,
  OrderNotFound,
  PaperElsewhere,
  RulesInvalid,
  StorageUnavailable,
  StrategyNotFound,
  TooManyLookups,
  TransitionForbidden,
  VersionMismatch,
} from '../errors.js';
import type { EventsGone } from '../ledger/event-log.js';
import type { SignalError } from '../signal/signal-errors.js';
import type {
  ApprovalError,
  CredentialRefused,
  DecisionNotFound,
  StrategyRefusal,
} from '../strategy/rules/strategy-refusals.js';
import type { TradingRefusal } from '../trading/trading-refusals.js';

/** Every refusal of the domain. */
export type AnyDomainError =
  | AmountMalformed
  | RulesInvalid
  | OrderInvalid
  | StrategyNotFound
  | OrderNotFound
  | KeyNotFound
  | MarketNotFound
  | MarketUnusable
  | MarketDataUnavailable
  | TooManyLookups
  | ExchangeUnavailable
  | PaperElsewhere
  | AccountRefusal
  | DecisionNotFound
  | ApprovalError
  | VersionMismatch
  | EventsGone
  | IdempotencyKeyReused
  | IdempotencyInProgress
  | LiveTradingNotEnabled
  | CredentialRefused
  | OrderNotCancellable
  | TradingRefusal
  | TransitionForbidden
  | InvariantBroken
  | StorageUnavailable
  | SignalError
  | StrategyRefusal
  | WebhookError;

/** Every code that a `DomainError` can carry. */
export type ErrorCode = AnyDomainError['code'];
