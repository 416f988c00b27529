import { WebhookMemberInvalid, WebhookUrlInvalid } from '../../core/endpoint/webhook-errors.js';
import { DomainError, ExchangeUnavailable, OrderInvalid, RulesInvalid, TooManyLookups } from '../../core/errors.js';
import { ScopeMissing } from '../../core/strategy/rules/strategy-refusals.js';
import { TradingScopeMissing, TradingStateInvalid } from '../../core/trading/trading-refusals.js';
import type { ErrorCode } from '../../core/usecases/refusals.js';
import { lacking } from './guard.js';
import { ON_WIRE } from './order-wire.js';
import { Problem, type ProblemName } from './problem.js';

/** Which problem answers each refusal of the core; a new code does not compile until it has one. */
const PROBLEM_OF = {
  amount_malformed: 'validation-failed',
  rules_invalid: 'validation-failed',
  order_invalid: 'validation-failed',
  strategy_not_found: 'not-found',
  order_not_found: 'not-found',
  key_not_found: 'not-found',
  decision_not_found: 'not-found',
  approval_not_found: 'not-found',
  approval_not_waiting: 'approval-not-waiting',
  market_not_found: 'market-not-found',
  market_unusable: 'market-unusable',
  market_data_unavailable: 'market-data-unavailable',
  too_many_lookups: 'too-many-lookups',
  exchange_unavailable: 'unavailable',
  paper_elsewhere: 'paper-elsewhere',
  account_not_found: 'not-found',
  paper_account_not_found: 'not-found',
  account_busy: 'account-busy',
  version_mismatch: 'precondition-failed',
  events_gone: 'events-gone',
  idempotency_key_reused: 'idempotency-key-reused',
  idempotency_in_progress: 'idempotency-in-progress',
  live_trading_not_enabled: 'live-trading-not-enabled',
  ui_trading_off: 'ui-trading-off',
  key_needed: 'key-needed',
  loosening_forbidden: 'insufficient-scope',
  live_automation_refused: 'live-trading-not-enabled',
  scope_missing: 'insufficient-scope',
  order_not_cancellable: 'order-not-cancellable',
  trading_scope_missing: 'insufficient-scope',
  trading_state_invalid: 'validation-failed',
  transition_forbidden: 'internal-error',
  invariant_broken: 'internal-error',
  storage_unavailable: 'unavailable',
  program_outdated: 'unavailable',
  signal_not_found: 'not-found',
  signals_invalid: 'validation-failed',
  too_many_signals: 'too-many-signals',
  too_many_versions: 'too-many-versions',
  too_many_automated: 'too-many-automated',
  webhook_not_found: 'not-found',
  webhook_url_invalid: 'validation-failed',
  webhook_member_invalid: 'validation-failed',
  webhook_without_secret: 'webhook-without-secret',
  too_many_webhooks: 'too-many-webhooks',
  webhook_not_verified: 'webhook-not-verified',
  secret_unreadable: 'internal-error',
} as const satisfies Record<ErrorCode, ProblemName>;

/** The same sentence for what does not exist and for what belongs to another account, so that they look the same. */
export const NOT_FOUND = 'There is no such resource.';

const RETRY_AFTER_ONE_SECOND = { headers: { 'retry-after': '1' } };
/** A delayed order becomes cancellable after some seconds. */
const RETRY_AFTER_FIVE_SECONDS = { headers: { 'retry-after': '5' } };

/** The problem for `error`. What is not a refusal of ours becomes a 500 that does not reveal its cause. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof DomainError)) return internalError();
  if (error instanceof TradingScopeMissing || error instanceof ScopeMissing)
    return lacking(error.message, [error.scope]);
  const problem = PROBLEM_OF[error.code as ErrorCode] ?? 'internal-error';
  switch (problem) {
    case 'internal-error':
      return internalError();
    case 'not-found':
      return new Problem(problem, NOT_FOUND);
    case 'validation-failed':
      return invalid(pointerOf(error), 'words' in error ? String(error.words) : error.message);
    case 'unavailable':
    case 'too-many-lookups':
      return new Problem(problem, error.message, retryAfter(error));
    case 'idempotency-in-progress':
    case 'market-data-unavailable':
    case 'paper-elsewhere':
      return new Problem(problem, error.message, RETRY_AFTER_ONE_SECOND);
    case 'account-busy':
      return new Problem(problem, error.message, RETRY_AFTER_FIVE_SECONDS);
    default:
      return new Problem(problem, error.message);
  }
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, detail }];
  return new Problem('validation-failed', `The body has a value that cannot be taken: ${pointer} ${detail}.`, {
    errors,
  });
}

function retryAfter(error: DomainError) {
  if (!(error instanceof ExchangeUnavailable || error instanceof TooManyLookups)) return RETRY_AFTER_ONE_SECOND;
  return { headers: { 'retry-after': `${Math.max(1, Math.ceil(error.retryInMs / 1000))}` } };
}

function pointerOf(error: DomainError): string {
  if (error instanceof OrderInvalid) return onWire(error.member);
  if (error instanceof TradingStateInvalid) return `/${error.member}`;
  if (error instanceof WebhookUrlInvalid) return '/url';
  if (error instanceof WebhookMemberInvalid) return `/${TERM_ON_WIRE[error.member] ?? error.member}`;
  return error instanceof RulesInvalid ? `/rules/${error.member}` : '';
}

/** Members of messages to people that are called otherwise in a body. */
const TERM_ON_WIRE: Readonly<Record<string, string>> = {
  chatId: 'chat_id',
  threadId: 'thread_id',
  quietHours: 'quiet_hours',
  summaryAt: 'summary_at',
  gatherMs: 'gather_seconds',
};

function onWire(member: string): string {
  const name = Object.entries(ON_WIRE).find(([known]) => known === member)?.[1];
  return name === undefined ? '' : `/${name}`;
}

function internalError(): Problem {
  return new Problem('internal-error', 'The service failed to answer this request.');
}
