import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { isUsable } from '../../../../src/core/access/api-key.js';
import { IdempotencyKeyReused, KeyNotFound } from '../../../../src/core/errors.js';
import { type CreateKeyCommand, ManageKeys } from '../../../../src/core/usecases/accounts/manage-keys.js';
import type { KeyMaker } from '../../../../src/ports/key-store.js';
import { ALICE, BOB, clockAt, NOON } from '../../../support/builders.js';

/** Makes keys in ascending order, with unmistakable texts. */
function countingKeys(): KeyMaker {
  let made = 0;
  return {
    issue: () => {
      made += 1;
      return { id: `key${made}`, text: `sp_key${made}_secret`, digest: `digest of ${made}` };
    },
  };
}

function fixture() {
  const ledger = new MemoryLedger();
  const clock = clockAt(NOON);
  const keys = new ManageKeys(ledger, ledger, countingKeys(), clock);
  const create = (changes: Partial<CreateKeyCommand> = {}) =>
    keys.create({
      by: ALICE,
      account: BOB,
      scopes: ['orders:read', 'orders:paper'],
      lifetimeMs: null,
      idempotencyKey: null,
      ...changes,
    });
  return { ledger, clock, keys, create };
}

describe('An API key', () => {
  it('is shown once, and stored without its text', async () => {
    const { ledger, create } = fixture();
    const { key, text } = await create();
    expect(text).toBe('sp_key1_secret');
    const dates = { createdAt: new Date(NOON), expiresAt: null, revokedAt: null };
    expect(key).toEqual({
      id: 'key1',
      account: BOB,
      scopes: ['orders:read', 'orders:paper'],
      digest: 'digest of 1',
      ...dates,
    });
    expect(await ledger.findKey('key1')).toEqual(key);
    expect(JSON.stringify(await ledger.listKeys({ limit: 5 }))).not.toContain('secret');
  });

  it('has each scope once, whatever order a request names them in', async () => {
    const { create } = fixture();
    const { key } = await create({ scopes: ['orders:paper', 'orders:read', 'orders:paper'], idempotencyKey: 'k' });
    expect(key.scopes).toEqual(['orders:read', 'orders:paper']);
    expect((await create({ scopes: ['orders:read', 'orders:paper'], idempotencyKey: 'k' })).key).toEqual(key);
  });

  it('requested again with its idempotency key is returned without its text', async () => {
    const { create, keys } = fixture();
    const first = await create({ idempotencyKey: 'k' });
    expect(await create({ idempotencyKey: 'k' })).toEqual({ key: first.key, text: null });
    expect((await keys.list({ limit: 5 })).items).toHaveLength(1);
  });

  it.each([
    ['account', { account: ALICE }],
    ['scopes', { scopes: ['admin'] as const }],
    ['lifetime', { lifetimeMs: 1 }],
  ])('is refused for an idempotency key that was used with another %s', async (_, other) => {
    const { create, keys } = fixture();
    await create({ idempotencyKey: 'k' });
    await expect(create({ idempotencyKey: 'k', ...other })).rejects.toThrow(IdempotencyKeyReused);
    expect((await keys.list({ limit: 5 })).items).toHaveLength(1);
  });

  it('ends when its lifetime does, to the millisecond', async () => {
    const { clock, create } = fixture();
    const { key } = await create({ lifetimeMs: 1000 });
    clock.tick(999);
    expect(isUsable(key, clock.now())).toBe(true);
    clock.tick(1);
    expect(isUsable(key, clock.now())).toBe(false);
  });

  it('ends when it is revoked, for good, at the first moment', async () => {
    const { clock, create, keys } = fixture();
    await create();
    clock.tick(5);
    const { key } = await keys.revoke('key1');
    expect(isUsable(key, clock.now())).toBe(false);
    clock.tick(5);
    expect((await keys.revoke('key1')).key.revokedAt).toEqual(new Date(Date.parse(NOON) + 5));
    await expect(keys.revoke('key2')).rejects.toThrow(KeyNotFound);
  });

  it('is listed newest first, in slices', async () => {
    const { create, keys } = fixture();
    for (let i = 0; i < 3; i++) await create();
    const first = await keys.list({ limit: 2 });
    expect([first.items.map(({ id }) => id), first.next]).toEqual([['key3', 'key2'], 'key2']);
    expect(await keys.list({ limit: 2, after: 'key2' })).toMatchObject({ items: [{ id: 'key1' }], next: null });
  });
});
