import { expect, test } from 'vitest';
import { ALICE, price } from '../../support/builders.js';
import { HOME, passing } from '../../support/strategy-fixture.js';
import { serverOfStrategies } from './runner-fixture.js';

const SECOND = 1000;

test('skip counts are stored within ten seconds and when the server stops', async () => {
  const { ledger, game, timeline, strategy, end } = await serverOfStrategies({});
  const counts = async () =>
    (await ledger.decisions.counts(ALICE, strategy.id, new Date(0))).map(({ code, count }) => [code, count]);
  await timeline.pass(2 * SECOND);
  await game.show('0.40x1000', '0.50x1000');
  await timeline.pass(7 * SECOND);
  expect(await counts()).toEqual([]);
  await timeline.pass(2 * SECOND);
  expect(await counts()).toEqual([['spread_too_wide', 1]]);
  await game.show('0.40x1000', '0.49x1000');
  end();
  await expect.poll(counts).toEqual([['spread_too_wide', 2]]);
});

test('a game that appears is followed within half a minute', async () => {
  const { game, timeline, end } = await serverOfStrategies({});
  const appears = game.search.bind(game);
  Object.assign(game, { search: async () => ({ items: [], next: null }) });
  await timeline.pass(5 * SECOND);
  expect(game.isFollowed).toBe(false);
  Object.assign(game, { search: appears });
  await timeline.pass(30 * SECOND);
  expect(game.isFollowed).toBe(true);
  end();
});

test('an unapproved bet expires exactly at its end, not on the grid', async () => {
  const { ledger, game, timeline, end } = await serverOfStrategies({ automation: 'approve' });
  const told = async () =>
    (await ledger.log.list(ALICE, { types: ['approval.waiting', 'approval.expired'] }, { limit: 9 })).map(
      ({ type, recordedAt }) => [type, recordedAt.getTime()],
    );
  await timeline.pass(2 * SECOND + 300);
  const asked = timeline.now().getTime();
  await game.show('0.48x1000', '0.50x1000');
  await expect.poll(told).toEqual([['approval.waiting', asked]]);
  await timeline.pass(599 * SECOND);
  expect(await told()).toHaveLength(1);
  await timeline.pass(2 * SECOND);
  expect(await told()).toEqual([
    ['approval.waiting', asked],
    ['approval.expired', asked + 600 * SECOND],
  ]);
  end();
});

test('an exit blocked by limits for a minute raises an account alarm', async () => {
  const rules = { ...HOME, exit: { stop: { price: price('0.40') } } };
  const { game, timeline, use, end } = await serverOfStrategies({ rules });
  const kinds = async () => (await use.alarms.read.execute(ALICE, false)).map(({ kind }) => kind);
  await passing(timeline, 2 * SECOND);
  await game.show('0.48x1000', '0.50x1000');
  await passing(timeline, 2 * SECOND);
  await use.limits.change.execute({ account: ALICE, change: { openOrders: 0 }, mayLoosen: true });
  await game.show('0.39x1000', '0.41x1000');
  await passing(timeline, 59 * SECOND);
  expect(await kinds()).toEqual([]);
  await passing(timeline, SECOND);
  expect(await kinds()).toEqual(['exit_held_back']);
  await game.show('0.48x1000', '0.50x1000');
  await expect.poll(kinds).toEqual([]);
  end();
});
