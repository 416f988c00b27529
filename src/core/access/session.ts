import type { AccountId } from '../ids.js';
import { type ApiKey, isUsable } from './api-key.js';
import type { AuthScope, Principal } from './principal.js';

const MINUTE = 60_000;

/** A session that is not used for so long ends. */
export const SESSION_IDLE_MS = 30 * MINUTE;
/** No session lasts longer, however much it is used. */
export const SESSION_LIFE_MS = 12 * 60 * MINUTE;
/** How long after it began a session may do all that its key may. */
export const SESSION_FRESH_MS = 5 * MINUTE;
/** A use is noted once in this time, so that a request costs no write. */
const NOTED_EVERY_MS = MINUTE;

/** What an API key was exchanged for: a browser sends it as a cookie. Of its secret only a keyed digest is kept. */
export interface Session {
  /** HMAC-SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
  /** The key that it was begun with, and ends with. */
  readonly keyId: string;
  readonly startedAt: Date;
  /** The last use that was noted: up to a minute before the last one. */
  readonly usedAt: Date;
}

/** A session as its holder sees it. */
export interface OpenSession {
  readonly account: AccountId;
  readonly keyId: string;
  /** The scopes of the key. */
  readonly scopes: readonly AuthScope[];
  readonly startedAt: Date;
  /** When it ends unless it is used before. */
  readonly idleAt: Date;
  /** When it ends in any case. */
  readonly endsAt: Date;
}

/** The session with its key; undefined where it has ended, or the key may not be used any more. */
export function openSession(session: Session, key: ApiKey | undefined, now: Date): OpenSession | undefined {
  if (key === undefined || key.id !== session.keyId || !isUsable(key, now)) return undefined;
  const { startedAt, usedAt } = session;
  const last = new Date(startedAt.getTime() + SESSION_LIFE_MS);
  const endsAt = key.expiresAt !== null && key.expiresAt < last ? key.expiresAt : last;
  const idleAt = new Date(Math.min(usedAt.getTime() + SESSION_IDLE_MS, endsAt.getTime()));
  if (now >= idleAt) return undefined;
  return { account: key.account, keyId: key.id, scopes: key.scopes, startedAt, idleAt, endsAt };
}

/** Whether its key was shown a short time ago. */
export const isFresh = ({ startedAt }: Session, now: Date): boolean =>
  now.getTime() - startedAt.getTime() < SESSION_FRESH_MS;

/** Whether a use at this moment is to be noted. */
export const isNoteworthy = ({ usedAt }: Session, now: Date): boolean =>
  now.getTime() - usedAt.getTime() >= NOTED_EVERY_MS;

/** The API key by which a caller may let a strategy trade with real money by itself; without one, whether it lacks a scope. */
export type LiveGrant = { readonly keyId: string } | { readonly keyId: null; readonly lacksScope: boolean };

/** The grant of a program, or of anybody else without credentials. */
export const NO_GRANT: LiveGrant = { keyId: null, lacksScope: false };

/** Only an API key can be revoked later: a token grants nothing, nor does a development user. */
export function liveGrantOf({ kind, credential, scopes }: Principal): LiveGrant {
  if (!scopes.has('orders:live')) return { keyId: null, lacksScope: true };
  return kind === 'key' ? { keyId: credential } : NO_GRANT;
}
