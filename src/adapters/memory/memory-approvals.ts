import type { AccountId, ApprovalId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { type Approval, approvalAt } from '../../core/strategy/record/approval.js';
import type { ApprovalFilter, ApprovalStore } from '../../ports/approval-store.js';
import { is } from './filters.js';
import { newestFirst } from './pages.js';

/** The approvals of a ledger in memory. */
export class MemoryApprovals implements ApprovalStore {
  constructor(private readonly set: Pick<WorkingSet, 'approvals'>) {}

  async find(account: AccountId, id: ApprovalId): Promise<Approval | undefined> {
    const found = this.set.approvals.get(id);
    return found?.account === account ? found : undefined;
  }

  async list(account: AccountId, { at, state }: ApprovalFilter, page: Page<ApprovalId>): Promise<readonly Approval[]> {
    const own = this.set.approvals.all().filter((one) => one.account === account);
    const wanted = own.filter((one) => is(state, approvalAt(one, at).state));
    return newestFirst(wanted, ({ id }) => id, page);
  }

  async listWaiting(limit: number): Promise<readonly Approval[]> {
    const waiting = this.set.approvals.all().filter(({ state }) => state === 'waiting');
    return waiting.sort((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime()).slice(0, limit);
  }
}
