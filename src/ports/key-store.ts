import type { ApiKey } from '../core/access/api-key.js';
import type { Page } from '../core/ledger/query.js';

/** Reads and revokes API keys, of all accounts; new ones are stored by `Ledger.write`. */
export interface KeyStore {
  /** By key id, before the owner is known; never by the secret. */
  findKey(id: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  listKeys(page: Page<string>): Promise<readonly ApiKey[]>;
  /** Revokes the key; a repetition keeps the first moment. Undefined when the key does not exist. */
  revokeKey(id: string, at: Date): Promise<ApiKey | undefined>;
}

/** A new secret: the text shown to its owner once, and what is stored of it. */
export interface IssuedSecret {
  readonly id: string;
  /** `sp_<id>_<secret>`, 256 random bits in the secret. */
  readonly text: string;
  /** HMAC-SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
}

/** Makes API key secrets from a cryptographic random source. */
export interface KeyMaker {
  issue(): IssuedSecret;
}
