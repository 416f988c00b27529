import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import { SERVICE, stopsOf, type TradingNow } from '../../account/account.js';
import type { AccountId } from '../../ids.js';
import type { TradingRecord } from '../../ledger/event-log.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';

/** Reads what was set about trading, and what was set before. */
export class ReadTrading {
  constructor(
    private readonly ledger: Ledger,
    private readonly wallClock: Clock,
  ) {}

  /** What stops the account's orders now. */
  async now(account: AccountId): Promise<TradingNow> {
    const at = this.wallClock.now();
    return this.ledger.read({ account, service: true }, ({ account: own, service = own }) => stopsOf(own, service, at));
  }

  /** Newest first: of the account, or of what holds for every account. */
  history(whose: AccountId | 'service', page: Page<number>): Promise<Slice<TradingRecord, number>> {
    const account = whose === 'service' ? SERVICE : whose;
    return slice(
      page,
      (asked) => this.ledger.log.trading(account, asked),
      ({ seq }) => seq,
    );
  }
}
