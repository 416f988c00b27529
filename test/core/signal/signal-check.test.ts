import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ONE } from '../../../src/core/money.js';
import type { Probability } from '../../../src/core/signal/signal.js';
import { signalNamed } from '../../../src/core/signal/signal.js';
import { completed, expiryFaults, type Labels } from '../../../src/core/signal/signal-check.js';
import { NOON } from '../../support/builders.js';
import { runs } from '../../support/runs.js';
import { given, probability } from '../../support/signals.js';

const GAME: Labels = ['Bucks', 'Thunder'];
const now = new Date(NOON);
const DAY_MS = 86_400_000;

/** The two probabilities, or the words of what is wrong, each after the label that it means. */
function read(texts: Readonly<Record<string, string>>, labels = GAME) {
  const both = completed(given(texts), labels);
  if ('faults' in both) return both.faults.map(({ label, words }) => `${label ?? ''}: ${words}`);
  return [both.first, both.second];
}

describe('the probabilities of a market', () => {
  test('cover both outcomes in the order and spelling of the market', () => {
    const both = [
      { label: 'Bucks', probability: probability('0.57') },
      { label: 'Thunder', probability: probability('0.44') },
    ];
    expect(read({ Thunder: '0.44', Bucks: '0.57' })).toEqual(both);
    expect(read({ THUNDER: '0.44', bucks: '0.57' })).toEqual(both);
  });

  test('complete each other, whichever is given, to the millionth', () => {
    const share = fc.bigInt(1n, ONE - 1n).map((micro) => micro as Probability);
    fc.assert(
      fc.property(share, fc.constantFrom(...GAME), (micro, label) => {
        const both = completed(new Map([[label, micro]]), GAME);
        if ('faults' in both) throw new Error(JSON.stringify(both.faults));
        expect(both.first.probability + both.second.probability).toBe(ONE);
        expect([both.first, both.second]).toContainEqual({ label, probability: micro });
      }),
      { numRuns: runs(200) },
    );
  });

  test('add up to 0.98 to 1.02, both included', () => {
    for (const second of ['0.41', '0.45']) expect(read({ Bucks: '0.57', Thunder: second })).toHaveLength(2);
    expect(read({ Bucks: '0.57', Thunder: '0.409999' })).toEqual([
      ': must add up to 0.98 to 1.02; they add up to 0.979999',
    ]);
    expect(read({ Bucks: '0.57', Thunder: '0.450001' })).toEqual([
      ': must add up to 0.98 to 1.02; they add up to 1.020001',
    ]);
  });

  test('lie between 0 and 1, both excluded', () => {
    for (const text of ['0', '1', '1.5']) expect(read({ Bucks: text })).toEqual(['Bucks: must be above 0 and below 1']);
    for (const text of ['0.000001', '0.999999']) expect(read({ Bucks: text })).toHaveLength(2);
  });

  test('are refused for an unknown outcome, with the known ones listed', () => {
    const words = 'is no outcome of this market: its outcomes are Bucks and Thunder';
    expect(read({ Buck: '0.5' })).toEqual([`Buck: ${words}`]);
    expect(read({ YES: '0.5', Bucks: '0.5' })).toEqual([`YES: ${words}`]);
    expect(read({})).toEqual([': must name an outcome of this market: its outcomes are Bucks and Thunder']);
  });

  test('are refused for an outcome that is named twice', () => {
    expect(read({ Bucks: '0.5', BUCKS: '0.5' })).toEqual(['BUCKS: names Bucks a second time']);
  });

  test('are never guessed where a label could mean either outcome', () => {
    const alike: Labels = ['Over', 'OVER'];
    expect(read({ Over: '0.6' }, alike)).toEqual([
      { label: 'Over', probability: probability('0.6') },
      { label: 'OVER', probability: probability('0.4') },
    ]);
    expect(read({ over: '0.6' }, alike)).toEqual([expect.stringContaining('over: is no outcome')]);
    expect(read({ Draw: '0.6' }, ['Draw', 'Draw'])).toEqual([expect.stringContaining('Draw: is no outcome')]);
  });
});

describe('a signal', () => {
  test('expires in the future, at most 30 days ahead', () => {
    const faults = (ms: number) => expiryFaults(new Date(now.getTime() + ms), now).map(({ words }) => words);
    expect([faults(1), faults(30 * DAY_MS)]).toEqual([[], []]);
    expect(faults(0)).toEqual([`must be later than the time of the markets, which is ${NOON}`]);
    expect(faults(-DAY_MS)).toHaveLength(1);
    expect(faults(30 * DAY_MS + 1)).toEqual([
      `must be at most 30 days after the time of the markets, which is ${NOON}`,
    ]);
  });

  test('has a name of 1 to 64 letters, digits and _.-', () => {
    for (const name of ['a', 'elo-2.1_b', 'x'.repeat(64)]) expect(signalNamed(name)).toBe(name);
    for (const name of ['', 'x'.repeat(65), 'a b', 'a/b', 'é', 'a\n', 'a:b']) expect(signalNamed(name)).toBeUndefined();
  });
});
