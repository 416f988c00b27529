import type { ApiKey } from '../../core/access/api-key.js';
import type { Account, Balance } from '../../core/account/account.js';
import type { Position } from '../../core/account/position.js';
import type { AccountId } from '../../core/ids.js';
import type { RequestRecord } from '../../core/ledger/request.js';
import { newAccount, type WorkingSet } from '../../core/ledger/working-set.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Fill } from '../../core/order/fill.js';
import type { Order } from '../../core/order/order.js';
import type { Exposure, Strategy } from '../../core/strategy/strategy.js';
import type { Dialect } from './dialect.js';
import { ACCOUNTS, API_KEYS, BALANCES, POSITIONS, REQUESTS } from './rows-account.js';
import { FILLS, type OrderFill } from './rows-fill.js';
import { EVENTS, ORDERS } from './rows-order.js';
import { EXPOSURES, STRATEGIES, VERSIONS } from './rows-strategy.js';
import type { Transaction } from './store.js';
import { introducing, storing, type Table, type Writer, writer } from './tables.js';

/** Stores what a group of decisions changed, with one statement a table. */
export class ChangeWriter {
  readonly #introduce: Writer<Account>;
  readonly #accounts: Writer<Account>;
  readonly #strategies: Writer<Strategy>;
  readonly #versions: Writer<Strategy>;
  readonly #exposures: Writer<Exposure>;
  readonly #orders: Writer<Order>;
  readonly #fills: Writer<OrderFill>;
  readonly #events: Writer<OrderEvent>;
  readonly #balances: Writer<Balance>;
  readonly #positions: Writer<Position>;
  readonly #requests: Writer<RequestRecord>;
  readonly #keys: Writer<ApiKey>;

  constructor(dialect: Dialect) {
    const into = <T>(table: Table<T>) => writer(table, storing(table, dialect));
    this.#introduce = writer(ACCOUNTS, introducing(ACCOUNTS, dialect));
    this.#accounts = into(ACCOUNTS);
    this.#strategies = into(STRATEGIES);
    this.#versions = into(VERSIONS);
    this.#exposures = into(EXPOSURES);
    this.#orders = into(ORDERS);
    this.#fills = into(FILLS);
    this.#events = into(EVENTS);
    this.#balances = into(BALANCES);
    this.#positions = into(POSITIONS);
    this.#requests = into(REQUESTS);
    this.#keys = into(API_KEYS);
  }

  /** Puts accounts on record that may not be there yet, so that they can be locked. */
  introduce(tx: Transaction, accounts: readonly AccountId[]): Promise<void> {
    return this.#introduce(tx, accounts.map(newAccount));
  }

  /** Stores all that was put. `set` was loaded with the fills in `loaded`: those are stored already. */
  async store(tx: Transaction, set: WorkingSet, loaded: ReadonlySet<Fill>): Promise<void> {
    const orders = set.orders.changed();
    // What others refer to comes first.
    await this.#accounts(tx, set.accounts.changed());
    await this.#strategies(tx, set.strategies.changed());
    await this.#versions(tx, set.versions);
    await this.#exposures(tx, set.exposures.changed());
    await this.#orders(tx, orders);
    await this.#fills(
      tx,
      orders.flatMap((order) => fillsOf(order).filter(({ fill }) => !loaded.has(fill))),
    );
    await this.#events(tx, set.events);
    await this.#balances(tx, set.balances.changed());
    await this.#positions(tx, set.positions.changed());
    await this.#requests(tx, set.requests.changed());
    await this.#keys(tx, set.keys);
  }
}

function fillsOf({ account, id, fills }: Order): OrderFill[] {
  return fills.map((fill, index) => ({ account, orderId: id, n: index + 1, fill }));
}
