import type { Account, Balance } from '../../core/account/account.js';
import type { Position, PositionKey } from '../../core/account/position.js';
import type { AccountId } from '../../core/ids.js';
import { holderName, withPosition } from '../../core/ledger/decision.js';
import type { LogHead, WorkingSet } from '../../core/ledger/working-set.js';
import type { HeldRisks } from '../../core/limits/risk.js';
import type { Exposure, Strategy } from '../../core/strategy/strategy.js';
import { ACCOUNTS, BALANCES, POSITIONS, WHOLE_ACCOUNT } from './account-table.js';
import type { Dialect } from './columns.js';
import { LOG_HEADS, readingHeads } from './event-table.js';
import type { Version } from './store.js';
import { EXPOSURES, STRATEGIES } from './strategy-table.js';
import { type RowsWanted, reading, type Table, wanting, wantingBy } from './table.js';

/** The values by which rows are looked up. */
export type Key = readonly (string | boolean)[];

/** How rows of one kind are remembered. */
export interface RowKind<T> {
  readonly want: (dialect: Dialect) => RowsWanted<T>;
  readonly keyOf: (row: T) => Key;
  /** Whether two rows under one key are the same one at different times. */
  readonly isSame: (a: T, b: T) => boolean;
  /** All of it as text. */
  readonly textOf: (row: T) => string;
  /** The rows that the decisions on a set changed. */
  readonly changedIn: (set: WorkingSet) => readonly T[];
}

/** What the rows under a key belong to, while that holds. */
export type Belonging = (key: string) => object | undefined;

interface Kept<T> {
  readonly to: object;
  readonly rows: readonly T[];
}

/**
 * Rows by the key under which they are read: those used last, of at most so many keys. It has them as long as they belong to
 * the same as when it took them in.
 */
export class RecentRows<T> {
  readonly #kept: RecentMap<Kept<T>>;

  constructor(
    readonly kind: RowKind<T>,
    limit: number,
    private readonly belonging: Belonging,
  ) {
    this.#kept = new RecentMap(limit);
  }

  /** All that it has now, by key. */
  get all(): ReadonlyMap<string, readonly T[]> {
    const holding = [...this.#kept.all].filter(([key, { to }]) => to === this.belonging(key));
    return new Map(holding.map(([key, { rows }]) => [key, rows]));
  }

  /** All rows under a key, as JSON; undefined where they have to be read. */
  get(key: string): readonly T[] | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.to === this.belonging(key) ? kept.rows : undefined;
  }

  /** Takes in all rows under these keys as they were read: maybe before the decisions on a set were stored. */
  read(keys: readonly string[], rows: readonly T[], before: WorkingSet | null): void {
    for (const key of keys) this.#put(key, []);
    for (const row of rows) this.#replace(row);
    if (before !== null) this.learn(before);
  }

  /** Takes in what the decisions on a set changed, where the other rows under the same key are known. */
  learn(set: WorkingSet): void {
    for (const row of this.kind.changedIn(set)) this.#replace(row);
  }

  #replace(row: T): void {
    const key = JSON.stringify(this.kind.keyOf(row));
    const others = this.get(key)?.filter((other) => !this.kind.isSame(other, row));
    if (others !== undefined) this.#put(key, [...others, row]);
  }

  #put(key: string, rows: readonly T[]): void {
    const to = this.belonging(key);
    if (to !== undefined) this.#kept.put(key, { to, rows });
  }
}

