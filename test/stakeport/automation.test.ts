import { expect, it } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { openTape } from '../../src/adapters/tape/index.js';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import type { Order } from '../../src/core/order/order.js';
import { statusOf } from '../../src/core/order/order.js';
import { createStakeport } from '../../src/stakeport/create-stakeport.js';
import { tape } from '../adapters/tape/tapes.js';
import { ALICE } from '../support/builders.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';
import { passing, UnwaitedTimeline } from '../support/strategy-fixture.js';
import { playStrategies } from '../support/traded-tape.js';

const GAME = aMatch('a1');
const OTHER = aMatch('b2', { league: 'cup' });
/** Two games: one is won, the other falls below the stop of what was bought. */
const AFTERNOON = tape(
  ...inTime(
    [
      says(GAME, 0),
      says(OTHER, 0),
      shows(GAME, 2, '0.44', '0.45'),
      shows(OTHER, 3, '0.44', '0.45'),
      shows(GAME, 20, '0.43', '0.44'),
      shows(OTHER, 25, '0.20', '0.21'),
      ends(GAME, 40, YES_WON),
    ],
    120,
  ),
);

const rules = {
  outcome: { index: 0 },
  filter: { minOdds: 2, maxOdds: 3 },
  sizing: { method: 'flat', value: 10 },
} as const;
const HOMES = { account: ALICE, name: 'homes', sport: 'soccer', rules, bankrollCap: 1000, stakeCap: 50 } as const;

const comparable = (orders: readonly Order[]) =>
  orders.map((order) => [
    order.placedAt.toISOString(),
    order.intent.marketId,
    order.intent.side,
    order.filled.shares,
    order.filled.notional,
    statusOf(order),
  ]);

it('lets strategies bet and books their results, as the parts of a server do', async () => {
  const played = await playStrategies(AFTERNOON, [{ ...HOMES, automation: 'auto' }], { settleEveryMs: 30_000 });
  const time = await openTape(AFTERNOON);
  const program = createStakeport({ marketData: time, clock: time, automation: true, openingCash: 1_000_000 });
  await program.strategies.create({ ...HOMES, automation: 'auto' });
  await time.play();
  const { items: data } = await program.orders.list(ALICE);
  expect(comparable(data.toReversed())).toEqual(comparable(played.orders));
  expect(data.map(statusOf)).toContain('settled');
  await program.close();
});

it('sells by the rules of exit without any call of the program', async () => {
  const time = await openTape(AFTERNOON);
  const program = createStakeport({ marketData: time, clock: time, automation: true });
  const sells = { ...rules, exit: { stop: { loss: '0.3' } } };
  await program.strategies.create({ ...HOMES, rules: sells, automation: 'auto' });
  await time.play();
  const { items: data } = await program.orders.list(ALICE);
  expect(data.filter(({ intent }) => intent.side === 'SELL').map(({ intent }) => intent.marketId)).toEqual([OTHER.id]);
  await program.close();
});

it('does nothing by itself without the option', async () => {
  const time = await openTape(AFTERNOON);
  const program = createStakeport({ marketData: time, clock: time, onWarning: () => {} });
  await program.strategies.create({ ...HOMES, automation: 'auto' });
  await time.play();
  expect((await program.orders.list(ALICE)).items).toEqual([]);
  await program.close();
});

it('measures the losses of an account although those of another one take long', async () => {
  const time = new UnwaitedTimeline();
  const ledger = new MemoryLedger(time);
  const program = createStakeport({ ledger, clock: time, automation: true });
  for (const account of ['slow', 'quick']) await program.limits.set(account, { dailyLossUsdc: 5 });
  const read = ledger.read.bind(ledger);
  const measured: string[] = [];
  ledger.read = (scope, look) => {
    measured.push(scope.account);
    return scope.account === 'slow' ? new Promise<never>(() => {}) : read(scope, look);
  };
  await passing(time, 3000);
  expect(measured).toContain('slow');
  const looks = measured.filter((account) => account === 'quick').length;
  await passing(time, 3000);
  expect(measured.filter((account) => account === 'quick').length).toBeGreaterThan(looks);
});
