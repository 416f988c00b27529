import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../../src/core/access/api-key.js';
import { AUTH_SCOPES, type Principal } from '../../../../src/core/access/principal.js';
import { type LiveGrant, liveGrantOf, NO_GRANT } from '../../../../src/core/access/session.js';
import { RulesInvalid } from '../../../../src/core/errors.js';
import { LiveAutomationRefused, ScopeMissing } from '../../../../src/core/strategy/rules/strategy-refusals.js';
import { automationIsLive } from '../../../../src/core/strategy/rules/trading-rules.js';
import {
  changeStrategy,
  completeDraft,
  createStrategy,
  type StrategyPatch,
} from '../../../../src/core/strategy/strategy.js';
import { ALICE, aDraft, aStrategy, BOB, NOON, newStrategyId, usdc } from '../../../support/builders.js';

const LATER = new Date('2026-03-01T13:00:00.000Z');
const GRANT = { keyId: 'key1' };
const rules = { ...aDraft().rules, outcome: { role: 'home' } } as const;
const made = (draft: Parameters<typeof aDraft>[0], by: LiveGrant = NO_GRANT) =>
  createStrategy(newStrategyId(), ALICE, aDraft({ rules, ...draft }), new Date(NOON), by);

describe('Automation', () => {
  it('is off, and on paper, unless somebody asks for more', () => {
    expect(made({})).toMatchObject({ automation: 'off', automationPaper: true, automationKey: null });
    expect(made({ automation: 'approve' })).toMatchObject({ automation: 'approve', automationPaper: true });
  });

  it('leaves the meaning of a draft without it unchanged', () => {
    expect(completeDraft(aDraft({ automation: 'off', automationPaper: true }))).toEqual(completeDraft(aDraft()));
    expect(Object.keys(completeDraft(aDraft()))).not.toContain('automation');
    expect(completeDraft(aDraft({ rules, automation: 'auto' }))).toMatchObject({ automation: 'auto' });
  });

  it('needs an outcome, whether it or the rules come first', () => {
    const fault = (act: () => unknown) => expect(act).toThrow(RulesInvalid);
    fault(() => made({ rules: aDraft().rules, automation: 'auto' }));
    fault(() => changeStrategy(aStrategy(), { automation: 'approve' }, LATER));
    const automated = made({ automation: 'auto' });
    fault(() => changeStrategy(automated, { rules: aDraft().rules }, LATER));
    expect(changeStrategy(automated, { rules: aDraft().rules, automation: 'off' }, LATER).version).toBe(2);
    expect(changeStrategy(aStrategy(), { rules, automation: 'auto' }, LATER).automation).toBe('auto');
  });

  it('is a part of the version', () => {
    const automated = made({ automation: 'auto' });
    expect(changeStrategy(automated, { automation: 'auto', automationPaper: true }, LATER)).toBe(automated);
    const live = changeStrategy(automated, { automationPaper: false }, LATER, GRANT);
    expect(live).toMatchObject({ version: 2, automationPaper: false, automationKey: 'key1' });
    expect(changeStrategy(live, { automationPaper: false }, LATER, GRANT)).toBe(live);
    const rotated = changeStrategy(live, { automationPaper: false }, LATER, { keyId: 'key2' });
    expect(rotated).toMatchObject({ version: 3, automationKey: 'key2' });
    expect(changeStrategy(rotated, { automationPaper: true }, LATER)).toMatchObject({
      version: 4,
      automationKey: null,
    });
  });
});

describe('Automation with real money', () => {
  it('is refused without an API key of that scope', () => {
    const asked = { automation: 'auto', automationPaper: false } as const;
    expect(() => made(asked, { keyId: null, lacksScope: true })).toThrow(ScopeMissing);
    expect(() => made(asked)).toThrow(LiveAutomationRefused);
    expect(() => changeStrategy(aStrategy(), { automationPaper: false }, LATER)).toThrow(LiveAutomationRefused);
    expect(made(asked, GRANT)).toMatchObject({ automationKey: 'key1' });
  });

  it.each<[string, StrategyPatch]>([
    ['its rules', { rules: { ...rules, filter: { minOdds: 2_000_000n } } }],
    ['its stake cap', { stakeCap: usdc('60') }],
    ['its bankroll cap', { bankrollCap: usdc('1000') }],
    ['its automation', { automation: 'auto' }],
  ])('keeps %s from everybody without such a key', (_, patch) => {
    const live = made({ automation: 'approve', automationPaper: false, paperOnly: false }, GRANT);
    expect(() => changeStrategy(live, patch, LATER, { keyId: null, lacksScope: true })).toThrow(ScopeMissing);
    expect(changeStrategy(live, patch, LATER, { keyId: 'key2' })).toMatchObject({ version: 2, automationKey: 'key1' });
    const stopped = { ...live, isPaused: true };
    expect(changeStrategy(stopped, patch, LATER).version).toBe(2);
    expect(() => changeStrategy(stopped, { isPaused: false }, LATER)).toThrow(LiveAutomationRefused);
  });

  it('lets anybody who may change strategies stop it, or name it', () => {
    const live = made({ automation: 'auto', automationPaper: false, paperOnly: false }, GRANT);
    const stops = [{ isPaused: true }, { paperOnly: true }, { automation: 'off' }, { automationPaper: true }] as const;
    for (const patch of [...stops, { name: 'Other' }]) expect(changeStrategy(live, patch, LATER).version).toBe(2);
  });

  const key: ApiKey = {
    id: 'key1',
    account: ALICE,
    scopes: ['strategies:write', 'orders:live'],
    digest: '',
    createdAt: new Date(NOON),
    expiresAt: null,
    revokedAt: null,
  };

  it('lasts as long as its key does', () => {
    const live = made({ automation: 'auto', automationPaper: false }, GRANT);
    expect(automationIsLive(live, key, LATER)).toBe(true);
    expect(automationIsLive(live, { ...key, expiresAt: LATER }, new Date(LATER.getTime() - 1))).toBe(true);
    for (const gone of [
      undefined,
      { ...key, revokedAt: new Date(NOON) },
      { ...key, expiresAt: LATER },
      { ...key, scopes: ['strategies:write'] as const },
      { ...key, account: BOB },
      { ...key, id: 'key2' },
    ])
      expect(automationIsLive(live, gone, LATER)).toBe(false);
    for (const changes of [{ automation: 'off' }, { automationPaper: true }, { automationKey: null }] as const)
      expect(automationIsLive({ ...live, ...changes }, key, LATER)).toBe(false);
  });

  it('is granted by keys alone, not by tokens or development users', () => {
    const principal = (kind: Principal['kind'], scopes: Principal['scopes'] = new Set(AUTH_SCOPES)) =>
      liveGrantOf({ account: ALICE, credential: 'key1', kind, scopes });
    expect(principal('key')).toEqual({ keyId: 'key1' });
    for (const kind of ['dev', 'jwt'] as const) expect(principal(kind)).toEqual({ keyId: null, lacksScope: false });
    expect(principal('key', new Set(['strategies:write']))).toEqual({ keyId: null, lacksScope: true });
  });
});
