/** The named database cannot be used as it is, and nothing was changed there; the message says why and what to do. */
export class DatabaseUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'DatabaseUnusable';
  }
}
