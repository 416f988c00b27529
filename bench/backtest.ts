import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTape } from '../dist/adapters/tape/index.js';
import { type BacktestBody, type BacktestRun, backtest, backtestResultOf, writeRun } from '../dist/backtest/index.js';
import { writeAfternoon } from './afternoon-tape.js';
import { atLeast, type Figure } from './figures.js';
import { imports } from './import.js';
import { expectSame, interleaved, median, type Part, processorMs, ratio, table, whole } from './rounds.js';
import { sweeps } from './sweeps.js';

/** Games that are played at once, so many lines each, over three hours. */
const GAMES = 20;
const LINES = 10_000;
/** Of the tape on which workers share out a sweep. */
const LONGER_LINES = 50_000;
/** Of the tape on which the most strategies are played. */
const FEW_LINES = 500;
/** Of the tape by which memory is measured, of each game. */
const MANY_LINES = 500_000;
/** Bets of the report that is timed. */
const MANY_BETS = 100_000;

/** Backtests beside reading and parsing the same tape, by processor time; their memory, their workers and their report. */
export const backtests: Part = async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  try {
    const [long, short] = [join(folder, 'long.jsonl'), join(folder, 'short.jsonl')];
    const all = await speeds(long, await writeAfternoon(long, GAMES, LINES), [1, 100], rounds);
    const most = await speeds(short, await writeAfternoon(short, GAMES, FEW_LINES), [10_000], rounds);
    const figures = [...all.figures, ...most.figures, await memory(folder), await speedUp(long, rounds)];
    const report = await reporting(long, folder);
    const longer = join(folder, 'longer.jsonl');
    await writeAfternoon(longer, GAMES, LONGER_LINES);
    const swept = await sweeps({ tape: long, longer }, folder, bodies(1)[0] as BacktestBody, rounds);
    const imported = await imports(folder, rounds);
    const text = [all.text, most.text, report.text, imported.text].join('\n\n');
    return { text, figures: [...figures, ...report.figures, ...swept, ...imported.figures] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const nameOf = (many: number): string => `${whole(many)} ${many === 1 ? 'strategy' : 'strategies'}`;

async function speeds(tape: string, lines: number, strategies: readonly number[], rounds: number) {
  const READ = 'reading and parsing alone';
  const bets = new Map<string, number>();
  const play = (many: number) => async () => {
    const run = await backtest({ tapes: tape, strategies: bodies(many) });
    bets.set(nameOf(many), run.played[0]?.bets.length ?? 0);
  };
  const contenders = [
    { name: READ, run: () => perSecond(lines, () => readAll(tape, lines)) },
    ...strategies.map((many) => ({ name: nameOf(many), run: () => perSecond(lines, play(many)) })),
  ];
  const measured = await interleaved(contenders, rounds);
  const rows = contenders.map(({ name }) => [
    name,
    whole(median(measured(name))),
    ratio(measured(name), measured(READ)).toFixed(2),
    whole(bets.get(name) ?? 0),
  ]);
  const figures = strategies.map((many): Figure => {
    const ratios = measured(nameOf(many)).map((speed, round) => speed / (measured(READ)[round] ?? Number.NaN));
    const aim = many === 100 ? atLeast(0.5) : null;
    const name = `lines a second of a backtest, ${nameOf(many)}, × reading alone`;
    return { name, unit: '', aim, rounds: ratios, byProcessorTime: ratios };
  });
  const head = ['', 'lines a second of processor time', '× reading', 'bets'];
  return { text: `A tape of ${whole(lines)} lines\n\n${table(head, rows)}`, figures };
}

/** The most memory of a process that plays one strategy over a tape of ten million lines. */
async function memory(folder: string): Promise<Figure> {
  const tape = join(folder, 'huge.jsonl');
  await writeAfternoon(tape, GAMES, MANY_LINES);
  const program = `
    import { backtest } from '../dist/backtest/index.js';
    await backtest({ tapes: ${JSON.stringify(tape)}, strategies: ${JSON.stringify(bodies(1))} });
    console.log(process.resourceUsage().maxRSS / 1024);`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  await rm(tape);
  const name = `most memory of a backtest of ${whole(GAMES * MANY_LINES)} lines`;
  return { name, unit: 'MB', aim: null, rounds: [Number(said)], byProcessorTime: [] };
}

/** How much sooner two workers end than one, where half of the strategies bet in each of two leagues. */
async function speedUp(tape: string, rounds: number): Promise<Figure> {
  const strategies = bodies(100).map(({ rules, ...body }, n) => ({
    ...body,
    rules: { ...Object(rules), match: { league: n % 4 < 2 ? 'even' : 'odd' } },
  }));
  const taking = (workers: number) => async () => {
    const began = performance.now();
    await backtest({ tapes: tape, strategies, workers });
    return performance.now() - began;
  };
  const took = await interleaved(
    [1, 2].map((workers) => ({ name: `${workers}`, run: taking(workers) })),
    rounds,
  );
  const ratios = took('1').map((ms, round) => ms / (took('2')[round] ?? Number.NaN));
  return {
    name: '100 strategies of two leagues on two workers, × one',
    unit: '',
    aim: null,
    rounds: ratios,
    byProcessorTime: [],
  };
}

/** What measures, files and the report of very many bets take. */
async function reporting(tape: string, folder: string) {
  const run = grown(await backtest({ tapes: tape, strategies: bodies(100) }));
  const began = process.cpuUsage();
  const result = backtestResultOf(run);
  const measuredMs = processorMs(began);
  const out = join(folder, 'run');
  await writeRun(run, result, out);
  const allMs = processorMs(began);
  const { size } = await stat(join(out, 'report.html'));
  expectSame('a report', (await readdir(out)).includes('report.html'), true);
  const bets = run.played[0]?.bets.length ?? 0;
  const figure = (name: string, unit: string, value: number): Figure => {
    return { name: `${whole(bets)} bets: ${name}`, unit, aim: null, rounds: [value], byProcessorTime: [] };
  };
  return {
    text: `Measures and report of ${whole(bets)} bets`,
    figures: [
      figure('measures', 'ms', measuredMs),
      figure('files and report', 'ms', allMs - measuredMs),
      figure('report.html', 'kB', size / 1000),
    ],
  };
}

/** The run with its bets again and again, each time in other games, until there are very many. */
function grown(run: BacktestRun): BacktestRun {
  const times = (bets: number) => Math.ceil(MANY_BETS / Math.max(1, bets));
  const [all] = run.played;
  const copies = times(all?.bets.length ?? 0);
  const played = run.played.map((one) => ({
    ...one,
    bets: Array.from({ length: copies }, (_, n) =>
      one.bets.map((bet) => ({ ...bet, event: bet.event && { ...bet.event, id: `${bet.event.id} ${n}` } })),
    ).flat(),
  }));
  return { ...run, played };
}

/** Lines a second of processor time. */
async function perSecond(lines: number, work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  return (lines * 1000) / processorMs(began);
}

async function readAll(tape: string, lines: number): Promise<void> {
  let read = 0;
  for await (const _ of readTape(tape)) read += 1;
  expectSame('lines read', read, lines);
}

/** Strategies that differ in the odds, the time and the outcome at which they bet, once in a game. */
function bodies(many: number): readonly BacktestBody[] {
  return Array.from({ length: many }, (_, n) => ({
    name: `strategy ${n}`,
    sport: 'soccer',
    rules: {
      outcome: { index: n % 2 },
      filter: { min_odds: `${(1.8 + (n % 20) / 10).toFixed(1)}` },
      window: { from: `-${10 + (n % 50)}m`, to: '-1m' },
      sizing: { method: 'flat', value: 5 },
    },
    bankroll_cap: 1000,
    stake_cap: 5,
    automation: 'auto',
  }));
}
