import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ONE, type Price } from '../../../src/core/money.js';
import type { Probability, Signal } from '../../../src/core/signal/signal.js';
import { type SignalUse, unusableSet, usableProbability } from '../../../src/core/signal/signal-check.js';
import { NOON, price } from '../../support/builders.js';
import { runs } from '../../support/runs.js';
import { AT_ONE, aSignal, probability } from '../../support/signals.js';

const now = new Date(NOON);
const use = (changes: Partial<SignalUse> = {}): SignalUse => ({
  signal: aSignal(),
  label: 'Bucks',
  mid: price('0.5'),
  now,
  ...changes,
});

const saying = (text: string, changes: Partial<Signal> = {}) =>
  aSignal({ first: { label: 'Bucks', probability: probability(text) }, ...changes });

describe('the probability to decide with', () => {
  test('is that of the outcome that is named', () => {
    expect(usableProbability(use())).toEqual({ probability: probability('0.57') });
    expect(usableProbability(use({ label: 'Thunder' }))).toEqual({ probability: probability('0.43') });
  });

  test('is missing where the model has none for the market or outcome', () => {
    for (const changes of [{ signal: undefined }, { label: 'bucks' }, { label: 'Lakers' }])
      expect(usableProbability(use(changes))).toMatchObject({ code: 'input_missing:probability' });
  });

  test('is not taken from a signal at or after its expiry', () => {
    const before = new Date(AT_ONE.getTime() - 1);
    expect(usableProbability(use({ now: before }))).toHaveProperty('probability');
    for (const late of [AT_ONE, new Date(AT_ONE.getTime() + 1)]) {
      expect(usableProbability(use({ now: late }))).toEqual({
        code: 'signal_expired',
        detail: 'expired=2026-03-01T13:00:00.000Z',
      });
    }
  });

  test('is not known to be plausible where the market has no middle', () => {
    expect(usableProbability(use({ mid: null }))).toMatchObject({ code: 'input_missing:mid' });
  });

  test('is implausible from 0.25 off the mid price on either side', () => {
    const judged = (text: string) => usableProbability(use({ signal: saying(text) }));
    expect(judged('0.749999')).toEqual({ probability: probability('0.749999') });
    expect(judged('0.250001')).toEqual({ probability: probability('0.250001') });
    expect(judged('0.75')).toEqual({
      code: 'implausible_signal',
      detail: 'probability=0.75, mid=0.5, bound=0.25',
    });
    expect(judged('0.25')).toMatchObject({ code: 'implausible_signal' });
  });

  test('is plausible for both outcomes or for neither', () => {
    const share = fc.bigInt(1n, ONE - 1n);
    fc.assert(
      fc.property(share, share, (first, middle) => {
        const signal = aSignal({
          first: { label: 'Bucks', probability: first as Probability },
          second: { label: 'Thunder', probability: (ONE - first) as Probability },
        });
        const of = (label: string, mid: bigint) =>
          'code' in usableProbability(use({ signal, label, mid: mid as Price }));
        expect(of('Bucks', middle)).toBe(of('Thunder', ONE - middle));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('the signals of markets of which one comes true', () => {
  const set = (...texts: (string | undefined)[]) =>
    texts.map((text) => (text === undefined ? undefined : saying(text)));

  test('add up to 0.98 to 1.02', () => {
    for (const last of ['0.18', '0.2', '0.22']) expect(unusableSet(set('0.5', '0.3', last), now)).toBeNull();
    for (const last of ['0.179999', '0.220001'])
      expect(unusableSet(set('0.5', '0.3', last), now)).toMatchObject({ code: 'implausible_signal' });
    expect(unusableSet(set('0.5', '0.3', '0.4'), now)?.detail).toBe('sum=1.2, bounds=0.98 to 1.02');
  });

  test('may be incomplete if their sum does not exceed the upper bound', () => {
    expect(unusableSet(set('0.5', undefined, '0.2'), now)).toBeNull();
    expect(unusableSet(set('0.9', '0.2', undefined), now)).toMatchObject({ code: 'implausible_signal' });
    expect(unusableSet(set(undefined, undefined), now)).toBeNull();
  });

  test('are not there once they have expired', () => {
    const late = saying('0.5', { expiresAt: now });
    expect(unusableSet([late, ...set('0.3', '0.2')], now)).toBeNull();
    expect(unusableSet([late, ...set('0.8', '0.2')], now)).toBeNull();
  });
});
