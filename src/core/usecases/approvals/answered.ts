import type { AuthScope } from '../../access/principal.js';
import { checkUnrestrained, type Restraint } from '../../access/session-restraint.js';
import type { AccountId, ApprovalId } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import { earlierResult } from '../../ledger/decision.js';
import type { KeyedRequest } from '../../ledger/request.js';
import { type OrderContext, outdatedBy } from '../../posting/trading-stop.js';
import { type Approval, approvalAt } from '../../strategy/record/approval.js';
import {
  ApprovalNotFound,
  ApprovalNotWaiting,
  ProgramOutdated,
  ScopeMissing,
} from '../../strategy/rules/strategy-refusals.js';
import type { Recorded } from '../orders/place-order.js';

/** The answer of a person to a bet that waits. */
export interface ApprovalAnswer {
  readonly account: AccountId;
  readonly approvalId: ApprovalId;
  /** The credential that answers: it is on record. */
  readonly by: string;
  readonly idempotencyKey: string | null;
}

/** Moments of an answer: of the market, which may be that of a tape, and of the machine. */
interface Moments {
  readonly at: Date;
  readonly wall: Date;
}

/** What a credential may do. */
interface Credential {
  readonly may: ReadonlySet<AuthScope>;
  readonly restraint?: Restraint | undefined;
}

/** Passes where it may approve a bet with this kind of money. @throws ScopeMissing, SessionRestrained otherwise */
export function checkMayApprove({ paper }: Pick<Approval, 'paper'>, { may, restraint }: Credential): void {
  const scope = paper ? 'orders:paper' : 'orders:live';
  if (!may.has(scope)) throw new ScopeMissing(scope, 'Approving a bet on its kind of money');
  if (!paper) checkUnrestrained(restraint);
}

/** The approval of the scope. @throws ApprovalNotFound */
export function approvalOnRecord(now: Snapshot, id: ApprovalId): Approval {
  const found = now.approvals().find((one) => one.id === id);
  if (found === undefined) throw new ApprovalNotFound();
  return found;
}

/**
 * What to answer where there is nothing left to decide: to a repetition, and to a caller that wants what another one decided
 * already. Null while it waits. @throws ApprovalNotWaiting, IdempotencyKeyReused
 */
export function answered(
  now: Snapshot,
  approval: Approval,
  wanted: 'approved' | 'rejected',
  request: KeyedRequest | null,
  { at, wall }: Moments,
): Recorded<Approval> | null {
  const record = approvalAt(approval, at);
  if (earlierResult(now, request, wall) !== undefined) return { record, replayed: true };
  if (record.state === 'waiting') return null;
  if (record.state !== wanted) throw new ApprovalNotWaiting(record.state);
  return { record, replayed: false };
}

/** Passes where this process may decide for strategies. @throws ProgramOutdated otherwise */
export function checkDecides(context: Pick<OrderContext, 'outdated'>): void {
  const outdated = outdatedBy(context);
  if (outdated !== null) throw new ProgramOutdated(outdated);
}
