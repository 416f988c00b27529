import type { AccountId } from '../ids.js';
import type { Restraint } from './session-restraint.js';

/** What a credential may be allowed to do. There is no wildcard. */
export const AUTH_SCOPES = [
  'strategies:read',
  'strategies:write',
  'orders:read',
  'orders:paper',
  'orders:live',
  'orders:cancel',
  'risk:write',
  'webhooks:write',
  'admin',
] as const;

/** One thing that a credential may be allowed to do. */
export type AuthScope = (typeof AUTH_SCOPES)[number];

/** Who is calling, as the authenticator found it. */
export interface Principal {
  readonly account: AccountId;
  readonly credential: string;
  readonly kind: 'dev' | 'key' | 'jwt';
  readonly scopes: ReadonlySet<AuthScope>;
  /** What keeps a session from what risks more than before; absent where nothing does, and for callers without a session. */
  readonly restraint?: Restraint | undefined;
  /** True of a session whose key was shown too long ago for what needs it, whatever its server lets pages do. */
  readonly needsKey?: boolean;
}

/** 1 to 128 ASCII letters, digits and `. _ - @ + :`, starting with a letter or digit. */
export const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._\-@+:]{0,127}$/;

/** The account that a text names, or undefined when the text does not match `ACCOUNT_NAME`. */
export function accountNamed(text: string): AccountId | undefined {
  return ACCOUNT_NAME.test(text) ? (text as AccountId) : undefined;
}
