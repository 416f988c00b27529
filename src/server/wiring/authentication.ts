import { ApiKeyAuthenticator } from '../../adapters/auth/api-key-authenticator.js';
import { CombinedAuthenticator } from '../../adapters/auth/combined-authenticator.js';
import { DevAuthenticator } from '../../adapters/auth/dev-authenticator.js';
import type { TokenIssuer } from '../../adapters/auth/jwt-authenticator.js';
import { RandomSessionSecrets } from '../../adapters/auth/random-secrets.js';
import { SessionAuthenticator } from '../../adapters/auth/session-authenticator.js';
import type { Authenticator } from '../../ports/authenticator.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { Clock } from '../../ports/system.js';
import type { AuthConfig } from '../settings/config.js';

/** The stores in which callers are looked up. */
export interface CallerStores {
  readonly keys: KeyStore;
  readonly sessions: SessionStore;
  readonly clock: Clock;
  /** Whether sessions may do what risks real money. */
  readonly mayRiskMoney: boolean;
}

/** Who is calling, now and later. */
export interface Authenticators {
  /** For requests: each is a use of its session. */
  readonly ofRequests: Authenticator;
  /** For callers who stay connected: asking again is no use of their session. */
  readonly ofStaying: Authenticator;
}

/** The authenticators of a mode. Where there are keys, there are sessions too. */
export async function authenticatorsOf(auth: AuthConfig, stores: CallerStores): Promise<Authenticators> {
  const others = await withoutSessions(auth, stores);
  if (!('pepper' in auth)) return { ofRequests: others, ofStaying: others };
  const parts = { ...stores, secrets: new RandomSessionSecrets(auth.pepper) };
  return {
    ofRequests: new SessionAuthenticator(parts, others),
    ofStaying: new SessionAuthenticator({ ...parts, countsAsUse: false }, others),
  };
}

async function withoutSessions(auth: AuthConfig, { keys, clock }: CallerStores): Promise<Authenticator> {
  switch (auth.mode) {
    case 'dev':
      return new DevAuthenticator();
    case 'keys':
      return new ApiKeyAuthenticator(keys, auth.pepper, clock);
    case 'jwt':
      return jwtAuthenticator(auth.trusted, clock);
    case 'keys+jwt':
      return new CombinedAuthenticator(
        new ApiKeyAuthenticator(keys, auth.pepper, clock),
        await jwtAuthenticator(auth.trusted, clock),
      );
  }
}

async function jwtAuthenticator(trusted: TokenIssuer, clock: Clock): Promise<Authenticator> {
  const { JwtAuthenticator } = await import('../../adapters/auth/jwt-authenticator.js');
  return new JwtAuthenticator(trusted, clock);
}
