import type { ApiKey } from '../../core/access/api-key.js';
import type { Page } from '../../core/ledger/query.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Stopwatch } from '../../ports/system.js';

/** Well below the second within which every server refuses a revoked key. */
const VALID_MS = 250;
const MOST = 1000;

/**
 * Remembers each key for a quarter of a second after the store was asked for it, because a busy client sends the same key
 * with every request. Remembered are only keys that exist and are not revoked, so that guessed ids neither fill the memory
 * nor displace anything. A revocation through here takes effect at once, one through another process within that time.
 *
 * @example
 * ```ts
 * import { ApiKeyAuthenticator, RecentKeys } from 'stakeport/http';
 * import { openSqlLedger } from 'stakeport/sql';
 * import { monotonic, systemClock } from 'stakeport/memory';
 *
 * const keys = new RecentKeys(await openSqlLedger('sqlite:stakeport.db'), monotonic);
 * const authenticator = new ApiKeyAuthenticator(keys, 'a pepper of your own', systemClock);
 * ```
 */
export class RecentKeys implements KeyStore {
  readonly #known = new Map<string, { readonly key: ApiKey; readonly askedAt: number }>();
  #revocations = 0;

  constructor(
    private readonly store: KeyStore,
    private readonly stopwatch: Stopwatch,
  ) {}

  async findKey(id: string): Promise<ApiKey | undefined> {
    const askedAt = this.stopwatch();
    const known = this.#known.get(id);
    if (known !== undefined && askedAt - known.askedAt < VALID_MS) return known.key;
    const revocations = this.#revocations;
    const key = await this.store.findKey(id);
    this.#known.delete(id);
    // What was asked for before a revocation may have been read before it.
    if (key?.revokedAt === null && revocations === this.#revocations) this.#remember(key, askedAt);
    return key;
  }

  listKeys(page: Page<string>): Promise<readonly ApiKey[]> {
    return this.store.listKeys(page);
  }

  async revokeKey(id: string, at: Date): Promise<ApiKey | undefined> {
    try {
      return await this.store.revokeKey(id, at);
    } finally {
      this.#revocations += 1;
      this.#known.delete(id);
    }
  }

  #remember(key: ApiKey, askedAt: number): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key.id, { key, askedAt });
  }
}
