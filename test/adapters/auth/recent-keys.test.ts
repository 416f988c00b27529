import { beforeEach, describe, expect, it } from 'vitest';
import { ApiKeyAuthenticator, RandomKeyMaker, RecentKeys } from '../../../src/adapters/auth/index.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { ApiKey } from '../../../src/core/access/api-key.js';
import type { KeyStore } from '../../../src/ports/key-store.js';
import { ALICE, clockAt, NOON } from '../../support/builders.js';

const SECOND = 1000;
const { id, digest, text } = new RandomKeyMaker('pepper').issue();
const dates = { createdAt: new Date(NOON), expiresAt: null, revokedAt: null };
const aKey = (change: Partial<ApiKey> = {}): ApiKey => ({
  id,
  digest,
  account: ALICE,
  scopes: ['orders:read'],
  ...dates,
  ...change,
});

describe('RecentKeys', () => {
  let ledger: MemoryLedger;
  let asked: string[];
  /** Runs in the middle of a lookup, after the store has read the key. */
  let meanwhile: () => Promise<unknown>;
  let ms: number;
  let keys: RecentKeys;

  const add = (...added: readonly ApiKey[]) => ledger.write({ account: ALICE }, () => ({ result: null, keys: added }));

  beforeEach(async () => {
    [ledger, asked, ms] = [new MemoryLedger(), [], 0];
    meanwhile = async () => {};
    const store: KeyStore = {
      async findKey(wanted) {
        asked.push(wanted);
        const found = await ledger.findKey(wanted);
        await meanwhile();
        return found;
      },
      listKeys: (page) => ledger.listKeys(page),
      revokeKey: (revoked, at) => ledger.revokeKey(revoked, at),
    };
    keys = new RecentKeys(store, () => ms);
    await add(aKey());
  });

  it('asks the store for a busy key a few times a second', async () => {
    for (; ms < SECOND; ms += 1) expect(await keys.findKey(id)).toEqual(aKey());
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it('refuses a key within a second after another process revoked it', async () => {
    const door = new ApiKeyAuthenticator(keys, 'pepper', clockAt(NOON));
    const credentials = { authorization: `Bearer ${text}`, devUser: undefined };
    expect(await door.authenticate(credentials)).toMatchObject({ kind: 'principal' });
    await ledger.revokeKey(id, new Date(NOON));
    ms += SECOND;
    expect(await door.authenticate(credentials)).toEqual({ kind: 'invalid' });
  });

  it('counts that second from before a slow lookup, not from its end', async () => {
    meanwhile = async () => {
      ms += SECOND;
      await ledger.revokeKey(id, new Date(NOON));
    };
    expect(await keys.findKey(id)).toEqual(aKey());
    expect((await keys.findKey(id))?.revokedAt).not.toBeNull();
  });

  it('refuses a revoked key at once, even during its lookup', async () => {
    await keys.findKey(id);
    await keys.revokeKey(id, new Date(NOON));
    expect((await keys.findKey(id))?.revokedAt).not.toBeNull();
    const other = aKey({ id: 'other' });
    await add(other);
    meanwhile = () => keys.revokeKey('other', new Date(NOON));
    expect(await keys.findKey('other')).toEqual(other);
    expect((await keys.findKey('other'))?.revokedAt).not.toBeNull();
  });

  it('does not trust cached keys after a failed revocation', async () => {
    await keys.findKey(id);
    await ledger.revokeKey(id, new Date(NOON));
    ledger.revokeKey = () => Promise.reject(new Error('no answer'));
    await expect(keys.revokeKey(id, new Date(NOON))).rejects.toThrow('no answer');
    expect((await keys.findKey(id))?.revokedAt).not.toBeNull();
  });

  it('finds a key that was made after it was asked for', async () => {
    expect(await keys.findKey('late')).toBeUndefined();
    await add(aKey({ id: 'late' }));
    expect(await keys.findKey('late')).toEqual(aKey({ id: 'late' }));
  });

  it('keeps a valid key cached while thousands of bad ones are tried', async () => {
    await add(...Array.from({ length: 2000 }, (_, n) => aKey({ id: `old${n}`, revokedAt: new Date(NOON) })));
    await keys.findKey(id);
    for (let n = 0; n < 2000; n++) await Promise.all([keys.findKey(`guess${n}`), keys.findKey(`old${n}`)]);
    asked = [];
    expect(await keys.findKey(id)).toEqual(aKey());
    expect(asked).toEqual([]);
  });

  it('keeps at most a thousand: the oldest goes', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => aKey({ id: `key${n}` }));
    await add(...many);
    for (const one of [aKey(), ...many]) await keys.findKey(one.id);
    asked = [];
    await keys.findKey('key999');
    await keys.findKey(id);
    expect(asked).toEqual([id]);
  });

  it('passes on that the store does not answer', async () => {
    meanwhile = () => Promise.reject(new Error('the store does not answer'));
    await expect(keys.findKey(id)).rejects.toThrow('the store does not answer');
  });
});
