import { readdir, readFile } from 'node:fs/promises';

/** Processor time by who used it; microseconds, NaN where it is not measured (other systems than Linux). */
export interface ThreadTimes {
  /** The threads that run JavaScript. */
  readonly main: number;
  /** The other threads of the same processes: disk, compiler, garbage collector. */
  readonly others: number;
  /** The processes of a database server. */
  readonly database: number;
}

/** Nanoseconds of each thread since it began, by its id. */
type Threads = ReadonlyMap<number, number>;

/** What each thread of some processes took so far. */
export interface Reading {
  readonly main: Threads;
  readonly others: Threads;
  readonly database: Threads;
}

/** What the threads of these processes took so far, and those of the processes of a database. */
export async function processorTime(pids: readonly number[], database: readonly number[]): Promise<Reading> {
  const own = (await Promise.all(pids.map(threadsOf))).flat();
  const isMain = ([id]: readonly [number, number]) => pids.includes(id);
  return {
    main: new Map(own.filter(isMain)),
    others: new Map(own.filter((thread) => !isMain(thread))),
    database: new Map((await Promise.all(database.map(threadsOf))).flat()),
  };
}

/** Microseconds a request between two readings. A thread that began in between counts whole. */
export function perRequest(before: Reading, after: Reading, requests: number): ThreadTimes {
  const took = (of: keyof Reading) => {
    const grown = [...after[of]].map(([id, ns]) => ns - (before[of].get(id) ?? 0));
    return grown.reduce((sum, ns) => sum + ns, 0) / 1000 / requests;
  };
  if (after.main.size === 0) return { main: Number.NaN, others: Number.NaN, database: Number.NaN };
  return { main: took('main'), others: took('others'), database: took('database') };
}

/** All threads together. */
export const allThreads = ({ main, others, database }: ThreadTimes): number => main + others + database;

async function threadsOf(pid: number): Promise<(readonly [number, number])[]> {
  const ids = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(ids.map((id) => onProcessor(`/proc/${pid}/task/${id}/schedstat`)));
  return ids.map((id, index) => [Number(id), times[index] ?? 0] as const);
}

/** The first of its three numbers. A thread may have ended. */
async function onProcessor(path: string): Promise<number> {
  return Number((await readFile(path, 'utf8').catch(() => '0')).split(' ')[0]);
}
