import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlLedger, type SqlLedger } from '../dist/adapters/sql/index.js';
import type { Market, Price, RulesDraft, Strategy } from '../dist/index.js';
import { price, shares, usdc } from '../test/support/builders.js';
import { aGame, bookAround, EngineFixture, flat, oddsAt, TRADER } from './engine-fixture.js';
import { type Figure, type Findings, only } from './figures.js';
import { expectSame, interleaved, median, ratio, table, whole } from './rounds.js';

/** Strategies that all bet when a price is reached. */
const TOGETHER = 500;
/** Changes of a book in a round, each of which one strategy bets on. */
const CHANGES = 100;
/** Strategies that look at each of these changes' games, and wait for better odds. */
const WAITING = 10;
const [DEAR, CHEAP] = [price('0.6'), price('0.45')];

/** Strategies on a SQLite file that is durable at every commit: how many bet a second, and how long one takes. */
export async function betting(rounds: number): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  const open = (name: string) => openSqlLedger(`sqlite:${join(folder, name)}`);
  const ledgers: SqlLedger[] = [];
  try {
    ledgers.push(await open('many.db'), await open('orders.db'), await open('one.db'));
    const [many, orders, one] = ledgers;
    if (many === undefined || orders === undefined || one === undefined) return only('');
    const together = await betsTogether(many, orders, rounds);
    const alone = await betsAlone(one, rounds);
    return { text: `${together.text}\n\n${alone.text}`, figures: [...together.figures, ...alone.figures] };
  } finally {
    for (const ledger of ledgers) await ledger.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const backs = (dearest: number, match: RulesDraft['match'], limits: RulesDraft['limits'] = {}): RulesDraft => ({
  match,
  outcome: { index: 0 },
  filter: { minOdds: oddsAt(dearest) },
  sizing: flat('10'),
  limits,
});

/** A game at a price at which nobody bets, followed. */
async function follows(fixture: EngineFixture, number: number, league: number): Promise<Market> {
  const game = aGame(number, league);
  await fixture.board.list(game);
  await show(fixture, game, DEAR);
  return game;
}

const show = (fixture: EngineFixture, game: Market, mid: Price) => fixture.show(game, bookAround(mid, new Date()));

/** Every strategy bets on one change of a book, beside as many orders that a client places at once. */
async function betsTogether(betsOn: SqlLedger, ordersOn: SqlLedger, rounds: number): Promise<Findings> {
  const [bettors, clients] = [new EngineFixture(betsOn), new EngineFixture(ordersOn)];
  await bettors.strategies(TOGETHER, () => backs(50, {}));
  const caps = await clients.strategies(TOGETHER, () => backs(50, {}));
  let number = 0;
  const bets = async () => {
    const game = await follows(bettors, ++number, 1);
    await bettors.refresh();
    const began = performance.now();
    await show(bettors, game, CHEAP);
    return perSecond(await expectOrders(bettors, game), performance.now() - began);
  };
  const orders = async () => {
    const game = await follows(clients, ++number, 1);
    const began = performance.now();
    await Promise.all(caps.map((strategy) => placeOrder(clients, game, strategy)));
    return perSecond(await expectOrders(clients, game), performance.now() - began);
  };
  const [BETS, ORDERS] = [`${TOGETHER} strategies bet on one change`, `${TOGETHER} orders of a client, at once`];
  const contenders = [
    { name: ORDERS, run: orders },
    { name: BETS, run: bets },
  ];
  await interleaved(contenders, 1);
  const speeds = await interleaved(contenders, rounds);
  const rows = contenders.map(({ name }) => [
    name,
    whole(median(speeds(name))),
    ratio(speeds(name), speeds(ORDERS)).toFixed(2),
  ]);
  const ratios = speeds(BETS).map((speed, round) => speed / (speeds(ORDERS)[round] ?? Number.NaN));
  const figures: Figure[] = [
    { name: 'decisions that bet, SQLite FULL', unit: 'a second', aim: null, rounds: speeds(BETS), byProcessorTime: [] },
    { name: 'the same, × orders placed directly', unit: '', aim: null, rounds: ratios, byProcessorTime: [] },
  ];
  return { text: `Bets in one process, SQLite FULL\n\n${table(['', 'a second', 'x orders'], rows)}`, figures };
}

function placeOrder({ use }: EngineFixture, { id: marketId, venue }: Market, strategy: Strategy) {
  const terms = { timeInForce: 'FAK', expiresAt: null, postOnly: false, paper: true, side: 'BUY' } as const;
  const named = { account: TRADER, strategyId: strategy.id, venue, marketId, outcome: 'YES' } as const;
  const draft = { ...named, ...terms, price: price('0.46'), size: usdc('10') };
  return use.orders.place.execute({ draft, mayTradeLive: false, idempotencyKey: null });
}

/** How many orders there are, which is one of each strategy. */
async function expectOrders({ ledger, faults }: EngineFixture, { id: marketId }: Market): Promise<number> {
  expectSame('faults', faults.length, 0);
  const orders = await ledger.listOrders(TRADER, { marketId }, { limit: 10_000 });
  const filled = orders.filter((order) => order.filled.shares > shares('0')).length;
  expectSame('orders that filled', filled, TOGETHER);
  return orders.length;
}

const perSecond = (count: number, ms: number): number => (count * 1000) / ms;

/** One strategy after another bets, while others look on. */
async function betsAlone(ledger: SqlLedger, rounds: number): Promise<Findings> {
  const timed = new TimedWrites(ledger);
  const fixture = new EngineFixture(timed.ledger);
  const again = { maxBetsPerOutcome: null, maxBetsPerDay: null, cooldownMs: 0 };
  await fixture.strategies(CHANGES, (n) => backs(50, { league: `league-${n}` }, again));
  await fixture.strategies(CHANGES * WAITING, (n) => backs(20, { league: `league-${n % CHANGES}` }));
  const games: Market[] = [];
  for (let number = 0; number < CHANGES; number++) games.push(await follows(fixture, number, number));
  await fixture.refresh();
  const round = async () => {
    const took: number[] = [];
    for (const game of games) {
      const began = performance.now();
      timed.last = Number.NaN;
      await show(fixture, game, CHEAP);
      took.push(timed.last - began);
      await show(fixture, game, DEAR);
    }
    expectSame('bets', took.filter((ms) => !Number.isNaN(ms)).length, CHANGES);
    return took.sort((a, b) => a - b);
  };
  await round();
  const all: number[][] = [];
  for (let number = 0; number < rounds; number++) all.push(await round());
  const at = (share: number) => all.map((took) => 1000 * (took[Math.floor(took.length * share)] ?? Number.NaN));
  const figures: Figure[] = [0.5, 0.99].map((share) => ({
    name: `from a change of a book to the commit of the order, p${100 * share}`,
    unit: 'µs',
    aim: null,
    rounds: at(share),
    byProcessorTime: [],
  }));
  return { ...only(`One bet after another: ${CHANGES} changes a round, ${WAITING} strategies look at each`), figures };
}

/** A store that notes when its last write with an order was durable. */
class TimedWrites {
  last = Number.NaN;
  readonly ledger: SqlLedger;

  constructor(ledger: SqlLedger) {
    const write: SqlLedger['write'] = async (scope, decide) => {
      let hasOrder = false;
      const result = await ledger.write(scope, (now) => {
        const decision = decide(now);
        hasOrder = decision.slots !== undefined;
        return decision;
      });
      if (hasOrder) this.last = performance.now();
      return result;
    };
    this.ledger = new Proxy(ledger, {
      get: (target, name) => {
        if (name === 'write') return write;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }
}