/** Values by key: those used last, of at most so many. */
export class RecentMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(private readonly limit: number) {}

  /** All that it has now. */
  get all(): ReadonlyMap<string, V> {
    return new Map([...this.#old, ...this.#young]);
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  // Two halves: the older one goes at once when the younger one is full, so that nothing is sorted by its last use.
  put(key: string, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size <= this.limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}

/** A version that was read, and that moves with what this process stores; what is remembered of an account belongs to one. */
export interface KnownVersion {
  version: Version;
  /** True once it does not hold: then nothing holds that was decided on it. */
  isVoid: boolean;
}

/** The versions of the accounts that were used last. */
export class KnownVersions {
  readonly #known: RecentMap<KnownVersion>;

  constructor(limit: number) {
    this.#known = new RecentMap(limit);
  }

  of(account: AccountId): KnownVersion | undefined {
    return this.#known.get(account);
  }

  /** The version of the account that a row's key, which is JSON, begins with. */
  ofKey(key: string): KnownVersion | undefined {
    const plain = key.includes('\\') ? undefined : key.slice(2, key.indexOf('"', 2));
    return this.#known.get(plain ?? String(JSON.parse(key)[0]));
  }

  /** The one that is known, or else this one. */
  take(account: AccountId, version: Version): KnownVersion {
    const known = this.of(account) ?? { version, isVoid: false };
    this.keep(account, known);
    return known;
  }

  keep(account: AccountId, known: KnownVersion): void {
    if (!known.isVoid) this.#known.put(account, known);
  }

  /** What is remembered of this account holds no more. */
  drop(account: AccountId): void {
    const known = this.of(account);
    if (known !== undefined) known.isVoid = true;
    this.#known.delete(account);
  }
}

/** The most keys of each kind whose rows are remembered. */
export const REMEMBERED = 20_000;

const only = () => true;
const ALWAYS = {};

function rowsOf<T>(table: Table<T>, by: readonly string[]): Pick<RowKind<T>, 'want' | 'textOf'> {
  return {
    want: (dialect) => wanting(table, dialect, by),
    textOf: (row) => JSON.stringify(table.encode(row)),
  };
}

const ACCOUNT: RowKind<Account> = {
  ...rowsOf(ACCOUNTS, ACCOUNTS.key),
  keyOf: ({ id }) => [id],
  isSame: only,
  changedIn: ({ accounts }) => accounts.changed(),
};
const CASH: RowKind<Balance> = {
  ...rowsOf(BALANCES, ['account']),
  keyOf: ({ account }) => [account],
  isSame: (a, b) => a.paper === b.paper && a.venue === b.venue,
  changedIn: ({ balances }) => balances.changed(),
};
const STRATEGY: RowKind<Strategy> = {
  ...rowsOf(STRATEGIES, STRATEGIES.key),
  keyOf: ({ account, id }) => [account, id],
  isSame: only,
  changedIn: ({ strategies }) => strategies.changed(),
};
const EXPOSURE: RowKind<Exposure> = {
  ...rowsOf(EXPOSURES, ['account', 'strategy_id']),
  keyOf: ({ account, strategyId }) => [account, strategyId],
  isSame: (a, b) => a.paper === b.paper,
  changedIn: ({ exposures }) => exposures.changed(),
};
const POSITION: RowKind<Position> = {
  ...rowsOf(POSITIONS, POSITIONS.key),
  keyOf: positionKey,
  isSame: only,
  changedIn: ({ positions }) => positions.changed(),
};
const HEAD: RowKind<LogHead> = {
  want: (dialect) => wantingBy(LOG_HEADS, readingHeads(dialect)),
  textOf: ({ account, seq }) => `${account} ${seq}`,
  keyOf: ({ account }) => [account],
  isSame: only,
  changedIn: (set) => set.changedHeads(),
};

/** The kinds of rows that are remembered. */
export const HOT = {
  accounts: ACCOUNT,
  balances: CASH,
  strategies: STRATEGY,
  exposures: EXPOSURE,
  positions: POSITION,
  heads: HEAD,
} as const;

/** The key of a position in the database. */
export function positionKey({ account, paper, marketId, outcome, strategyId, venue }: PositionKey): Key {
  return [account, paper, marketId, outcome, strategyId ?? WHOLE_ACCOUNT, venue];
}

/**
 * The small records that most writes need, as everything decided so far leaves them. The database has them like this once
 * what was decided is stored. They belong to the version of their account: where that does not hold, nor do they.
 */
export class Remembered {
  readonly accounts;
  readonly balances;
  readonly strategies;
  readonly exposures;
  readonly positions;
  readonly heads;
  readonly risks;

  /** `belonging` says for the key of a row what it belongs to; without it, all of it holds for ever. */
  constructor(limit: number, belonging: Belonging = () => ALWAYS) {
    this.accounts = new RecentRows(HOT.accounts, limit, belonging);
    this.balances = new RecentRows(HOT.balances, limit, belonging);
    this.strategies = new RecentRows(HOT.strategies, limit, belonging);
    this.exposures = new RecentRows(HOT.exposures, limit, belonging);
    this.positions = new RecentRows(HOT.positions, limit, belonging);
    this.heads = new RecentRows(HOT.heads, limit, belonging);
    // Each has many positions.
    this.risks = new RecentRisks(limit / 10, belonging);
  }

  /** Takes in what the decisions on a set changed. */
  learn(set: WorkingSet): void {
    for (const rows of [this.accounts, this.balances, this.strategies, this.exposures, this.positions, this.heads])
      rows.learn(set);
    this.risks.learn(set);
  }
}

/** Positions that may lose something, by their holder. */
export const AT_RISK: Pick<RowKind<Position>, 'want' | 'keyOf' | 'textOf'> = {
  want(dialect) {
    const ofHolder = reading(POSITIONS, dialect, ['account', 'paper', 'strategy_id']);
    // Spelt as in its partial index.
    return wantingBy(POSITIONS, (parameter) => `${ofHolder(parameter)} and positions.risk is not null`);
  },
  keyOf: ({ account, paper, strategyId }) => [account, paper, strategyId ?? WHOLE_ACCOUNT],
  textOf: (position) => JSON.stringify(POSITIONS.encode(position)),
};

interface KeptRisks {
  readonly to: object;
  readonly risks: HeldRisks<Position>;
}

/**
 * What holders may lose, of those used last: with many open positions it would be slow to read and to sum for every order. The
 * group that is being decided changes it already; where that is never stored, nor does what it belongs to hold.
 */
class RecentRisks {
  readonly #kept: RecentMap<KeptRisks>;

  constructor(
    limit: number,
    private readonly belonging: Belonging,
  ) {
    this.#kept = new RecentMap(limit);
  }

  /** By the name of the holder; undefined where it has to be read. */
  get(name: string): HeldRisks<Position> | undefined {
    const kept = this.#kept.get(name);
    return kept !== undefined && kept.to === this.belonging(name) ? kept.risks : undefined;
  }

  /** The positions by holder, but of those in a set, which may be further on. */
  except(set: WorkingSet | null): ReadonlyMap<string, readonly Position[]> {
    const all = new Map<string, readonly Position[]>();
    for (const name of this.#kept.all.keys()) {
      const risks = set?.risks.all.has(name) === true ? undefined : this.get(name);
      if (risks !== undefined) all.set(name, [...risks]);
    }
    return all;
  }

  /** Takes in what the decisions on a set changed. */
  learn(set: WorkingSet): void {
    for (const [name, risks] of set.risks.all) {
      const to = this.belonging(name);
      if (to !== undefined) this.#kept.put(name, { to, risks });
    }
    for (const position of set.positions.changed()) {
      const name = holderName(position);
      if (!set.risks.all.has(name)) withPosition(this.get(name), position);
    }
  }
}
