import type { ApiKey } from '../../core/access/api-key.js';
import type { Account } from '../../core/account/account.js';
import { alarmFrom } from '../../core/alarm/alarm.js';
import { endpointFrom } from '../../core/endpoint/endpoint.js';
import { InvariantBroken } from '../../core/errors.js';
import type { DecisionId, OrderId, StrategyId } from '../../core/ids.js';
import type { AccountEvent, CashMoved, EventSubject, LoggedKey } from '../../core/ledger/event-log.js';
import type { LogHead } from '../../core/ledger/working-set.js';
import type { Usdc } from '../../core/money.js';
import { tradingStateIn, tradingText } from '../../core/trading/state.js';
import { approvalOf, approvalText } from './approval-table.js';
import type { Dialect } from './columns.js';
import { limitsIn, lossRecordIn, momentColumn, orNull, textColumn, wholeColumn, withDigits } from './columns.js';
import { rows, rowsAsText, type Template, table } from './table.js';

/** An event as a row: `subject` and `number` name what is kept elsewhere, `body` is what is not. */
interface EventRow extends Omit<AccountEvent, 'subject'> {
  readonly subject: string | null;
  readonly number: number | null;
  readonly body: string | null;
}

/** The event log of every account. A second event with the same number is refused: this catches a lost update. */
export const LOG = table<EventRow>(
  'account_events',
  {
    account: textColumn(),
    seq: wholeColumn(),
    type: textColumn(),
    recordedAt: momentColumn(),
    subject: orNull(textColumn()),
    number: orNull(wholeColumn()),
    body: orNull(textColumn()),
  },
  { key: ['account', 'seq'], replaces: 'nothing' },
);

/** The heads of logs, as `readingHeads` finds them. */
export const LOG_HEADS = rows<LogHead>('heads', { account: textColumn(), seq: wholeColumn() });

/** Reads the number of the last event of each account, where it has one. */
export function readingHeads(dialect: Dialect): Template {
  const account = dialect.member(0, 'text');
  const last = `select max(seq) from account_events where account_events.account = ${account}`;
  return (parameter) =>
    `select ${rowsAsText(LOG_HEADS, dialect)} as found
      from (select ${account} as account, (${last}) as seq from ${dialect.elements(parameter)}) as heads
      where heads.seq is not null`;
}

/** An event as it is stored. */
export function eventRow(event: AccountEvent): EventRow {
  const { account, seq, type, recordedAt, subject: about } = event;
  const row = (subject: string | null, number: number | null, body: string | null): EventRow => {
    return { account, seq, type, recordedAt, subject, number, body };
  };
  switch (about.kind) {
    case 'order':
      return row(about.id, about.seq, null);
    case 'strategy':
      return row(about.id, about.version, null);
    case 'decision':
      return row(about.id, null, null);
    case 'approval':
      return row(null, null, approvalText(about.approval));
    case 'account':
      return row(null, null, withDigits(about.account));
    case 'cash':
      return row(null, null, JSON.stringify({ ...about.moved, amount: about.moved.amount.toString() }));
    case 'key':
      return row(null, null, JSON.stringify(about.key));
    case 'trading':
      return row(null, null, tradingText(about.state));
    case 'losses':
      return row(null, null, withDigits(about.measured));
    case 'alarm':
      return row(null, null, JSON.stringify(about.alarm));
    case 'webhook':
      return row(null, null, JSON.stringify(about.endpoint));
    case 'command':
      return row(null, null, JSON.stringify(about.refused));
  }
}

/** A stored event. */
export function eventIn({ subject, number, body, ...event }: EventRow): AccountEvent {
  return { ...event, subject: subjectIn(event.type, subject, number, body) };
}

function subjectIn(type: string, subject: string | null, number: number | null, body: string | null): EventSubject {
  const kind = type.slice(0, type.indexOf('.'));
  const found = subject === null ? kept(kind, body) : named(kind, subject, number);
  if (found === undefined) throw new InvariantBroken('a stored event has a known kind, and its subject');
  return found;
}

/** What is kept elsewhere. */
function named(kind: string, subject: string, number: number | null): EventSubject | undefined {
  if (kind === 'decision') return { kind, id: subject as DecisionId };
  if (number === null) return undefined;
  if (kind === 'order') return { kind, id: subject as OrderId, seq: number };
  return kind === 'strategy' ? { kind, id: subject as StrategyId, version: number } : undefined;
}

/** What the event itself keeps. */
function kept(kind: string, body: string | null): EventSubject | undefined {
  if (body === null) return undefined;
  if (kind === 'approval') return { kind, approval: approvalOf(body) };
  if (kind === 'account') return { kind, account: accountIn(JSON.parse(body)) };
  if (kind === 'cash') return { kind, moved: movedIn(JSON.parse(body)) };
  if (kind === 'key') return { kind, key: keyIn(JSON.parse(body)) };
  if (kind === 'webhook') return { kind, endpoint: endpointFrom(JSON.parse(body)) };
  if (kind === 'command') return { kind, refused: JSON.parse(body) };
  if (kind === 'alarm') return { kind, alarm: alarmFrom(JSON.parse(body)) };
  if (kind === 'losses') return { kind, measured: lossRecordIn(JSON.parse(body)) };
  return kind === 'trading' ? { kind, state: tradingStateIn(body) } : undefined;
}

/** A record of which these members became text. */
type Written<T, Members extends keyof T> = Omit<T, Members> & { readonly [Name in Members]: string };

const moment = (text: string | null): Date | null => (text === null ? null : new Date(text));

function accountIn({ halt, limits, ...account }: Account): Account {
  const shown = { ...account, halt: halt === null ? null : { ...halt, at: new Date(halt.at) } };
  return limits === undefined ? shown : { ...shown, limits: limitsIn(JSON.stringify(limits)) };
}

function movedIn(moved: Written<CashMoved, 'amount'>): CashMoved {
  return { ...moved, amount: BigInt(moved.amount) as Usdc };
}

type WrittenKey = Omit<ApiKey, 'createdAt' | 'expiresAt' | 'revokedAt' | 'digest'> & {
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

function keyIn({ createdAt, expiresAt, revokedAt, ...key }: WrittenKey): LoggedKey {
  return { ...key, createdAt: new Date(createdAt), expiresAt: moment(expiresAt), revokedAt: moment(revokedAt) };
}
