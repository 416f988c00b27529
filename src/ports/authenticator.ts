import type { Principal } from '../core/access/principal.js';

/** The two headers that may name a caller, as sent; undefined when absent. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly devUser: string | undefined;
}

/** `missing`: nothing was offered. `invalid`: it was not good. `unavailable`: it could not be checked now, for a cause that is for the log alone. */
export type Authentication =
  | { readonly kind: 'principal'; readonly principal: Principal }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** Turns credentials into a principal. Never throws for what a caller sent. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<Authentication>;
}
