import { describe, expect, it } from 'vitest';
import {
  loosens,
  strictest,
  type Trading,
  type TradingChange,
  UNTOUCHED,
  withState,
} from '../../../src/core/trading/state.js';
import { NOON } from '../../support/builders.js';

const NOW = new Date(NOON);
const LATER = new Date(NOW.getTime() + 60_000);
const LATEST = new Date(NOW.getTime() + 120_000);

const change = (changes: Partial<TradingChange> = {}): TradingChange => ({
  scope: 'account',
  state: 'halted',
  stops: 'all',
  reason: 'Enough.',
  by: 'key',
  until: null,
  ...changes,
});

const set = (before: Trading, changes: Partial<TradingChange>, now = NOW, code: string | null = null) =>
  withState(before, change(changes), now, code);

/** The states in force after these changes, each as one word. */
function wordsAfter(...changes: Partial<TradingChange>[]): string[] {
  const trading = changes.reduce((before, one) => set(before, one).after, UNTOUCHED);
  return trading.states.map(({ scope, state, stops }) => `${scope} ${state} ${stops}`);
}

describe('A state of trading', () => {
  it('replaces what was set for the same orders, or some of them', () => {
    expect(wordsAfter({ state: 'halted' }, { state: 'reducing' })).toEqual(['account reducing all']);
    expect(wordsAfter({ stops: 'live' }, { state: 'reducing' })).toEqual(['account reducing all']);
    expect(wordsAfter({ stops: 'live' }, { state: 'active' })).toEqual([]);
  });

  it('leaves what was set for more orders, and for other scopes', () => {
    expect(wordsAfter({}, { state: 'active', stops: 'live' })).toEqual(['account halted all']);
    expect(wordsAfter({ scope: 'sport:soccer' }, {}, { state: 'active' })).toEqual(['sport:soccer halted all']);
  });

  it('forgets what has ended by itself', () => {
    const { after: timed } = set(UNTOUCHED, { until: LATER });
    expect(set(timed, { scope: 'sport:soccer' }, LATER).after.states).toHaveLength(1);
  });

  it('leaves what the service set by itself, unless it is less strict', () => {
    const { after: tripped } = set(UNTOUCHED, { stops: 'live', by: 'service' }, NOW, 'rejections_in_a_row');
    const states = (changes: Partial<TradingChange>) => set(tripped, changes).after.states.map(({ code }) => code);
    expect(states({ state: 'halted' })).toEqual(['rejections_in_a_row', null]);
    expect(states({ state: 'reducing' })).toEqual([null]);
    expect(states({ state: 'active' })).toEqual([]);
  });

  it('set by the service replaces only its own of the same cause', () => {
    const { after: asked } = set(UNTOUCHED, { state: 'reducing' });
    const { after: both } = set(asked, { state: 'reducing' }, NOW, 'unknown_orders');
    expect(both.states.map(({ code }) => code)).toEqual([null, 'unknown_orders']);
    const { after: one } = set(both, { state: 'active' }, NOW, 'unknown_orders');
    expect(one.states.map(({ code }) => code)).toEqual([null]);
  });

  it('remembers what was set last, also that nothing is stopped any more', () => {
    expect(set(UNTOUCHED, { state: 'active', reason: 'All is well.' }).after.last).toMatchObject({
      state: 'active',
      reason: 'All is well.',
      since: NOW,
    });
  });

  it.each<[string, Partial<TradingChange>, Partial<TradingChange>, boolean]>([
    ['a stricter one', { state: 'reducing' }, { state: 'halted' }, false],
    ['the same again', {}, {}, false],
    ['the same for longer', { until: LATER }, { until: LATEST }, false],
    ['the same without an end', { until: LATER }, {}, false],
    ['for more orders', { stops: 'live' }, { stops: 'all' }, false],
    ['for fewer orders', { stops: 'all' }, { state: 'active', stops: 'live' }, false],
    ['a less strict one', { state: 'halted' }, { state: 'reducing' }, true],
    ['none', { state: 'reducing' }, { state: 'active' }, true],
    ['the same with an end', {}, { until: LATER }, true],
    ['the same with an earlier end', { until: LATEST }, { until: LATER }, true],
    ['a stricter one that ends sooner', { state: 'reducing' }, { state: 'halted', until: LATER }, true],
  ])('%s loosens or does not', (_, before, next, expected) => {
    expect(loosens(set(set(UNTOUCHED, before).after, next))).toBe(expected);
  });

  it('that is the strictest counts, of equal ones the first', () => {
    const states = (['reducing', 'halted', 'halted'] as const).map((state, at) => ({
      ...change({ state, reason: `${at}` }),
      since: NOW,
      code: null,
    }));
    expect(strictest(states)).toMatchObject({ state: 'halted', reason: '1' });
    expect(strictest([])).toBeNull();
  });
});
