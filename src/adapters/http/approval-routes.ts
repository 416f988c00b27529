import type { ApprovalId } from '../../core/ids.js';
import type { ApproveBet } from '../../core/usecases/approvals/approve-bet.js';
import type { ReadApprovals } from '../../core/usecases/approvals/read-approvals.js';
import type { RejectBet } from '../../core/usecases/approvals/reject-bet.js';
import { approvalFilters, approvalOut, presentApproval } from './approval-wire.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { RESTRAINED, type Route, route } from './route.js';

/** The use cases behind `/v1/approvals`. */
export interface ApprovalUseCases {
  readonly read: ReadApprovals;
  readonly approve: ApproveBet;
  readonly reject: RejectBet;
}

const LIST = '/v1/approvals';
const ONE = `${LIST}/{id}`;
const answer = { answer: approvalOut, answerName: 'Approval' } as const;
const common = { tag: 'approvals', status: 200 } as const;

/** Everything under `/v1/approvals`. */
export function approvalRoutes(use: ApprovalUseCases): Route[] {
  return [listing(use), finding(use), approving(use), rejecting(use)];
}

function listing({ read }: ApprovalUseCases): Route {
  return route({
    ...common,
    method: 'GET',
    path: LIST,
    operationId: 'listApprovals',
    scopes: ['orders:read'],
    summary: 'List bets that wait for a person, or did, newest first',
    description:
      'Each has what the strategy saw when it proposed the bet, until when it can be approved, and what became of it.',
    query: listQuery(approvalFilters, 'id'),
    answer: listOut(approvalOut),
    answerName: 'ApprovalList',
    problems: [],
    async handle({ principal, query }) {
      const page = pageFrom(query, (key) => key as ApprovalId);
      const found = await read.many(principal.account, query.state ?? null, page);
      return { status: 200, body: presentPage(found, presentApproval) };
    },
  });
}

function finding({ read }: ApprovalUseCases): Route {
  return route({
    ...common,
    ...answer,
    method: 'GET',
    path: ONE,
    uuid: true,
    operationId: 'getApproval',
    scopes: ['orders:read'],
    summary: 'Read a bet that waits for a person, or did',
    description:
      'With what the strategy saw when it proposed the bet, until when it can be approved, and what became of it.',
    problems: ['not-found'],
    handle: async ({ principal, id }) => ({
      status: 200,
      body: presentApproval(await read.one(principal.account, id as ApprovalId)),
    }),
  });
}

function approving({ approve }: ApprovalUseCases): Route {
  return route({
    ...common,
    ...answer,
    method: 'POST',
    path: `${ONE}/approve`,
    uuid: true,
    operationId: 'approveBet',
    summary: 'Approve a bet',
    description:
      'The bet is decided again at the prices of now, by the version of the strategy that is in force. It is `approved` with its order, or `refused` where its price got worse by more than `max_drift`, a rule is not true any more, or a limit denies the order. It never takes more money than was asked for. Of several who approve at once, all get the one order. A bet on paper needs the scope `orders:paper`, one with real money `orders:live`.',
    scopes: ['orders:paper', 'orders:live'],
    problems: [
      'not-found',
      'approval-not-waiting',
      'live-trading-not-enabled',
      'market-not-found',
      'market-unusable',
      'market-data-unavailable',
      'paper-elsewhere',
      ...RESTRAINED,
    ],
    async handle({ principal, id, idempotencyKey }) {
      const { account, credential: by, scopes: may, kind, restraint } = principal;
      const answered = { account, approvalId: id as ApprovalId, by, idempotencyKey };
      const { record, replayed } = await approve.execute({ ...answered, may, restraint, mayTradeLive: kind !== 'dev' });
      return { status: 200, body: presentApproval(record), replayed };
    },
  });
}

function rejecting({ reject }: ApprovalUseCases): Route {
  return route({
    ...common,
    ...answer,
    method: 'POST',
    path: `${ONE}/reject`,
    uuid: true,
    operationId: 'rejectBet',
    summary: 'Reject a bet',
    description:
      'Nothing is ordered. The strategy asks for the same bet again only once its price has moved by 0.01, its probability or its version has changed, or 4 hours have passed.',
    scopes: ['orders:paper', 'orders:live', 'orders:cancel'],
    problems: ['not-found', 'approval-not-waiting'],
    async handle({ principal, id, idempotencyKey }) {
      const { account, credential: by } = principal;
      const { record, replayed } = await reject.execute({ account, approvalId: id as ApprovalId, by, idempotencyKey });
      return { status: 200, body: presentApproval(record), replayed };
    },
  });
}
