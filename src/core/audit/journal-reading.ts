import type { Ledger } from '../../ports/ledger.js';
import type { JournalEntry } from '../account/journal.js';
import type { OrderId } from '../ids.js';
import { type Page, slices } from '../ledger/query.js';
import type { Order } from '../order/order.js';
import type { BooksKey } from './books-audit.js';
import { JournalSums } from './books-audit.js';
import { FillAudit } from './fill-audit.js';
import { ShareAudit } from './share-audit.js';
import { SpendingAudit } from './spending-audit.js';

/** The journal of one account as far as it was read: its sums, and which fills it books. */
export class JournalReading {
  readonly sums = new JournalSums();
  readonly fills = new FillAudit();
  readonly shares = new ShareAudit();
  readonly spending = new SpendingAudit();
  #first: JournalEntry | undefined;
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
      this.#first ??= found[0];
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

  /**
   * True of an event of an order from before its account had a journal: the migration that introduced the journal made the
   * first entry, after the order and the event. An account that had nothing at that moment got no entry.
   */
  isBefore(order: Order, at: Date | undefined): boolean {
    const first = this.#first;
    if (first === undefined) return true;
    const opens = first.cause === 'opening' || first.cause === 'reset';
    return opens && at !== undefined && order.id < first.id && at < first.at;
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
