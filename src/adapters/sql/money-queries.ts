import type { Balance, CashKey } from '../../core/account/account.js';
import type { JournalEntry } from '../../core/account/journal.js';
import type { EquityPoint } from '../../core/account/portfolio.js';
import type { HoldingFilter, Position } from '../../core/account/position.js';
import type { AccountId } from '../../core/ids.js';
import type { BalanceCursor, Page, PositionCursor, RedeemableCursor } from '../../core/ledger/query.js';
import { BALANCES, ON_PAPER, POSITIONS, WHOLE_ACCOUNT } from './account-table.js';
import { ENTRIES, EQUITY } from './journal-table.js';
import { comparable, RowReader } from './row-reader.js';
import type { Store } from './store.js';

/** The reads of the ledger about money. */
export class MoneyQueries {
  readonly #rows: RowReader;

  constructor(store: Store) {
    this.#rows = new RowReader(store);
  }

  findBalance(account: AccountId, { paper, venue }: CashKey): Promise<Balance | undefined> {
    return this.#rows.first(BALANCES, (q) => q.where({ account, paper, venue: venue ?? ON_PAPER }));
  }

  listBalances({ limit, after }: Page<BalanceCursor>): Promise<readonly Balance[]> {
    return this.#rows.all(BALANCES, (q) => {
      q.orderBy([{ column: 'account' }, { column: 'paper', order: 'desc' }, { column: 'venue' }]).limit(limit);
      if (after === undefined) return;
      q.where('account', '>=', after.account);
      const { account, paper, venue } = after;
      q.whereRaw('(account > ? or paper < ? or (paper = ? and venue > ?))', [account, paper, paper, venue ?? ON_PAPER]);
    });
  }

  listPositions(
    account: AccountId,
    { paper, strategyId }: HoldingFilter,
    { limit, after }: Page<PositionCursor>,
  ): Promise<readonly Position[]> {
    return this.#rows.all(POSITIONS, (q) => {
      // Spelt as in its partial indexes.
      if (paper) q.whereRaw('paper');
      else q.whereRaw('not paper');
      q.where({ account, strategy_id: strategyId ?? WHOLE_ACCOUNT })
        .orderBy(['market_id', 'token', 'venue'])
        .limit(limit);
      if (after === undefined) return;
      q.whereRaw('(market_id, token, venue) > (?, ?, ?)', [after.marketId, after.outcome, after.venue]);
    });
  }

  listRedeemable({ limit, after }: Page<RedeemableCursor>): Promise<readonly Position[]> {
    return this.#rows.all(POSITIONS, (q) => {
      // Spelt as in the partial index, which is matched by text.
      q.whereRaw('redeemable > 0').orderBy(['account', 'market_id', 'token', 'venue']).limit(limit);
      if (after === undefined) return;
      const { account, marketId, outcome, venue } = after;
      q.whereRaw('(account, market_id, token, venue) > (?, ?, ?, ?)', [account, marketId, outcome, venue]);
    });
  }

  listEntries(account: AccountId, paper: boolean, page: Page<string>): Promise<readonly JournalEntry[]> {
    return this.#rows.oldestFirst(ENTRIES, 'entry', page, (q) => q.where({ account, paper, line: 1 }));
  }

  listEquity(
    account: AccountId,
    { paper, strategyId }: HoldingFilter,
    { limit, after }: Page<Date>,
  ): Promise<readonly EquityPoint[]> {
    const page = { limit, ...(after === undefined ? {} : { after: comparable(after) }) };
    const own = { account, paper, strategy_id: strategyId ?? WHOLE_ACCOUNT };
    return this.#rows.newestFirst(EQUITY, 'at', page, (q) => q.where(own));
  }
}
