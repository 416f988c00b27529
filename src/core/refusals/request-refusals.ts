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
  TooManyMarkets,
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
  | TooManyMarkets
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

/**
 * What a refusal says of a request, whichever way it was made: it is wrong in itself (`invalid`), names nothing of the caller's
 * (`absent`), is not allowed to it (`forbidden`), does not fit what is now (`conflict`), comes too often (`limited`) or too late
 * (`gone`), cannot be answered now (`unavailable`), or met a fault of the service (`broken`).
 */
export type RefusalKind =
  | 'invalid'
  | 'absent'
  | 'forbidden'
  | 'conflict'
  | 'limited'
  | 'gone'
  | 'unavailable'
  | 'broken';

/** What a code of refusal means. Its sentence is the message of its error, which may have figures. */
export interface RequestRefusal {
  readonly kind: RefusalKind;
  /** The refusal in a few words; absent where all that matters is its kind. */
  readonly title?: string;
  /** What to do about it. */
  readonly help?: string;
}

/** Every refusal of a request; a new code does not compile until it is here. Refusals of orders on record are `ORDER_REFUSALS`. */
export const REQUEST_REFUSALS = {
  amount_malformed: { kind: 'invalid' },
  rules_invalid: { kind: 'invalid' },
  order_invalid: { kind: 'invalid' },
  strategy_not_found: { kind: 'absent' },
  order_not_found: { kind: 'absent' },
  key_not_found: { kind: 'absent' },
  decision_not_found: { kind: 'absent' },
  approval_not_found: { kind: 'absent' },
  approval_not_waiting: {
    kind: 'conflict',
    title: 'Approval not waiting',
    help: 'The bet waits for nobody any more: somebody else decided, it expired, or it was refused at the prices of then. `detail` says which. Nothing was changed.',
  },
  market_not_found: {
    kind: 'absent',
    title: 'Market not found',
    help: 'The venue knows no market with this `market_id`. Nothing was recorded.',
  },
  market_unusable: {
    kind: 'invalid',
    title: 'Market unusable',
    help: 'The venue has this market, but reports too little to trade on it safely; `detail` says why. Nothing was recorded.',
  },
  market_data_unavailable: {
    kind: 'unavailable',
    title: 'Market data unavailable',
    help: 'The source of market data does not answer now. Repeat the request after `Retry-After` seconds. Nothing was recorded.',
  },
  too_many_lookups: {
    kind: 'limited',
    title: 'Too many lookups',
    help: 'As many reads of the venue wait for the account as may: of markets, books and searches that the server has to ask it for. Repeat the request after `Retry-After` seconds. Nothing was recorded.',
  },
  too_many_markets: {
    kind: 'limited',
    title: 'Too many markets',
    help: 'The streams of the account follow as many markets as they may; `detail` says how many. Ask for fewer, or close a stream, and repeat the request after `Retry-After` seconds.',
  },
  exchange_unavailable: { kind: 'unavailable' },
  paper_elsewhere: {
    kind: 'unavailable',
    title: 'Paper orders go elsewhere',
    help: 'Several servers share one database, and one of them matches all paper orders; this one does not, or is still taking over. Nothing was recorded. Repeat the request after `Retry-After` seconds, with the same Idempotency-Key, through your load balancer.',
  },
  account_not_found: { kind: 'absent' },
  paper_account_not_found: { kind: 'absent' },
  account_busy: {
    kind: 'conflict',
    title: 'Account busy',
    help: 'The paper account has an order that could not be cancelled yet, such as one that the venue holds for the delay of its market. Some orders may have been cancelled by now, but no money was touched. Repeat the reset after `Retry-After` seconds. Or: it traded so fast that its first limits could not be set; nothing was changed then.',
  },
  version_mismatch: { kind: 'conflict' },
  money_mixed: { kind: 'invalid' },
  events_gone: {
    kind: 'gone',
    title: 'Events gone',
    help: 'The events after `after` are not kept any more (`EVENTS_KEEP`), or the log never had that many. Read the orders and the portfolio anew, then go on after the `head` that `detail` names.',
  },
  idempotency_key_reused: {
    kind: 'invalid',
    title: 'Idempotency key reused',
    help: 'This Idempotency-Key was used for a different request. Use a new key for a new request.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    title: 'First request still running',
    help: 'The first request with this Idempotency-Key has not finished. Repeat the request after `Retry-After` seconds.',
  },
  live_trading_not_enabled: {
    kind: 'forbidden',
    title: 'Live trading not enabled',
    help: 'A live order needs the server, the account, the credentials and the strategy all to allow it. `detail` names the first that does not. Nothing was sent.',
  },
  ui_trading_off: {
    kind: 'forbidden',
    title: 'Not from a page',
    help: 'A session may not do what risks real money, because the server runs without `UI_TRADING=on`. Halting, reducing and cancelling it may. Programs with a key are not concerned.',
  },
  key_needed: {
    kind: 'forbidden',
    title: 'Key needed again',
    help: 'What risks more than before, or changes a webhook, needs a session that began within the last five minutes. Begin one with `POST /v1/session` and the key, and repeat the request.',
  },
  loosening_forbidden: { kind: 'forbidden' },
  live_automation_refused: { kind: 'forbidden' },
  scope_missing: { kind: 'forbidden' },
  order_not_cancellable: {
    kind: 'conflict',
    title: 'Order not cancellable',
    help: 'The order has nothing left to cancel, or is still in flight to the venue. Read the order to see which.',
  },
  trading_scope_missing: { kind: 'forbidden' },
  trading_state_invalid: { kind: 'invalid' },
  transition_forbidden: { kind: 'broken' },
  invariant_broken: { kind: 'broken' },
  storage_unavailable: { kind: 'unavailable' },
  program_outdated: { kind: 'unavailable' },
  signal_not_found: { kind: 'absent' },
  signals_invalid: { kind: 'invalid' },
  too_many_signals: {
    kind: 'conflict',
    title: 'Too many signals',
    help: 'The account has as many signals as it may; `detail` says how many. Nothing was stored. Delete some, or let some expire.',
  },
  too_many_versions: {
    kind: 'conflict',
    title: 'Too many versions',
    help: 'The strategy has as many versions as one may have, and none is ever deleted. It can still be paused and archived: create another one. Nothing was changed.',
  },
  too_many_automated: {
    kind: 'conflict',
    title: 'Too many automated strategies',
    help: 'The account has as many strategies with automation as it may (`AUTOMATED_PER_ACCOUNT`). Turn the automation of another one off, or archive it. Nothing was changed.',
  },
  webhook_not_found: { kind: 'absent' },
  webhook_url_invalid: { kind: 'invalid' },
  webhook_member_invalid: { kind: 'invalid' },
  webhook_without_secret: {
    kind: 'conflict',
    title: 'Webhook without a secret',
    help: 'Messages to people are not signed, so there is no secret to rotate. Another token of the messenger is set with `PATCH /v1/webhooks/{id}`.',
  },
  too_many_webhooks: {
    kind: 'conflict',
    title: 'Too many webhooks',
    help: 'The account has as many webhooks as it may; `detail` says how many.',
  },
  webhook_not_verified: {
    kind: 'conflict',
    title: 'Webhook not verified',
    help: 'The receiver of the webhook has not taken a ping yet: call `POST /v1/webhooks/{id}/ping` once it is ready.',
  },
  secret_unreadable: { kind: 'broken' },
} as const satisfies Record<ErrorCode, RequestRefusal>;

/** The codes that are explained one by one, not by their kind alone. */
export type ExplainedCode = {
  [Code in ErrorCode]: (typeof REQUEST_REFUSALS)[Code] extends { readonly title: string } ? Code : never;
}[ErrorCode];
