import type { DestinationStream } from 'pino';
import { inOneLine } from '../../core/one-line.js';

/** Where lines of the log go. */
interface LineSink extends DestinationStream {
  flush?(done: () => void): void;
}

interface Line {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [name: string]: unknown;
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const [INFO, FATAL] = [30, 60];
const LONGEST_LEVEL = 5;
/** What has lines of its own by the thousand. */
const OFTEN: readonly unknown[] = ['answered', 'order'];

/** Writes lines of the log for people: time in UTC, level, sentence. Requests and orders that went as they should are left out. */
export class ReadableLines implements LineSink {
  constructor(private readonly to: LineSink) {}

  write(json: string): void {
    const line: Line = JSON.parse(json);
    if (line.level <= INFO && OFTEN.includes(line.msg)) return;
    this.to.write(`${readable(line)}\n`);
  }

  flush(done: () => void): void {
    if (this.to.flush === undefined) done();
    else this.to.flush(done);
  }
}

function readable({ level, time, msg = '', err, ...more }: Line): string {
  const figures = Object.entries(more).flatMap(([name, value]) =>
    typeof value === 'object' || value === undefined ? [] : [`${name} ${value}`],
  );
  const why = err?.message === undefined ? '' : `: ${err.message}`;
  const noted = figures.length === 0 ? '' : ` (${figures.join(', ')})`;
  const name = (LEVELS[level] ?? `${level}`).padEnd(LONGEST_LEVEL);
  const sentence = inOneLine(`${msg}${why}${noted}`);
  return [`${time.slice(11, 19)}Z ${name} ${sentence}`, ...(level >= FATAL ? stackOf(err) : [])].join('\n');
}

/** A fault of this program is told with its place. */
const stackOf = (err: Line['err']): readonly string[] =>
  (err?.stack ?? '')
    .split('\n')
    .slice(1)
    .map(inOneLine)
    .map((at) => `  ${at}`);
