import { type ExplainedCode, REQUEST_REFUSALS, type RefusalKind } from '../../core/refusals/request-refusals.js';

/** A problem: its status, its title, and what to do about it. */
type Described = readonly [status: number, title: string, help: string];

/** The status of each kind of refusal. */
const STATUS_OF: Readonly<Record<RefusalKind, number>> = {
  invalid: 422,
  absent: 404,
  forbidden: 403,
  conflict: 409,
  limited: 429,
  gone: 410,
  unavailable: 503,
  broken: 500,
};

/** The problem of a refusal that the core explains. */
function refused(code: ExplainedCode): Described {
  const { kind, title, help } = REQUEST_REFUSALS[code];
  return [STATUS_OF[kind], title, help];
}

/** The name of the problem of an explained refusal is its code. */
type NamedLike<Code extends string> = Code extends `${infer First}_${infer Rest}`
  ? `${First}-${NamedLike<Rest>}`
  : Code;

/** Every kind of problem the service answers with: its name in `type`, its status and title, and what to do about it. */
export const PROBLEMS = {
  'bad-request': [
    400,
    'Bad request',
    'The request is not valid HTTP for this service, for example because a header that may appear once appears twice. Correct the request.',
  ],
  'malformed-json': [
    400,
    'Malformed JSON',
    'The body is not one JSON document in UTF-8, or an object in it repeats a member. Correct the body; `detail` says where it is wrong.',
  ],
  'idempotency-key-invalid': [
    400,
    'Idempotency key invalid',
    'An Idempotency-Key is 1 to 255 printable ASCII characters without commas, or a quoted string. Send one such key, or none.',
  ],
  unauthenticated: [
    401,
    'Not authenticated',
    'The request carries no valid credentials. Send `Authorization: Bearer …` with a key or token that has neither expired nor been revoked.',
  ],
  'insufficient-scope': [
    403,
    'Insufficient scope',
    'The credentials are valid, but lack the scope that this operation needs. Ask their issuer for that scope.',
  ],
  'live-trading-not-enabled': refused('live_trading_not_enabled'),
  'foreign-origin': [
    403,
    'Foreign origin',
    'A browser sent this request for a page of another origin. If the page is yours, name its exact origin in `CORS_ORIGINS` and restart the server. A session counts for pages of this server alone: programs, and pages of other origins, send a key in `Authorization`.',
  ],
  'session-needs-key': [
    403,
    'Session needs a key',
    'A session begins with an API key in the `Authorization` header: neither an access token nor another session begins one.',
  ],
  'ui-trading-off': refused('ui_trading_off'),
  'key-needed': refused('key_needed'),
  'not-found': [404, 'Not found', 'There is no such resource, or it is not yours.'],
  'market-not-found': refused('market_not_found'),
  'strategy-not-found': [
    404,
    'Strategy not found',
    'There is no strategy with this `strategy_id`, or it is not yours. Nothing was recorded.',
  ],
  'method-not-allowed': [
    405,
    'Method not allowed',
    'The resource exists but not for this method. The `Allow` header lists those it has.',
  ],
  'request-timeout': [408, 'Request timeout', 'The request did not arrive in time. Send it again, faster.'],
  'idempotency-in-progress': refused('idempotency_in_progress'),
  'order-not-cancellable': refused('order_not_cancellable'),
  'approval-not-waiting': refused('approval_not_waiting'),
  'account-busy': refused('account_busy'),
  'too-many-signals': refused('too_many_signals'),
  'too-many-versions': refused('too_many_versions'),
  'too-many-automated': refused('too_many_automated'),
  'too-many-webhooks': refused('too_many_webhooks'),
  'webhook-not-verified': refused('webhook_not_verified'),
  'webhook-without-secret': refused('webhook_without_secret'),
  'events-gone': refused('events_gone'),
  'precondition-failed': [
    412,
    'Precondition failed',
    'The strategy has changed since the ETag in `If-Match`. Read it again and repeat the change with the new ETag.',
  ],
  'payload-too-large': [413, 'Payload too large', 'A body is at most 16 KiB, a list of signals 64 KiB.'],
  'uri-too-long': [414, 'URI too long', 'Shorten the path and query.'],
  'unsupported-media-type': [
    415,
    'Unsupported media type',
    'Send the body as `Content-Type: application/json`, in UTF-8, without a content coding.',
  ],
  'expectation-failed': [417, 'Expectation failed', 'The only supported expectation is `100-continue`.'],
  'misdirected-request': [
    421,
    'Misdirected request',
    'The request was sent to a name that this server does not have, or through a proxy to a server in dev mode. Call it by `localhost`, its address or a name in `ALLOWED_HOSTS`; behind a proxy, use an `AUTH_MODE` other than `dev`.',
  ],
  'validation-failed': [
    422,
    'Validation failed',
    'The body or query is well formed, but a value in it is not allowed. `errors` lists up to 20 of them, each with a JSON pointer.',
  ],
  'idempotency-key-reused': refused('idempotency_key_reused'),
  'market-unusable': refused('market_unusable'),
  'headers-too-large': [431, 'Headers too large', 'Send at most 100 headers and 16 KiB of them.'],
  'too-many-streams': [
    429,
    'Too many streams',
    'The key, the account, or the server, has as many streams open as it may (`STREAMS_PER_KEY`, `STREAMS_PER_ACCOUNT`, `STREAMS_MAX`). Close one, or share one: a stream has all events of the account.',
  ],
  'too-many-writes': [
    429,
    'Too many writes',
    'The key changed more within a minute than it may (`WRITES_PER_MINUTE`). Repeat the request after `Retry-After` seconds. Orders, cancellations, halts and pauses are not counted. Nothing was changed.',
  ],
  'too-many-lookups': refused('too_many_lookups'),
  'too-many-markets': refused('too_many_markets'),
  'too-many-sessions': [
    429,
    'Too many sessions',
    'The key began too many sessions within a minute. Use the one that you have, or begin one after `Retry-After` seconds.',
  ],
  'internal-error': [
    500,
    'Internal error',
    'The service failed. An order that you were placing may have been recorded: repeat the request with the same Idempotency-Key to find out.',
  ],
  'market-data-unavailable': refused('market_data_unavailable'),
  'paper-elsewhere': refused('paper_elsewhere'),
  unavailable: [
    503,
    'Unavailable',
    'The service cannot answer now. Repeat the request after `Retry-After` seconds, with the same Idempotency-Key.',
  ],
} as const satisfies Record<NamedLike<ExplainedCode>, Described> & Record<string, Described>;

/** The name of a problem: the last part of its `type`. */
export type ProblemName = keyof typeof PROBLEMS;

/** One value that is not allowed. `pointer` is a JSON pointer into the body, or `?name` for a query parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/** The optional parts of a problem. */
export interface ProblemMore {
  readonly headers?: Record<string, string>;
  readonly errors?: readonly FieldError[];
  /** Why, for the log only. */
  readonly cause?: unknown;
}

/** Thrown to answer a request with a problem (RFC 9457). */
export class Problem extends Error {
  readonly status: number;

  constructor(
    readonly problem: ProblemName,
    detail: string,
    readonly more: ProblemMore = {},
  ) {
    super(detail, 'cause' in more ? { cause: more.cause } : {});
    this.status = PROBLEMS[problem][0];
  }

  /** The body, for the request with this id. */
  body(requestId: string): string {
    const [status, title] = PROBLEMS[this.problem];
    const { errors } = this.more;
    const members = { type: `/problems/${this.problem}`, title, status, detail: this.message, instance: requestId };
    return JSON.stringify(errors === undefined ? members : { ...members, errors });
  }
}

/** The media type of every problem (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
