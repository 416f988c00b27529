import type { Session } from '../core/access/session.js';

/** Keeps sessions, of all accounts, by the digest of their secret. */
export interface SessionStore {
  /** Ended ones too, until they are forgotten. @throws StorageUnavailable */
  find(digest: string): Promise<Session | undefined>;
  /** @throws StorageUnavailable */
  start(session: Session): Promise<void>;
  /** Notes that it was used then; an earlier moment than the one noted changes nothing. @throws StorageUnavailable */
  use(digest: string, at: Date): Promise<void>;
  /** Ends a session, which is not found any more; nothing happens where there is none. @throws StorageUnavailable */
  end(digest: string): Promise<void>;
  /** Deletes those that ended by then in any case, idle or old, and returns how many. @throws StorageUnavailable */
  forgetEnded(now: Date): Promise<number>;
}

/** A store that keeps sessions. */
export interface SessionKeeping {
  readonly sessions: SessionStore;
}

/** A new session's secret: the text that its holder sends, and what is stored of it. */
export interface SessionSecret {
  /** 256 random bits in base64url. */
  readonly text: string;
  /** HMAC-SHA-256 of the text, hexadecimal. */
  readonly digest: string;
}

/** Makes and reads the secrets of sessions. */
export interface SessionSecrets {
  /** From a cryptographic random source. */
  issue(): SessionSecret;
  /** What is stored of this text; undefined where no session has such a text. */
  digestOf(text: string): string | undefined;
}
