import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPosition, type Position } from '../../../src/core/account/position.js';
import type { MarketId } from '../../../src/core/ids.js';
import { NO_LIMITS } from '../../../src/core/limits/limits.js';
import { HeldRisks, NO_GROUP, NOTHING_WORKING, type RiskGroup } from '../../../src/core/limits/risk.js';
import { NO_VENUE, OUTCOME_SIDES } from '../../../src/core/market/market.js';
import type { Price, Shares, Usdc } from '../../../src/core/money.js';
import { mostCost } from '../../../src/core/order/order.js';
import { lossesLeft, overLosses } from '../../../src/core/posting/account-limits.js';
import { ALICE, anOrderDraft, History } from '../../support/builders.js';
import { runs } from '../../support/runs.js';

const dollars = (most: number) => fc.nat({ max: most * 1_000_000 }).map((n) => BigInt(n) as Usdc);
const place = { market: fc.nat({ max: 4 }), outcome: fc.constantFrom(...OUTCOME_SIDES) };
const holding = fc.record({ ...place, shares: dollars(60), cost: dollars(30), lost: dollars(9), split: dollars(4) });
const someLimit = fc.option(dollars(70), { nil: null });
const someLimits = fc.record({
  marketLossUsdc: someLimit,
  eventLossUsdc: someLimit,
  leagueLossUsdc: someLimit,
  sportLossUsdc: someLimit,
  exposureUsdc: someLimit,
});
const someSize = fc.integer({ min: 10_000, max: 50_000_000 }).map((n) => BigInt(n) as Usdc);
const somePurchase = fc.record({ ...place, cents: fc.integer({ min: 1, max: 99 }), size: someSize });

/** Three markets of a game, of which one wins; another of the same event; one of another event of the same sport. */
function groupOf(market: number): RiskGroup {
  const event = market < 4 ? 'e' : 'other';
  return { ...NO_GROUP, event, exclusiveSet: market < 3 ? 'game' : null, sport: 'soccer', league: event };
}

const keyOf = ({ market, outcome }: { readonly market: number; readonly outcome: 'YES' | 'NO' }) => {
  const marketId = `m${market}` as MarketId;
  return { account: ALICE, paper: true, venue: NO_VENUE, marketId, outcome, strategyId: null };
};

describe('What the limits of worst cases leave', () => {
  it('is exactly what a passing order may take, even when hedging', () => {
    const seen = { passed: 0, refused: 0, hedged: 0 };
    const story = fc.record({ held: fc.array(holding, { maxLength: 8 }), limits: someLimits, bet: somePurchase });
    fc.assert(
      fc.property(story, ({ held, limits: some, bet }) => {
        const limits = { ...NO_LIMITS, ...some };
        const group = groupOf(bet.market);
        const positions = held.map(({ market, outcome, shares, cost, lost, split }): Position => {
          const risk = { group: groupOf(market), working: { ...NOTHING_WORKING, orders: 1, lost, split } };
          return { ...emptyPosition(keyOf({ market, outcome })), shares: shares as bigint as Shares, cost, risk };
        });
        const facts = { limits, group, risks: new HeldRisks(positions) };
        const { marketId, outcome } = keyOf(bet);
        const price = (BigInt(bet.cents) * 10_000n) as Price;
        const order = new History(anOrderDraft({ marketId, outcome, price, size: bet.size })).order;
        const most = mostCost(order.intent);
        const lost = (pays: bigint) => most - (order.intent.shares * pays) / 2n;
        const fits = lossesLeft(keyOf(bet), facts).every(
          ({ left, ifSplit, ifWon }) =>
            lost(0n) <= (left as Usdc) && lost(1n) <= (ifSplit as Usdc) && lost(2n) <= (ifWon as Usdc),
        );
        const passes = overLosses(order, facts, 'The account') === null;
        expect(passes).toBe(fits);
        const { exposure } = facts.risks.losses;
        seen[passes ? 'passed' : 'refused'] += 1;
        if (passes && limits.exposureUsdc !== null && exposure > limits.exposureUsdc) seen.hedged += 1;
      }),
      { numRuns: runs(1000) },
    );
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(20);
  });
});
