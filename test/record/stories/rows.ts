import sqlite3 from 'sqlite3';
import type { Transcript } from '../transcript.js';

const TABLES = ['journal_lines', 'order_events', 'account_events', 'balances', 'positions', 'exposures'] as const;

/** Writes down the journal, the chains of events and the sums beside them, as a SQLite file holds them. */
export async function rowsOf(transcript: Transcript, path: string): Promise<void> {
  const database = new sqlite3.Database(path, sqlite3.OPEN_READONLY);
  for (const table of TABLES) {
    transcript.step(`The rows of ${table}`);
    const rows = await new Promise<object[]>((done, fail) => {
      database.all<object>(`select * from ${table} order by 1, 2, 3`, (error, found) =>
        error ? fail(error) : done(found),
      );
    });
    for (const row of rows) transcript.say(JSON.stringify(row));
  }
  await new Promise((done) => database.close(done));
}

/** Changes what a SQLite file holds, as nothing of stakeport does. */
export async function changeByHand(path: string, statements: readonly string[]): Promise<void> {
  const database = new sqlite3.Database(path);
  await new Promise<void>((done, fail) => {
    database.exec(statements.join(';\n'), (error) => (error ? fail(error) : done()));
  });
  await new Promise((done) => database.close(done));
}
