import type { KeyStore } from '../../../ports/key-store.js';
import type { SessionSecrets, SessionStore } from '../../../ports/session-store.js';
import type { Clock } from '../../../ports/system.js';
import { type OpenSession, openSession } from '../../access/session.js';
import { KeyNotFound } from '../../errors.js';

/** A session that has begun, and its secret, which is known only once. */
export interface StartedSession {
  readonly session: OpenSession;
  readonly text: string;
}

/** What sessions are made of and looked up in. */
export interface SessionPorts {
  readonly sessions: SessionStore;
  readonly keys: Pick<KeyStore, 'findKey'>;
  readonly secrets: SessionSecrets;
  readonly clock: Clock;
}

/** Begins, shows and ends sessions. */
export class ManageSessions {
  constructor(private readonly ports: SessionPorts) {}

  /** Starts a session for a caller who has just shown this key. @throws KeyNotFound when it may not be used any more */
  async start(keyId: string): Promise<StartedSession> {
    const { text, digest } = this.ports.secrets.issue();
    const now = this.ports.clock.now();
    const session = { digest, keyId, startedAt: now, usedAt: now };
    const open = openSession(session, await this.ports.keys.findKey(keyId), now);
    if (open === undefined) throw new KeyNotFound();
    await this.ports.sessions.start(session);
    return { session: open, text };
  }

  /** Undefined where the text is of no session, or of one that has ended. */
  async find(text: string): Promise<OpenSession | undefined> {
    const digest = this.ports.secrets.digestOf(text);
    const session = digest === undefined ? undefined : await this.ports.sessions.find(digest);
    return session && openSession(session, await this.ports.keys.findKey(session.keyId), this.ports.clock.now());
  }

  /** Ends a session: refused here from the next request on, and within a second by every server. */
  async end(text: string): Promise<void> {
    const digest = this.ports.secrets.digestOf(text);
    if (digest !== undefined) await this.ports.sessions.end(digest);
  }
}
