import type { Session } from '../../core/access/session.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { Stopwatch } from '../../ports/system.js';

/** Well below the second within which every server refuses a session that was ended. */
const VALID_MS = 250;
const MOST = 1000;

/**
 * Remembers each session for a quarter of a second after the store was asked for it, because a page sends many requests.
 * Remembered are only sessions that exist. One that is ended or used through here is read anew, one ended through another
 * process within that time.
 *
 * @example
 * ```ts
 * import { RecentSessions } from 'stakeport/http';
 * import { MemoryLedger, monotonic } from 'stakeport/memory';
 *
 * const sessions = new RecentSessions(new MemoryLedger().sessions, monotonic);
 * ```
 */
export class RecentSessions implements SessionStore {
  readonly #known = new Map<string, { readonly session: Session; readonly askedAt: number }>();
  #changes = 0;

  constructor(
    private readonly store: SessionStore,
    private readonly stopwatch: Stopwatch,
  ) {}

  async find(digest: string): Promise<Session | undefined> {
    const askedAt = this.stopwatch();
    const known = this.#known.get(digest);
    if (known !== undefined && askedAt - known.askedAt < VALID_MS) return known.session;
    const changes = this.#changes;
    const session = await this.store.find(digest);
    this.#known.delete(digest);
    // What was asked for before a change may have been read before it.
    if (session !== undefined && changes === this.#changes) this.#remember(session, askedAt);
    return session;
  }

  start(session: Session): Promise<void> {
    return this.store.start(session);
  }

  use(digest: string, at: Date): Promise<void> {
    return this.#change(digest, () => this.store.use(digest, at));
  }

  end(digest: string): Promise<void> {
    return this.#change(digest, () => this.store.end(digest));
  }

  forgetEnded(now: Date): Promise<number> {
    return this.store.forgetEnded(now);
  }

  async #change(digest: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } finally {
      this.#changes += 1;
      this.#known.delete(digest);
    }
  }

  #remember(session: Session, askedAt: number): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(session.digest, { session, askedAt });
  }
}
