import type { AlarmRecord } from '../alarm/alarm.js';
import { InvariantBroken } from '../errors.js';
import type { AccountId, MarketId, OrderId, VenueName } from '../ids.js';
import type { Counted, KeptLosses } from '../limits/counted.js';
import type { Limits } from '../limits/limits.js';
import type { OutcomeSide } from '../market/market.js';
import { AMOUNT_LIMIT, NO_SHARES, NO_USDC, plus, type Shares, type Usdc } from '../money.js';
import {
  isInForce,
  strictest,
  type Trading,
  type TradingMode,
  type TradingState,
  UNTOUCHED,
} from '../trading/state.js';

/** Why no further live order is sent for an account until an operator has examined and released it. */
export interface Halt {
  /** A stable snake_case code. */
  readonly code: string;
  readonly message: string;
  readonly at: Date;
}

/** A tenant. Live trading is off until an operator turns it on for this account. */
export interface Account {
  readonly id: AccountId;
  readonly liveEnabled: boolean;
  readonly halt: Halt | null;
  /** What it may risk; absent where nobody ever set it, and then nothing is counted for it. */
  readonly limits?: Limits | undefined;
  /** What its losses are measured from; absent where no loss is limited. */
  readonly losses?: KeptLosses | undefined;
  /** What was set about its trading; absent where nothing ever was. */
  readonly trading?: Trading | undefined;
  /** How often its paper money began anew; absent for never. */
  readonly paperResets?: number | undefined;
  /** The alarms that are raised, oldest first; absent where none is. What a halt reports is not among them. */
  readonly alarms?: readonly AlarmRecord[] | undefined;
}

/** How often this kind of money of an account began anew: real money never does. */
export const resetsOf = ({ paperResets = 0 }: Account, paper: boolean): number => (paper ? paperResets : 0);

/** The record of what holds for every account: it has no orders and no money, and no client can have its name. */
export const SERVICE = '*' as AccountId;

/** What was set about an account's trading, or the service's. */
export const tradingFor = ({ trading = UNTOUCHED }: Account): Trading => trading;

/** Why a halt was set from the command line, rather than by a venue's answer or a contradiction. */
export const BY_OPERATOR = 'halted_by_operator';

/** A halt as a state of trading. */
export function stateOfHalt({ code, message, at }: Halt): TradingState {
  const by = code === BY_OPERATOR ? 'operator' : 'service';
  const state = { scope: 'account', state: 'halted', stops: 'live', reason: message } as const;
  return { ...state, by, since: at, until: null, code };
}

/** The account with its live trading halted; the first reason stays. */
export function halted(account: Account, reason: Pick<Halt, 'code' | 'message'>, at: Date): Account {
  const { code, message } = reason;
  return { ...account, halt: account.halt ?? { code, message, at } };
}

/** Names the cash of an account: on paper one sum for all venues, with real money the sum at one venue. */
export type CashKey =
  | { readonly paper: true; readonly venue: null }
  | { readonly paper: false; readonly venue: VenueName };

/** The cash that paper orders spend, at every venue. */
export const PAPER_CASH = { paper: true, venue: null } as const satisfies CashKey;

/** The cash that trading at a venue moves. */
export const cashOf = ({ paper, venue }: { readonly paper: boolean; readonly venue: VenueName }): CashKey =>
  paper ? PAPER_CASH : { paper, venue };

/**
 * The cash of one account, on paper or at one venue. `reserved` is the part promised to working BUY orders. Cash is below
 * that, or negative, only where an amended result took back what was already spent, or a real venue filled an order that had
 * no reservation any more.
 */
export interface Balance {
  readonly account: AccountId;
  readonly paper: boolean;
  /** Where real money lies; null on paper. */
  readonly venue: VenueName | null;
  readonly cash: Usdc;
  readonly reserved: Usdc;
  /**
   * Shares that may yet become cash, a dollar each at most: all that positions may still be paid for, and what working
   * purchases may buy. Only a new purchase increases these and the cash together, so only purchases are checked against the
   * bound of the sum.
   */
  readonly outstanding: Shares;
  /** What is counted for the limits of the account; absent before anything was. */
  readonly counted?: Counted | undefined;
}

/** A balance before the account's first order. */
export function openBalance(account: AccountId, { paper, venue }: CashKey, cash: Usdc): Balance {
  return { account, paper, venue, cash, reserved: NO_USDC, outstanding: NO_SHARES, counted: undefined };
}

/** One literal: a copy with members put over it takes several times as long. */
function changed(balance: Balance, cash: Usdc, reserved: Usdc, outstanding: Shares): Balance {
  const { account, paper, venue, counted } = balance;
  return { account, paper, venue, cash, reserved, outstanding, counted };
}

/** The balance with what is counted of its trading. */
export function withCounted(balance: Balance, counted: Counted): Balance {
  const { account, paper, venue, cash, reserved, outstanding } = balance;
  return { account, paper, venue, cash, reserved, outstanding, counted };
}

/** The money of an account: on paper, or at all venues together. */
export function totalOf(balances: readonly Balance[]): Pick<Balance, 'cash' | 'reserved'> {
  return balances.reduce(
    (total, { cash, reserved }) => ({ cash: plus(total.cash, cash), reserved: plus(total.reserved, reserved) }),
    { cash: NO_USDC, reserved: NO_USDC },
  );
}

