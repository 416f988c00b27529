import type { Account, Balance } from '../../core/account/account.js';
import type { Position, PositionKey } from '../../core/account/position.js';
import type { LogHead, WorkingSet } from '../../core/ledger/working-set.js';
import type { Exposure, Strategy } from '../../core/strategy/strategy.js';
import { ACCOUNTS, BALANCES, POSITIONS, WHOLE_ACCOUNT } from './account-table.js';
import { LOG_HEADS, readingHeads } from './event-table.js';
import { RecentRisks } from './recent-risks.js';
import { type Belonging, type Key, RecentRows, type RowKind } from './recent-rows.js';
import { EXPOSURES, STRATEGIES } from './strategy-table.js';
import type { Table } from './table.js';
import { wanting, wantingBy } from './tables.js';

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
