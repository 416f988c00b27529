import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { ConnectionObserver, Metrics } from '../../adapters/http/index.js';

/** File descriptors reserved for the database, the log, tapes and the venues' connections. */
const KEPT_BACK = 128;
/** The upper limit: each connection costs memory, used or not. */
const MOST = 4096;
/** The limit of descriptors where the system does not report one. */
const ASSUMED = 1024;
const SILENCE_MS = 60_000;

/** How many connections may be open at once, so that file descriptors remain for everything else. */
export function connectionLimit(descriptors: number = descriptorLimit()): number {
  return Math.min(MOST, Math.max(descriptors - KEPT_BACK, Math.floor(descriptors / 4)));
}

/** The limit in force: Node raises the soft one to the hard one when it starts. */
function descriptorLimit(): number {
  const [, listed] = /^Max open files\s+(\d+|unlimited)/m.exec(listedLimits()) ?? [];
  if (listed !== undefined) return listed === 'unlimited' ? Number.POSITIVE_INFINITY : Number(listed);
  // Without this the report resolves the host name of each socket's peer.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const soft = userLimits?.open_files?.soft ?? ASSUMED;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft;
}

/** What Linux says of this process; the report, which every system has, takes a twentieth of a start. */
function listedLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** Counts the connections that were closed at the limit, and says so in the log, at most once a minute. */
export class LimitLog implements ConnectionObserver {
  #closed = { idle: 0, new: 0 };
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly most: number,
    private readonly metrics: Pick<Metrics, 'closedAtLimit'>,
    private readonly logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  closedAtLimit(connection: 'idle' | 'new'): void {
    this.metrics.closedAtLimit(connection);
    this.#closed[connection] += 1;
    const now = this.now();
    if (now < this.#silentUntil) return;
    const { idle: closedIdle, new: refused } = this.#closed;
    this.logger.warn({ most: this.most, closedIdle, refused }, AT_LIMIT);
    this.#closed = { idle: 0, new: 0 };
    this.#silentUntil = now + SILENCE_MS;
  }
}

const AT_LIMIT =
  'the limit of connections is reached: the longest idle are closed, and new ones are refused while none is idle; ' +
  'the limit follows from that of file descriptors (ulimit -n), up to 4096';