/**
 * Cash that no order has reserved.
 *
 * @example
 * ```ts
 * import { formatMicro, freeCash, usdc } from 'stakeport';
 *
 * console.log(formatMicro(freeCash({ cash: usdc('100'), reserved: usdc('20') }))); // 80
 * ```
 */
export function freeCash(balance: Pick<Balance, 'cash' | 'reserved'>): Usdc {
  return (balance.cash - balance.reserved) as Usdc;
}

/**
 * The balance after cash came in (positive) or went out, and reservations grew or shrank.
 * @throws InvariantBroken when that spends more than there is, or leaves the storable range.
 */
export function moveCash(balance: Balance, cash: Usdc, reserved: Usdc): Balance {
  const next = bookCash(balance, cash, reserved);
  const free = freeCash(next);
  if (free < 0n && free < freeCash(balance)) throw new InvariantBroken('no order spends more than the free cash');
  return next;
}

/**
 * The balance after what a real venue has done already, such as a fill that came after its order counted as gone: it is booked
 * even beyond the free cash.
 * @throws InvariantBroken past the storable range
 */
export function bookCash(balance: Balance, cash: Usdc, reserved: Usdc): Balance {
  const next = changed(
    balance,
    (balance.cash + cash) as Usdc,
    (balance.reserved + reserved) as Usdc,
    balance.outstanding,
  );
  return storable(next);
}

/**
 * The balance after a result paid (positive) or was amended and took back, even if the cash was spent meanwhile.
 * @throws InvariantBroken past the storable range.
 */
export function adjustCash(balance: Balance, cash: Usdc): Balance {
  return storable(changed(balance, (balance.cash + cash) as Usdc, balance.reserved, balance.outstanding));
}

function storable(balance: Balance): Balance {
  const { cash, reserved } = balance;
  const size = cash < 0n ? -cash : cash;
  if (reserved < 0n || size >= AMOUNT_LIMIT) {
    throw new InvariantBroken('0 <= reserved and |cash| < 2^53 on a balance');
  }
  return balance;
}

/**
 * The balance after more shares (or, negative, fewer) may yet become cash.
 * @throws InvariantBroken past the storable range.
 */
export function owed(balance: Balance, shares: Shares): Balance {
  const outstanding = plus(balance.outstanding, shares);
  if (outstanding < 0n || outstanding >= AMOUNT_LIMIT)
    throw new InvariantBroken('0 <= outstanding < 2^53 on a balance');
  return changed(balance, balance.cash, balance.reserved, outstanding);
}

/** What stops orders of an account: the API, the page and the command line show the same. */
export interface TradingNow {
  /** Whether an operator lets it trade with real money. */
  readonly liveEnabled: boolean;
  /** What an order with real money meets that names no strategy, in a market without a sport, where that is let. */
  readonly effective: TradingMode;
  /** Every state in force, those that hold for every account first; a halt of the account is among them. */
  readonly states: readonly TradingState[];
}

/** All that stops orders of the account at this moment: its halt, and what was set of it, of its parts and of the service. */
export function stopsOf(account: Account, service: Account, at: Date): TradingNow {
  const halts = account.halt === null ? [] : [stateOfHalt(account.halt)];
  const all = [...tradingFor(service).states, ...halts, ...tradingFor(account).states];
  const states = all.filter((one) => isInForce(one, at));
  const effective = strictest(states.filter(isOfAll))?.state ?? 'active';
  return { liveEnabled: account.liveEnabled, effective, states };
}

/** True of a state that is about every order with real money of an account. */
export const isOfAll = ({ scope }: Pick<TradingState, 'scope'>): boolean => scope === 'service' || scope === 'account';

/** How what a release of the account does not lift is lifted. */
export function liftingOf({ scope, until }: TradingState): string {
  if (until !== null) return `It ends by itself at ${until.toISOString()}.`;
  const whose =
    scope === 'account' || scope.startsWith('strategy:') ? 'of the account that has risk:write' : 'that has admin';
  return `Remove the cause, then: stakeport resume --scope ${quoted(scope)}, with a key ${whose}.`;
}

const quoted = (scope: string): string => (/^[\w:-]+$/.test(scope) ? scope : `'${scope.replaceAll("'", "'\\''")}'`);

/**
 * The accounts of double-entry bookkeeping. `cash`, `position` (shares held, at cost) and `redeemable` (what results with
 * real money paid and is not redeemed yet) are assets; `fees` is what trading cost; `realised` is profit, negative as income
 * is in a journal; `capital` is what was paid in, negative too.
 */
const JOURNAL_ACCOUNTS = ['cash', 'position', 'redeemable', 'fees', 'realised', 'capital'] as const;

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
export function balanced({ id, account, paper, venue, at, cause, orderId, lines }: JournalEntry): JournalEntry {
  const sum = lines.reduce((total, { amount }) => plus(total, amount), NO_USDC);
  if (sum !== 0n) throw new InvariantBroken('the debits of an entry equal its credits');
  const isStored = lines.every(({ amount }) => amount !== 0n && amount <= MOST && amount >= -MOST);
  return { id, account, paper, venue, at, cause, orderId, lines: isStored ? lines : lines.flatMap(storableLines) };
}

const MOST = AMOUNT_LIMIT - 1n;

/** A journal line as lines whose amounts can be stored; none for zero. */
function storableLines(one: JournalLine): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let rest: bigint = one.amount; rest !== 0n; ) {
    const amount = rest > MOST ? MOST : rest < -MOST ? -MOST : rest;
    lines.push({ ...one, amount: amount as Usdc });
    rest -= amount;
  }
  return lines;
}
