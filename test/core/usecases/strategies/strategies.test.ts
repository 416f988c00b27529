import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { IdempotencyKeyReused, RulesInvalid, StrategyNotFound, VersionMismatch } from '../../../../src/core/errors.js';
import type { AccountId, StrategyId } from '../../../../src/core/ids.js';
import { TooManyAutomated, TooManyVersions } from '../../../../src/core/strategy/rules/strategy-refusals.js';
import type { StrategyDraft } from '../../../../src/core/strategy/strategy.js';
import {
  ChangeStrategy,
  type ChangeStrategyCommand,
} from '../../../../src/core/usecases/strategies/change-strategy.js';
import { CreateStrategy } from '../../../../src/core/usecases/strategies/create-strategy.js';
import {
  ALICE,
  aDraft,
  anOrderContext,
  BOB,
  clockAt,
  countingIds,
  NOON,
  newStrategyId,
  usdc,
} from '../../../support/builders.js';
import { HOME } from '../../../support/strategy-fixture.js';
import { trading } from '../../../support/trading.js';

function fixture() {
  const clock = clockAt(NOON);
  const trader = trading(new MemoryLedger(), { context: anOrderContext({ clock }) });
  const create = (
    draft: Partial<StrategyDraft> = {},
    idempotencyKey: string | null = null,
    account: AccountId = ALICE,
  ) => trader.createStrategy.execute({ account, draft: aDraft(draft), idempotencyKey });
  const change = (strategyId: StrategyId, changes: Partial<ChangeStrategyCommand> = {}) =>
    trader.changeStrategy.execute({
      account: ALICE,
      strategyId,
      patch: { name: 'Changed' },
      precondition: null,
      route: 'strategies.change',
      idempotencyKey: null,
      ...changes,
    });
  const versions = async (id: StrategyId) =>
    (await trader.strategies.versions(ALICE, id, { limit: 50 })).items.map(({ version }) => version);
  return { clock, trader, create, change, versions };
}

describe('What an account may have', () => {
  it('is a thousand versions of a strategy, then only pause and archive', async () => {
    const { trader, create, change } = fixture();
    const { record } = await create();
    for (let version = 2; version <= 1000; version += 1) await change(record.id, { patch: { name: `v${version}` } });
    await expect(change(record.id, { patch: { name: 'once more' } })).rejects.toThrow(TooManyVersions);
    await expect(change(record.id, { patch: { isPaused: true, name: 'paused' } })).rejects.toThrow(TooManyVersions);
    expect((await change(record.id, { patch: { isPaused: true } })).record.version).toBe(1001);
    expect((await change(record.id, { patch: { isPaused: true } })).record.version).toBe(1001);
    await expect(change(record.id, { patch: { isPaused: false } })).rejects.toThrow(TooManyVersions);
    const archived = await trader.use.strategies.archive.execute({
      account: ALICE,
      strategyId: record.id,
      precondition: null,
    });
    expect(archived.version).toBe(1002);
    const { items } = await trader.strategies.versions(ALICE, record.id, { limit: 1000, after: 1000 });
    expect(items).toHaveLength(999);
  });

  it('is a limited number of automated strategies, counted per account', async () => {
    const ledger = new MemoryLedger();
    const clock = clockAt(NOON);
    const create = new CreateStrategy(ledger, clock, countingIds, 2);
    const change = new ChangeStrategy(ledger, { clock, wallClock: clock, ids: countingIds }, 2);
    const make = (account: AccountId, automation: 'auto' | 'off' | 'approve') =>
      create.execute({ account, draft: aDraft({ automation, rules: HOME, sport: 'nba' }), idempotencyKey: null });
    const patch = (strategyId: StrategyId, automation: 'auto' | 'off') =>
      change.execute({
        account: ALICE,
        strategyId,
        patch: { automation },
        precondition: null,
        route: 'strategies.change' as const,
        idempotencyKey: null,
      });
    const { record: first } = await make(ALICE, 'auto');
    await make(ALICE, 'approve');
    await expect(make(ALICE, 'auto')).rejects.toThrow(TooManyAutomated);
    const { record: other } = await make(ALICE, 'off');
    await expect(patch(other.id, 'auto')).rejects.toThrow(TooManyAutomated);
    await make(BOB, 'auto');
    await patch(first.id, 'off');
    expect((await patch(other.id, 'auto')).record.automation).toBe('auto');
  });
});

