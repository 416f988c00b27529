import { describe, expect, it } from 'vitest';
import { uuidV7 } from '../../src/adapters/system/system.js';
import type { ApiKey } from '../../src/core/access/api-key.js';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import type { AccountId, StrategyId } from '../../src/core/ids.js';
import { completeRules } from '../../src/core/strategy/rules/complete-rules.js';
import { TooManyAutomated } from '../../src/core/strategy/rules/strategy-refusals.js';
import { changeStrategy, type Strategy } from '../../src/core/strategy/strategy.js';
import { ChangeStrategy } from '../../src/core/usecases/strategies/change-strategy.js';
import { CreateStrategy } from '../../src/core/usecases/strategies/create-strategy.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, aDraft, aStrategy, BOB, clockAt, NOON } from '../support/builders.js';
import { EVERYTHING } from '../support/grown-rules.js';

const aKey = (id: string, account = ALICE): ApiKey => ({
  id,
  account,
  scopes: AUTH_SCOPES,
  digest: id,
  createdAt: new Date(NOON),
  expiresAt: null,
  revokedAt: null,
});

export function ledgerStrategies(open: () => Ledger & KeyStore): void {
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

  describe('the automation of a strategy', () => {
    const at = new Date('2026-03-02T12:00:00.000Z');
    const live = (automationKey: string, changes: Partial<Strategy> = {}) =>
      aStrategy({ automation: 'auto', automationPaper: false, automationKey, ...changes });

    it('comes back as it was stored', async () => {
      const ledger = open();
      const strategy = live('key1');
      await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
      expect(await ledger.findStrategy(ALICE, strategy.id)).toEqual(strategy);
      expect(await ledger.listVersions(ALICE, strategy.id, { limit: 1 })).toEqual([strategy]);
    });

    it("is limited to the account's maximum, however many ask at once", async () => {
      const ledger = open();
      const clock = clockAt(NOON);
      const [create, change] = [
        new CreateStrategy(ledger, clock, uuidV7, 3),
        new ChangeStrategy(ledger, { clock, wallClock: clock, ids: uuidV7 }, 3),
      ];
      const draft = aDraft({ automation: 'auto', rules: EVERYTHING, sport: 'soccer' });
      const make = (account: AccountId) => create.execute({ account, draft, idempotencyKey: null });
      const rules = completeRules(EVERYTHING, 'soccer');
      const off = Array.from({ length: 6 }, () => aStrategy({ rules }));
      const gone = aStrategy({ automation: 'auto', archivedAt: new Date(NOON) });
      await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [...off, gone] }));
      const patch = (strategyId: StrategyId) =>
        change.execute({
          account: ALICE,
          strategyId,
          patch: { automation: 'approve' },
          precondition: null,
          route: 'strategies.change',
          idempotencyKey: null,
        });
      const asked = off.flatMap(({ id }) => [patch(id), make(ALICE)]);
      const answers = await Promise.allSettled([...asked, make(BOB)]);
      const refusals = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect([refusals.length, refusals.every((why) => why instanceof TooManyAutomated)]).toEqual([9, true]);
      const found = await ledger.listAutomated(null, { limit: 100 });
      expect(found.map(({ account }) => account).sort()).toEqual([ALICE, ALICE, ALICE, BOB]);
    });

    it('returns to paper in the write that revokes its key', async () => {
      const ledger = open();
      const [one, two] = [live('key1'), live('key1', { version: 4 })];
      const [other, bobs] = [live('key2'), live('key1', { account: BOB })];
      const gone = live('key1', { archivedAt: new Date(NOON) });
      await ledger.write({ account: ALICE }, () => ({
        result: null,
        strategies: [one, two, other, gone],
        keys: [aKey('key1'), aKey('key2')],
      }));
      await ledger.write({ account: BOB }, () => ({ result: null, strategies: [bobs] }));
      await ledger.revokeKey('key1', at);
      for (const was of [one, two])
        expect(await ledger.findStrategy(ALICE, was.id)).toEqual({
          ...was,
          version: was.version + 1,
          automationPaper: true,
          automationKey: null,
          updatedAt: at,
        });
      expect(await ledger.findStrategy(ALICE, other.id)).toEqual(other);
      expect(await ledger.findStrategy(BOB, bobs.id)).toEqual(bobs);
      expect(await ledger.listVersions(ALICE, gone.id, { limit: 9 })).toEqual([gone]);
      const log = await ledger.log.list(ALICE, {}, { limit: 100 });
      expect(log.slice(-3).map(({ type }) => type)).toEqual(['strategy.changed', 'strategy.changed', 'key.revoked']);
      await ledger.revokeKey('key1', at);
      expect((await ledger.findStrategy(ALICE, one.id))?.version).toBe(2);
    });

    it('never stays live when its key is revoked at the very time', async () => {
      const ledger = open();
      const clock = clockAt(NOON);
      for (let i = 0; i < 10; i += 1) {
        const [strategy, key] = [aStrategy({ rules: completeRules({ ...EVERYTHING }, 'soccer') }), aKey(`race${i}`)];
        await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy], keys: [key] }));
        const change = new ChangeStrategy(ledger, { clock, wallClock: clock, ids: uuidV7 }).execute({
          account: ALICE,
          strategyId: strategy.id,
          patch: { automation: 'auto', automationPaper: false },
          by: { keyId: key.id },
          precondition: null,
          route: 'strategies.change',
          idempotencyKey: null,
        });
        await Promise.allSettled(
          i % 2 === 0 ? [change, ledger.revokeKey(key.id, at)] : [ledger.revokeKey(key.id, at), change],
        );
        expect(await ledger.findStrategy(ALICE, strategy.id)).toMatchObject({
          automationPaper: true,
          automationKey: null,
        });
      }
    });
  });
}
