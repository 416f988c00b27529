import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Price, RulesDraft } from '../dist/index.js';
import { aGame, bookAround, EngineFixture, flat, ListedAtOnce, oddsAt } from './engine-fixture.js';
import { type Figure, type Findings, only } from './figures.js';
import { whole } from './rounds.js';

const STRATEGIES = 10_000;
const GAMES = 200;
const WATCHING = 100;
const MID = 500_000n as Price;

const backs = (match: RulesDraft['match']): RulesDraft => ({
  match,
  outcome: { index: 0 },
  filter: { minOdds: oddsAt(20) },
  sizing: flat('10'),
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of the heap after a collection. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** What the runner keeps of a strategy, of a followed market, and of a strategy's interest in one. */
async function round(): Promise<readonly [number, number, number]> {
  const ledger = new ListedAtOnce();
  const fixture = new EngineFixture(ledger);
  await fixture.strategies(STRATEGIES, (n) => backs({ league: `elsewhere-${n % 200}` }));
  const empty = heap();
  await fixture.runner.refreshStrategies();
  const known = heap();
  const games = Array.from({ length: GAMES }, (_, number) => aGame(number, 1));
  for (const game of games) await fixture.board.list(game);
  await fixture.strategies(1, () => backs({ league: 'league-1' }));
  const before = heap();
  await fixture.refresh();
  for (const game of games) await fixture.show(game, bookAround(MID, new Date()));
  const followed = heap();
  await fixture.strategies(WATCHING, () => backs({ league: 'league-1' }));
  await fixture.refresh();
  const watched = heap();
  return [(known - empty) / STRATEGIES, (followed - before) / GAMES, (watched - followed) / (GAMES * WATCHING)];
}

/** How much memory the runner takes. */
export async function remembering(rounds: number): Promise<Findings> {
  const all: (readonly number[])[] = [];
  for (let number = 0; number < rounds; number++) all.push(await round());
  const names = ['memory of a strategy', 'memory of a followed market', 'memory of a strategy that watches a market'];
  const figures = names.map((name, at): Figure => {
    const rounds = all.map((one) => one[at] ?? Number.NaN);
    return { name, unit: 'bytes', aim: null, rounds, byProcessorTime: [] };
  });
  const title = `Memory: ${whole(STRATEGIES)} strategies; ${GAMES} markets of ten levels a side, ${WATCHING} strategies that watch each`;
  return { ...only(title), figures };
}
