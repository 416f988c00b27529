import type { AccountId } from '../../core/ids.js';
import { RecentMap } from './recent-map.js';
import type { Version } from './store.js';

/** A version that was read, and that moves with what this process stores; what is remembered of an account belongs to one. */
export interface KnownVersion {
  version: Version;
  /** True once it does not hold: then nothing holds that was decided on it. */
  isVoid: boolean;
}

/** The versions of the accounts that were used last. */
export class KnownVersions {
  readonly #known: RecentMap<KnownVersion>;

  constructor(limit: number) {
    this.#known = new RecentMap(limit);
  }

  of(account: AccountId): KnownVersion | undefined {
    return this.#known.get(account);
  }

  /** That of the account with which the key of a row begins; the key is JSON. */
  ofKey(key: string): KnownVersion | undefined {
    const plain = key.includes('\\') ? undefined : key.slice(2, key.indexOf('"', 2));
    return this.#known.get(plain ?? String(JSON.parse(key)[0]));
  }

  /** The one that is known, or else this one. */
  take(account: AccountId, version: Version): KnownVersion {
    const known = this.of(account) ?? { version, isVoid: false };
    this.keep(account, known);
    return known;
  }

  keep(account: AccountId, known: KnownVersion): void {
    if (!known.isVoid) this.#known.put(account, known);
  }

  /** What is remembered of this account holds no more. */
  drop(account: AccountId): void {
    const known = this.of(account);
    if (known !== undefined) known.isVoid = true;
    this.#known.delete(account);
  }
}
