import { expect, it } from 'vitest';
import { ReduceForNow } from '../../../src/core/usecases/trading/background/reduce-for-now.js';
import { watchClock } from '../../../src/server/background/watch-clock.js';
import { createLogger } from '../../../src/server/http/log.js';
import { fixture as tradingStage } from '../../core/usecases/trading/trading-fixture.js';
import { ALICE } from '../../support/builders.js';
import { ManualTimeline } from '../../support/scripted-market.js';

const SECOND = 1000;
const HOUR = 3_600_000;

/** A machine whose clock is off until it is set, and a venue that is asked the time. */
async function machine() {
  const { ledger, clock, read } = await tradingStage();
  const timeline = new ManualTimeline();
  const reduce = new ReduceForNow(ledger, clock);
  const state = { offMs: 0, measured: 0, asked: 0, answers: true };
  const venue = {
    exchange: { venue: 'polymarket' } as never,
    clockOffMs: () => state.measured,
    measureClock: async () => {
      state.asked += 1;
      if (state.answers) state.measured = state.offMs;
      return state.answers;
    },
  };
  const starts = () =>
    watchClock(
      timeline,
      [venue],
      (doubt) => reduce.execute(doubt),
      () => reduce.fromAhead('clock_off'),
      createLogger('silent'),
    );
  const end = starts();
  /** Time passes, and the clock of the machine with it. */
  const passes = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 10) {
      clock.tick(10 * SECOND);
      await timeline.pass(10 * SECOND);
    }
  };
  const isReduced = async () => (await read.now(ALICE)).effective === 'reducing';
  return { state, clock, passes, isReduced, starts, end };
}

it('real money is reducing until two minutes after a clock is right', async () => {
  const { state, clock, passes, isReduced, end } = await machine();
  await passes(30);
  expect([await isReduced(), state.asked]).toEqual([false, 0]);
  clock.tick(HOUR);
  state.offMs = -HOUR;
  state.measured = -HOUR;
  await passes(300);
  expect(await isReduced()).toBe(true);
  state.offMs = 0;
  clock.tick(-HOUR);
  await passes(110);
  expect(await isReduced()).toBe(true);
  await passes(50);
  expect(await isReduced()).toBe(false);
  end();
});

it('a remembered clock offset does not prolong the reducing state', async () => {
  const { state, passes, isReduced, end } = await machine();
  state.offMs = -HOUR;
  state.measured = -HOUR;
  await passes(60);
  expect(await isReduced()).toBe(true);
  state.answers = false;
  await passes(150);
  expect(await isReduced()).toBe(false);
  end();
});

it('doubt about a fast clock ends two minutes after a correct start', async () => {
  const { state, clock, passes, isReduced, starts, end } = await machine();
  clock.tick(HOUR);
  state.offMs = -HOUR;
  state.measured = -HOUR;
  await passes(60);
  expect(await isReduced()).toBe(true);
  end();
  clock.tick(-HOUR);
  state.offMs = 0;
  state.measured = 0;
  const endAgain = starts();
  await passes(110);
  expect(await isReduced()).toBe(true);
  await passes(50);
  expect(await isReduced()).toBe(false);
  expect(state.asked).toBe(4);
  endAgain();
});
