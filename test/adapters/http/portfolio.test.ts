import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { EquityPoint } from '../../../src/core/account/portfolio.js';
import { MarketDataUnavailable } from '../../../src/core/errors.js';
import type { BookView } from '../../../src/core/market/book.js';
import type { Usdc } from '../../../src/core/money.js';
import { ORDER, ORDERS, PORTFOLIO, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import { ALICE, anOrderContext, NOON, usdc } from '../../support/builders.js';
import { aMarket, CONDITION, levels, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';

class Quoted extends ScriptedMarket {
  bids = '0.4x1000';
  silent = false;

  constructor() {
    super(aMarket(), new ManualTimeline());
  }

  override async book(): Promise<BookView> {
    if (this.silent) throw new MarketDataUnavailable();
    return { bids: levels(this.bids), asks: levels('0.9x1'), at: new Date(NOON), fresh: true };
  }
}

/** Alice bought 20 shares at 0.3 for a strategy, and 10 shares at 0.5 besides. */
async function holding() {
  const [markets, ledger] = [new Quoted(), new MemoryLedger()];
  const app = await startApp({ markets, ledger, context: anOrderContext() });
  const alice = app.client.as({ 'x-dev-user': ALICE });
  const strategy = (await alice.post(STRATEGIES, STRATEGY)).json<{ id: string }>().id;
  const bet = { ...ORDER, market_id: CONDITION };
  await alice.post(ORDERS, { ...bet, price: 0.3, size_usdc: 6, strategy_id: strategy });
  await alice.post(ORDERS, { ...bet, price: 0.5, size_usdc: 5 });
  return { app, alice, ledger, markets, strategy };
}

const NAMES = { market_id: CONDITION, token: 'YES', outcome_label: 'Bucks', question: 'Bucks vs. Thunder' };

test('a portfolio is cash plus positions at their current sale value', async () => {
  const { alice } = await holding();
  const reply = await alice.get(PORTFOLIO);
  expect([reply.status, reply.json()]).toEqual([
    200,
    {
      paper: true,
      strategy_id: null,
      at: NOON,
      cash_usdc: '989',
      reserved_usdc: '0',
      redeemable_usdc: '0',
      equity_usdc: '1001',
      value_usdc: '12',
      realised_usdc: '0',
      unrealised_usdc: '1',
      fees_usdc: '0',
      profit_usdc: '1',
      exposure_usdc: '11',
      unmarked_positions: 0,
      positions: [
        {
          ...NAMES,
          shares: '30',
          average_price: '0.366666',
          cost_usdc: '11',
          mark_price: '0.4',
          value_usdc: '12',
          unrealised_usdc: '1',
          realised_usdc: '0',
          fees_usdc: '0',
          redeemable_usdc: '0',
          venue: 'none',
          name: 'Bucks vs. Thunder: Bucks',
        },
      ],
    },
  ]);
});

test('a loss is negative', async () => {
  const { alice, markets } = await holding();
  markets.bids = '0.1x1';
  const shown = { unrealised_usdc: '-8', profit_usdc: '-8', equity_usdc: '992' };
  expect((await alice.get(PORTFOLIO)).json()).toMatchObject(shown);
});

test('a strategy shows its own part, without cash', async () => {
  const { alice, strategy } = await holding();
  const own = {
    strategy_id: strategy,
    cash_usdc: null,
    redeemable_usdc: null,
    equity_usdc: null,
    value_usdc: '8',
    profit_usdc: '2',
  };
  const { positions, ...rest } = (await alice.get(`${PORTFOLIO}?strategy_id=${strategy}`)).json();
  expect(rest).toMatchObject(own);
  expect(positions).toMatchObject([{ shares: '20', average_price: '0.3', cost_usdc: '6' }]);
});

test('positions whose market does not answer are valued at cost, price unknown', async () => {
  const { alice, markets } = await holding();
  markets.silent = true;
  const reply = (await alice.get(PORTFOLIO)).json();
  expect(reply).toMatchObject({ unmarked_positions: 1, value_usdc: '11', unrealised_usdc: '0' });
  expect(reply['positions']).toMatchObject([
    { mark_price: null, unrealised_usdc: null, value_usdc: '11', question: null, outcome_label: null },
  ]);
});

test('live and paper are separate, and each other account starts afresh', async () => {
  const { app, alice } = await holding();
  const empty = { positions: [], value_usdc: '0', profit_usdc: '0' };
  expect((await alice.get(`${PORTFOLIO}?paper=false`)).json()).toMatchObject({
    ...empty,
    paper: false,
    cash_usdc: '0',
  });
  expect((await alice.get(`${PORTFOLIO}?paper=true`)).json()).toEqual((await alice.get(PORTFOLIO)).json());
  const bob = app.client.as({ 'x-dev-user': 'bob' });
  expect((await bob.get(PORTFOLIO)).json()).toMatchObject({ ...empty, cash_usdc: '1000' });
});

test.each(['', '/history'])('a strategy of another account is as unknown as none in %j', async (part) => {
  const { app, strategy } = await holding();
  const bob = app.client.as({ 'x-dev-user': 'bob', 'x-request-id': 'the-same' });
  const theirs = await bob.get(`${PORTFOLIO}${part}?strategy_id=${strategy}`);
  const none = await bob.get(`${PORTFOLIO}${part}?strategy_id=00000000-0000-7000-8000-000000000000`);
  expect([theirs.status, theirs.json()['type']]).toEqual([404, '/problems/not-found']);
  expect(theirs.text).toBe(none.text);
});

test.each(['paper=1', 'strategy_id=x', 'limit=5', 'history/?paper=', 'history?cursor=eA', 'history?limit=0'])(
  '%s is refused',
  async (query) => {
    const { client } = await startApp();
    const way = query.startsWith('history') ? `/${query.replace('/?', '?')}` : `?${query}`;
    const reply = await client.get(`${PORTFOLIO}${way}`);
    expect([reply.status, reply.json()['type']]).toEqual([422, '/problems/validation-failed']);
  },
);

/** What Alice was worth so many seconds after noon. */
function point(seconds: number, changes: Partial<EquityPoint> = {}): EquityPoint {
  const money = {
    cash: usdc('990'),
    redeemable: usdc('0'),
    positions: usdc('8'),
    realised: usdc('1'),
    fees: usdc('0.25'),
  };
  const at = new Date(Date.parse(NOON) + seconds * 1000);
  return { account: ALICE, paper: true, strategyId: null, at, ...money, unrealised: -2_000_000n as Usdc, ...changes };
}

test('the history is paged newest first, separate per account and book', async () => {
  const { alice, app, ledger } = await holding();
  const equity = [point(1), point(2), point(3, { cash: null, paper: false })];
  await ledger.write({ account: ALICE, strategies: [] }, () => ({ result: null, equity }));
  const history = `${PORTFOLIO}/history`;
  const first = (await alice.get(`${history}?limit=1`)).json();
  const shown = {
    paper: true,
    strategy_id: null,
    at: '2026-03-01T12:00:02.000Z',
    cash_usdc: '990',
    equity_usdc: '998',
    redeemable_usdc: '0',
    value_usdc: '8',
    realised_usdc: '1',
    unrealised_usdc: '-2',
    fees_usdc: '0.25',
    profit_usdc: '-1.25',
  };
  expect(first['data']).toEqual([shown]);
  const second = (await alice.get(`${history}?limit=1&cursor=${first['next_cursor']}`)).json();
  expect(second).toEqual({ data: [{ ...shown, at: '2026-03-01T12:00:01.000Z' }], next_cursor: null });
  const live = { paper: false, cash_usdc: null, equity_usdc: null };
  expect((await alice.get(`${history}?paper=false`)).json()['data']).toMatchObject([live]);
  expect((await app.client.as({ 'x-dev-user': 'bob' }).get(history)).json()['data']).toEqual([]);
});
