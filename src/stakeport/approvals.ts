import { AUTH_SCOPES } from '../core/access/principal.js';
import type { ApprovalId } from '../core/ids.js';
import type { Slice } from '../core/ledger/query.js';
import { APPROVAL_STATES, type Approval, type ApprovalState } from '../core/strategy/record/approval.js';
import type { UseCases } from '../core/usecases/compose.js';
import { accountId, approvalId, keyOf, knownWord, onlyMembers, type PageRequest, pageOf, text } from './input.js';
import type { Perform } from './orders.js';

/** Which approvals to list. */
export interface ApprovalListRequest extends PageRequest<ApprovalId> {
  readonly state?: ApprovalState;
}

/** Who answers, and a key that makes a repetition the same answer. */
export interface ApprovalAnswerRequest {
  /** The person on record; by default `program`. */
  readonly by?: string;
  readonly idempotencyKey?: string | null;
}

/** Bets of strategies with `automation: approve`, which wait for a person. */
export interface Approvals {
  /** Newest first. */
  list(account: string, request?: ApprovalListRequest): Promise<Slice<Approval, ApprovalId>>;
  /**
   * Decides again at the prices of now: it is `approved` with its order, or `refused`. Of several at once, all get the one order.
   *
   * @throws ApprovalNotFound, ApprovalNotWaiting, LiveTradingNotEnabled, MarketDataUnavailable
   *
   * @example
   * ```ts
   * const { items } = await stakeport.approvals.list('me', { state: 'waiting' });
   * for (const { id } of items) console.log((await stakeport.approvals.approve('me', id, { by: 'Ann' })).state);
   * ```
   */
  approve(account: string, approval: string, answer?: ApprovalAnswerRequest): Promise<Approval>;
  /** Nothing is ordered. @throws ApprovalNotFound, ApprovalNotWaiting */
  reject(account: string, approval: string, answer?: ApprovalAnswerRequest): Promise<Approval>;
}

const EVERYTHING = new Set(AUTH_SCOPES);

/** The methods that answer bets that wait for a person. */
export function approvalsOf({ approvals }: UseCases, perform: Perform): Approvals {
  const answerOf = (account: string, approval: string, answer: ApprovalAnswerRequest) => {
    onlyMembers(answer, ['by', 'idempotencyKey']);
    const { by = 'program', idempotencyKey } = answer;
    const named = { account: accountId(account), approvalId: approvalId(approval) };
    return { ...named, by: text('by', by), idempotencyKey: keyOf(idempotencyKey) };
  };
  return {
    async list(account, request = {}) {
      const page = pageOf(request, ['state']);
      const { state } = request;
      const wanted = state === undefined ? null : knownWord('state', state, APPROVAL_STATES);
      return approvals.read.many(accountId(account), wanted, page);
    },
    async approve(account, approval, answer = {}) {
      const command = { ...answerOf(account, approval, answer), may: EVERYTHING, mayTradeLive: true };
      return (await perform(() => approvals.approve.execute(command))).record;
    },
    async reject(account, approval, answer = {}) {
      return (await approvals.reject.execute(answerOf(account, approval, answer))).record;
    },
  };
}
