import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import type { AccountId, ApprovalId } from '../../ids.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import { type Approval, type ApprovalState, approvalAt } from '../../strategy/record/approval.js';
import { ApprovalNotFound } from '../../strategy/rules/strategy-refusals.js';

/** Reads bets that wait, or waited, for a person. */
export class ReadApprovals {
  constructor(
    private readonly ledger: Pick<Ledger, 'approvals'>,
    private readonly clock: Clock,
  ) {}

  /** @throws ApprovalNotFound */
  async one(account: AccountId, id: ApprovalId): Promise<Approval> {
    const found = await this.ledger.approvals.find(account, id);
    if (found === undefined) throw new ApprovalNotFound();
    return approvalAt(found, this.clock.now());
  }

  /** Newest first; null for every state. */
  async many(
    account: AccountId,
    state: ApprovalState | null,
    page: Page<ApprovalId>,
  ): Promise<Slice<Approval, ApprovalId>> {
    const at = this.clock.now();
    const filter = { at, ...(state !== null && { state }) };
    const read = async (wanted: Page<ApprovalId>) => {
      const found = await this.ledger.approvals.list(account, filter, wanted);
      return found.map((one) => approvalAt(one, at));
    };
    return slice(page, read, ({ id }) => id);
  }
}
