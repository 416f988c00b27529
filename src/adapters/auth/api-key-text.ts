import { createHmac } from 'node:crypto';

/** The prefix of every API key, so that secret scanners and people recognise a leaked one. */
export const API_KEY_PREFIX = 'sp_';

const API_KEY = /^sp_([a-z0-9]{1,32})_([A-Za-z0-9_-]{43})$/;

/** The two parts of an API key; the id is public, the secret is 256 bits in base64url. */
export interface ApiKeyText {
  readonly id: string;
  readonly secret: string;
}

/** Writes `sp_<id>_<secret>`. */
export function formatApiKey({ id, secret }: ApiKeyText): string {
  return `${API_KEY_PREFIX}${id}_${secret}`;
}

/** Parses a key, or returns undefined for a malformed one. An id has no underscore; a secret may have several. */
export function parseApiKey(text: string): ApiKeyText | undefined {
  const [, id, secret] = API_KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** HMAC-SHA-256 of a secret under the pepper, 32 bytes. A fast hash is right for a secret of 256 random bits. */
export function digestSecret(pepper: string, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}
