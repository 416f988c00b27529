import {
  type Balance,
  balanced,
  type JournalEntry,
  type JournalLine,
  line,
  openBalance,
  PAPER_CASH,
} from '../account/account.js';
import { AccountBusy } from '../account/account-errors.js';
import { emptyPosition, type Position } from '../account/position.js';
import type { AccountId } from '../ids.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import { minus, NO_USDC, plus, type Usdc } from '../money.js';
import { NO_COUNTED_ORDERS } from '../strategy/strategy.js';

/** A paper account right after its reset. */
export interface PaperReset {
  readonly account: AccountId;
  readonly cash: Usdc;
  readonly reserved: Usdc;
  /** How many working orders were cancelled for it. */
  readonly cancelledOrders: number;
  readonly at: Date;
}

/** The terms of a reset: the cash of a new account, the id of the entry, and the time. */
export interface ResetTerms {
  readonly opening: Usdc;
  readonly entryId: string;
  readonly at: Date;
}

type Money = Required<Pick<Decision<unknown>, 'balances' | 'positions' | 'exposures' | 'entries'>>;

/**
 * Resets a paper account: the opening cash, and no shares, fees, profit or results. One entry adjusts the journal. `now` is
 * a snapshot of all its paper holdings.
 * @throws AccountBusy while an order reserves cash or shares.
 */
export function resetMoney(now: Snapshot, balance: Balance, terms: ResetTerms): Money {
  const positions = now.positions(true);
  if (balance.reserved !== 0n || positions.some(({ reserved }) => reserved !== 0n)) throw new AccountBusy();
  const used = now.exposures(true).filter(({ committed, counted }) => committed !== 0n || counted !== undefined);
  return {
    balances: [openBalance(balance.account, PAPER_CASH, terms.opening)],
    positions: positions.filter(isUsed).map(emptyPosition),
    exposures: used.map((exposure) => ({ ...exposure, committed: NO_USDC, counted: NO_COUNTED_ORDERS })),
    entries: [entryOf(balance, positions, terms)],
  };
}

function isUsed({ shares, cost, fees, realised, settled, returned }: Position): boolean {
  return [shares, cost, fees, realised, settled, returned].some((amount) => amount !== 0n);
}

/** Only positions of the whole account are in the journal: a strategy's part is inside one of them. */
function entryOf(balance: Balance, positions: readonly Position[], { opening, entryId, at }: ResetTerms): JournalEntry {
  const { account, paper, venue } = balance;
  const whole = positions.filter(({ strategyId }) => strategyId === null);
  const moved = [
    line('cash', minus(opening, balance.cash)),
    ...whole.map(givenUp),
    line('fees', minus(NO_USDC, sum(whole.map(({ fees }) => fees)))),
    line('realised', sum(whole.map(({ realised }) => realised))),
  ];
  const rest = sum(moved.map(({ amount }) => amount));
  const lines = [...moved, line('capital', minus(NO_USDC, rest))];
  return balanced({ id: entryId, account, paper, venue, at, cause: 'reset', orderId: null, lines });
}

function givenUp({ venue, marketId, outcome, cost }: Position): JournalLine {
  return { ledger: 'position', held: { venue, marketId, outcome }, amount: minus(NO_USDC, cost) };
}

const sum = (amounts: readonly Usdc[]): Usdc => amounts.reduce((total, amount) => plus(total, amount), NO_USDC);

/** A reset as text, for its idempotency record: no other record of it could be read back. */
export function encodeReset({ cash, reserved, cancelledOrders, at }: PaperReset): string {
  return JSON.stringify({ cash: `${cash}`, reserved: `${reserved}`, cancelledOrders, at: at.toISOString() });
}

/** Reads back what `encodeReset` wrote. */
export function decodeReset(account: AccountId, text: string): PaperReset {
  const { cash, reserved, cancelledOrders, at } = JSON.parse(text) as Record<'cash' | 'reserved' | 'at', string> &
    Pick<PaperReset, 'cancelledOrders'>;
  return { account, cash: BigInt(cash) as Usdc, reserved: BigInt(reserved) as Usdc, cancelledOrders, at: new Date(at) };
}
