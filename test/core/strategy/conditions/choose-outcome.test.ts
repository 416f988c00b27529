import { describe, expect, it } from 'vitest';
import type { Market } from '../../../../src/core/market/market.js';
import { outcomesToJudge } from '../../../../src/core/strategy/conditions/candidate.js';
import { decideBet } from '../../../../src/core/strategy/decide/decide.js';
import type { OutcomeChoice } from '../../../../src/core/strategy/rules/rules.js';
import { aBook, aGame, betInputs, decided, inputsOfSet, memberOf } from '../decide/view.js';

const inSet = (changes: Partial<Market> = {}) => aGame({}, { exclusiveSet: 'the-game', ...changes });

describe('The outcomes that rules choose', () => {
  it.each<readonly [string, OutcomeChoice, Market, readonly string[]]>([
    ['a label, in any case of letters', { label: 'THUNDER' }, aGame(), ['NO']],
    [
      'no label that both have',
      { label: 'x' },
      aGame(
        {},
        {
          outcomes: [
            { label: 'X', tokenId: '1' },
            { label: 'x', tokenId: '2' },
          ],
        },
      ),
      [],
    ],
    ['an index', { index: 1 }, aGame(), ['NO']],
    ['the home team, which is first', { role: 'home' }, aGame(), ['YES']],
    ['the away team, which is the second of a moneyline', { role: 'away' }, aGame(), ['NO']],
    ['the home team, where the away team is first', { role: 'home' }, aGame({}, { role: 'away' }), ['NO']],
    ['no second outcome of another kind of market', { role: 'away' }, aGame({}, { kind: 'spread' }), []],
    ['no second outcome of a set', { role: 'away' }, inSet(), []],
    ['the draw of a set', { role: 'draw' }, inSet({ role: 'draw' }), ['YES']],
    ['both of a market without a set', 'each', aGame(), ['YES', 'NO']],
    ['the first of a market of a set', 'each', inSet(), ['YES']],
    ['the one to say that its role is not known', { role: 'home' }, aGame({}, { role: null }), ['YES']],
  ])('are %s', (_, choice, market, judged) => {
    expect(outcomesToJudge(choice, market)).toEqual(judged);
  });

  it('are not guessed where the role is not known', () => {
    expect(decided({ market: aGame({}, { role: null }), rules: { outcome: { role: 'home' } } })).toMatchObject({
      code: 'input_missing:role',
    });
  });
});

describe('A favourite', () => {
  const codes = (...mids: readonly (readonly [string, string] | null)[]) => {
    const roles = ['home', 'draw', 'away'] as const;
    const members = mids.map((book, at) => memberOf(roles[at] ?? 'home', book && aBook(...book), null));
    return inputsOfSet(members, { rules: { outcome: { favouriteRank: 1 } } }).map((inputs) => decideBet(inputs).code);
  };

  it('is the outcome of the highest mid price of the game', () => {
    expect(codes(['0.29x100', '0.31x100'], ['0.19x100', '0.21x100'], ['0.48x100', '0.5x100'])).toEqual([
      'not_matched:outcome',
      'not_matched:outcome',
      null,
    ]);
  });

  it('does not exist when two outcomes share the highest price', () => {
    const tied = codes(['0.39x100', '0.41x100'], ['0.18x100', '0.2x100'], ['0.38x100', '0.42x100']);
    expect(tied).toEqual(['not_matched:outcome', 'not_matched:outcome', 'not_matched:outcome']);
  });

  it('is not known without all books of the game', () => {
    expect(codes(['0.39x100', '0.41x100'], null, ['0.28x100', '0.3x100'])[0]).toBe('input_missing:books');
  });

  it('is one of two where the market has no set', () => {
    const rules = { outcome: { favouriteRank: 2 } } as const;
    const both = (['YES', 'NO'] as const).map((outcome) => decideBet(betInputs({ outcome, rules })).code);
    expect(both).toEqual([null, 'not_matched:outcome']);
  });
});
