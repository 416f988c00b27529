import type { Exchange, Unknown } from '../../../ports/exchange.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { VenueAccount } from '../../../ports/venue-adapter.js';
import { HoldingsAudit, type HoldingsFinding } from '../../audit/holdings-audit.js';
import type { AccountId, OrderId, VenueName } from '../../ids.js';
import { type BalanceCursor, type Page, type PositionCursor, slices } from '../../ledger/query.js';

/** What the comparison with a venue found; it agrees where nothing `differs` and nothing is `unknown`. */
export interface HoldingsComparison {
  readonly kind: 'compared';
  readonly venue: VenueName;
  /** Of how many markets a net position was compared. */
  readonly markets: number;
  readonly findings: readonly HoldingsFinding[];
}

/** Compares the net positions and the cash of all accounts at a venue with what it shows, and changes nothing. */
export class AuditHoldings {
  constructor(
    private readonly ledger: Ledger,
    private readonly exchange: Pick<Exchange, 'venue'> & Pick<VenueAccount, 'holdings'>,
  ) {}

  /** `unknown` where the venue does not answer, or has nothing to compare with. @throws StorageUnavailable */
  async execute(): Promise<HoldingsComparison | Unknown> {
    const { venue } = this.exchange;
    // First the venue, then the books, and of them orders last: what is booked meanwhile is then a change of its order.
    const holdings = await this.exchange.holdings?.();
    if (holdings === undefined) return { kind: 'unknown', reason: 'The venue shows no net positions.' };
    if (holdings.kind === 'unknown') return holdings;
    const audit = new HoldingsAudit(venue, holdings);
    for (const account of await this.#accounts(audit)) await this.#addPositions(account, audit);
    const orders = (page: Page<OrderId>) => this.ledger.listVenueOrders({ paper: false, venue }, page);
    for await (const found of slices(orders, ({ id }) => id)) for (const order of found) audit.addOrder(order);
    return { kind: 'compared', venue, markets: audit.markets, findings: await audit.findings() };
  }

  /** Adds every balance; who has shares has, or had, money. */
  async #accounts(audit: HoldingsAudit): Promise<ReadonlySet<AccountId>> {
    const accounts = new Set<AccountId>();
    const balances = (page: Page<BalanceCursor>) => this.ledger.listBalances(page);
    for await (const found of slices(balances, (balance): BalanceCursor => balance)) {
      for (const balance of found) {
        audit.addBalance(balance);
        if (!balance.paper) accounts.add(balance.account);
      }
    }
    return accounts;
  }

  async #addPositions(account: AccountId, audit: HoldingsAudit): Promise<void> {
    const whole = { paper: false, strategyId: null } as const;
    const positions = (page: Page<PositionCursor>) => this.ledger.listPositions(account, whole, page);
    for await (const found of slices(positions, (position): PositionCursor => position)) {
      for (const position of found) audit.addPosition(position);
    }
  }
}
