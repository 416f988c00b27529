import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { AnsweredOrder, AnsweredRequest, Metrics, Observer } from '../../adapters/http/index.js';
import { Problem } from '../../adapters/http/problem.js';
import { ExchangeUnavailable, PaperElsewhere } from '../../core/errors.js';
import { isoText } from '../../core/moment.js';
import type { LogFormat, LogLevel } from '../settings/settings.js';
import { ReadableLines } from './readable-lines.js';

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
  /** What an aggregate error holds. */
  readonly errors?: readonly LoggedError[];
}

/** Lines on standard error, written in batches: text on a terminal, else JSON, unless a format is given. */
export function logOutput(format: LogFormat | null): DestinationStream {
  const lines = standardError();
  return (format ?? (process.stderr.isTTY ? 'text' : 'json')) === 'text' ? new ReadableLines(lines) : lines;
}

/** A logger whose lines are JSON, each with what it is about; its destination may write them otherwise. */
export function createLogger(level: LogLevel, destination: DestinationStream = logOutput(null)): Logger {
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
    if (!this.logger.isLevelEnabled(level)) return;
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

const STDERR = 2;
/** How many characters are written at once; fewer wait for `GATHER_MS`. */
const TOGETHER = 4096;
const GATHER_MS = 200;
/** The most characters that may wait: some tens of thousands of lines. */
const MOST_WAITING = 8_388_608;
const READER_SLOW_MS = 20;
const DISK_FULL_MS = 500;
const FULL_PIPE = ['EAGAIN', 'EWOULDBLOCK'];
const READER_GONE = ['EPIPE', 'ECONNRESET', 'ENOTCONN'];
const NOTHING = Buffer.alloc(0);

/**
 * Where log lines are written. Logging never holds up the work it reports: no caller waits for a write, and none throws.
 * Lines that cannot be written now wait up to a limit and are lost beyond it; the number lost is logged once there is
 * room again.
 */
export class LogLines {
  #waiting = '';
  #chunk: Buffer = NOTHING;
  #lost = 0;
  #writing = false;
  #gone = false;
  #pause: NodeJS.Timeout | null = null;
  #flushed: (() => void)[] = [];

  /** @param fd must be non-blocking: a write that waits for its reader would keep the process from exiting. */
  constructor(private readonly fd: number) {}

  /** Takes a whole line, including its newline. */
  write(line: string): void {
    if (this.#gone) return;
    if (this.#waiting.length + line.length > MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting += line;
    if (this.#pause !== null || this.#writing) return;
    if (this.#waiting.length >= TOGETHER) this.#begin();
    else this.#beginIn(GATHER_MS);
  }

  /** Calls back once all lines so far are written, or one failed. It may never call: the reader may have stopped. */
  flush(done: () => void): void {
    this.#flushed.push(done);
    if (!this.#writing) this.#begin();
  }

  /** Writes what can be written without blocking; the rest keeps waiting. */
  flushSync(): void {
    if (this.#writing || this.#gone) return;
    this.#take();
    try {
      while (this.#chunk.length > 0) this.#chunk = this.#chunk.subarray(writeSync(this.fd, this.#chunk));
    } catch {
      this.#beginIn(DISK_FULL_MS);
    }
  }

  #take(): void {
    if (this.#chunk.length > 0) return;
    this.#chunk = Buffer.from(this.#waiting + (this.#lost > 0 ? lostLine(this.#lost) : ''));
    this.#waiting = '';
    this.#lost = 0;
  }

  #begin(): void {
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#take();
    if (this.#chunk.length === 0) {
      this.#release();
      return;
    }
    this.#writing = true;
    write(this.fd, this.#chunk, (error, written) => {
      this.#writing = false;
      if (error !== null) {
        this.#failed(error.code ?? '');
        return;
      }
      this.#chunk = this.#chunk.subarray(written);
      if (this.#chunk.length > 0 || this.#waiting.length >= TOGETHER || this.#flushed.length > 0) this.#begin();
      else if (this.#waiting.length > 0) this.#beginIn(GATHER_MS);
    });
  }

  #failed(code: string): void {
    if (READER_GONE.includes(code)) {
      this.#gone = true;
      this.#chunk = NOTHING;
      this.#waiting = '';
    } else this.#beginIn(FULL_PIPE.includes(code) ? READER_SLOW_MS : DISK_FULL_MS);
    if (!FULL_PIPE.includes(code)) this.#release();
  }

  #beginIn(ms: number): void {
    this.#pause ??= setTimeout(() => this.#begin(), ms).unref();
  }

  #release(): void {
    for (const done of this.#flushed.splice(0)) done();
  }
}

const lostLine = (lost: number): string =>
  `${JSON.stringify({ level: 40, time: new Date(), lost, msg: 'log lines were lost: they could not be written in time' })}\n`;

/**
 * Standard error, non-blocking. A pipe or terminal is reopened, because the mode of an open one is shared with other
 * programs; where that is not possible, and for a socket, Node's own stream sets the mode.
 */
function standardError(): LogLines {
  const lines = new LogLines(ownDescriptor() ?? process.stderr.fd);
  process.once('exit', () => lines.flushSync());
  return lines;
}

function ownDescriptor(): number | null {
  const kind = fstatSync(STDERR);
  if (kind.isFile()) return STDERR;
  if (!kind.isFIFO() && !kind.isCharacterDevice()) return null;
  try {
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}
