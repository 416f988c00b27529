import type { Transaction } from './store.js';
import type { Wanted } from './tables.js';

/** A transaction of a database that is only read: it puts nobody on record, keeps nobody out and stores nothing. */
export class ReadingTransaction implements Transaction {
  constructor(private readonly reads: Pick<Transaction, 'read'>) {}

  async introduce(): Promise<void> {}

  async lock(): Promise<void> {}

  read(wanted: readonly Wanted[]): Promise<void> {
    return this.reads.read(wanted);
  }

  async store(): Promise<void> {
    throw new Error('The database is open for reading alone.');
  }
}
