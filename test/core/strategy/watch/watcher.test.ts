import { expect, test } from 'vitest';
import type { Strategy } from '../../../../src/core/strategy/strategy.js';
import { WatchedMarket } from '../../../../src/core/strategy/watch/watched-market.js';
import { Watcher } from '../../../../src/core/strategy/watch/watcher.js';
import { aMarket, aStrategy, NOON, price, shares } from '../../../support/builders.js';

const HOURS = 3_600_000;
const after = (ms: number) => new Date(Date.parse(NOON) + ms);

test.each([
  ['is not asked again at its price and within four hours', '0.5', 4 * HOURS - 1, true],
  ['is not asked again while the price is less than 0.01 away', '0.509999', 1000, true],
  ['is asked again once the price has moved by 0.01', '0.51', 1000, false],
  ['is asked again once it has fallen by 0.01', '0.49', 1000, false],
  ['is asked again after four hours', '0.5', 4 * HOURS, false],
])('a bet that a limit refused %s', (_, offer, ms, benched) => {
  const strategy = aStrategy();
  const watcher = new Watcher(strategy, 'YES');
  watcher.refused({ code: 'event_loss_exceeded', at: after(0), strategyVersion: strategy.version }, price('0.5'));
  expect(watcher.isBenched(price(offer), after(ms))).toBe(benched);
});

test('a bet refused by a limit is retried by a new version', () => {
  const strategy = aStrategy();
  const watcher = new Watcher(strategy, 'YES');
  watcher.refused({ code: 'event_loss_exceeded', at: after(0), strategyVersion: strategy.version }, price('0.5'));
  watcher.change({ ...strategy, version: strategy.version + 1 });
  expect(watcher.isBenched(price('0.5'), after(1))).toBe(false);
});

test('older strategies judge a change first, whichever was judged last', () => {
  const watched = new WatchedMarket(aMarket());
  const ids = ['b', 'a', 'c'].map((id) => id as Strategy['id']);
  const watchers = ids.map((id) => new Watcher(aStrategy({ id }), 'YES'));
  for (const watcher of watchers) watched.put(watcher);
  const levels = (at: string) => [{ price: price(at), shares: shares('100') }];
  watched.apply({ type: 'book', bids: levels('0.4'), asks: levels('0.42'), at: after(0) });
  const order = () => watched.due().map(({ strategy }) => strategy.id);
  expect(order()).toEqual(['a', 'b', 'c']);
  for (const watcher of watchers.slice(0, 2)) watched.put(watcher);
  expect(order()).toEqual(['a', 'b', 'c']);
});
