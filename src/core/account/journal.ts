import { InvariantBroken } from '../errors.js';
import type { AccountId, MarketId, OrderId, VenueName } from '../ids.js';
import type { OutcomeSide } from '../market/market.js';
import { AMOUNT_LIMIT, NO_USDC, plus, type Usdc } from '../money.js';

/**
 * The accounts of double-entry bookkeeping. `cash`, `position` (shares held, at cost) and `redeemable` (what results with
 * real money paid and is not redeemed yet) are assets; `fees` is what trading cost; `realised` is profit, negative as income
 * is in a journal; `capital` is what was paid in, negative too.
 */
export const JOURNAL_ACCOUNTS = ['cash', 'position', 'redeemable', 'fees', 'realised', 'capital'] as const;

/** One of the accounts of the journal. */
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number];

/** Why money moved. */
export type JournalCause =
  | 'opening'
  | 'deposit'
  | 'withdrawal'
  | 'reset'
  | 'fill'
  | 'void'
  | 'settlement'
  | 'reversal'
  | 'redemption';

/** One line of an entry: a debit when positive, a credit when negative. */
export interface JournalLine {
  readonly ledger: JournalAccount;
  /** What is held, on a `position` line; null on others. */
  readonly held: { readonly venue: VenueName; readonly marketId: MarketId; readonly outcome: OutcomeSide } | null;
  readonly amount: Usdc;
}

/** One movement of money. It never changes: another entry corrects it. */
export interface JournalEntry {
  /** UUIDv7, so that entries are in the order in which they were made. */
  readonly id: string;
  readonly account: AccountId;
  readonly paper: boolean;
  /** Where the real money is; null on paper, where cash is one sum for all venues. */
  readonly venue: VenueName | null;
  readonly at: Date;
  readonly cause: JournalCause;
  /** The order whose fill moved the money; null where none did. */
  readonly orderId: OrderId | null;
  readonly lines: readonly JournalLine[];
}

/** A line that is not about a holding. */
export const line = (ledger: Exclude<JournalAccount, 'position'>, amount: Usdc): JournalLine => ({
  ledger,
  held: null,
  amount,
});

/**
 * The entry, when its debits equal its credits. Zero lines are left out, and a line too large to store is split.
 * @throws InvariantBroken
 */
export function balanced(entry: JournalEntry): JournalEntry {
  const sum = entry.lines.reduce((total, { amount }) => plus(total, amount), NO_USDC);
  if (sum !== 0n) throw new InvariantBroken('the debits of an entry equal its credits');
  return { ...entry, lines: entry.lines.flatMap(storable) };
}

const MOST = AMOUNT_LIMIT - 1n;

/** The same amount in lines that can be stored; none for nothing. */
function storable(one: JournalLine): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let rest: bigint = one.amount; rest !== 0n; ) {
    const amount = rest > MOST ? MOST : rest < -MOST ? -MOST : rest;
    lines.push({ ...one, amount: amount as Usdc });
    rest -= amount;
  }
  return lines;
}
