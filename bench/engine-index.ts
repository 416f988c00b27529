import { WatchedMarket } from '../dist/core/strategy/watch/watched-market.js';
import { Watcher } from '../dist/core/strategy/watch/watcher.js';
import { PreCheckBets } from '../dist/core/usecases/strategies/background/judge-market.js';
import type { BookView } from '../dist/core.js';
import type { Market, Price, RulesDraft, Strategy } from '../dist/index.js';
import { usdc } from '../test/support/builders.js';
import { aGame, bookAround, EngineFixture, flat, ListedAtOnce, oddsAt } from './engine-fixture.js';
import { atLeast, type Figure, type Findings } from './figures.js';
import { type Contender, expectSame, interleaved, median, processorMs, table, whole } from './rounds.js';

/** Leagues that strategies name; each names one, of whichever sport. */
const LEAGUES = 200;
/** Games whose books move, each of another league. */
const GAMES = 20;
const CENT = 10_000n;
const AIMS = new Map([
  [10_000, 100],
  [100_000, 1000],
]);
/** Changes of a round with the index, */
const INDEXED_CHANGES = 400;
/** and judgements of a round without it. */
const JUDGEMENTS = 20_000;

/**
 * The n-th strategy backs the first outcome of games of one league, within odds that stand for 5 to 20 cents. It wants more
 * money in the book than there is, so that it never bets: what is measured is the search, not the order.
 */
function rulesOf(n: number): RulesDraft {
  const random = chance(n);
  const dearest = 15 + Math.floor(random() * 80);
  const cheapest = Math.max(2, dearest - 5 - Math.floor(random() * 16));
  return {
    match: { league: `league-${n % LEAGUES}`, market: 'moneyline' },
    outcome: { index: 0 },
    filter: { minOdds: oddsAt(dearest), maxOdds: oddsAt(cheapest), minLiquidity: usdc('1000000') },
    sizing: flat('10'),
  };
}

/** What moves: the middle of a game's book walks by a cent at a time between 20 and 80 cents. */
function* moves(games: readonly Market[]): Walk {
  const at = new Date();
  const random = chance(7);
  const mids = new Map(games.map((game) => [game, 50n]));
  for (;;)
    for (const game of games) {
      const mid = mids.get(game) ?? 50n;
      const next = random() < 0.5 ? (mid > 20n ? mid - 1n : 21n) : mid < 80n ? mid + 1n : 79n;
      mids.set(game, next);
      yield [game, bookAround((next * CENT) as Price, at)];
    }
}

/** One after another: a change of a game's book. */
type Walk = Generator<readonly [Market, BookView], never>;

/** A number of strategies, and both ways of finding out what a change of a book means to them. */
interface Sized {
  readonly count: number;
  readonly index: Contender<number>;
  readonly every: Contender<number>;
  /** How many strategies the index had judged at a change, in the mean. */
  readonly judged: () => number;
}

async function sized(count: number): Promise<Sized> {
  const fixture = new EngineFixture(new ListedAtOnce());
  const games = Array.from({ length: GAMES }, (_, number) => aGame(number, number));
  for (const game of games) await fixture.board.list(game);
  const strategies = await fixture.strategies(count, rulesOf);
  await fixture.refresh();
  expectSame('games followed', fixture.runner.size.markets, GAMES);
  const [index, every] = [moves(games), moves(games)];
  let [judged, changes] = [0, 0];
  const inIndex = async (walk: Walk) => {
    takeSkips(fixture);
    const spent = await costOf(INDEXED_CHANGES, () => fixture.show(...walk.next().value));
    judged += takeSkips(fixture);
    changes += INDEXED_CHANGES;
    expectSame('faults', fixture.faults.length, 0);
    return spent;
  };
  return {
    count,
    index: { name: `the index, ${whole(count)}`, run: () => inIndex(index) },
    every: { name: `every strategy, ${whole(count)}`, run: () => judgeEach(fixture, strategies, every) },
    judged: () => judged / changes,
  };
}

/** Each strategy judged at each change as the runner judges those that its index finds: its skip is counted and remembered. */
function judgeEach({ ports, use }: EngineFixture, strategies: readonly Strategy[], walk: Walk): Promise<number> {
  const { signals } = ports.ledger;
  const onFault = (_: string, error: unknown) => {
    throw error;
  };
  const preCheck = new PreCheckBets({ signals, skips: use.strategies.skips, context: ports, onFault });
  const watchers = strategies.map((strategy) => new Watcher(strategy, 'YES'));
  let revision = 0;
  return costOf(Math.ceil(JUDGEMENTS / strategies.length), () => {
    const [market, book] = walk.next().value;
    const view = { market, book, others: [] };
    const change = {
      watched: new WatchedMarket(market),
      viewNow: () => view,
      view,
      at: book.at,
      revision: ++revision,
    };
    for (const watcher of watchers) expectSame('bet', preCheck.execute(watcher, change), null);
  });
}

/** Milliseconds of processor time that one change takes. */
async function costOf(changes: number, change: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  for (let number = 0; number < changes; number++) await change();
  return processorMs(began) / changes;
}

const takeSkips = ({ use }: EngineFixture): number =>
  use.strategies.skips.takeCounts().reduce((sum, { count }) => sum + count, 0);

/** How long a change of a book takes with an index, beside judging every strategy. */
export async function indexing(rounds: number): Promise<Findings> {
  const parts: string[][] = [];
  const figures: Figure[] = [];
  for (const count of [1000, 10_000, 100_000]) {
    const { index, every, judged } = await sized(count);
    await interleaved([index, every], 1);
    const spent = await interleaved([index, every], rounds);
    const [own, brute] = [spent(index.name), spent(every.name)];
    const ratios = brute.map((ms, round) => ms / (own[round] ?? Number.NaN));
    parts.push([whole(count), judged().toFixed(1), us(own), us(brute), whole(median(ratios))]);
    const aim = AIMS.get(count);
    figures.push({
      name: `index, × judging each of ${whole(count)} strategies`,
      unit: '',
      rounds: ratios,
      aim: aim === undefined ? null : atLeast(aim),
      byProcessorTime: [],
    });
  }
  const head = ['strategies', 'judged at a change', 'with the index, µs a change', 'judging each, µs', 'times'];
  const title = `What a change of a book costs: ${GAMES} games in ${GAMES} of ${LEAGUES} leagues, each strategy names a league and odds of 5 to 20 cents`;
  return { text: `${title}\n\n${table(head, parts)}`, figures };
}

const us = (ms: readonly number[]): string => whole(1000 * median(ms));

/** Random numbers that are the same in every run (mulberry32): from 0 up to, not including, 1. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const more = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((more ^ (more >>> 14)) >>> 0) / 4_294_967_296;
  };
}
