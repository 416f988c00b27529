import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confirmedPayout,
  isPayout,
  NO_WON,
  type Payout,
  payoutFor,
  type ResolutionClaim,
  SPLIT,
  YES_WON,
} from '../../../src/core/market/lifecycle.js';
import { shares, usdc } from '../../support/builders.js';
import { runs } from '../../support/runs.js';

const final = (source: string, payout: Payout | null = YES_WON): ResolutionClaim => ({
  source,
  status: 'final',
  payout,
});

const aPayout = fc.constantFrom(YES_WON, NO_WON, SPLIT, null);
const aStatus = fc.constantFrom('proposed' as const, 'disputed' as const, 'final' as const);
const claimsOf = (...sources: string[]) =>
  fc.array(fc.record({ source: fc.constantFrom(...sources), status: aStatus, payout: aPayout }), { maxLength: 8 });

describe('A result', () => {
  it('is confirmed once two sources call the same payout final', () => {
    for (const payout of [YES_WON, NO_WON, SPLIT]) {
      expect(confirmedPayout([final('gamma', payout), final('chain', payout)])).toEqual(payout);
    }
    expect(confirmedPayout([final('gamma'), final('chain'), final('stream')])).toEqual(YES_WON);
  });

  it('is never confirmed by one source alone, however often it reports', () => {
    expect(confirmedPayout([])).toBeNull();
    expect(confirmedPayout([final('gamma'), final('gamma'), final('gamma')])).toBeNull();
    fc.assert(fc.property(claimsOf('gamma'), (claims) => confirmedPayout(claims) === null));
  });

  it('is not confirmed by proposals, or by missing or impossible payouts', () => {
    expect(confirmedPayout([final('gamma'), { ...final('chain'), status: 'proposed' }])).toBeNull();
    expect(confirmedPayout([final('gamma'), final('chain', null)])).toBeNull();
    const odd: Payout = [usdc('0.7'), usdc('0.4')];
    expect(confirmedPayout([final('gamma', odd), final('chain', odd)])).toBeNull();
  });

  it('is confirmed by one source where the venue has one authority', () => {
    expect(confirmedPayout([final('authority')], 1)).toEqual(YES_WON);
    expect(confirmedPayout([final('authority', null)], 1)).toBeNull();
  });

  it('is not confirmed while two sources disagree, even if others agree', () => {
    expect(confirmedPayout([final('gamma'), final('chain', NO_WON)])).toBeNull();
    expect(confirmedPayout([final('gamma'), final('chain'), final('stream', SPLIT)])).toBeNull();
  });

  it('is not confirmed while a source disputes it', () => {
    expect(confirmedPayout([final('gamma'), final('chain'), { ...final('oracle'), status: 'disputed' }])).toBeNull();
  });

  it('counts what a source said last', () => {
    expect(confirmedPayout([final('gamma', NO_WON), final('chain'), final('gamma')])).toEqual(YES_WON);
  });

  it('when confirmed, matches the last final claims of two or more sources', () => {
    const said = fc.property(claimsOf('gamma', 'chain', 'stream'), (claims) => {
      const payout = confirmedPayout(claims);
      if (payout === null) return;
      const last = new Map(
        claims.filter(({ status, payout }) => status === 'final' && payout).map((one) => [one.source, one]),
      );
      expect(last.size).toBeGreaterThan(1);
      expect([...last.values()].every((one) => one.payout?.[0] === payout[0])).toBe(true);
      expect(claims.some(({ status }) => status === 'disputed')).toBe(false);
    });
    fc.assert(said, { numRuns: runs(1_000) });
  });
});

describe('A payout', () => {
  it('is any two amounts that are 1 together, and nothing else', () => {
    expect([YES_WON, NO_WON, SPLIT, [370_000n, 630_000n] as const].every(isPayout)).toBe(true);
    expect(isPayout([0n, 0n])).toBe(false);
    expect(isPayout([1_000_000n, 1_000_000n])).toBe(false);
    expect(isPayout([400_000n, 500_000n])).toBe(false);
    expect(isPayout([-1_000_000n, 2_000_000n])).toBe(false);
  });

  it('of shares is rounded down to the micro-unit', () => {
    expect(payoutFor(shares('17.54'), usdc('1'))).toBe(usdc('17.54'));
    expect(payoutFor(shares('17.54'), usdc('0'))).toBe(0n);
    expect(payoutFor(shares('0.000003'), usdc('0.5'))).toBe(usdc('0.000001'));
  });
});
