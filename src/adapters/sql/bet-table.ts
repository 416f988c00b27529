import type { AccountId } from '../../core/ids.js';
import type { Usdc } from '../../core/money.js';
import { type BetRow, closesAt, eventKey } from '../../core/performance/bet.js';
import { betOutcome } from '../../core/performance/bet-ledger.js';
import { betText, earlierOrdersText } from '../../core/performance/bet-text.js';
import type { EarlierOrders } from '../../core/performance/earlier-orders.js';
import { type KeptSums, keptSumsText, sumName } from '../../core/performance/kept-sums.js';
import { flagColumn, microColumn, momentColumn, orNull, textColumn, wholeColumn } from './columns.js';
import { table } from './table.js';

/** Orders of bets that are kept apart from them. */
export const EARLIER_ORDERS = table<{ account: AccountId; bet: string; place: number; body: string }>(
  'bet_orders',
  { account: textColumn(), bet: textColumn(), place: wholeColumn(), body: textColumn() },
  { key: ['account', 'bet', 'place'] },
);

/** Sums as rows. */
export const BET_SUMS = table<{ account: AccountId; name: string; dividedBy: string; paper: boolean; body: string }>(
  'bet_sums',
  { account: textColumn(), name: textColumn(), dividedBy: textColumn(), paper: flagColumn(), body: textColumn() },
  { key: ['account', 'name'] },
);

/** A bet as a row: what lists and changes look it up by, and all of it as text. */
interface StoredBet {
  readonly account: AccountId;
  readonly id: string;
  readonly paper: boolean;
  readonly venue: string;
  readonly marketId: string;
  readonly outcome: string;
  readonly strategyId: string | null;
  readonly event: string;
  readonly result: string;
  readonly openedAt: Date;
  readonly settledAt: Date | null;
  readonly closesAt: Date | null;
  /** Null while it is open. */
  readonly profit: Usdc | null;
  readonly body: string;
}

/** Bets, open and ended. */
export const BETS = table<StoredBet>(
  'bets',
  {
    account: textColumn(),
    id: textColumn(),
    paper: flagColumn(),
    venue: textColumn(),
    marketId: textColumn(),
    outcome: textColumn(),
    strategyId: orNull(textColumn()),
    event: textColumn(),
    result: textColumn(),
    openedAt: momentColumn(),
    settledAt: orNull(momentColumn()),
    closesAt: orNull(momentColumn()),
    profit: orNull(microColumn()),
    body: textColumn(),
  },
  // All else follows from the order that opened it.
  { key: ['account', 'id'], replaces: ['result', 'settled_at', 'closes_at', 'profit', 'body'] },
);

/** A bet as it is stored. */
export function storedBet(bet: BetRow): StoredBet {
  const { account, id, paper, venue, marketId, strategy, result, firstFillAt: openedAt, settledAt } = bet;
  const names = { outcome: betOutcome(bet), event: eventKey(bet), strategyId: strategy?.id ?? null };
  const due = { openedAt, settledAt, closesAt: closesAt(bet), profit: settledAt === null ? null : bet.profit };
  return { account, id, paper, venue, marketId, ...names, result, ...due, body: betText(bet) };
}

/** Orders of a bet as they are stored. */
export const storedOrders = (account: AccountId, part: EarlierOrders) => {
  return { account, bet: part.bet, place: part.place, body: earlierOrdersText(part) };
};

/** A sum as it is stored. */
export const storedSum = (account: AccountId, row: KeptSums) => ({
  account,
  name: sumName(row),
  dividedBy: row.by,
  paper: row.paper,
  body: keptSumsText(row),
});
