import type { Principal } from '../core/access/principal.js';

/** What may name a caller, as sent; undefined when absent. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly devUser: string | undefined;
  /** The secret of a session, from a request that may use one. */
  readonly session?: string | undefined;
}

/**
 * `missing`: no credentials were sent. `invalid`: they were wrong. `unavailable`: they could not be checked now; the cause
 * is for the log only.
 */
export type Authentication =
  | { readonly kind: 'principal'; readonly principal: Principal }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** Turns credentials into a principal. Never throws because of what a caller sent. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<Authentication>;
}
