import { describe, expect, test } from 'vitest';
import {
  type BetState,
  type BetStep,
  isArmed,
  isDone,
  isPlacing,
  stepBet,
} from '../../../../src/core/strategy/watch/bet-state.js';

const NEW = { type: 'recorded', isNew: true, isLast: false } as const;
const LAST = { type: 'recorded', isNew: true, isLast: true } as const;
const NONE_NEW = { type: 'recorded', isNew: false, isLast: false } as const;
const FULL = { type: 'recorded', isNew: false, isLast: true } as const;

/** A state in one text: `placing > done > armed` is a bet being placed, after which none is allowed before the rules change. */
const textOf = (state: BetState): string => ('next' in state ? `${state.name} > ${textOf(state.next)}` : state.name);

function stateOf(text: string): BetState {
  const [name, ...rest] = text.split(' > ');
  return (rest.length === 0 ? { name } : { name, next: stateOf(rest.join(' > ')) }) as BetState;
}

const STEPS: readonly (readonly [string, BetStep['type'] | BetStep, string])[] = [
  ['armed', 'condition_false', 'armed'],
  ['armed', 'begun', 'placing > armed'],
  ['armed', 'ended', 'armed'],
  ['armed', 'rules_changed', 'armed'],
  ['armed', 'paper_reset', 'armed'],
  ['disarmed', 'condition_false', 'armed'],
  ['disarmed', 'begun', 'placing > disarmed'],
  ['disarmed', 'rules_changed', 'disarmed'],
  ['disarmed', 'paper_reset', 'armed'],
  ['done > disarmed', 'condition_false', 'done > armed'],
  ['done > disarmed', 'rules_changed', 'disarmed'],
  ['done > armed', 'rules_changed', 'armed'],
  ['done > disarmed', 'paper_reset', 'armed'],
  ['placing > armed', 'condition_false', 'interrupted > armed'],
  ['placing > disarmed', 'condition_false', 'interrupted > armed'],
  ['placing > done > disarmed', 'condition_false', 'interrupted > done > armed'],
  ['placing > armed', NEW, 'placed > disarmed'],
  ['placing > armed', LAST, 'placed > done > disarmed'],
  ['placing > armed', NONE_NEW, 'placed > armed'],
  ['placing > disarmed', NONE_NEW, 'placed > disarmed'],
  ['placing > armed', FULL, 'placed > done > armed'],
  ['placing > done > disarmed', NONE_NEW, 'placed > disarmed'],
  ['placing > armed', 'ended', 'armed'],
  ['placing > disarmed', 'ended', 'disarmed'],
  ['placing > done > armed', 'rules_changed', 'placing > armed'],
  ['placing > disarmed', 'paper_reset', 'placing > armed'],
  ['interrupted > armed', 'condition_false', 'interrupted > armed'],
  ['interrupted > armed', NEW, 'placed > armed'],
  ['interrupted > armed', LAST, 'placed > done > armed'],
  ['interrupted > armed', NONE_NEW, 'placed > armed'],
  ['interrupted > armed', 'ended', 'armed'],
  ['interrupted > armed', 'paper_reset', 'interrupted > armed'],
  ['placed > disarmed', 'condition_false', 'placed > armed'],
  ['placed > done > disarmed', 'condition_false', 'placed > done > armed'],
  ['placed > done > disarmed', 'rules_changed', 'placed > disarmed'],
  ['placed > done > disarmed', 'ended', 'done > disarmed'],
  ['placed > disarmed', 'ended', 'disarmed'],
  ['placed > disarmed', 'paper_reset', 'placed > armed'],
  // A bet that somebody else put on record counts like an own one.
  ['armed', NEW, 'disarmed'],
  ['armed', LAST, 'done > disarmed'],
];

describe('the state of a bet', () => {
  test.each(STEPS)('%s, after %j, is %s', (from, step, to) => {
    const taken = typeof step === 'string' ? ({ type: step } as BetStep) : step;
    expect(textOf(stepBet(stateOf(from), taken))).toBe(to);
  });

  test.each([
    ['armed', { armed: true, done: false, placing: false }],
    ['disarmed', { armed: false, done: false, placing: false }],
    ['done > disarmed', { armed: false, done: true, placing: false }],
    ['placing > armed', { armed: true, done: false, placing: true }],
    ['interrupted > done > armed', { armed: true, done: true, placing: true }],
    ['placed > disarmed', { armed: false, done: false, placing: true }],
  ])('%s says whether a bet may follow', (text, said) => {
    const state = stateOf(text);
    expect({ armed: isArmed(state), done: isDone(state), placing: isPlacing(state) }).toEqual(said);
  });
});
