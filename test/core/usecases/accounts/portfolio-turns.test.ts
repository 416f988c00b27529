import { beforeEach, describe, expect, test } from 'vitest';
import { portfolioText } from '../../../../src/adapters/http/portfolio-wire.js';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { onePerTurn } from '../../../../src/adapters/system/system.js';
import type { AccountId, MarketId } from '../../../../src/core/ids.js';
import { ReadPortfolio } from '../../../../src/core/usecases/accounts/read-portfolio.js';
import { MarkEquity } from '../../../../src/core/usecases/limits/mark-equity.js';
import { marketsAt } from '../../../../src/core/venues/venues.js';
import type { Asker } from '../../../../src/ports/market-data.js';
import { ALICE, anOrderContext, BOB, clockAt, NOON, usdc } from '../../../support/builders.js';
import { QuotedMarkets } from '../../../support/quoted-markets.js';
import { Trading } from '../../../support/trading.js';

const PAPER = { paper: true, strategyId: null } as const;
/** Markets that are asked for between two turns of the event loop. */
const PIECE = 50;

const clock = clockAt(NOON);
const context = anOrderContext({ clock, openingCash: usdc('1000000') });
const ledger = new MemoryLedger();
const trading = new Trading(ledger, { context });

async function holds(account: AccountId, many: number): Promise<void> {
  for (let n = 0; n < many; n += 1) await trading.place({ account, marketId: `market-${n}` as MarketId });
}

/** The accounts for which markets are asked for, and portfolios that are made, each once. */
function fixture() {
  const asked: (AccountId | null | undefined)[] = [];
  const source = new QuotedMarkets();
  const { find } = source;
  source.find = (id, asker?: Asker) => {
    asked.push(asker?.account);
    return find.call(source, id);
  };
  const made: AccountId[] = [];
  const read: MemoryLedger['read'] = (scope, look) => {
    made.push(scope.account);
    return ledger.read(scope, look);
  };
  const counted = Object.assign(Object.create(ledger) as MemoryLedger, { read });
  const pause = onePerTurn();
  const markets = marketsAt(source);
  const portfolio = new ReadPortfolio(counted, markets, { ...context, pause });
  const marks = new MarkEquity(counted, markets, clock, null, pause);
  return { asked, made, portfolio, marks, pause };
}

/** The most markets that were asked for in one turn of the event loop while `work` ran. */
async function mostInATurn(asked: readonly unknown[], work: Promise<unknown>): Promise<number> {
  let [most, before, isOver] = [0, asked.length, false];
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, asked.length - before);
    before = asked.length;
  }
  return most;
}

beforeEach(async () => {
  if ((await ledger.listPositions(ALICE, PAPER, { limit: 1 })).length > 0) return;
  await holds(ALICE, 400);
  await holds(BOB, 2 * PIECE);
});

describe('Portfolios of an account with many positions', () => {
  test('are made one at a time, and shared by those who wait', async () => {
    const { made, portfolio } = fixture();
    const all = await Promise.all(Array.from({ length: 20 }, () => portfolio.now(ALICE, PAPER)));
    expect(made).toHaveLength(2);
    expect(new Set(all).size).toBe(2);
  });

  test('show what was traded before they were asked for', async () => {
    const { portfolio } = fixture();
    const first = portfolio.now(BOB, PAPER);
    await trading.place({ account: BOB, marketId: 'another' as MarketId });
    const [before, after] = await Promise.all([first, portfolio.now(BOB, PAPER)]);
    expect(after.holdings.length).toBe(before.holdings.length + 1);
  });

  test('are made one piece in a turn of the event loop', async () => {
    const { asked, portfolio } = fixture();
    const parts = ['a', 'b', 'c'].map((id) => ({ paper: true, strategyId: id as never }));
    const work = [PAPER, ...parts, PAPER].map((filter) => portfolio.now(ALICE, filter).catch(() => {}));
    expect(await mostInATurn(asked, Promise.all([...work, portfolio.now(BOB, PAPER)]))).toBeLessThanOrEqual(2 * PIECE);
    expect(asked.length).toBeGreaterThan(400);
  });

  test('delay the portfolio of another account by one round', async () => {
    const { asked, portfolio } = fixture();
    let isOver = false;
    const loop = async () => {
      for (let n = 0; n < 10 && !isOver; n += 1) await portfolio.now(ALICE, PAPER);
    };
    const loops = Array.from({ length: 20 }, loop);
    await new Promise((resolve) => setImmediate(resolve));
    const before = asked.length;
    const { holdings } = await portfolio.now(BOB, PAPER);
    const others = asked.slice(before).filter((account) => account === ALICE).length;
    isOver = true;
    await Promise.all(loops);
    // A piece for each piece of its own, and one that had begun.
    expect(others).toBeLessThanOrEqual((Math.ceil(holdings.length / PIECE) + 1) * PIECE);
  });

  test('are written once, and in pieces', async () => {
    const { portfolio } = fixture();
    const found = await portfolio.now(ALICE, PAPER);
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const [one, other] = await Promise.all([portfolioText(found, pause), portfolioText(found, pause)]);
    expect(pauses).toBe(4);
    expect(other).toBe(one);
    expect(JSON.parse(one).positions).toHaveLength(400);
  });
});

test('a mark of an account with many positions is made in pieces', async () => {
  const change = { dailyLossUsdc: usdc('1000') };
  await trading.use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
  const { asked, marks } = fixture();
  expect(await mostInATurn(asked, marks.now({ account: ALICE, paper: true }))).toBe(PIECE);
  expect(asked).toHaveLength(400);
});
