import type { Ledger } from '../../ports/ledger.js';
import type { JournalEntry } from '../account/account.js';
import { type Account, type Balance, type CashKey, openBalance, PAPER_CASH, resetsOf } from '../account/account.js';
import type { Position } from '../account/position.js';
import type { AccountId, OrderId, StrategyId } from '../ids.js';
import { type Page, type PositionCursor, slices } from '../ledger/query.js';
import { NO_USDC } from '../money.js';
import type { OrderStatus } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { noExposure } from '../strategy/strategy.js';
import { type BooksKey, type BooksOnRecord, JournalSums } from './books-audit.js';
import { FillAudit } from './fill-audit.js';
import { ShareAudit } from './share-audit.js';
import { SpendingAudit } from './spending-audit.js';

/** The public statuses of orders that may still trade. */
const WORKING: readonly OrderStatus[] = ['pending', 'unknown', 'delayed', 'open', 'partially_filled'];

/** Reads an account's records, with the parts of these strategies, in several reads, and so not as of one moment. */
export async function readBooks(
  ledger: Ledger,
  owner: BooksKey,
  strategies: readonly StrategyId[],
): Promise<BooksOnRecord> {
  const balances = await balancesOf(ledger, owner);
  const positions = await positionsOf(ledger, owner, null);
  const parts: Position[] = [];
  for (const id of strategies) parts.push(...(await positionsOf(ledger, owner, id)));
  return {
    balances,
    positions,
    parts,
    working: await workingOrders(ledger, owner),
    ...(await ledger.read({ account: owner.account }, ({ account }) => measuredOf(account, owner))),
    exposures: strategies.length === 0 ? [] : await exposuresOf(ledger, owner, strategies),
  };
}

const measuredOf = (account: Account, { paper }: BooksKey): Pick<BooksOnRecord, 'measured' | 'resets'> => ({
  measured: { limits: account.limits, losses: account.losses },
  resets: resetsOf(account, paper),
});

/** The paper balance, on record or not; with real money, the balances on record. */
async function balancesOf(ledger: Ledger, { account, paper }: BooksKey): Promise<readonly Balance[]> {
  const keys = paper ? [PAPER_CASH] : await liveCashOf(ledger, account);
  const found = keys.map(async (key) => (await ledger.findBalance(account, key)) ?? openBalance(account, key, NO_USDC));
  return Promise.all(found);
}

function liveCashOf(ledger: Ledger, account: AccountId): Promise<readonly CashKey[]> {
  return ledger.read({ account }, (now) =>
    now.balances(false).flatMap(({ venue }) => (venue === null ? [] : [{ paper: false, venue } as const])),
  );
}

async function positionsOf(ledger: Ledger, { account, paper }: BooksKey, strategyId: StrategyId | null) {
  const all: Position[] = [];
  const read = (page: Page<PositionCursor>) => ledger.listPositions(account, { paper, strategyId }, page);
  for await (const found of slices(read, (position): PositionCursor => position)) all.push(...found);
  return all;
}

async function workingOrders(ledger: Ledger, { account, paper }: BooksKey): Promise<readonly Order[]> {
  const all: Order[] = [];
  for (const status of WORKING) {
    const read = (page: Page<Order['id']>) => ledger.listOrders(account, { status, paper }, page);
    for await (const found of slices(read, (order) => order.id)) all.push(...found);
  }
  return all;
}

/** Only a snapshot has them. */
function exposuresOf(ledger: Ledger, { account, paper }: BooksKey, strategies: readonly StrategyId[]) {
  return ledger.read({ account, strategies }, (now) =>
    strategies.map((id) => now.exposure(id, paper) ?? noExposure({ account, id }, paper)),
  );
}

/** The journal of one account as far as it was read: its sums, and which fills it books. */
export class JournalReading {
  readonly sums = new JournalSums();
  readonly fills = new FillAudit();
  readonly shares = new ShareAudit();
  readonly spending = new SpendingAudit();
  #last: string | undefined;
  #rest: readonly JournalEntry[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly owner: BooksKey,
  ) {}

  /** Reads to the end of the journal. `finish` counts the last entries, so that their orders are read after all else. */
  async readOn(): Promise<void> {
    await this.finish();
    const { account, paper } = this.owner;
    const from = this.#last;
    const read = ({ limit, after = from }: Page<string>) =>
      this.ledger.listEntries(account, paper, { limit, ...(after !== undefined && { after }) });
    for await (const found of slices(read, (entry) => entry.id)) {
      await this.finish();
      this.#rest = found;
      this.#last = found.at(-1)?.id ?? this.#last;
    }
  }

  /** Counts all entries read. An order is read after its entry, and so has the fill. */
  async finish(): Promise<void> {
    const entries = this.#rest;
    this.#rest = [];
    const ids = new Set(entries.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])));
    const orders = new Map<OrderId, Order>();
    for (const id of ids) {
      const order = await this.ledger.findOrder(this.owner.account, id);
      if (order !== undefined) orders.set(id, order);
    }
    for (const entry of entries) this.#count(entry, entry.orderId === null ? undefined : orders.get(entry.orderId));
  }

  #count(entry: JournalEntry, order: Order | undefined): void {
    const { cause } = entry;
    this.sums.add(entry);
    this.spending.add(entry, order);
    const trades = cause === 'fill' || cause === 'void';
    const fill = trades ? this.fills.add(entry, cause, order) : null;
    this.shares.add(entry, this.sums, order === undefined || fill === null ? null : { order, fill });
    if (this.shares.isBlank) this.spending.doubt();
  }
}
