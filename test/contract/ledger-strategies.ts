import { describe, expect, it } from 'vitest';
import { completeRules } from '../../src/core/strategy/complete-rules.js';
import { changeStrategy } from '../../src/core/strategy/strategy.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, aStrategy, NOON } from '../support/builders.js';
import { EVERYTHING } from '../support/grown-rules.js';

export function ledgerStrategies(open: () => Ledger): void {
  describe('the rules of a strategy', () => {
    it('come back with every member, to the micro-unit, in every version', async () => {
      const ledger = open();
      const first = aStrategy({ rules: completeRules(EVERYTHING, 'soccer') });
      const stop = { ...EVERYTHING, exit: { stop: { loss: 999_999n } }, outcome: { favouriteRank: 2 } };
      const second = changeStrategy(first, { rules: stop }, new Date(NOON));
      for (const strategy of [first, second])
        await ledger.write({ account: ALICE, strategies: [first.id] }, () => ({
          result: null,
          strategies: [strategy],
        }));
      expect(await ledger.findStrategy(ALICE, first.id)).toEqual(second);
      expect(await ledger.listVersions(ALICE, first.id, { limit: 2 })).toEqual([second, first]);
      const seen = await ledger.read({ account: ALICE, strategies: [first.id] }, (now) => now.strategy(first.id));
      expect(seen).toEqual(second);
    });
  });
}
