/** Remembers how far a background task has come, so that it goes on from there after a restart. */
export interface Bookmarks {
  /** Undefined when none was ever set under the name. @throws StorageUnavailable */
  findBookmark(name: string): Promise<Date | undefined>;
  /** The last one set counts. Resolves once it is durable. @throws StorageUnavailable */
  setBookmark(name: string, at: Date): Promise<void>;
}
