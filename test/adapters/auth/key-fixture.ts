import { ApiKeyAuthenticator, RandomKeyMaker } from '../../../src/adapters/auth/index.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { ApiKey } from '../../../src/core/access/api-key.js';
import type { AccountId } from '../../../src/core/ids.js';
import type { IssuedSecret, KeyStore } from '../../../src/ports/key-store.js';

const PEPPER = 'a pepper for tests alone';
const ALICE = 'alice' as AccountId;
export const START = Date.parse('2030-01-01T00:00:00Z');

/** A server with one key, at a moment that can be moved, and how often the store was asked for one. */
export class KeyFixture {
  readonly #ledger = new MemoryLedger();
  readonly secret: IssuedSecret = new RandomKeyMaker(PEPPER).issue();
  now = new Date(START);
  lookUps = 0;
  storeIsDown = false;

  async store(change: Partial<ApiKey> = {}): Promise<void> {
    const { id, digest } = this.secret;
    const dates = { createdAt: this.now, expiresAt: null, revokedAt: null };
    const key: ApiKey = { id, digest, account: ALICE, scopes: ['orders:read', 'orders:paper'], ...dates, ...change };
    await this.#ledger.write({ account: ALICE, logs: [key.account] }, () => ({ result: undefined, keys: [key] }));
  }

  revoke = () => this.#ledger.revokeKey(this.secret.id, this.now);

  authenticator(pepper = PEPPER): ApiKeyAuthenticator {
    const keys: Pick<KeyStore, 'findKey'> = {
      findKey: async (id) => {
        this.lookUps += 1;
        if (this.storeIsDown) throw new Error('the store does not answer');
        return this.#ledger.findKey(id);
      },
    };
    return new ApiKeyAuthenticator(keys, pepper, { now: () => this.now });
  }

  authenticate = (authorization: string) => this.authenticator().authenticate({ authorization, devUser: undefined });
}
