import { SESSION_IDLE_MS, SESSION_LIFE_MS, type Session } from '../../core/access/session.js';
import type { SessionStore } from '../../ports/session-store.js';

/** Keeps sessions in this process. */
export class MemorySessions implements SessionStore {
  readonly #sessions = new Map<string, Session>();

  async find(digest: string): Promise<Session | undefined> {
    return this.#sessions.get(digest);
  }

  async start(session: Session): Promise<void> {
    this.#sessions.set(session.digest, session);
  }

  async use(digest: string, at: Date): Promise<void> {
    const session = this.#sessions.get(digest);
    if (session !== undefined && session.usedAt < at) this.#sessions.set(digest, { ...session, usedAt: at });
  }

  async end(digest: string): Promise<void> {
    this.#sessions.delete(digest);
  }

  async forgetEnded(now: Date): Promise<number> {
    const ended = [...this.#sessions.values()].filter(
      ({ startedAt, usedAt }) =>
        startedAt.getTime() + SESSION_LIFE_MS <= now.getTime() || usedAt.getTime() + SESSION_IDLE_MS <= now.getTime(),
    );
    for (const { digest } of ended) this.#sessions.delete(digest);
    return ended.length;
  }
}
