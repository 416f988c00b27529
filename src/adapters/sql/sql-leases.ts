import type { Knex } from 'knex';
import type { Lease, LeaseName } from '../../core/ledger/lease.js';
import type { Program } from '../../core/ledger/program.js';
import type { Leases, Programs } from '../../ports/leases.js';
import { type Dialect, postgresDialect, sqliteDialect } from './columns.js';
import { asDomainError } from './fault.js';
import { MIGRATIONS } from './migrations/index.js';
import type { Store } from './store.js';

interface Row {
  readonly owner: string;
  readonly fence: number | string;
}

interface FoundProgram {
  readonly name: string;
  readonly owner: string;
}

/** A program has a lease by this and its own name; the owner of that lease is what is known of the program. */
const PROGRAM = 'program ';
const programName = ({ owner }: Program): string => `${PROGRAM}${owner}`;
const RUNS_STRATEGIES = 'strategies ';
const knownOf = ({ version, automates }: Program): string => `${automates ? RUNS_STRATEGIES : ''}${version}`;

function programIn({ name, owner: known }: FoundProgram): Program {
  const automates = known.startsWith(RUNS_STRATEGIES);
  const version = automates ? known.slice(RUNS_STRATEGIES.length) : known;
  return { owner: name.slice(PROGRAM.length), version, automates };
}

/** The moment comes from the database, so that machines need not agree on the time. */
function statements({ now }: Dialect) {
  // Checked before anything is written: waiting servers ask often.
  const free = `where not exists (select 1 from leases where name = ? and expires_at > ${now})`;
  const taken = `owner = excluded.owner, fence = leases.fence + 1, expires_at = ${now} + ?`;
  return {
    CLAIM: `insert into leases (name, owner, fence, expires_at) select ?, ?, 1, ${now} + ? ${free}
      on conflict (name) do update set ${taken} where leases.expires_at <= ${now} returning owner, fence`,
    EXPIRE: `update leases set expires_at = ${now} + ? where name = ? and owner = ? and fence = ? returning owner, fence`,
    FIND: `select owner, fence from leases where name = ? and expires_at > ${now}`,
    ANNOUNCE: `insert into leases (name, owner, fence, expires_at) values (?, ?, 1, ${now} + ?)
      on conflict (name) do update set expires_at = excluded.expires_at`,
    STEPS: 'select count(*) as steps from schema_steps',
    ALIVE: `select name, owner from leases where name like '${PROGRAM}%' and expires_at > ${now} order by name`,
    FORGET: `delete from leases where name like '${PROGRAM}%' and (name = ? or expires_at <= ${now})`,
  };
}

const SQLITE = statements(sqliteDialect);
const POSTGRES = statements(postgresDialect);

/** Keeps leases in the database, a row each; each operation is one statement, so that the row's lock decides every race. */
export class SqlLeases implements Leases, Programs {
  readonly #statements;

  constructor(private readonly store: Store) {
    this.#statements = store.dialect.name === 'postgres' ? POSTGRES : SQLITE;
  }

  async claim(name: LeaseName, owner: string, forMs: number): Promise<Lease | null> {
    const { CLAIM } = this.#statements;
    const [row] = await this.#rows(this.store.writer.raw(CLAIM, [name, owner, forMs, name, forMs]));
    return row === undefined ? null : { name, owner, fence: Number(row.fence) };
  }

  renew(lease: Lease, forMs: number): Promise<boolean> {
    return this.#expire(lease, forMs);
  }

  async release(lease: Lease): Promise<void> {
    await this.#expire(lease, 0);
  }

  async find(name: LeaseName): Promise<Lease | undefined> {
    const { FIND } = this.#statements;
    const [row] = await this.#rows(this.store.reader.raw(FIND, [name]));
    return row === undefined ? undefined : { name, owner: row.owner, fence: Number(row.fence) };
  }

  async announce(program: Program, forMs: number): Promise<void> {
    const { ANNOUNCE } = this.#statements;
    await this.#rows(this.store.writer.raw(ANNOUNCE, [programName(program), knownOf(program), forMs]));
  }

  async isMigrated(): Promise<boolean> {
    const { STEPS } = this.#statements;
    const [found] = await this.#rows<{ readonly steps: number | string }>(this.store.reader.raw(STEPS));
    return Number(found?.steps) > MIGRATIONS.length;
  }

  async alive(): Promise<readonly Program[]> {
    const { ALIVE } = this.#statements;
    return (await this.#rows<FoundProgram>(this.store.reader.raw(ALIVE))).map(programIn);
  }

  /** With it those that are alive no more without having said so. */
  async leave(program: Program): Promise<void> {
    const { FORGET } = this.#statements;
    await this.#rows(this.store.writer.raw(FORGET, [programName(program)]));
  }

  async #expire({ name, owner, fence }: Lease, inMs: number): Promise<boolean> {
    const { EXPIRE } = this.#statements;
    return (await this.#rows(this.store.writer.raw(EXPIRE, [inMs, name, owner, fence]))).length > 0;
  }

  async #rows<T = Row>(asked: Knex.Raw): Promise<readonly T[]> {
    try {
      const answer = await asked;
      return this.store.dialect.name === 'postgres' ? answer.rows : answer;
    } catch (error) {
      throw asDomainError(this.store.judge(error));
    }
  }
}

/** Frees every lease. Call only if no other living process can hold one. */
export async function freeLeases({ writer }: Store): Promise<void> {
  await writer('leases').update({ expires_at: 0 });
}
