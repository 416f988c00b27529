/** The files of the database are gone or changed; the message says which, and what to do. */
export class DatabaseGone extends Error {
  constructor(path: string, what: string) {
    super(
      `${path} was ${what} while the server ran, which takes no more writes: they would be lost. ` +
        'Put the database back as it was, or restore a backup, before you start the server again.',
    );
    this.name = 'DatabaseGone';
  }
}

/** There is no database of stakeport, and none is to be created. */
export class DatabaseMissing extends Error {
  constructor(where: string) {
    super(`There is no database of stakeport: ${where}.`);
    this.name = 'DatabaseMissing';
  }
}
