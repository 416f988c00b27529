import type { Balance } from '../../core/account/account.js';
import type { Position, PositionKey } from '../../core/account/position.js';
import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import type { RequestRecord } from '../../core/ledger/request.js';
import { WorkingSet } from '../../core/ledger/working-set.js';
import type { Order } from '../../core/order/order.js';
import type { Exposure, Strategy } from '../../core/strategy/strategy.js';
import type { Dialect } from './dialect.js';
import { BALANCES, POSITIONS, REQUESTS, WHOLE_ACCOUNT } from './rows-account.js';
import { ORDERS } from './rows-order.js';
import { EXPOSURES, STRATEGIES } from './rows-strategy.js';
import type { Transaction } from './store.js';
import { type Reader, reader } from './tables.js';

type Key = readonly (string | boolean)[];

/** Reads what the scopes of a group of writes name, with one statement a table. */
export class SnapshotLoader {
  readonly #requests: Reader<RequestRecord>;
  readonly #orders: Reader<Order>;
  readonly #strategies: Reader<Strategy>;
  readonly #exposures: Reader<Exposure>;
  readonly #positions: Reader<Position>;
  readonly #balances: Reader<Balance>;

  constructor(dialect: Dialect) {
    this.#requests = reader(REQUESTS, dialect, REQUESTS.key);
    this.#orders = reader(ORDERS, dialect, ORDERS.key);
    this.#strategies = reader(STRATEGIES, dialect, STRATEGIES.key);
    this.#exposures = reader(EXPOSURES, dialect, ['account', 'strategy_id']);
    this.#positions = reader(POSITIONS, dialect, POSITIONS.key);
    this.#balances = reader(BALANCES, dialect, ['account']);
  }

  /** Locks the accounts, then reads: what comes back cannot change before the transaction ends. */
  async load(tx: Transaction, accounts: readonly AccountId[], scopes: readonly Scope[]): Promise<WorkingSet> {
    const set = new WorkingSet();
    for (const account of await tx.lock(accounts)) set.accounts.load(account.id, account);
    const requests = await this.#requests(tx, scopes.flatMap(requestKeys));
    for (const request of requests) set.requests.load(request, request);
    const orders = [...scopes.flatMap(orderKeys), ...made('orders.', requests)];
    for (const order of await this.#orders(tx, orders)) set.orders.load(order.id, order);
    const strategies = [...scopes.flatMap(strategyKeys), ...made('strategies.', requests)];
    for (const strategy of await this.#strategies(tx, strategies)) set.strategies.load(strategy.id, strategy);
    for (const exposure of await this.#exposures(tx, strategies)) set.exposures.load(exposure, exposure);
    for (const position of await this.#positions(tx, scopes.flatMap(positionKeys)))
      set.positions.load(position, position);
    const owners = accounts.map((account) => [account]);
    for (const balance of await this.#balances(tx, owners)) set.balances.load(balance, balance);
    return set;
  }
}

// The account of a key is always the scope's, whatever the key itself says: nobody reads what is not theirs.
const orderKeys = ({ account, orders = [] }: Scope): Key[] => orders.map((id) => [account, id]);
const strategyKeys = ({ account, strategies = [] }: Scope): Key[] => strategies.map((id) => [account, id]);
const positionKeys = ({ account, positions = [] }: Scope): Key[] => positions.map((key) => positionKey(account, key));
const requestKeys = ({ account, request }: Scope): Key[] =>
  request === undefined ? [] : [[account, request.route, request.key]];

function positionKey(account: AccountId, { paper, marketId, token, strategyId }: PositionKey): Key {
  return [account, paper, marketId, token, strategyId ?? WHOLE_ACCOUNT];
}

/** The records that earlier requests made, of the kind that their route names. */
function made(kind: 'orders.' | 'strategies.', requests: readonly RequestRecord[]): Key[] {
  return requests.filter(({ route }) => route.startsWith(kind)).map(({ account, resource }) => [account, resource]);
}
