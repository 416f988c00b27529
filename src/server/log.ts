import { type DestinationStream, type Logger, pino } from 'pino';
import type { Answered, Metrics, Observer } from '../adapters/http/index.js';
import { standardError } from './log-lines.js';
import type { LogLevel } from './settings.js';

const SECRETS = ['authorization', 'key', 'pepper', 'secret', 'password'];

/** What of an error is logged: no other property of it, which may be anything that a driver or caller put there. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** JSON lines on standard error, written in batches; standard output is for people. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardError()): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: SECRETS, serializers: { err: loggedError } },
    destination,
  );
}

function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: undefined };
  return { type: error.name, message: error.message, stack: error.stack };
}

/** Logs and counts what the HTTP adapter does. A line names the route and the account, never headers, query or body. */
export class LoggingObserver implements Observer {
  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  answered(request: Answered): void {
    const { requestId, method, route, status, durationMs, account } = request;
    this.metrics.answered(request);
    const level = status >= 500 ? 'error' : 'info';
    this.logger[level](
      { requestId, method, route, status, ms: Math.round(durationMs * 1000) / 1000, account },
      'answered',
    );
  }

  failed(requestId: string, error: unknown): void {
    this.logger.error({ requestId, err: error }, 'a request failed');
  }
}
