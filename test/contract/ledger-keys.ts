import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/core/access/api-key.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, BOB, NOON } from '../support/builders.js';

function aKey(n: number, changes: Partial<ApiKey> = {}): ApiKey {
  const id = `key${n.toString().padStart(3, '0')}`;
  const digest = n.toString(16).padStart(64, '0');
  const dates = { createdAt: new Date(Date.parse(NOON) + n), expiresAt: null, revokedAt: null };
  return { id, account: BOB, scopes: ['orders:read', 'orders:paper'], digest, ...dates, ...changes };
}

function add(ledger: Ledger, ...keys: readonly ApiKey[]): Promise<unknown> {
  return Promise.all(
    keys.map((key) => ledger.write({ account: ALICE, logs: [key.account] }, () => ({ result: null, keys: [key] }))),
  );
}

export function ledgerKeys(open: () => Ledger & KeyStore): void {
  describe('an API key', () => {
    it('is found by its id, in full, whichever operator made it', async () => {
      const ledger = open();
      const key = aKey(1, { expiresAt: new Date('2027-01-01T00:00:00.001Z') });
      const bare = aKey(2, { scopes: [], account: ALICE });
      await add(ledger, key, bare);
      expect(await ledger.findKey(key.id)).toEqual(key);
      expect(await ledger.findKey(bare.id)).toEqual(bare);
    });

    it('is found by nothing but its whole id', async () => {
      const ledger = open();
      await add(ledger, aKey(1));
      for (const wrong of ['', 'key00', 'key0011', 'KEY001', '%', 'key00_', aKey(1).digest]) {
        expect(await ledger.findKey(wrong)).toBeUndefined();
      }
    });

    it('is listed, newest first, page by page', async () => {
      const ledger = open();
      const keys = Array.from({ length: 7 }, (_, i) => aKey(i));
      await add(ledger, ...keys);
      const newestFirst = keys.toReversed();
      expect(await ledger.listKeys({ limit: 3 })).toEqual(newestFirst.slice(0, 3));
      expect(await ledger.listKeys({ limit: 3, after: 'key004' })).toEqual(newestFirst.slice(3, 6));
      expect(await ledger.listKeys({ limit: 3, after: 'key001' })).toEqual(newestFirst.slice(6));
    });

    it('is revoked once: a repetition keeps the first moment', async () => {
      const ledger = open();
      const [key, other] = [aKey(1), aKey(2)];
      await add(ledger, key, other);
      const first = new Date('2026-03-02T00:00:00.123Z');
      const revoked = { ...key, revokedAt: first };
      expect(await ledger.revokeKey(key.id, first)).toEqual(revoked);
      expect(await ledger.revokeKey(key.id, new Date('2026-03-03T00:00:00Z'))).toEqual(revoked);
      expect(await ledger.findKey(key.id)).toEqual(revoked);
      expect(await ledger.listKeys({ limit: 5 })).toEqual([other, revoked]);
    });

    it('that is not there cannot be revoked', async () => {
      expect(await open().revokeKey('key404', new Date(NOON))).toBeUndefined();
    });
  });
}