describe('Creating a strategy', () => {
  it('puts its first version on record', async () => {
    const { trader, create, versions } = fixture();
    const { record, replayed } = await create();
    expect(replayed).toBe(false);
    expect(await trader.strategies.one(ALICE, record.id)).toEqual(record);
    expect(await versions(record.id)).toEqual([1]);
  });

  it('with invalid rules leaves nothing', async () => {
    const { trader, create } = fixture();
    const rules = { ...aDraft().rules, filter: { minOdds: 1n } };
    await expect(create({ rules }, 'k')).rejects.toThrow(RulesInvalid);
    expect((await trader.strategies.many(ALICE, {}, { limit: 5 })).items).toEqual([]);
  });

  it('with the same key replays the current strategy, defaults given or not', async () => {
    const { create, change, trader } = fixture();
    const { record } = await create({}, 'k');
    const changed = await change(record.id);
    const { rules } = aDraft();
    const said = {
      isPaused: false,
      paperOnly: true,
      rules: { ...rules, match: { sport: 'soccer' }, filter: { side: 'BACK' } },
    } as const;
    expect(await create(said, 'k')).toEqual({ record: changed.record, replayed: true });
    expect((await trader.strategies.many(ALICE, {}, { limit: 5 })).items).toHaveLength(1);
  });

  it('with the same key and another meaning is refused', async () => {
    const { create } = fixture();
    await create({}, 'k');
    await expect(create({ stakeCap: usdc('1') }, 'k')).rejects.toThrow(IdempotencyKeyReused);
    expect((await create({}, 'k', BOB)).replayed).toBe(false);
  });

  it('is replayed with its current state after the strategy is archived', async () => {
    const { trader, create } = fixture();
    const { record } = await create({}, 'k');
    const archive = { account: ALICE, strategyId: record.id, precondition: null };
    const archived = await trader.archiveStrategy.execute(archive);
    expect(await create({}, 'k')).toEqual({ record: archived, replayed: true });
    await expect(create({ name: 'Another' }, 'k')).rejects.toThrow(IdempotencyKeyReused);
    expect((await trader.strategies.many(ALICE, {}, { limit: 5 })).items).toEqual([]);
  });
});

