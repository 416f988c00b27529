import type { Principal } from './principal.js';

/** The API key by which a caller may let a strategy trade with real money by itself; without one, whether it lacks a scope. */
export type LiveGrant = { readonly keyId: string } | { readonly keyId: null; readonly lacksScope: boolean };

/** Of a program, or anybody else without credentials. */
export const NO_GRANT: LiveGrant = { keyId: null, lacksScope: false };

/** Only an API key can be revoked later: a token grants nothing, nor does a development user. */
export function liveGrantOf({ kind, credential, scopes }: Principal): LiveGrant {
  if (!scopes.has('orders:live')) return { keyId: null, lacksScope: true };
  return kind === 'key' ? { keyId: credential } : NO_GRANT;
}
