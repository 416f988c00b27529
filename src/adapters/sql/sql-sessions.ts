import { SESSION_IDLE_MS, SESSION_LIFE_MS, type Session } from '../../core/access/session.js';
import type { SessionStore } from '../../ports/session-store.js';
import { stamp } from './cells.js';
import { Lookup } from './lookup.js';
import { SESSIONS } from './session-table.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';

/** Sessions in SQLite or Postgres. They are found as keys are: never behind a list or a write, many with one statement. */
export class SqlSessions implements SessionStore {
  readonly #lookup: Lookup<Session>;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#lookup = new Lookup(SESSIONS, store, store.credentialReads);
  }

  find(digest: string): Promise<Session | undefined> {
    return this.access.read(() => this.#lookup.find(digest));
  }

  async start({ digest, keyId, startedAt, usedAt }: Session): Promise<void> {
    const row = { digest, key_id: keyId, started_at: stamp(startedAt), used_at: stamp(usedAt) };
    await this.access.write(() => this.#table.insert(row));
  }

  async use(digest: string, at: Date): Promise<void> {
    const used = stamp(at);
    await this.access.write(() => this.#table.where({ digest }).where('used_at', '<', used).update({ used_at: used }));
  }

  async end(digest: string): Promise<void> {
    await this.access.write(() => this.#table.where({ digest }).delete());
  }

  forgetEnded(now: Date): Promise<number> {
    const ago = (ms: number) => stamp(new Date(now.getTime() - ms));
    const idle = ago(SESSION_IDLE_MS);
    const old = ago(SESSION_LIFE_MS);
    return this.access.write(() => this.#table.where('used_at', '<=', idle).orWhere('started_at', '<=', old).delete());
  }

  get #table() {
    return this.store.writer(SESSIONS.name);
  }
}
