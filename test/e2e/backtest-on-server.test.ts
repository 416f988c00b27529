import { describe, expect, it } from 'vitest';
import { betWire } from '../../src/adapters/http/bet-wire.js';
import { jsonObjectOf } from '../../src/adapters/http/body.js';
import { limitsBody, limitsChangeOf } from '../../src/adapters/http/limits-wire.js';
import { presentOrder } from '../../src/adapters/http/order-wire.js';
import { validate } from '../../src/adapters/http/perform.js';
import { createStrategyBody, draftOf } from '../../src/adapters/http/strategy-wire.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { openTape, type TapeLine } from '../../src/adapters/tape/index.js';
import { type BacktestBody, backtest } from '../../src/backtest/index.js';
import type { StrategyId } from '../../src/core/ids.js';
import { NO_WON, SPLIT, YES_WON } from '../../src/core/market/lifecycle.js';
import type { Market } from '../../src/core/market/market.js';
import type { DecisionRecord } from '../../src/core/strategy/record/decision-record.js';
import { useCases } from '../../src/core/usecases/compose.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { createLogger } from '../../src/server/http/log.js';
import { openServer } from '../../src/server/http/server.js';
import { readConfig } from '../../src/server/settings/config.js';
import { createStakeport } from '../../src/stakeport/create-stakeport.js';
import { level, line, pastNoon, tape } from '../adapters/tape/tapes.js';
import { aBody, BODIES } from '../support/backtests.js';
import { ALICE } from '../support/builders.js';
import { EACH_DATABASE } from '../support/databases.js';
import { Client } from '../support/http.js';
import { aMatch, ends, inTime, says, shows, walk } from '../support/match-day.js';

/** A row as the API shows it. */
type Row = Readonly<Record<string, unknown>>;

/** What became of strategies on a tape. */
interface Outcome {
  readonly orders: readonly Row[];
  readonly bets: readonly Row[];
  readonly decisions: readonly DecisionRecord[];
  /** How often each strategy skipped for each reason. */
  readonly skips: readonly string[];
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** In the text of a halt: a moment of the machine. */
const SINCE = / since \d{4}-[^ ]+Z/;
/** Moments of the machine, and links from decisions to what they made. */
const LEFT_OUT = new Set(['created_at', 'updated_at', 'account', 'orderId', 'approvalId']);

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rows as texts: their ids by the order in which these appear, their members in the order of their names. */
function textsOf(rows: readonly object[], names: ReadonlyMap<string, string>): readonly string[] {
  const places = new Map(names);
  const place = (id: string): string => {
    const known = places.get(id) ?? `id ${places.size - names.size + 1}`;
    places.set(id, known);
    return known;
  };
  const shown = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(ID, place).replace(SINCE, '') : value;
  const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const replaced = (name: string, value: unknown) => {
    if (LEFT_OUT.has(name)) return undefined;
    if (typeof value === 'bigint') return `${value}`;
    return isPlain(value) ? Object.fromEntries(sorted(value)) : shown(value);
  };
  return rows.map((row) => JSON.stringify(row, replaced));
}

/** The outcome in a form in which two are equal; `names` are those of the strategies, by their ids. */
function canonical({ orders, bets, decisions, skips }: Outcome, names: ReadonlyMap<string, string> = new Map()) {
  const made = decisions.filter(({ verdict }) => verdict !== 'skip').map(({ id: _, ...decision }) => decision);
  // An order has its id before a bet names it.
  const ordersAndBets = textsOf([...orders, ...bets], names);
  return {
    orders: ordersAndBets.slice(0, orders.length),
    // Bets of one moment are told apart by the orders that they name.
    bets: ordersAndBets.slice(orders.length).sort(),
    decisions: [...textsOf(made, names)].sort(),
    skips: [...skips].sort(),
  };
}

/** How often each strategy skipped for each reason, by both. */
function countsOf(skips: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    skips.map((text) => [text.slice(0, text.lastIndexOf(' ')), Number(text.slice(text.lastIndexOf(' ')))]),
  );
}

/** Equal orders, bets and decisions, and every skip: a server also counts outcomes that rules leave out, which nobody judged. */
function expectPlayedAs(served: ReturnType<typeof canonical>, expected: ReturnType<typeof canonical>): void {
  const counted = countsOf(served.skips);
  const missing = [...countsOf(expected.skips)].filter(([reason, count]) => (counted.get(reason) ?? 0) < count);
  expect({ ...served, skips: missing }).toEqual({ ...expected, skips: [] });
}

