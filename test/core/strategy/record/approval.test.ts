import { describe, expect, it } from 'vitest';
import type { MarketId } from '../../../../src/core/ids.js';
import {
  type Approval,
  type ApprovalState,
  approvalAt,
  expiryOf,
  heldSlot,
  whyNotAsked,
} from '../../../../src/core/strategy/record/approval.js';
import { driftPermitted } from '../../../../src/core/strategy/record/decide-approved.js';
import { whyEndedEarly } from '../../../../src/core/strategy/record/ended-early.js';
import { completeRules } from '../../../../src/core/strategy/rules/complete-rules.js';
import { aStrategy, price } from '../../../support/builders.js';
import { aBet, anApproval } from '../../../support/builders-of-bets.js';
import { inMs, NOW } from '../decide/view.js';

const MINUTE = 60_000;
const NO_WINDOW = { fromMs: null, toMs: null };

describe('A bet that waits for a person', () => {
  it.each<[string, number, Omit<Parameters<typeof expiryOf>[0], 'order'>, number | null, number?]>([
    ['10 minutes', 10, { window: NO_WINDOW, phase: 'pre' }, null],
    ['10 minutes', 10, { window: { fromMs: null, toMs: -5 * MINUTE }, phase: 'pre' }, 60],
    ['until its window ends', 3, { window: { fromMs: null, toMs: -5 * MINUTE }, phase: 'pre' }, 8],
    ['until the game starts', 8, { window: NO_WINDOW, phase: 'pre' }, 8],
    ['on through the start where it may bet in play', 10, { window: NO_WINDOW, phase: 'any' }, 8],
    ['as long as its rules say', 120, { window: NO_WINDOW, phase: 'pre' }, null, 120],
    ['no longer than until the start, whatever its rules say', 8, { window: NO_WINDOW, phase: 'pre' }, 8, 120],
  ])('waits %s', (_, minutes, rules, startsIn, within) => {
    const order = { approveWithinMs: within === undefined ? null : within * MINUTE };
    const startsAt = startsIn === null ? null : inMs(startsIn * MINUTE);
    expect(expiryOf({ ...rules, order }, { startsAt }, NOW)).toEqual(inMs(minutes * MINUTE));
  });

  it.each(['paper', 'real'])('ends early without its key only with real money: %s', (money) => {
    const strategy = aStrategy({ automation: 'approve', automationPaper: money === 'paper', automationKey: 'gone' });
    const why = whyEndedEarly(
      { paper: money === 'paper' },
      { strategy, market: undefined, key: undefined },
      { at: NOW, wall: NOW },
    );
    expect(why).toBe(money === 'paper' ? null : 'automation_key_revoked');
  });

  it('has expired from its end on, and then holds nothing', () => {
    const waiting = anApproval({ expiresAt: inMs(1) });
    expect(approvalAt(waiting, NOW)).toBe(waiting);
    expect(heldSlot(waiting, NOW)).toMatchObject({ outcome: 'YES', eventId: '77', day: '2026-12-05' });
    expect(approvalAt(waiting, inMs(1))).toEqual({ ...waiting, state: 'expired' });
    expect(heldSlot(waiting, inMs(1))).toBeNull();
    const approved = anApproval({ state: 'approved', expiresAt: NOW });
    expect(approvalAt(approved, inMs(1))).toBe(approved);
  });
});

describe('The same bet', () => {
  const seen = (ask: string, minutes = 0) =>
    aBet({ at: inMs(minutes * MINUTE), inputs: { best_ask: ask }, probability: 600_000n });
  const earlier = (state: ApprovalState, changes: Partial<Approval> = {}) => [
    anApproval({ state, decision: seen('0.5'), decidedAt: NOW, expiresAt: inMs(MINUTE), ...changes }),
  ];

  it('is not asked for twice at a time', () => {
    expect(whyNotAsked(earlier('waiting'), seen('0.4'))).toBe('approval_waiting');
    expect(whyNotAsked(earlier('waiting'), aBet({ token: 'NO', at: NOW }))).toBeNull();
    expect(whyNotAsked(earlier('waiting'), aBet({ marketId: 'other' as MarketId, at: NOW }))).toBeNull();
    expect(whyNotAsked([], seen('0.5'))).toBeNull();
  });

  it.each<ApprovalState>(['rejected', 'refused', 'expired'])('is not asked for again once it was %s', (state) => {
    expect(whyNotAsked(earlier(state), seen('0.5', 30))).toBe('benched');
    expect(whyNotAsked(earlier(state), seen('0.509999', 30))).toBe('benched');
  });

  it('is benched by an unanswered one whose expiry is not on record', () => {
    expect(whyNotAsked(earlier('waiting', { decidedAt: null }), seen('0.5', 1))).toBe('benched');
  });

  it('is asked again at another price, probability or version, or after 4h', () => {
    expect(whyNotAsked(earlier('rejected'), seen('0.51'))).toBeNull();
    expect(whyNotAsked(earlier('rejected'), seen('0.49'))).toBeNull();
    expect(whyNotAsked(earlier('rejected'), { ...seen('0.5'), probability: 610_000n })).toBeNull();
    expect(whyNotAsked(earlier('rejected'), { ...seen('0.5'), strategyVersion: 4 })).toBeNull();
    expect(whyNotAsked(earlier('rejected'), seen('0.5', 239))).toBe('benched');
    expect(whyNotAsked(earlier('rejected'), seen('0.5', 240))).toBeNull();
  });

  it('is asked again once the price left and came back after rejection', () => {
    expect(whyNotAsked(earlier('rejected'), seen('0.5', 30), inMs(1))).toBeNull();
    expect(whyNotAsked(earlier('rejected'), seen('0.5', 30), inMs(-1))).toBe('benched');
  });

  it('is not benched by one that was approved: its slot is', () => {
    expect(whyNotAsked(earlier('approved'), seen('0.5'))).toBeNull();
  });
});

it.each<[string, bigint | null, bigint | null | undefined]>([
  ['by 0.02 where the rules say nothing', price('0.02'), undefined],
  ['as far as max_drift says', price('0.05'), price('0.05')],
  ['by anything where max_drift is null', null, null],
])('An approved bet may drift %s', (_, most, maxDrift) => {
  const filter = maxDrift === undefined ? {} : { maxDrift: maxDrift as never };
  const rules = completeRules({ match: {}, filter, sizing: { method: 'flat', value: 1n } }, 'soccer');
  expect(driftPermitted(rules)).toBe(most);
});
