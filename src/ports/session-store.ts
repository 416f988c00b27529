import type { Session } from '../core/access/session.js';

/** Keeps sessions, of all accounts, by the digest of their secret. */
export interface SessionStore {
  /** Ended ones too, until they are forgotten. @throws StorageUnavailable */
  find(digest: string): Promise<Session | undefined>;
  /** @throws StorageUnavailable */
  start(session: Session): Promise<void>;
  /** Notes that it was used then; an earlier moment than the one noted changes nothing. @throws StorageUnavailable */
  use(digest: string, at: Date): Promise<void>;
  /** It is found no more; nothing happens where there is none. @throws StorageUnavailable */
  end(digest: string): Promise<void>;
  /** Deletes those that ended by then in any case, idle or old, and returns how many. @throws StorageUnavailable */
  forgetEnded(now: Date): Promise<number>;
}

/** A store that keeps sessions. */
export interface SessionKeeping {
  readonly sessions: SessionStore;
}