/** By a backtest of one account. */
async function backtested(path: string, strategies: readonly BacktestBody[], limits: BacktestBody) {
  const { played, ...run } = await backtest({ tapes: path, strategies, limits, together: true });
  const [all, ...each] = played;
  const decisions: DecisionRecord[] = [];
  for await (const decision of run.decisions) decisions.push(decision);
  const skips = each.flatMap((one) => [...one.skips].map(([code, count]) => `${one.strategy} ${code} ${count}`));
  const orders = (all?.orders ?? []).map((order) => presentOrder(order) as Row);
  return canonical({ orders, bets: (all?.bets ?? []).map(betWire), decisions, skips });
}

/** What strategies decided, and how often they skipped. */
async function decidedIn(ledger: Pick<Ledger, 'decisions'>, names: ReadonlyMap<string, string>) {
  const decisions: DecisionRecord[] = [];
  const skips: string[] = [];
  for (const [id, name] of names) {
    decisions.push(...(await ledger.decisions.list(ALICE, id as StrategyId, {}, { limit: 10_000 })));
    const counted = new Map<string, number>();
    for (const { code, count } of await ledger.decisions.counts(ALICE, id as StrategyId, new Date(0)))
      counted.set(code, (counted.get(code) ?? 0) + count);
    for (const [code, count] of counted) skips.push(`${name} ${code} ${count}`);
  }
  return { decisions, skips };
}

/** Every row of a list, oldest first. */
async function listed(client: Client, path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
    const answer = await client.get(`${path}?limit=100${cursor}`);
    const { data, next_cursor } = answer.json<{ data: Row[]; next_cursor: string | null }>();
    rows.push(...data);
    next = next_cursor;
  }
  return rows.reverse();
}

/** Uses a server in this process. */
async function serving<T>(
  env: Readonly<Record<string, string>>,
  use: (client: Client, tapeEnded: Promise<void>) => Promise<T>,
): Promise<T> {
  let ends = () => {};
  const tapeEnded = new Promise<void>((resolve) => {
    ends = resolve;
  });
  const write = (text: string) => text.includes('the tape has ended') && ends();
  const logger = createLogger('info', { write: (text: string) => void write(text) });
  const server = await openServer(readConfig({ PORT: '0', ...env }), logger, new AbortController().signal);
  const client = new Client(server.url, { 'x-dev-user': ALICE });
  try {
    return await use(client, tapeEnded);
  } finally {
    await server.stop();
  }
}

/** By a server on a database of this kind that has the limits and strategies before its tape begins. */
async function served(
  path: string,
  strategies: readonly BacktestBody[],
  limits: BacktestBody,
  speed = 'max',
  fresh: (typeof EACH_DATABASE)[number][1] = EACH_DATABASE[0][1],
) {
  const { url: DATABASE_URL, remove } = await fresh();
  const names = new Map<string, string>();
  await serving({ DATABASE_URL }, async (client) => {
    expect((await client.put('/v1/limits', limits)).status).toBe(200);
    for (const body of strategies) {
      const made = await client.post('/v1/strategies', { ...body, automation: 'auto' });
      names.set(made.json<{ id: string }>().id, String(body['name']));
    }
  });
  const played = { MARKET_DATA: `tape:${path}`, TAPE_SPEED: speed, PAPER_BALANCE_USDC: '1000', EQUITY_EVERY: 'off' };
  const rows = await serving({ DATABASE_URL, ...played }, async (client, tapeEnded) => {
    await tapeEnded;
    return { orders: await listed(client, '/v1/exchange/orders'), bets: await listed(client, '/v1/bets') };
  });
  const ledger = await openSqlLedger(DATABASE_URL);
  const outcome = { ...rows, ...(await decidedIn(ledger, names)) };
  await ledger.close();
  await remove();
  return canonical(outcome, names);
}

/** By a program with a ledger in memory. */
async function programmed(path: string, strategies: readonly BacktestBody[], limits: BacktestBody) {
  const [ledger, player] = [new MemoryLedger(), await openTape(path)];
  const stakeport = createStakeport({ ledger, marketData: player, clock: player, automation: true });
  const use = useCases(stakeport.ports);
  const bodyOf = (body: object) => jsonObjectOf(Buffer.from(JSON.stringify(body)));
  const change = limitsChangeOf(validate(limitsBody, bodyOf(limits), ''));
  await use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
  const names = new Map<string, string>();
  for (const body of strategies) {
    const draft = draftOf(validate(createStrategyBody, bodyOf({ ...body, automation: 'auto' }), ''));
    const { record } = await use.strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
    names.set(record.id, record.name);
  }
  await player.play();
  const orders = (await ledger.listOrders(ALICE, {}, { limit: 10_000 })).map((order) => presentOrder(order) as Row);
  const bets = (await stakeport.bets.list(ALICE, { limit: 100 })).items.map(betWire);
  await stakeport.close();
  const rows = { orders: orders.reverse(), bets: bets.reverse() };
  return canonical({ ...rows, ...(await decidedIn(ledger, names)) }, names);
}

/** How prices move. */
const STEPS = { low: 40, high: 60, most: 4 };

