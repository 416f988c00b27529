import type { AccountId, ApprovalId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { Approval } from '../../core/strategy/record/approval.js';
import type { ApprovalFilter, ApprovalStore } from '../../ports/approval-store.js';
import { APPROVALS, approvalIn } from './approval-table.js';
import { Lookup } from './lookup.js';
import { comparable, type Narrow, RowReader } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';

/** Bets that wait for a person, in SQLite or Postgres. */
export class SqlApprovals implements ApprovalStore {
  readonly #rows: RowReader;
  readonly #lookup;

  constructor(
    store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
    this.#lookup = new Lookup(APPROVALS, store, store.reads);
  }

  async find(account: AccountId, id: ApprovalId): Promise<Approval | undefined> {
    const found = await this.access.read(() => this.#lookup.find(account, id));
    return found && approvalIn(found);
  }

  async list(account: AccountId, filter: ApprovalFilter, page: Page<ApprovalId>): Promise<readonly Approval[]> {
    const found = await this.access.read(() =>
      this.#rows.newestFirst(APPROVALS, 'id', page, (q) => {
        q.where({ account });
        narrowed(q, filter);
      }),
    );
    return found.map(approvalIn);
  }

  async listWaiting(limit: number): Promise<readonly Approval[]> {
    const found = await this.access.read(() =>
      this.#rows.all(APPROVALS, (q) => {
        // Spelt as in its index.
        q.whereRaw("state = 'waiting'").orderBy('expires_at').limit(limit);
      }),
    );
    return found.map(approvalIn);
  }
}

function narrowed(q: Parameters<Narrow>[0], { state, at }: ApprovalFilter): void {
  if (state === 'waiting') q.where({ state }).where('expires_at', '>', comparable(at));
  else if (state === 'expired')
    q.where((either: Parameters<Narrow>[0]) => {
      either.where({ state }).orWhere((overdue: Parameters<Narrow>[0]) => {
        overdue.where({ state: 'waiting' }).where('expires_at', '<=', comparable(at));
      });
    });
  else if (state !== undefined) q.where({ state });
}
