import { isFresh, isNoteworthy, openSession, type Session } from '../../core/access/session.js';
import type { Restraint } from '../../core/access/session-restraint.js';
import type { Authentication, Authenticator, Credentials } from '../../ports/authenticator.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { SessionSecrets, SessionStore } from '../../ports/session-store.js';
import type { Clock } from '../../ports/system.js';

/** What sessions are judged by. */
export interface SessionParts {
  readonly sessions: SessionStore;
  readonly keys: Pick<KeyStore, 'findKey'>;
  readonly secrets: SessionSecrets;
  readonly clock: Clock;
  /** False where asking is no use of the session, such as for a stream that stays open. True by default. */
  readonly countsAsUse?: boolean;
  /** False where sessions may not do what risks real money. True by default. */
  readonly mayRiskMoney?: boolean;
}

/**
 * Sessions beside another way to authenticate. A request with an `Authorization` header is judged by that alone, whatever
 * session it carries. A session has the scopes that its key has now, and ends with the key.
 * What risks more than before, or changes webhooks, it may do for five minutes after it began.
 *
 * @example
 * ```ts
 * import { ApiKeyAuthenticator, RandomSessionSecrets, SessionAuthenticator } from 'stakeport/http';
 * import { MemoryLedger, systemClock as clock } from 'stakeport/memory';
 *
 * const [keys, pepper] = [new MemoryLedger(), 'a pepper of your own'];
 * const parts = { sessions: keys.sessions, keys, secrets: new RandomSessionSecrets(pepper), clock };
 * const authenticator = new SessionAuthenticator(parts, new ApiKeyAuthenticator(keys, pepper, clock));
 * ```
 */
export class SessionAuthenticator implements Authenticator {
  /** Sessions of which a use is being noted. */
  readonly #noting = new Set<string>();

  constructor(
    private readonly parts: SessionParts,
    private readonly others: Authenticator,
  ) {}

  async authenticate(credentials: Credentials): Promise<Authentication> {
    const { authorization, session: text } = credentials;
    if (authorization !== undefined || text === undefined) return this.others.authenticate(credentials);
    const { secrets, sessions, keys, clock } = this.parts;
    const digest = secrets.digestOf(text);
    if (digest === undefined) return { kind: 'invalid' };
    try {
      const session = await sessions.find(digest);
      if (session === undefined) return { kind: 'invalid' };
      const open = openSession(session, await keys.findKey(session.keyId), clock.now());
      if (open === undefined) return { kind: 'invalid' };
      await this.#note(session);
      const { account, keyId: credential, scopes } = open;
      const needsKey = !isFresh(session, clock.now());
      return {
        kind: 'principal',
        principal: {
          account,
          credential,
          kind: 'key',
          scopes: new Set(scopes),
          restraint: this.#restraint(needsKey),
          needsKey,
        },
      };
    } catch (cause) {
      return { kind: 'unavailable', cause };
    }
  }

  #restraint(needsKey: boolean): Restraint | undefined {
    if (this.parts.mayRiskMoney === false) return 'ui_trading_off';
    return needsKey ? 'key_needed' : undefined;
  }

  /** A use that cannot be noted now is noted with a later request. */
  async #note(session: Session): Promise<void> {
    const { sessions, clock, countsAsUse = true } = this.parts;
    const { digest } = session;
    const now = clock.now();
    if (!countsAsUse || !isNoteworthy(session, now) || this.#noting.has(digest)) return;
    this.#noting.add(digest);
    try {
      await sessions.use(digest, now);
    } catch {
    } finally {
      this.#noting.delete(digest);
    }
  }
}
