import type { AccountId, ApprovalId, DecisionId, OrderId } from '../../core/ids.js';
import type { BetDecision } from '../../core/strategy/decide/decide.js';
import type { DecisionRecord, SkipCount, Slot } from '../../core/strategy/record/decision-record.js';
import type { Dialect } from './columns.js';
import { as, momentColumn, orEmpty, orNull, textColumn, wholeColumn } from './columns.js';
import { rowsAsText, storing, type Template, table } from './table.js';

/** A decision as a row: what lists filter by, and all of it as text. */
interface DecisionRow {
  readonly account: AccountId;
  readonly id: DecisionId;
  readonly strategyId: DecisionRecord['strategyId'];
  readonly marketId: DecisionRecord['marketId'];
  readonly verdict: DecisionRecord['verdict'];
  readonly code: string | null;
  readonly orderId: OrderId | null;
  readonly approvalId: ApprovalId | null;
  readonly body: string;
}

/** Decisions of strategies. They never change. */
export const DECISIONS = table<DecisionRow>(
  'decisions',
  {
    account: textColumn(),
    id: textColumn(),
    strategyId: textColumn(),
    marketId: textColumn(),
    verdict: textColumn(),
    code: orNull(textColumn()),
    orderId: orNull(textColumn()),
    approvalId: orNull(textColumn()),
    body: textColumn(),
  },
  { key: ['account', 'id'], replaces: 'nothing' },
);

/** Bets by their slots. A second bet in the same slot is refused. */
export const SLOTS = table<Slot>(
  'bet_slots',
  {
    account: textColumn(),
    strategyId: textColumn(),
    venue: textColumn(),
    marketId: textColumn(),
    outcome: as('token', textColumn()),
    n: wholeColumn(),
    reset: wholeColumn(),
    eventId: orEmpty(textColumn()),
    day: textColumn(),
    at: momentColumn(),
    decisionId: textColumn(),
    orderId: orNull(textColumn()),
  },
  { key: ['account', 'strategy_id', 'venue', 'market_id', 'token', 'reset', 'n'], replaces: 'nothing' },
);

/** How often strategies skipped, by hour and code. */
export const SKIPS = table<SkipCount>(
  'skip_counts',
  {
    account: textColumn(),
    strategyId: textColumn(),
    hour: momentColumn(),
    code: textColumn(),
    count: as('skips', wholeColumn()),
  },
  { key: ['account', 'strategy_id', 'hour', 'code'] },
);

/** Adds to the counts on record. */
export function addingSkips(dialect: Dialect): Template {
  const insert = storing({ ...SKIPS, replaced: [] }, dialect);
  return (parameter) =>
    `${insert(parameter)} on conflict (${SKIPS.key.join(', ')}) do update set skips = skip_counts.skips + excluded.skips`;
}

/** Reads the slots that a `SlotsKey` names: an empty event names none. */
export function readingSlots(dialect: Dialect): Template {
  const [account, strategy] = [dialect.member(0, 'text'), dialect.member(1, 'text')];
  const here = `bet_slots.venue = ${dialect.member(2, 'text')} and bet_slots.market_id = ${dialect.member(3, 'text')}`;
  const event = dialect.member(4, 'text');
  const sameEvent = `bet_slots.event_id = ${event} and ${event} <> ''`;
  const among = `(${here}) or (${sameEvent}) or bet_slots.day = ${dialect.member(5, 'text')}`;
  return (parameter) =>
    `select ${rowsAsText(SLOTS, dialect)} as found from ${dialect.elements(parameter)} cross join bet_slots
      where bet_slots.account = ${account} and bet_slots.strategy_id = ${strategy} and (${among})`;
}

const AMOUNTS = ['probability', 'price', 'size', 'shares', 'cost', 'odds', 'edge'] as const;

/** A decision as it is stored. */
export function decisionRow({ account, id, orderId, approvalId, ...decision }: DecisionRecord): DecisionRow {
  const { strategyId, marketId, verdict, code } = decision;
  const body = JSON.stringify(decision, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  return { account, id, strategyId, marketId, verdict, code, orderId, approvalId, body };
}

/** A stored decision. */
export function decisionIn({ account, id, orderId, approvalId, body }: DecisionRow): DecisionRecord {
  const { at, ...stored } = JSON.parse(body) as Omit<BetDecision, 'at'> & { readonly at: string };
  const written = stored as Readonly<Record<string, unknown>>;
  const amounts = AMOUNTS.map((name) => [name, amountIn(written[name])]);
  return {
    ...stored,
    ...Object.fromEntries(amounts),
    at: new Date(at),
    account,
    id,
    orderId,
    approvalId,
  } as DecisionRecord;
}

const amountIn = (text: unknown): bigint | null => (typeof text === 'string' ? BigInt(text) : null);
