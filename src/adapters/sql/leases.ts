import type { Knex } from 'knex';
import type { Lease, LeaseName } from '../../core/ledger/lease.js';
import type { Leases } from '../../ports/leases.js';
import { asDomainError } from './fault.js';
import type { Store } from './store.js';

interface Row {
  readonly owner: string;
  readonly fence: number | string;
}

/** Keeps leases in the database, each with a row of its own; a statement each, so that the row's lock decides every race. */
export class SqlLeases implements Leases {
  readonly #now: Knex.Raw;

  constructor(private readonly store: Store) {
    this.#now = store.writer.raw(store.dialect.now);
  }

  async claim(name: LeaseName, owner: string, forMs: number): Promise<Lease | null> {
    const now = this.#now;
    // Looked at before anything is written: whoever waits for it asks often.
    const values = 'select ?, ?, 1, ? + ? where not exists (select 1 from leases where name = ? and expires_at > ?)';
    const taking = 'owner = excluded.owner, fence = leases.fence + 1, expires_at = ? + ?';
    const sql = `insert into leases (name, owner, fence, expires_at) ${values}
      on conflict (name) do update set ${taking} where leases.expires_at <= ? returning owner, fence`;
    const bindings = [name, owner, now, forMs, name, now, now, forMs, now];
    const [row] = await this.#run((writer) => writer.raw(sql, bindings));
    return row === undefined ? null : { name, owner, fence: Number(row.fence) };
  }

  async renew(lease: Lease, forMs: number): Promise<boolean> {
    return (await this.#expire(lease, this.store.writer.raw('? + ?', [this.#now, forMs]))) > 0;
  }

  async release(lease: Lease): Promise<void> {
    await this.#expire(lease, 0);
  }

  async find(name: LeaseName): Promise<Lease | undefined> {
    const { reader } = this.store;
    const held = reader('leases').where({ name }).where('expires_at', '>', this.#now);
    const [row] = await this.#judged(() => held.select<Row[]>('owner', 'fence'));
    return row === undefined ? undefined : { name, owner: row.owner, fence: Number(row.fence) };
  }

  #expire({ name, owner, fence }: Lease, at: number | Knex.Raw): Promise<number> {
    return this.#judged(() => this.store.writer('leases').where({ name, owner, fence }).update({ expires_at: at }));
  }

  async #run(ask: (writer: Knex) => PromiseLike<unknown>): Promise<readonly Row[]> {
    const answer = await this.#judged(() => ask(this.store.writer));
    return this.store.dialect.name === 'postgres' ? (answer as { rows: Row[] }).rows : (answer as Row[]);
  }

  async #judged<T>(ask: () => PromiseLike<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw asDomainError(this.store.judge(error));
    }
  }
}

/** Makes every lease anybody's: for whoever has proof that no other process lives that could hold one. */
export async function freeLeases({ writer }: Store): Promise<void> {
  await writer('leases').update({ expires_at: 0 });
}