describe('Changing a strategy', () => {
  it('adds one version and leaves earlier ones unchanged', async () => {
    const { clock, trader, create, change } = fixture();
    const { record: first } = await create();
    clock.tick(1000);
    const { record: second } = await change(first.id, { patch: { name: 'Second', stakeCap: usdc('1') } });
    expect(second).toEqual({ ...first, version: 2, name: 'Second', stakeCap: usdc('1'), updatedAt: clock.now() });
    expect((await trader.strategies.versions(ALICE, first.id, { limit: 5 })).items).toEqual([second, first]);
  });

  it('to what it is makes no version', async () => {
    const { create, change, versions } = fixture();
    const { record } = await create();
    expect((await change(record.id, { patch: { name: record.name } })).record).toEqual(record);
    expect(await versions(record.id)).toEqual([1]);
  });

  it('is refused unless the client has seen the latest version', async () => {
    const { create, change, versions } = fixture();
    const { record } = await create();
    const seen = (version: number) => ({ precondition: (actual: number) => actual === version });
    await change(record.id, seen(1));
    const late = change(record.id, { patch: { name: 'Late' }, ...seen(1) });
    await expect(late).rejects.toMatchObject({ code: 'version_mismatch', actual: 2 });
    await expect(late).rejects.toBeInstanceOf(VersionMismatch);
    expect(await versions(record.id)).toEqual([2, 1]);
  });

  it('pauses and resumes, each once for its key', async () => {
    const { create, change, versions } = fixture();
    const { record } = await create();
    const pause = { patch: { isPaused: true }, route: 'strategies.pause', idempotencyKey: 'k' } as const;
    const resume = { patch: { isPaused: false }, route: 'strategies.resume', idempotencyKey: 'k' } as const;
    expect((await change(record.id, pause)).record.isPaused).toBe(true);
    expect((await change(record.id, resume)).record.isPaused).toBe(false);
    expect(await change(record.id, pause)).toMatchObject({ replayed: true, record: { isPaused: false, version: 3 } });
    expect(await versions(record.id)).toEqual([3, 2, 1]);
  });

  it('is replayed with its key after archiving, and without one not found', async () => {
    const { trader, create, change } = fixture();
    const { record } = await create();
    const pause = { patch: { isPaused: true }, route: 'strategies.pause', idempotencyKey: 'k' } as const;
    await change(record.id, pause);
    const archive = { account: ALICE, strategyId: record.id, precondition: null };
    const archived = await trader.archiveStrategy.execute(archive);
    expect(await change(record.id, pause)).toEqual({ record: archived, replayed: true });
    await expect(change(record.id, { ...pause, idempotencyKey: null })).rejects.toThrow(StrategyNotFound);
    await expect(change(record.id, { ...pause, idempotencyKey: 'new' })).rejects.toThrow(StrategyNotFound);
  });

  it('with the key of another change is refused', async () => {
    const { create, change, versions } = fixture();
    const { record } = await create();
    await change(record.id, { idempotencyKey: 'k' });
    await expect(change(record.id, { patch: { name: 'Other' }, idempotencyKey: 'k' })).rejects.toThrow(
      IdempotencyKeyReused,
    );
    expect(await versions(record.id)).toEqual([2, 1]);
  });

  it('of another account, or absent, finds nothing, with any change', async () => {
    const { create, change, versions } = fixture();
    const { record } = await create();
    const precondition = () => false;
    await expect(change(record.id, { account: BOB, precondition })).rejects.toThrow(StrategyNotFound);
    await expect(change(newStrategyId(), { precondition })).rejects.toThrow(StrategyNotFound);
    expect(await versions(record.id)).toEqual([1]);
  });
});

describe('Archiving a strategy', () => {
  it('takes it out of every read but its history, for good', async () => {
    const { trader, create, change, versions } = fixture();
    const { record } = await create();
    const archive = (precondition: ((version: number) => boolean) | null) =>
      trader.archiveStrategy.execute({ account: ALICE, strategyId: record.id, precondition });
    await expect(archive((version) => version === 7)).rejects.toThrow(VersionMismatch);
    expect(await archive((version) => version === 1)).toMatchObject({ version: 2, archivedAt: new Date(NOON) });
    await expect(trader.strategies.one(ALICE, record.id)).rejects.toThrow(StrategyNotFound);
    await expect(change(record.id)).rejects.toThrow(StrategyNotFound);
    await expect(archive(null)).rejects.toThrow(StrategyNotFound);
    expect((await trader.strategies.many(ALICE, {}, { limit: 5 })).items).toEqual([]);
    expect(await versions(record.id)).toEqual([2, 1]);
  });

  it('leaves its orders readable', async () => {
    const { trader, create } = fixture();
    const { record } = await create();
    const order = await trader.place({ strategyId: record.id });
    await trader.archiveStrategy.execute({ account: ALICE, strategyId: record.id, precondition: null });
    expect((await trader.orders.many(ALICE, { strategyId: record.id }, { limit: 5 })).items).toEqual([order]);
  });
});
