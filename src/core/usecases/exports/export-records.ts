import type { Ledger } from '../../../ports/ledger.js';
import type { Pause } from '../../../ports/system.js';
import type { JournalEntry } from '../../account/account.js';
import type { AccountId, OrderId } from '../../ids.js';
import type { OrderFilter, Page } from '../../ledger/query.js';
import type { Fill, Order } from '../../order/order.js';
import type { BetRow } from '../../performance/bet.js';
import { type BookedMove, BookedMoves, type MovedFill } from '../../performance/booked-moves.js';
import type { KeepBets } from '../bets/background/keep-bets.js';

/** What is exported; an absent member does not restrict. */
export interface ExportFilter {
  /** At that moment or later. */
  readonly from?: Date;
  /** Strictly before. */
  readonly before?: Date;
  readonly paper?: boolean;
}

/** The records of an account in pieces, of which only one is held at a time. */
export type ExportedRows<Row> = AsyncGenerator<readonly Row[], void>;

/** How many records a piece has: some milliseconds of work. */
const AT_ONCE = 100;

type ExportLedger = Pick<Ledger, 'bets' | 'findOrder' | 'listOrders' | 'listEvents' | 'listEntries'>;

/** Reads records of an account from end to end, piece by piece; other work has its turn in between. */
export class ExportRecords {
  constructor(
    private readonly ledger: ExportLedger,
    private readonly keep: Pick<KeepBets, 'execute'>,
    private readonly pause: Pause = async () => {},
  ) {}

  /** Bets that ended in the period, newest first by id. @throws StorageUnavailable */
  async *bets(account: AccountId, { from, before, paper }: ExportFilter): ExportedRows<BetRow> {
    await this.keep.execute(account);
    const filter = {
      settledAfter: from ?? new Date(0),
      ...(before !== undefined && { settledBefore: before }),
      ...(paper !== undefined && { paper }),
    };
    yield* this.#pieces(
      (page: Page<string>) => this.ledger.bets.list(account, filter, page),
      ({ id }) => id,
    );
  }

  /** Orders placed in the period, newest first. @throws StorageUnavailable */
  async *orders(account: AccountId, { from, before, paper }: ExportFilter): ExportedRows<Order> {
    const filter: OrderFilter = {
      placedAfter: justBefore(from ?? new Date(0)),
      ...(before !== undefined && { placedBefore: before }),
      ...(paper !== undefined && { paper }),
    };
    yield* this.#pieces(
      (page: Page<OrderId>) => this.ledger.listOrders(account, filter, page),
      ({ id }) => id,
    );
  }

  /**
   * Movements of money in the period, in the order in which they were booked, those on paper first. What sales and results earned
   * depends on all that came before: so all is read, and the rest is left out. @throws StorageUnavailable
   */
  async *journal(account: AccountId, { from, before, paper }: ExportFilter): ExportedRows<BookedMove> {
    const isWanted = ({ at }: JournalEntry) =>
      (from === undefined || at >= from) && (before === undefined || at < before);
    for (const kind of paper === undefined ? [true, false] : [paper]) {
      const moves = new BookedMoves();
      const fills = new FillsOfEntries(this.ledger, account);
      const entries = (page: Page<string>) => this.ledger.listEntries(account, kind, page);
      for await (const piece of this.#pieces(entries, ({ id }) => id)) {
        const moved = await fills.of(piece);
        const rows = piece.map((entry, at) => moves.take(entry, moved[at] ?? null));
        yield rows.filter(({ entry }) => isWanted(entry));
      }
    }
  }

  async *#pieces<Row, Key>(
    read: (page: Page<Key>) => Promise<readonly Row[]>,
    keyOf: (row: Row) => Key,
  ): ExportedRows<Row> {
    let after: Key | undefined;
    for (;;) {
      const rows = await read({ limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
      yield rows;
      const last = rows.at(-1);
      if (rows.length < AT_ONCE || last === undefined) return;
      after = keyOf(last);
      await this.pause();
    }
  }
}

/** All moments are whole milliseconds. */
const justBefore = (moment: Date): Date => new Date(moment.getTime() - 1);

/** Finds the fill that an entry of the journal books or undoes: the n-th such entry of an order is about its n-th such fill. */
class FillsOfEntries {
  readonly #booked = new Map<OrderId, number>();
  readonly #undone = new Map<OrderId, number>();

  constructor(
    private readonly ledger: Pick<Ledger, 'findOrder' | 'listEvents'>,
    private readonly account: AccountId,
  ) {}

  /** For each of the entries, which come in their order; null where it is about no fill. */
  async of(entries: readonly JournalEntry[]): Promise<readonly (MovedFill | null)[]> {
    const ids = [...new Set(entries.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))];
    const orders = new Map(
      await Promise.all(ids.map(async (id) => [id, await this.ledger.findOrder(this.account, id)] as const)),
    );
    const found: (MovedFill | null)[] = [];
    for (const { orderId, cause } of entries) {
      const order = orderId === null ? undefined : orders.get(orderId);
      const fill = order === undefined ? undefined : await this.#fill(order, cause);
      found.push(order === undefined || fill === undefined ? null : { order, fill });
    }
    return found;
  }

  async #fill(order: Order, cause: JournalEntry['cause']): Promise<Fill | undefined> {
    if (cause === 'void') {
      const undone = await this.#undoneTrades(order);
      const trade = undone[next(this.#undone, order.id, undone.length)];
      return order.fills.find(({ tradeId }) => tradeId === trade);
    }
    return cause === 'fill' ? order.fills[next(this.#booked, order.id, order.fills.length)] : undefined;
  }

  async #undoneTrades({ id, seq }: Order): Promise<readonly string[]> {
    const events = await this.ledger.listEvents(this.account, id, { limit: seq });
    return events.flatMap(({ change }) => (change.type === 'fill_voided' ? [change.tradeId] : []));
  }
}

/** Counts from 0, and forgets what was counted to its end. */
function next(counts: Map<OrderId, number>, id: OrderId, all: number): number {
  const n = counts.get(id) ?? 0;
  if (n + 1 < all) counts.set(id, n + 1);
  else counts.delete(id);
  return n;
}
