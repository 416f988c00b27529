import type { AccountId, ApprovalId } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';
import type { Approval, ApprovalState } from '../core/strategy/record/approval.js';

/** Which approvals to list, as they are at a moment: one that nobody decided on has expired from its end on. */
export interface ApprovalFilter {
  readonly at: Date;
  /** Absent: whatever its state. */
  readonly state?: ApprovalState;
}

/** Bets that wait, or waited, for a person; `Ledger.write` stores them. They are returned as they are on record. */
export interface ApprovalStore {
  find(account: AccountId, id: ApprovalId): Promise<Approval | undefined>;
  /** Newest first. */
  list(account: AccountId, filter: ApprovalFilter, page: Page<ApprovalId>): Promise<readonly Approval[]>;
  /** Approvals of all accounts that are `waiting` on record, expired or not; the earliest end first, at most `limit`. */
  listWaiting(limit: number): Promise<readonly Approval[]>;
}
