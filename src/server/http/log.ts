import { type DestinationStream, type Logger, pino } from 'pino';
import type { AnsweredOrder, AnsweredRequest, Metrics, Observer } from '../../adapters/http/index.js';
import { Problem } from '../../adapters/http/problem.js';
import { ExchangeUnavailable, PaperElsewhere } from '../../core/errors.js';
import { isoText } from '../../core/moment.js';
import type { LogLevel } from '../settings/settings.js';
import { standardError } from './log-lines.js';

const SECRETS = ['authorization', 'key', 'pepper', 'secret', 'password'];

/** What identifies a failure and its place: names only, never values. */
const MARKS = ['code', 'syscall', 'severity', 'table', 'column', 'constraint'] as const;
/** How deep causes are logged, and how many errors of an aggregate. */
const DEEPEST = 5;
const WIDEST = 3;

/** What is logged of an error: no other property, which could be anything that a driver or caller put there. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly cause?: LoggedError;
  /** Of an aggregate error. */
  readonly errors?: readonly LoggedError[];
}

/** JSON lines on standard error, written in batches; standard output is for people. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoText(new Date())}"`,
      redact: SECRETS,
      serializers: { err: (error: unknown) => loggedError(error) },
    },
    destination,
  );
}

function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: undefined };
  const { name: type, message, stack, cause } = error;
  const deeper = depth < DEEPEST;
  return {
    type,
    ...marksOf(error),
    message,
    stack,
    ...(cause !== undefined && deeper && { cause: loggedError(cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      deeper && { errors: error.errors.slice(0, WIDEST).map((one) => loggedError(one, depth + 1)) }),
  };
}

function marksOf(error: Error): Readonly<Record<string, string | number>> {
  const marks = MARKS.map((mark) => [mark, Reflect.get(error, mark)] as const);
  return Object.fromEntries(marks.filter(([, value]) => typeof value === 'string' || typeof value === 'number'));
}

/** Names an order in a line of the log: what it became, why, and where the venue has it. */
export const lineOf = ({ id, status, code, venueOrderId }: AnsweredOrder) => ({
  order: id,
  orderStatus: status,
  ...(code !== null && { code }),
  venueOrderId,
});

/** Logs and counts what the HTTP adapter does. A line names the route and the account, never headers, query or body. */
export class LoggingObserver implements Observer {
  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  answered(request: AnsweredRequest): void {
    const { requestId, method, route, status, durationMs, account, order } = request;
    this.metrics.answered(request);
    const level = status === 503 ? 'warn' : status >= 500 ? 'error' : 'info';
    const ms = Math.round(durationMs * 1000) / 1000;
    const line = { requestId, method, route, status, ms, account };
    this.logger[level](order === undefined ? line : { ...line, ...lineOf(order) }, 'answered');
  }

  /** No alert for a service that is about to be ready, or for what another server or the venue does. */
  failed(requestId: string, error: unknown): void {
    if (isExpected(error)) this.logger.warn({ requestId, reason: error.message }, 'a request has to be retried later');
    else this.logger.error({ requestId, err: error }, 'a request failed');
  }
}

function isExpected(error: unknown): error is Error {
  if (error instanceof PaperElsewhere || error instanceof ExchangeUnavailable) return true;
  return error instanceof Problem && error.status === 503 && error.cause === undefined;
}
