import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { only } from './figures.js';
import { LEVELS } from './generated-book.js';
import { MARKETS } from './generated-venue.js';
import { type Contender, interleaved, median, type Part, ratio, table, whole } from './rounds.js';

/** Bytes of a process after a garbage collection. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** The memory that following all markets took. */
export interface Footprint {
  readonly before: Memory;
  readonly after: Memory;
  readonly foundMs: number;
  readonly followedMs: number;
}

interface Venue {
  readonly urls: readonly string[];
  readonly child: ChildProcess;
}

async function startVenue(): Promise<Venue> {
  const child = programOf('venue', []);
  const [urls] = (await once(child, 'message')) as [readonly string[]];
  return { urls, child };
}

/** Follows every market of the venue in a process of its own, and makes the venue send one change of each. */
async function follow(venue: Venue, keeping: string, finding: string): Promise<Footprint> {
  const child = programOf('follow', [keeping, finding, ...venue.urls]);
  const exited = once(child, 'exit');
  const footprint = await new Promise<Footprint>((resolve, reject) => {
    child.on('message', (message: 'following' | Footprint) => {
      if (message === 'following') venue.child.send('change');
      else resolve(message);
    });
    child.once('exit', (code) => reject(new Error(`following ended with ${code}`)));
  });
  await exited;
  return footprint;
}

function programOf(name: string, args: readonly string[]): ChildProcess {
  const execArgv = ['--import', 'tsx', '--expose-gc'];
  return fork(new URL(`./programs/${name}.ts`, import.meta.url), args, { execArgv });
}

function row(name: string, footprints: readonly Footprint[], plain: readonly Footprint[]): string[] {
  const heap = ({ before, after }: Footprint) => after.heapUsed - before.heapUsed;
  const of = (look: (footprint: Footprint) => number) => median(footprints.map(look));
  const mb = (look: (footprint: Footprint) => number) => (of(look) / 1e6).toFixed(1);
  return [
    name,
    mb(({ before }) => before.rss),
    mb(({ after }) => after.rss),
    mb(({ before }) => before.heapUsed),
    mb(({ after }) => after.heapUsed),
    (of(({ before, after }) => after.rss - before.rss) / MARKETS / 1000).toFixed(1),
    (of(heap) / MARKETS / 1000).toFixed(1),
    ratio(footprints.map(heap), plain.map(heap)).toFixed(2),
    whole(of(({ foundMs }) => foundMs)),
    whole(of(({ followedMs }) => followedMs)),
  ];
}

const HEAD = [
  '',
  'RSS before, MB',
  'RSS following, MB',
  'heap before, MB',
  'heap following, MB',
  'RSS a market, kB',
  'heap a market, kB',
  'x the least heap',
  'markets found, ms',
  'followed, ms',
];

const PLAIN = 'two Maps of numbers a market';
const BY_ID = 'each market found by its id, books kept (once)';

/** The memory of a process that follows many markets of a venue on loopback, which runs in another process. */
export const memory: Part = async ({ rounds }) => {
  const venue = await startVenue();
  try {
    const one = (name: string, keeping: string): Contender<Footprint> => ({
      name,
      run: () => follow(venue, keeping, 'by lists'),
    });
    const contenders = [
      one(PLAIN, 'plain'),
      one('followed, no book kept', 'nothing'),
      one('followed, each book kept in a matcher', 'books'),
    ];
    const footprints = await interleaved(contenders, rounds);
    const rows = contenders.map(({ name }) => row(name, footprints(name), footprints(PLAIN)));
    rows.push(row(BY_ID, [await follow(venue, 'books', 'by id')], footprints(PLAIN)));
    return only(`Memory: ${whole(MARKETS)} markets followed, ${LEVELS} levels a side\n\n${table(HEAD, rows)}`);
  } finally {
    venue.child.disconnect();
  }
};
