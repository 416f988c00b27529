import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

const STDERR = 2;
/** Written at once from so many characters on, and after so long with fewer. */
const TOGETHER = 4096;
const GATHER_MS = 200;
/** The most characters that wait: some tens of thousands of lines. */
const MOST_WAITING = 8_388_608;
const READER_SLOW_MS = 20;
const DISK_FULL_MS = 500;
const FULL_PIPE = ['EAGAIN', 'EWOULDBLOCK'];
const READER_GONE = ['EPIPE', 'ECONNRESET', 'ENOTCONN'];
const NOTHING = Buffer.alloc(0);

/**
 * Where log lines are written. No line is worth more than the work that it tells of: nobody waits for one to be written,
 * none throws, and those that cannot be written now wait up to a bound and are lost beyond it; how many were lost is
 * a line itself once there is room again.
 */
export class LogLines {
  #waiting = '';
  #chunk: Buffer = NOTHING;
  #lost = 0;
  #writing = false;
  #gone = false;
  #pause: NodeJS.Timeout | null = null;
  #flushed: (() => void)[] = [];

  /** @param fd is not to block: a write that waits for its reader would keep the process from ending. */
  constructor(private readonly fd: number) {}

  /** Takes a whole line, its end included. */
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

  /** Calls back once all lines so far are written, or one could not be. It may be never: a reader may have stopped. */
  flush(done: () => void): void {
    this.#flushed.push(done);
    if (!this.#writing) this.#begin();
  }

  /** Writes what can be written without waiting; the rest goes on waiting. */
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
 * Standard error, such that writing to it never waits. A pipe and a terminal are opened anew, because the mode of an open
 * one is shared with other programs; where that is not possible, and for a socket, Node's own stream sets it.
 */
export function standardError(): LogLines {
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
