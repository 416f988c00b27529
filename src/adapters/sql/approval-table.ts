import type { Approval } from '../../core/strategy/record/approval.js';
import type { BetRecord } from '../../core/strategy/record/decision-record.js';
import type { Dialect } from './columns.js';
import { as, document, flagColumn, momentColumn, orEmpty, orNull, textColumn } from './columns.js';
import { decisionIn, decisionRow } from './decision-table.js';
import { rowsAsText, type Template, table } from './table.js';

/** An approval as a row: what it is found by, beside all of its decision as text. */
interface ApprovalRow extends Approval {
  readonly strategyId: BetRecord['strategyId'];
  readonly venue: BetRecord['venue'];
  readonly marketId: BetRecord['marketId'];
  readonly outcome: BetRecord['token'];
}

const decisionColumn = document<BetRecord>(
  (decision) => JSON.stringify(decisionRow(decision)),
  (text) => decisionIn(JSON.parse(text)) as BetRecord,
);

/** Approvals by their ids. A second one that waits for the same bet is refused. */
export const APPROVALS = table<ApprovalRow>(
  'approvals',
  {
    account: textColumn(),
    id: textColumn(),
    state: textColumn(),
    strategyId: textColumn(),
    venue: textColumn(),
    marketId: textColumn(),
    outcome: as('token', textColumn()),
    paper: flagColumn(),
    eventId: orEmpty(textColumn()),
    day: textColumn(),
    expiresAt: momentColumn(),
    decidedBy: orNull(textColumn()),
    decidedAt: orNull(momentColumn()),
    orderId: orNull(textColumn()),
    decision: decisionColumn,
  },
  { key: ['account', 'id'], replaces: ['state', 'decided_by', 'decided_at', 'order_id', 'decision'] },
);

/** Reads the approvals that an `ApprovalsKey` names. */
export function readingApprovals(dialect: Dialect): Template {
  const [account, strategy] = [dialect.member(0, 'text'), dialect.member(1, 'text')];
  const here = `approvals.venue = ${dialect.member(2, 'text')} and approvals.market_id = ${dialect.member(3, 'text')}`;
  return (parameter) =>
    `select ${rowsAsText(APPROVALS, dialect)} as found from ${dialect.elements(parameter)} cross join approvals
      where approvals.account = ${account} and approvals.strategy_id = ${strategy}
        and (approvals.state = 'waiting' or (${here}))`;
}

/** An approval as it is stored. */
export function approvalRow(approval: Approval): ApprovalRow {
  const { strategyId, venue, marketId, token: outcome } = approval.decision;
  return { ...approval, strategyId, venue, marketId, outcome };
}

/** A stored approval. */
export function approvalIn({
  strategyId: _s,
  venue: _v,
  marketId: _m,
  outcome: _o,
  ...approval
}: ApprovalRow): Approval {
  return approval;
}

/** In the order in which they are stored: what waits no longer makes room for what waits now. */
export const approvalRows = (approvals: readonly Approval[]): readonly ApprovalRow[] =>
  [...approvals].sort((a, b) => Number(a.state === 'waiting') - Number(b.state === 'waiting')).map(approvalRow);

/** An approval as the text of an event. */
export const approvalText = (approval: Approval): string =>
  JSON.stringify({ ...approval, decision: decisionRow(approval.decision) });

/** The approval that such a text has. */
export function approvalOf(text: string): Approval {
  const { decision, expiresAt, decidedAt, ...approval } = JSON.parse(text) as Omit<Approval, Written> & InText;
  return {
    ...approval,
    decision: decisionIn(decision) as BetRecord,
    expiresAt: new Date(expiresAt),
    decidedAt: decidedAt === null ? null : new Date(decidedAt),
  };
}

type Written = keyof InText;

interface InText {
  readonly decision: Parameters<typeof decisionIn>[0];
  readonly expiresAt: string;
  readonly decidedAt: string | null;
}
