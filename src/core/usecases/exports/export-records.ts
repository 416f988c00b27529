import type { Ledger } from '../../../ports/ledger.js';
import type { Pause } from '../../../ports/system.js';
import type { JournalEntry } from '../../account/account.js';
import { FillAudit } from '../../audit/fill-audit.js';
import type { AccountId, OrderId } from '../../ids.js';
import type { OrderFilter, Page } from '../../ledger/query.js';
import type { Order } from '../../order/order.js';
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

type ExportLedger = Pick<Ledger, 'bets' | 'findOrder' | 'listOrders' | 'listEntries'>;

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

/** Finds the fills that entries of the journal book or undo, as an audit finds them: by their money. */
class FillsOfEntries {
  readonly #fills = new FillAudit();

  constructor(
    private readonly ledger: Pick<Ledger, 'findOrder'>,
    private readonly account: AccountId,
  ) {}

  /** For each of the entries, which come in their order; null where it is about no fill. */
  async of(entries: readonly JournalEntry[]): Promise<readonly (MovedFill | null)[]> {
    const ids = [...new Set(entries.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))];
    const orders = new Map(
      await Promise.all(ids.map(async (id) => [id, await this.ledger.findOrder(this.account, id)] as const)),
    );
    return entries.map((entry) => {
      const order = entry.orderId === null ? undefined : orders.get(entry.orderId);
      const { cause } = entry;
      if (order === undefined || (cause !== 'fill' && cause !== 'void')) return null;
      const fill = this.#fills.add(entry, cause, order);
      return fill === null ? null : { order, fill };
    });
  }
}
