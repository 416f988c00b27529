import { expect, test } from 'vitest';
import { ALICE } from '../../support/builders.js';
import { serverOfStrategies } from './runner-fixture.js';

const SECOND = 1000;

/** A server with a strategy that follows a game of which no book comes. */
async function silent(mayTrade = true) {
  const { use, ...server } = await serverOfStrategies({ mayTrade });
  return {
    ...server,
    states: async () => (await use.trading.read.now(ALICE)).states,
    alarms: () => use.alarms.read.execute(ALICE, true),
  };
}

test("real money is reducing only while the strategies' market feed is silent", async () => {
  const { game, timeline, states, alarms, lines, end } = await silent();
  await timeline.pass(60 * SECOND);
  expect([game.isFollowed, await states()]).toEqual([true, []]);
  await timeline.pass(20 * SECOND);
  expect(await states()).toMatchObject([
    {
      scope: 'service',
      state: 'reducing',
      stops: 'live',
      by: 'service',
      code: 'feed_silent',
      reason: expect.stringMatching(/^No book of none could be trusted since 2026-03-01T12:00:/),
    },
  ]);
  expect(await alarms()).toMatchObject([
    {
      kind: 'feed_stale',
      scope: 'service',
      detail: expect.stringMatching(/^No book of none could be trusted since .*\.$/),
    },
  ]);
  // It says so for as long as that lasts, and no longer.
  await timeline.pass(30 * SECOND);
  const said = lines.length;
  expect(said).toBeGreaterThan(3);
  await game.show('0.54x1000', '0.56x1000');
  await timeline.pass(50 * SECOND);
  expect(lines).toHaveLength(said);
  end();
});

test('a server without strategies, or stopped, reports no silent feed', async () => {
  const { timeline, states, end } = await silent(false);
  await timeline.pass(180 * SECOND);
  expect(await states()).toEqual([]);
  end();
  const stopped = await silent();
  await stopped.timeline.pass(30 * SECOND);
  stopped.end();
  await stopped.timeline.pass(180 * SECOND);
  expect(await stopped.states()).toEqual([]);
});
