import { mkdtemp, rm } from 'node:fs/promises';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launchChromium } from '../test/ui/chromium.js';
import { BARE, type Contender, stakeport, start } from './contenders.js';
import { atMost, type Figure } from './figures.js';
import { allThreads, perRequest, processorTime } from './processor-time.js';
import { interleaved, type Contender as Measured, median, type Part, table } from './rounds.js';
import { divided } from './under-load.js';

/** One start of a server, until it was idle. */
interface Start {
  /** To the first 200. */
  readonly ms: number;
  /** Of all threads, to the first 200. */
  readonly processorMs: number;
  readonly idleMb: number;
}

/** From Node 22.8 on a start finds what earlier ones compiled. */
const MOST_TIMES_BARE = 'enableCompileCache' in module ? 3 : 4;
/** How long a server is left alone before its memory is read. */
const IDLE_MS = 1000;
const NEW_FILE = 'stakeport, SQLite, a new file';
const KNOWN_FILE = 'stakeport, SQLite, its file is there';

/** From starting the process to its first 200, and its memory at rest. */
export const startUp: Part = async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  let files = 0;
  const fresh = () => stakeport('SQLite', `sqlite:${join(folder, `${files++}.db`)}`);
  const known = fresh();
  try {
    const all: Measured<Start>[] = [
      { name: BARE.name, run: () => measured(BARE) },
      { name: NEW_FILE, run: () => measured(fresh()) },
      { name: KNOWN_FILE, run: () => measured(known) },
      { name: 'stakeport, memory', run: () => measured(stakeport('memory', 'memory:')) },
    ];
    await interleaved(all, 1);
    const starts = await interleaved(all, rounds);
    const rows = all.map(({ name }) => row(name, starts(name), starts(BARE.name)));
    const head = ['server', 'first 200, ms', 'x bare', 'processor ms', 'x bare', 'idle RSS, MB'];
    const against = (name: string, aim: Figure['aim'], own: string): Figure => ({
      name,
      unit: '',
      aim,
      rounds: divided(of(starts(own), 'ms'), of(starts(BARE.name), 'ms')),
      byProcessorTime: divided(of(starts(own), 'processorMs'), of(starts(BARE.name), 'processorMs')),
    });
    const figures: Figure[] = [
      against('start to the first 200, a new SQLite file, × bare node', atMost(MOST_TIMES_BARE), NEW_FILE),
      against('start to the first 200, its file is there, × bare node', null, KNOWN_FILE),
      {
        name: 'idle RSS, SQLite',
        unit: 'MB',
        aim: atMost(90),
        rounds: of(starts(NEW_FILE), 'idleMb'),
        byProcessorTime: [],
      },
    ];
    return { text: `Start and idle\n\n${table(head, rows)}`, figures: [...figures, await firstContent(fresh, rounds)] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** From asking for the dashboard to its first content, each time on a server that has just started and in an empty browser. */
async function firstContent(fresh: () => Contender, rounds: number): Promise<Figure> {
  const browser = await launchChromium();
  const took: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const server = await start(fresh());
      const page = await browser.newPage();
      await page.goto(`${server.urls[0]}/ui`);
      await page.locator('main h2').first().waitFor();
      took.push(
        await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
      );
      await page.context().close();
      await server.stop();
    }
  } finally {
    await browser.close();
  }
  return { name: 'first content of the page, a cold server', unit: 'ms', aim: null, rounds: took, byProcessorTime: [] };
}

async function measured(contender: Contender): Promise<Start> {
  const server = await start(contender);
  const none = { main: new Map(), others: new Map(), database: new Map() };
  const sinceStart = perRequest(none, await processorTime(server.pids, []), 1);
  await delay(IDLE_MS);
  const idleMb = await server.rssMb();
  await server.stop();
  return { ms: server.startMs, processorMs: allThreads(sinceStart) / 1000, idleMb };
}

const of = (starts: readonly Start[], part: keyof Start): number[] => starts.map((one) => one[part]);

function row(name: string, own: readonly Start[], bare: readonly Start[]): string[] {
  const mid = (part: keyof Start) => median(of(own, part)).toFixed(0);
  const times = (part: keyof Start) => median(divided(of(own, part), of(bare, part))).toFixed(1);
  return [name, mid('ms'), times('ms'), mid('processorMs'), times('processorMs'), mid('idleMb')];
}
