import { expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import type { VenueName } from '../../src/core/ids.js';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import { SettleMarket } from '../../src/core/usecases/markets/background/settle-market.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { described, level, pastNoon, tape } from '../adapters/tape/tapes.js';
import { aFee, anOpenMarket } from '../core/matching/view.js';
import { ORDERS } from '../support/app.js';
import { anOrderContext, clockAt, countingIds } from '../support/builders.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { type Action, TapeSession } from '../support/tape-session.js';
import { until } from './trading.js';

const LATENCY_MS = 150;
const market = anOpenMarket({ fee: aFee('0.05') });

/** A book that moves twice a second for a minute and is traded on, then the first outcome wins; two minutes in all. */
function game(): string {
  const line = (ms: number, change: Extract<TapeLine, { type: 'change' }>['change']): TapeLine => {
    return { at: pastNoon(ms), type: 'change', marketId: market.id, change };
  };
  const lines = [line(0, described(market))];
  for (let ms = 1; ms < 60_000; ms += 500) {
    const step = (ms * 7) % 5;
    const bids = [level(`0.4${4 + step}`, '6'), level('0.4', '9')];
    const asks = [level(`0.5${step}`, '8'), level(`0.5${step + 2}`, '12')];
    lines.push(line(ms, { type: 'book', bids, asks }));
    lines.push(line(ms + 250, { type: 'trade', ...level(`0.4${4 + step}`, '9'), taker: 'SELL' }));
  }
  lines.push(line(60_000, described({ ...market, status: 'resolved', payout: YES_WON })));
  for (let ms = 70_000; ms <= 120_000; ms += 10_000) lines.push({ at: pastNoon(ms), type: 'alive' });
  return tape(...lines);
}

/** The n-th order: some match at once, some rest. */
const nth = (n: number) => ({
  market_id: market.id,
  token: n % 3 === 2 ? 'NO' : 'YES',
  size_usdc: 5,
  price: n % 2 === 0 ? 0.53 : 0.46,
});

/** What there is to compare: every order's fills with their moments, and the money of the account. */
async function outcome(ledger: Ledger) {
  const [balance] = await ledger.listBalances({ limit: 10 });
  if (balance === undefined) throw new Error('no account has traded');
  const { account, cash, reserved } = balance;
  const orders = (await ledger.listOrders(account, {}, { limit: 100 })).toReversed();
  const fills = orders.map(async ({ id, state, fills: all }) => {
    const events = await ledger.listEvents(account, id, { limit: 100 });
    const at = events.filter(({ change }) => change.type === 'fill').map((event) => event.at);
    return { state, at, fills: all.map(({ shares, price, fee, model }) => ({ shares, price, fee, model })) };
  });
  const positions = await ledger.listPositions(account, { paper: true, strategyId: null }, { limit: 10 });
  const held = positions.map(({ outcome, shares, cost, realised, fees }) => ({
    outcome,
    shares,
    cost,
    realised,
    fees,
  }));
  return { cash, reserved, held, fills: await Promise.all(fills) };
}

/** The orders of a ledger, each sent so that it arrives when it did there. */
async function actionsOf(ledger: Ledger): Promise<Action[]> {
  const actions: Action[] = [];
  for (const { id, account, intent } of await ledger.listVenueOrders({ paper: true }, { limit: 100 })) {
    const events = await ledger.listEvents(account, id, { limit: 100 });
    const arrived = events.find(({ change }) => change.type === 'accepted')?.at ?? pastNoon(0);
    const { outcome, side, price, shares, timeInForce } = intent;
    const ask = { account, outcome, side, price, shares, timeInForce };
    actions.push({ type: 'order', at: new Date(arrived.getTime() - LATENCY_MS), key: id, ask });
  }
  return actions;
}

test('a server killed during a tape ends with the same account', async () => {
  const { url } = freshSqliteFile();
  const played = game();
  const env = {
    DATABASE_URL: url,
    MARKET_DATA: `tape:${played}`,
    TAPE_SPEED: '20',
    LOG_LEVEL: 'warn',
    PAPER_LATENCY_MS: `${LATENCY_MS}`,
    PAPER_BALANCE_USDC: '80',
  };
  const first = await startServer({ env });
  const place = (client: Client, n: number) => client.post(ORDERS, nth(n), { 'idempotency-key': `order-${n}` });
  const before = new Client(first.url);
  await until(async () => (await before.get(`/v1/exchange/markets/${market.id}/book`)).json()['fresh'] === true);
  for (let n = 0; n < 6; n++) expect((await place(before, n)).status).toBe(201);
  const cutOff = place(before, 6).catch(() => 'no answer');
  await first.kill('SIGKILL');
  await cutOff;

  const second = await startServer({ env });
  const after = new Client(second.url);
  await until(async () => (await after.get('/readyz')).status === 200);
  for (let n = 6; n < 12; n++) expect((await place(after, n)).status).toBe(201);
  const orders = async () => (await after.get(ORDERS)).json<{ data: { status: string }[] }>().data;
  await until(async () => (await orders()).every(({ status }) => status === 'settled' || status === 'cancelled'));
  await second.kill('SIGTERM');
  expect(second.output()).not.toContain('contradicts the record');

  const real = await openSqlLedger(url, { exclusive: false });
  const undisturbed = new MemoryLedger();
  const session = new TapeSession(undisturbed, played, countingIds, LATENCY_MS);
  await session.play(await actionsOf(real));
  const context = anOrderContext({ clock: clockAt('2026-03-01T12:02:00.000Z') });
  await new SettleMarket(undisturbed, { settlesInCash: () => false }, context).execute(
    { venue: 'test' as VenueName, marketId: market.id },
    YES_WON,
  );
  const expected = await outcome(undisturbed);
  expect(await outcome(real)).toEqual(expected);
  expect(expected.fills).toHaveLength(12);
  expect(expected.fills.flatMap(({ fills }) => fills.map(({ model }) => model?.split('_')[0]))).toEqual(
    expect.arrayContaining(['book', 'queue']),
  );
  await real.close();
});
