import type { PositionKey } from '../../core/account/position.js';
import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import type { RequestRecord } from '../../core/ledger/request.js';
import { WorkingSet } from '../../core/ledger/working-set.js';
import { ACCOUNTS, API_KEYS, BALANCES, POSITIONS, REQUESTS, WHOLE_ACCOUNT } from './account-table.js';
import type { Dialect } from './dialect.js';
import { LOG_HEADS, readingHeads } from './event-table.js';
import { JOBS } from './job-table.js';
import { LEASES, readingLeases } from './lease-table.js';
import { ORDERS } from './order-table.js';
import type { Reads } from './store.js';
import { EXPOSURES, STRATEGIES } from './strategy-table.js';
import { wanting, wantingBy } from './tables.js';

type Key = readonly (string | boolean)[];

/** Reads what the scopes of a group of writes name. */
export class SnapshotLoader {
  readonly #accounts;
  readonly #requests;
  readonly #orders;
  readonly #strategies;
  readonly #exposures;
  readonly #positions;
  readonly #balances;
  readonly #jobs;
  readonly #leases;
  readonly #allPositions;
  readonly #allExposures;
  readonly #keys;
  readonly #heads;

  constructor(dialect: Dialect) {
    this.#accounts = wanting(ACCOUNTS, dialect, ACCOUNTS.key);
    this.#requests = wanting(REQUESTS, dialect, REQUESTS.key);
    this.#orders = wanting(ORDERS, dialect, ORDERS.key);
    this.#strategies = wanting(STRATEGIES, dialect, STRATEGIES.key);
    this.#exposures = wanting(EXPOSURES, dialect, ['account', 'strategy_id']);
    this.#positions = wanting(POSITIONS, dialect, POSITIONS.key);
    this.#balances = wanting(BALANCES, dialect, ['account']);
    this.#jobs = wanting(JOBS, dialect, JOBS.key);
    this.#leases = wantingBy(LEASES, readingLeases(dialect));
    this.#allPositions = wanting(POSITIONS, dialect, ['account', 'paper']);
    this.#allExposures = wanting(EXPOSURES, dialect, ['account', 'paper']);
    this.#keys = wanting(API_KEYS, dialect, ['account', 'id']);
    this.#heads = wantingBy(LOG_HEADS, readingHeads(dialect));
  }

  /** If the accounts were locked before, the result cannot change until the transaction ends. */
  async load(tx: Reads, accounts: readonly AccountId[], scopes: readonly Scope[]): Promise<WorkingSet> {
    const set = new WorkingSet();
    const requests: RequestRecord[] = [];
    const keys = scopes.flatMap(requestKeys);
    // First, because they name orders and strategies that are needed too.
    if (keys.length > 0) await tx.read(this.#requests(keys, (request) => requests.push(request)));
    for (const request of requests) set.requests.load(request, request);
    const owners = accounts.map((account) => [account]);
    const orders = [...scopes.flatMap(orderKeys), ...made('orders.', requests)];
    const strategies = [...scopes.flatMap(strategyKeys), ...made('strategies.', requests)];
    const holdings = scopes.flatMap(holdingsKeys);
    await tx.read([
      ...this.#accounts(owners, (account) => set.accounts.load(account.id, account)),
      ...this.#balances(owners, (balance) => set.balances.load(balance, balance)),
      ...this.#orders(orders, (order) => set.orders.load(order.id, order)),
      ...this.#strategies(strategies, (strategy) => set.strategies.load(strategy.id, strategy)),
      ...this.#exposures(strategies, (exposure) => set.exposures.load(exposure, exposure)),
      ...this.#positions(scopes.flatMap(positionKeys), (position) => set.positions.load(position, position)),
      ...this.#jobs(scopes.flatMap(jobKeys), (job) => set.jobs.load(job.orderId, job)),
      ...this.#leases(scopes.flatMap(leaseKeys), (lease) => set.leases.load(lease.name, lease)),
      ...this.#allPositions(holdings, (position) => set.positions.load(position, position)),
      ...this.#allExposures(holdings, (exposure) => set.exposures.load(exposure, exposure)),
      ...this.#keys(scopes.flatMap(keyKeys), (key) => set.keys.load(key.id, key)),
      ...this.#heads(owners, ({ account, seq }) => set.heads.set(account, seq)),
    ]);
    return set;
  }
}

// The account of a key is always the scope's, regardless of the key itself: no account reads another's records.
const orderKeys = ({ account, orders = [] }: Scope): Key[] => orders.map((id) => [account, id]);
const jobKeys = ({ account, jobs = [] }: Scope): Key[] => jobs.map((id) => [account, id]);
const keyKeys = ({ account, keys = [] }: Scope): Key[] => keys.map((id) => [account, id]);
const leaseKeys = ({ lease }: Scope): Key[] => (lease === undefined ? [] : [[lease]]);
const strategyKeys = ({ account, strategies = [] }: Scope): Key[] => strategies.map((id) => [account, id]);
const positionKeys = ({ account, positions = [] }: Scope): Key[] => positions.map((key) => positionKey(account, key));
const holdingsKeys = ({ account, holdings }: Scope): Key[] =>
  holdings === undefined ? [] : [[account, holdings === 'paper']];
const requestKeys = ({ account, request }: Scope): Key[] =>
  request === undefined ? [] : [[account, request.route, request.key]];

function positionKey(account: AccountId, { paper, marketId, outcome, strategyId, venue }: PositionKey): Key {
  return [account, paper, marketId, outcome, strategyId ?? WHOLE_ACCOUNT, venue];
}

/** The records that earlier requests made, of the kind that their route names. */
function made(kind: 'orders.' | 'strategies.', requests: readonly RequestRecord[]): Key[] {
  return requests.filter(({ route }) => route.startsWith(kind)).map(({ account, resource }) => [account, resource]);
}
