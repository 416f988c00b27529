import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import type { Approval } from '../../strategy/record/approval.js';
import { ApprovalNotFound } from '../../strategy/rules/strategy-refusals.js';
import type { Recorded } from '../orders/place-order.js';
import { type ApprovalAnswer, answered, approvalOnRecord } from './answered.js';

/** Says no to a bet that waits for a person: nothing is ordered. */
export class RejectBet {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly wallClock: Clock,
  ) {}

  /** @throws ApprovalNotFound, ApprovalNotWaiting, IdempotencyKeyReused */
  async execute(answer: ApprovalAnswer): Promise<Recorded<Approval>> {
    const { account, approvalId, idempotencyKey } = answer;
    const found = await this.ledger.approvals.find(account, approvalId);
    if (found === undefined) throw new ApprovalNotFound();
    const request = keyed(account, 'approvals.reject', idempotencyKey, { approvalId });
    const scope = { account, approvals: found.decision, ...(request !== null && { request: request.key }) };
    return this.ledger.write(scope, (now) => this.#decide(now, answer, request));
  }

  #decide(
    now: Snapshot,
    { approvalId, by }: ApprovalAnswer,
    request: KeyedRequest | null,
  ): Decision<Recorded<Approval>> {
    const approval = approvalOnRecord(now, approvalId);
    const [at, wall] = [this.clock.now(), this.wallClock.now()];
    const earlier = answered(now, approval, 'rejected', request, { at, wall });
    if (earlier !== null) return { result: earlier };
    const record: Approval = { ...approval, state: 'rejected', decidedBy: by, decidedAt: at };
    const requests = requestRecords(request, approvalId, !approval.paper, wall);
    return { result: { record, replayed: false }, approvals: [record], requests };
  }
}
