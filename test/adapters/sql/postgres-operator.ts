import pg from 'pg';
import type { Ledger } from '../../../src/ports/ledger.js';
import { ALICE } from '../../support/builders.js';

const OTHERS = 'datname = current_database() and pid <> pg_backend_pid()';

/** An operator at the console of one database. */
export class Operator {
  private constructor(private readonly client: pg.Client) {}

  static async at(url: string): Promise<Operator> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new Operator(client);
  }

  async run(statement: string, parameters: readonly unknown[] = []): Promise<void> {
    await this.client.query(statement, [...parameters]);
  }

  async rows(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.client.query(statement)).rows;
  }

  /** Gives every later connection to the database another default. */
  async setDefault(name: string, value: string): Promise<void> {
    const statement = "select format('alter database %I set %I = %L', current_database(), $1::text, $2::text) as text";
    const { rows } = await this.client.query(statement, [name, value]);
    await this.client.query(rows[0].text);
  }

  /** Holds Alice's row as another process would, until the next commit or rollback. */
  async lockAlice(ledger: Ledger): Promise<void> {
    await ledger.write({ account: ALICE }, () => ({ result: null }));
    await this.run('begin isolation level read committed');
    await this.run(`select from accounts where id = 'alice' for update`);
  }

  /** How many connections to the database wait for a lock. */
  readonly waiting = (): Promise<number> =>
    this.count(`select count(*)::int as n from pg_stat_activity where ${OTHERS} and wait_event_type = 'Lock'`);

  /** Ends every other connection to the database; returns how many there were. */
  endOthers(): Promise<number> {
    return this.count(`select count(pg_terminate_backend(pid, 5000))::int as n from pg_stat_activity where ${OTHERS}`);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  private async count(statement: string): Promise<number> {
    const { rows } = await this.client.query<{ n: number }>(statement);
    return rows[0]?.n ?? 0;
  }
}
