import { WebhookMemberInvalid, WebhookUrlInvalid } from '../../core/endpoint/webhook-errors.js';
import { DomainError, ExchangeUnavailable, OrderInvalid, RulesInvalid, TooManyLookups } from '../../core/errors.js';
import {
  type ErrorCode,
  REQUEST_REFUSALS,
  type RefusalKind,
  type RequestRefusal,
} from '../../core/refusals/request-refusals.js';
import { ScopeMissing } from '../../core/strategy/rules/strategy-refusals.js';
import { TradingScopeMissing, TradingStateInvalid } from '../../core/trading/trading-refusals.js';
import { lacking } from './guard.js';
import { ON_WIRE } from './order-wire.js';
import { Problem, type ProblemMore, type ProblemName } from './problem.js';

/** The problem of each kind of refusal, for those that have none of their own. */
const OF_KIND: Readonly<Partial<Record<RefusalKind, ProblemName>>> = {
  invalid: 'validation-failed',
  absent: 'not-found',
  forbidden: 'insufficient-scope',
  unavailable: 'unavailable',
};

/** Refusals with the problem of another, or of none of their kind. */
const EXCEPTIONS: Readonly<Partial<Record<ErrorCode, ProblemName>>> = {
  version_mismatch: 'precondition-failed',
  live_automation_refused: 'live-trading-not-enabled',
};

/** After how many seconds a request may be repeated, unless the refusal itself says so. */
const RETRY_AFTER: Readonly<Partial<Record<ProblemName, number>>> = {
  unavailable: 1,
  'too-many-lookups': 1,
  'too-many-markets': 30,
  'idempotency-in-progress': 1,
  'market-data-unavailable': 1,
  'paper-elsewhere': 1,
  // A delayed order becomes cancellable after some seconds.
  'account-busy': 5,
};

/** One sentence for what does not exist and for what belongs to another account, so that they look the same. */
export const NOT_FOUND = 'There is no such resource.';

/** The problem for `error`. What is not a refusal of ours becomes a 500 that does not reveal its cause. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof DomainError)) return internalError();
  if (error instanceof TradingScopeMissing || error instanceof ScopeMissing)
    return lacking(error.message, [error.scope]);
  const problem = problemNameOf(error.code);
  switch (problem) {
    case 'internal-error':
      return internalError();
    case 'not-found':
      return new Problem(problem, NOT_FOUND);
    case 'validation-failed':
      return invalid(pointerOf(error), 'words' in error ? String(error.words) : error.message);
    default:
      return new Problem(problem, error.message, retryAfter(problem, error));
  }
}

/** A code that the core does not list is a fault of ours. */
function problemNameOf(code: string): ProblemName {
  if (!isListed(code)) return 'internal-error';
  const { kind, title }: RequestRefusal = REQUEST_REFUSALS[code];
  if (title !== undefined) return code.replaceAll('_', '-') as ProblemName;
  return EXCEPTIONS[code] ?? OF_KIND[kind] ?? 'internal-error';
}

const isListed = (code: string): code is ErrorCode => Object.hasOwn(REQUEST_REFUSALS, code);

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, detail }];
  return new Problem('validation-failed', `The body has a value that cannot be taken: ${pointer} ${detail}.`, {
    errors,
  });
}

function retryAfter(problem: ProblemName, error: DomainError): ProblemMore {
  const isTimed = error instanceof ExchangeUnavailable || error instanceof TooManyLookups;
  const seconds = isTimed ? Math.max(1, Math.ceil(error.retryInMs / 1000)) : RETRY_AFTER[problem];
  return seconds === undefined ? {} : { headers: { 'retry-after': `${seconds}` } };
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
  commandsFrom: 'commands_from',
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
