import * as v from 'valibot';
import { APPROVAL_STATES, type Approval } from '../../core/strategy/record/approval.js';
import { decisionOut, presentDecision } from './decision-wire.js';
import { means, momentOut, uuidOut } from './schema.js';

/** The states that a list can be narrowed to. */
export const approvalFilters = {
  state: v.optional(
    means(v.picklist(APPROVAL_STATES, `must be one of ${APPROVAL_STATES.join(', ')}`), 'Only approvals in this state.'),
  ),
};

/** A bet that waits, or waited, for a person. */
export const approvalOut = v.object({
  id: means(uuidOut, 'The id of the approval.'),
  state: means(
    v.picklist(APPROVAL_STATES),
    '`expired`: nobody answered in time, or its game began or ended; `refused`: somebody approved it, but it may not be bet any more, or its strategy asks no longer. `decision.code` says why.',
    'waiting',
  ),
  decision: means(
    decisionOut,
    'The bet that is asked for; once somebody approved it, what was decided at that moment.',
  ),
  expires_at: means(momentOut, 'From then on it cannot be approved.'),
  decided_by: means(
    v.nullable(v.string()),
    'The credential that approved or rejected it; `service` where it was withdrawn.',
    'key:4f1c',
  ),
  decided_at: means(v.nullable(momentOut), 'When it was approved, rejected or withdrawn.'),
  order_id: means(v.nullable(uuidOut), 'The order of the bet.'),
});

/** An approval as the API shows it. */
export function presentApproval(approval: Approval): v.InferInput<typeof approvalOut> {
  const { id, state, decision, expiresAt, decidedBy, decidedAt, orderId } = approval;
  return {
    id,
    state,
    decision: presentDecision(decision),
    expires_at: expiresAt.toISOString(),
    decided_by: decidedBy,
    decided_at: decidedAt?.toISOString() ?? null,
    order_id: orderId,
  };
}
