import type { Ledger } from '../../../ports/ledger.js';
import { auditAccount } from '../../audit/audit-account.js';
import type { BooksKey, BooksOnRecord, Finding } from '../../audit/books-audit.js';
import { CountsReading } from '../../audit/counts-audit.js';
import { HistoryAudit } from '../../audit/history-audit.js';
import { LossReading } from '../../audit/loss-audit.js';
import { JournalReading, readBooks } from '../../audit/read-books.js';
import { Unbooked } from '../../audit/unbooked.js';
import type { OrderId, StrategyId, VenueName } from '../../ids.js';
import { type BalanceCursor, type Page, slices } from '../../ledger/query.js';
import type { Order } from '../../order/order.js';
import type { OrderContext } from '../../posting/trading-stop.js';

/** The result of the audit of one account, paper or live: its books hold when nothing was found and it was not busy. */
export interface AccountAudit extends BooksKey {
  readonly findings: readonly Finding[];
  /** True when its money moved during every attempt, so that there is no result. */
  readonly busy: boolean;
  /** How many of each were examined. */
  readonly orders: number;
  readonly events: number;
  readonly entries: number;
}

const LOOKS = 300;

/** What an audit works with. */
export interface AuditContext extends Pick<OrderContext, 'digest'> {
  /** Where orders are decided; null where that is not known, and then derived from the orders on record. */
  readonly venues: OrderContext['venues'] | null;
}

/**
 * Proves that the books of every account are consistent: balances, positions and exposures equal the sums of the journal and
 * the working orders, each order equals its replayed events, and each fill has the one entry that books it.
 *
 * Others may write meanwhile. The money of an account is examined again until nothing is wrong, or until the same is found
 * twice with nothing moved between, the journal and the orders read from their beginning; an account that moves during every attempt is
 * reported as busy. An order is compared with its own events up to its number, which are immutable.
 */
export class AuditBooks {
  constructor(
    private readonly ledger: Ledger,
    private readonly context: AuditContext,
  ) {}

  /** One account after another, each as soon as it is done. Changes nothing. @throws StorageUnavailable */
  async *execute(): AsyncGenerator<AccountAudit> {
    for (const owner of await this.#owners()) {
      const journal = new JournalReading(this.ledger, owner);
      await journal.readOn();
      await journal.finish();
      const { unbooked, counts, sent, strategies, ...histories } = await this.#histories(owner, journal);
      const venues = this.context.venues ?? { isLocal: ({ venue }) => !sent.has(venue) };
      const books = await this.#books(owner, { journal, unbooked, counts }, [...strategies], venues);
      yield { ...owner, ...histories, ...books, findings: [...books.findings, ...histories.findings] };
    }
  }

  /** Every account with a balance or an order: a denied order touches no balance. */
  async #owners(): Promise<readonly BooksKey[]> {
    const owners = new Map<string, BooksKey>();
    const add = ({ account, paper }: BooksKey) => owners.set(`${account} ${paper}`, { account, paper });
    const balances = (page: Page<BalanceCursor>) => this.ledger.listBalances(page);
    for await (const found of slices(balances, (balance): BalanceCursor => balance)) found.forEach(add);
    const orders = (page: Page<OrderId>) => this.ledger.listVenueOrders({}, page);
    for await (const found of slices(orders, (order) => order.id))
      for (const { account, intent } of found) add({ account, paper: intent.paper });
    return [...owners.values()];
  }

  async #histories({ account, paper }: BooksKey, journal: JournalReading) {
    const strategies = new Set<StrategyId>();
    const sent = new Set<VenueName>();
    const unbooked = new Unbooked();
    const counts = new CountsReading(this.ledger, { account, paper });
    const findings: Finding[] = [];
    let [orders, events] = [0, 0];
    const read = (page: Page<OrderId>) => this.ledger.listOrders(account, { paper }, page);
    for await (const found of slices(read, (order) => order.id)) {
      for (const order of found) {
        if (order.intent.strategy !== null) strategies.add(order.intent.strategy.id);
        counts.add(order);
        orders += 1;
        const history = await this.#history(order);
        events += history.events;
        findings.push(...history.audit.findings());
        if (history.audit.wasSent) sent.add(order.intent.venue);
        unbooked.add(order, journal);
      }
    }
    return { strategies, unbooked, counts, sent, findings, orders, events };
  }

  async #history(order: Order) {
    const audit = new HistoryAudit(order, this.context.digest);
    const read = (page: Page<number>) => this.ledger.listEvents(order.account, order.id, page);
    let events = 0;
    for await (const found of slices(read, (event) => event.seq)) {
      for (const event of found) audit.add(event);
      events += found.length;
    }
    return { audit, events };
  }

  async #books(
    owner: BooksKey,
    read: { readonly journal: JournalReading; readonly unbooked: Unbooked; readonly counts: CountsReading },
    strategies: readonly StrategyId[],
    venues: OrderContext['venues'],
  ) {
    let { journal, counts } = read;
    const losses = new LossReading(this.ledger, owner);
    let before = '';
    let again = false;
    for (let look = 0; look < LOOKS; look += 1) {
      await journal.readOn();
      await counts.readOn();
      const books = await readBooks(this.ledger, owner, strategies);
      await journal.finish();
      await losses.readOn();
      const findings = auditAccount(journal, books, read.unbooked, counts, losses, venues);
      const { entries } = journal.sums;
      if (findings.length === 0) return { findings, busy: false, entries };
      const now = this.context.digest(textOf(findings, journal, books));
      if (now === before && again) return { findings, busy: false, entries };
      again = now === before;
      if (again) [journal, counts] = [new JournalReading(this.ledger, owner), new CountsReading(this.ledger, owner)];
      before = now;
    }
    return { findings: [], busy: true, entries: journal.sums.entries };
  }
}

const textOf = (findings: readonly Finding[], { sums }: JournalReading, books: BooksOnRecord): string =>
  JSON.stringify([findings, sums.entries, sums.last, books], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
