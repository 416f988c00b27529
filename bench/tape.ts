import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { openTape, readTape } from 'stakeport/tape';
import { only } from './figures.js';
import { type Lines, writeTape } from './generated-tape.js';
import { type Contender, expectSame, interleaved, median, type Part, ratio, table, whole } from './rounds.js';

/** A tape, and its known contents. */
interface Tape {
  readonly path: string;
  readonly ending: string;
  readonly lines: Lines;
}

/** What a reader saw of each kind. */
type Seen = Record<string, number>;

const total = (lines: Lines): number => Object.values(lines).reduce((sum, count) => sum + count, 0);

/** The minimum of reading a tape: no line is checked, and no amount is converted. */
async function parseLines({ path, lines, ending }: Tape): Promise<number> {
  const file = createReadStream(path);
  const input = ending.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  const seen: Seen = {};
  const began = performance.now();
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line: object = JSON.parse(text);
    for (const kind of ['levels', 'trade', 'book', 'market']) if (kind in line) see(seen, kind);
  }
  return speedOf(began, lines, seen);
}

async function read({ path, lines }: Tape): Promise<number> {
  const seen: Seen = {};
  const began = performance.now();
  for await (const line of readTape(path)) see(seen, line.type === 'change' ? line.change.type : line.type);
  return speedOf(began, lines, seen);
}

async function open({ path, lines }: Tape): Promise<number> {
  const began = performance.now();
  const { index } = await openTape(path, { speed: 'max' });
  expectSame('markets of the index', index.markets.length, lines.market);
  return speedOf(began, lines, { lines: index.lines });
}

/** Plays an open tape from start to end, with one follower on every market. */
async function play({ path, lines }: Tape): Promise<number> {
  const source = await openTape(path, { speed: 'max' });
  const seen: Seen = {};
  for (const market of source.index.markets) await source.follow(market, ({ type }) => see(seen, type));
  const began = performance.now();
  void source.start();
  await source.ended;
  const ms = performance.now() - began;
  source.stop();
  expectSame('gaps, one before the first book and one at the end', seen['gap'], 2 * lines.market);
  delete seen['gap'];
  return checked(lines, seen, ms);
}

function see(seen: Seen, kind: string): void {
  seen[kind] = (seen[kind] ?? 0) + 1;
}

const speedOf = (began: number, lines: Lines, seen: Seen): number => checked(lines, seen, performance.now() - began);

function checked(lines: Lines, seen: Seen, ms: number): number {
  for (const kind of Object.keys(seen)) {
    expectSame(kind, seen[kind], kind === 'lines' ? total(lines) : lines[kind as keyof Lines]);
  }
  const count = Object.values(seen).reduce((sum, some) => sum + some, 0);
  expectSame('lines', count, total(lines));
  return (count * 1000) / ms;
}

function contendersFor(tape: Tape): Contender<number>[] {
  const one = (name: string, run: (tape: Tape) => Promise<number>) => ({
    name: `${name}, ${tape.ending}`,
    run: () => run(tape),
  });
  return [
    one('readline and JSON.parse', parseLines),
    one('readTape', read),
    one('openTape, which reads it once', open),
    one('played at max, followed on every market', play),
  ];
}

/** Reading and playing a generated tape, plain and compressed, compared with a minimal program. */
export const tape: Part = async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  try {
    const groups: Contender<number>[][] = [];
    const sizes: string[] = [];
    for (const ending of ['.jsonl', '.jsonl.gz']) {
      const path = join(folder, `tape${ending}`);
      const lines = await writeTape(path, ending.endsWith('.gz'));
      groups.push(contendersFor({ path, ending, lines }));
      sizes.push(`${ending} ${((await stat(path)).size / 1e6).toFixed(1)} MB of ${whole(total(lines))} lines`);
    }
    await interleaved(groups.flat(), 1);
    const speeds = await interleaved(groups.flat(), rounds);
    const rows = groups.flatMap((group) =>
      group.map(({ name }) => {
        const base = speeds(group[0]?.name ?? name);
        return [name, whole(median(speeds(name))), ratio(speeds(name), base).toFixed(3)];
      }),
    );
    return only(`Tapes: ${sizes.join(', ')}\n\n${table(['', 'lines/s', 'x the least'], rows)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
