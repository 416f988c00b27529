import { describe, expect, it } from 'vitest';
import type { Price } from '../../../../src/core/money.js';
import { decideApproved } from '../../../../src/core/strategy/record/decide-approved.js';
import type { Strategy } from '../../../../src/core/strategy/strategy.js';
import { aStrategy, price, usdc } from '../../../support/builders.js';
import { aBet } from '../../../support/builders-of-bets.js';
import { aBook, betInputs, decided, type InputChanges, inMs } from '../decide/view.js';

const asked = () => {
  const { account, id, orderId, approvalId } = aBet();
  return { ...decided(), account, id, orderId, approvalId };
};
const again = (asks: string, changes: InputChanges = {}, strategy: Partial<Strategy> = {}) => {
  const version = aStrategy({ automation: 'approve', ...strategy });
  const inputs = betInputs({ book: aBook('0.48x100', asks), ...changes });
  return decideApproved({ decision: asked(), paper: true }, version, inputs);
};
const drifting = (maxDrift: Price | null) => {
  const { rules } = aStrategy();
  return { rules: { ...rules, filter: { ...rules.filter, maxDrift } } };
};

describe('A bet that a person approved', () => {
  it('is decided again, at the prices of now', () => {
    expect(again('0.51x100')).toMatchObject({ verdict: 'bet', price: price('0.51') });
    expect(again('0.49x100')).toMatchObject({ verdict: 'bet', price: price('0.49') });
  });

  it('is refused once its best offer is worse beyond the permitted drift', () => {
    expect(again('0.52x100')).toMatchObject({ verdict: 'bet' });
    const refused = again('0.520001x100');
    expect(refused).toMatchObject({ verdict: 'skip', code: 'price_drifted', price: null, slot: null });
    const drift = { rule: 'approval/max_drift', value: '0.020001', bound: '0.02', passed: false };
    expect(refused.rules[0]).toEqual(drift);
  });

  it('may improve without limit, and also worsen where drift is unbounded', () => {
    const better = again('0.49x100', { book: aBook('0.2x100', '0.3x100') });
    expect([better.verdict, better.rules[0]]).toEqual([
      'bet',
      { rule: 'approval/max_drift', value: '0', bound: '0.02', passed: true },
    ]);
    expect(again('0.9x100', {}, drifting(null))).toMatchObject({ verdict: 'bet' });
  });

  it('drifts as far as max_drift says', () => {
    expect(again('0.51x100', {}, drifting(price('0.005')))).toMatchObject({ code: 'price_drifted' });
    expect(again('0.54x100', {}, drifting(price('0.04')))).toMatchObject({ verdict: 'bet' });
  });

  it.each<Partial<Strategy>>([{ automation: 'off' }, { automationPaper: false }, { archivedAt: inMs(0) }])(
    'is refused where the strategy is %j by now',
    (strategy) => {
      expect(again('0.5x100', {}, strategy)).toMatchObject({ verdict: 'skip', code: 'automation_changed' });
    },
  );

  it('is refused by any rule that is not true any more', () => {
    expect(again('0.5x100', { rules: { filter: { minOdds: 2_100_000n } } })).toMatchObject({
      code: 'odds_out_of_range',
    });
    expect(
      again('0.5x100', { rules: { filter: { maxDrift: price('0.01') } }, firstPrice: price('0.3') }),
    ).toMatchObject({
      code: 'input_missing:first_price',
    });
  });

  it('takes no more money than was approved, though more is possible', () => {
    const larger = { rules: { sizing: { method: 'flat' as const, value: usdc('40') } } };
    expect(again('0.5x1000', larger)).toMatchObject({ verdict: 'bet', cost: usdc('10'), boundBy: 'approved' });
    const smaller = { rules: { sizing: { method: 'flat' as const, value: usdc('5') } } };
    expect(again('0.5x1000', smaller)).toMatchObject({ verdict: 'bet', cost: usdc('5'), boundBy: 'method' });
  });
});
