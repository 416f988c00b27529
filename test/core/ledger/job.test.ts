import { describe, expect, it } from 'vitest';
import { isOutstanding } from '../../../src/core/ledger/decision.js';
import { anOrderDraft, History } from '../../support/builders.js';
import { STATES } from '../../support/life-samples.js';

const { intent } = new History().order;
const immediate = (['FOK', 'FAK'] as const).map(
  (timeInForce) => new History(anOrderDraft({ timeInForce })).order.intent,
);

describe('An order that was sent', () => {
  it('is queried until it is known to rest or have ended', () => {
    const looked = STATES.filter((state) => isOutstanding({ state, intent }));
    expect(looked).toEqual(['submitting', 'unknown', 'delayed']);
  });

  it.each(immediate)('and never rests is queried until it ends, even if recorded open', (one) => {
    const looked = STATES.filter((state) => isOutstanding({ state, intent: one }));
    expect(looked).toEqual(['submitting', 'unknown', 'delayed', 'open', 'cancel_pending']);
  });
});