/** A book of so few shares that orders find no more than a part. */
const thin = (game: Market, ms: number, cents: number): TapeLine =>
  line(ms, { type: 'book', bids: [level(`0.${cents - 1}`, '8')], asks: [level(`0.${cents + 1}`, '8')] }, game);

/**
 * Two minutes in which all happens that may, at odd milliseconds: a set of three, of which one result is amended, a start that moves, one
 * that nobody knows, games in play, a void, a market without a result, and a gap.
 */
function wholeLife(): TapeLine[] {
  const starts = (second: number) => ({ startsAt: pastNoon(second * 1000) });
  const set = { exclusiveSet: 'match', event: { id: 'match', slug: 'match', title: 'The match' }, ...starts(60) };
  const [home, draw, away] = [aMatch('home', set), aMatch('draw', set), aMatch('away', set)];
  const [moved, unknown] = [aMatch('moved', starts(30), '0.05'), aMatch('unknown', { startsAt: null })];
  const [open, split] = [aMatch('open', starts(50)), aMatch('split', starts(40))];
  const all = [home, draw, away, moved, unknown, open, split];
  const lines = all.map((game) => says(game, 0));
  for (const [n, game] of all.entries()) {
    const mids = walk(n + 1, STEPS);
    for (let ms = 130 + 210 * n; ms < (game === open ? 70_000 : 110_000); ms += 1370) {
      const cents = mids.next().value - (n < 3 ? 16 : 0);
      const whole = () => shows(game, ms / 1000, `0.${cents - 1}`, `0.${cents + 1}`);
      lines.push(game === split ? thin(game, ms, cents) : whole());
    }
  }
  lines.push(says(moved, 20, starts(45)), says(moved, 50, starts(70)), says(open, 72, { status: 'suspended' }));
  lines.push(line(65_555, { type: 'gap', reason: 'no connection' }, draw));
  lines.push(ends(home, 112, YES_WON), ends(draw, 112, NO_WON), ends(away, 112, NO_WON));
  lines.push(ends(moved, 113, NO_WON), ends(split, 113.5, SPLIT), ends(unknown, 112, YES_WON));
  lines.push(says(home, 150, { status: 'amended', payout: NO_WON }));
  return inTime(lines, 200);
}

const EASILY = { min_odds: '1.3' };
const STRATEGIES: readonly BacktestBody[] = [
  ...BODIES.map((body) => ({ ...body, rules: { ...(body['rules'] as object), filter: EASILY } })),
  aBody('in play', { phase: 'in_play', outcome: 'each', limits: { max_bets_per_outcome: 4, cooldown: '2s' } }),
  aBody('any', { phase: 'any', outcome: 'each', exit: { after: '5s', take_profit: { gain: '0.02' } } }),
  aBody('rests long', { outcome: 'each', order: { time_in_force: 'GTC', give_up_after: '30s', max_slippage: '0' } }),
];
const LIMITS = { event_loss_usdc: 200, open_orders: 6 };
const HALTING = { daily_loss_usdc: 30 };

describe('A server that plays a tape with strategies in place', () => {
  const path = tape(...wholeLife());
  const expected = backtested(path, STRATEGIES, LIMITS);

  it.each([
    ...EACH_DATABASE.map(([name, fresh]) => [name, 'max', fresh] as const),
    [EACH_DATABASE[0][0], '60', EACH_DATABASE[0][1]] as const,
  ])('decides, orders and bets as a backtest does, on %s at speed %s', async (_, speed, fresh) => {
    const outcome = await expected;
    expectPlayedAs(await served(path, STRATEGIES, LIMITS, speed, fresh), outcome);
  });

  it('does so when its losses halt the account', async () => {
    const halted = await backtested(path, STRATEGIES, HALTING);
    expect(halted.orders.join()).toContain('trading_halted');
    expectPlayedAs(await served(path, STRATEGIES, HALTING), halted);
  });

  it('does so as a program with a ledger in memory', async () => {
    expect(await programmed(path, STRATEGIES, LIMITS)).toEqual(await expected);
  });

  it('is compared by bets of every kind', async () => {
    const { bets, orders } = await expected;
    const [all, sent] = [bets.map((bet): Row => JSON.parse(bet)), orders.map((order): Row => JSON.parse(order))];
    const seen = (rows: readonly Row[], name: string) => [...new Set(rows.map((row) => row[name]))].sort();
    expect(seen(all, 'result')).toEqual(['closed_early', 'lost', 'open', 'split', 'won']);
    expect(seen(all, 'phase')).toEqual(['in_play', 'pre']);
    expect(seen(all, 'close_reason')).toEqual(['in_play', 'no_start', null]);
    expect(seen(all, 'liquidity')).toEqual(['maker', 'taker']);
    expect(seen(sent, 'status')).toEqual(['denied', 'filled', 'rejected', 'settled']);
  });
});
