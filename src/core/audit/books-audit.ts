import type { Balance, JournalAccount, JournalEntry } from '../account/account.js';
import { bookedBy, mayPay, type Position, paidFor } from '../account/position.js';
import type { StrategyId, VenueName } from '../ids.js';
import type { MeasuredFrom } from '../limits/counted.js';
import { NO_VENUE } from '../market/market.js';
import { formatMicro } from '../money.js';
import { type Order, reservedCash, reservedShares, wantedShares } from '../order/order.js';
import type { Exposure } from '../strategy/strategy.js';
import type { Venues } from '../venues/venues.js';

/** The comparisons of an audit, by stable names. */
export type AuditCheck =
  | 'entry'
  | 'cash'
  | 'redeemable'
  | 'fees'
  | 'held_fees'
  | 'realised'
  | 'cost'
  | 'reserved_cash'
  | 'outstanding'
  | 'reserved_shares'
  | 'wanted_shares'
  | 'risk'
  | 'booked'
  | 'spent'
  | 'bets'
  | 'losses'
  | 'position'
  | 'shares'
  | 'settled'
  | 'returned'
  | 'fill'
  | 'committed'
  | 'events'
  | 'order';

/** One thing that does not hold. */
export interface Finding {
  readonly check: AuditCheck;
  /** The id of an entry, order or strategy, a venue, or a market and its side; null is the whole account. */
  readonly about: string | null;
  /** What is on record, in micro-units; null, as is the next, where no amounts are compared. */
  readonly found: bigint | null;
  /** What it should be, by the rest of the record. */
  readonly expected: bigint | null;
  /** The finding in a sentence. */
  readonly message: string;
}

/** Whose books: those on paper of an account, or those of its real money. */
export type BooksKey = Pick<Balance, 'account' | 'paper'>;

/** Everything of one account, paper or live, that its journal and its orders must agree with. */
export interface BooksOnRecord {
  /** One on paper; one for each venue with real money. */
  readonly balances: readonly Balance[];
  /** The positions of the whole account. */
  readonly positions: readonly Position[];
  /** The parts of strategies. */
  readonly parts: readonly Position[];
  /** All orders that may still trade. */
  readonly working: readonly Order[];
  /** The exposures of the strategies whose parts these are. */
  readonly exposures: readonly Exposure[];
  /** What the account may risk, and what its losses are measured from; without limits nothing is kept of its risks. */
  readonly measured: MeasuredFrom;
  /** How often this kind of money began anew. */
  readonly resets: number;
}

/** Names an outcome, as findings do. */
export type OutcomeName = `${string} ${Position['outcome']}`;

/** The name of what is held, or traded. */
export const outcomeName = ({
  venue,
  marketId,
  outcome,
}: Pick<Position, 'venue' | 'marketId' | 'outcome'>): OutcomeName =>
  `${venue === NO_VENUE ? '' : `${venue}/`}${marketId} ${outcome}`;

/** What the entries of one journal add up to so far, and those that do not balance. */
export class JournalSums {
  readonly #sums = new Map<string, bigint>();
  readonly unbalanced: Finding[] = [];
  entries = 0;
  /** The entry to go on after. */
  last: string | undefined;

  add({ id, lines, venue }: JournalEntry): void {
    const balance = sum(lines.map(({ amount }) => amount));
    this.unbalanced.push(...compared('entry', id, `Debits less credits of entry ${id}`, balance, 0n, 'must be'));
    for (const { ledger, held, amount } of lines) {
      const names = held === null ? [ledger, `${ledger}@${venue}`] : [outcomeName(held)];
      for (const name of names) this.#sums.set(name, (this.#sums.get(name) ?? 0n) + amount);
    }
    this.entries += 1;
    this.last = id;
  }

  /** The sum of an account of the journal, or of the `position` lines of an outcome by its `outcomeName`. */
  of(name: Exclude<JournalAccount, 'position'> | OutcomeName): bigint {
    return this.#sums.get(name) ?? 0n;
  }

  /** The part of an account of the journal that is of real money at a venue, or, with null, on paper. */
  at(venue: VenueName | null, name: Exclude<JournalAccount, 'position'>): bigint {
    return this.#sums.get(`${name}@${venue}`) ?? 0n;
  }

  /** Every outcome that a line names. */
  get outcomes(): readonly OutcomeName[] {
    return [...this.#sums.keys()].filter(isOutcomeName);
  }
}

/**
 * Compares the balance, positions and exposures with the journal and the working orders, to the micro-dollar. A strategy may
 * hold more of an outcome than its account, which sold what the strategy had bought, so parts are not compared with wholes.
 */
export function auditBooks(
  journal: JournalSums,
  books: BooksOnRecord,
  venues: Pick<Venues, 'isLocal'>,
): readonly Finding[] {
  const { balances, positions, parts, working, exposures } = books;
  return [
    ...journal.unbalanced,
    ...balances.flatMap((balance) => auditBalance(journal, balance, books)),
    ...auditOutcomes(journal, positions, working),
    ...[...positions, ...parts].flatMap((position) => impossible(position, venues.isLocal(position))),
    ...exposures.flatMap((exposure) => auditExposure(exposure, parts, working)),
  ];
}

function auditBalance(
  journal: JournalSums,
  { paper, venue, cash, reserved, outstanding }: Balance,
  books: BooksOnRecord,
): readonly Finding[] {
  const isHere = (one: { readonly venue: VenueName }) => paper || one.venue === venue;
  const positions = books.positions.filter(isHere);
  const working = books.working.filter(({ intent }) => isHere(intent));
  const fees = sum(positions.map((position) => position.fees));
  const realised = sum(positions.map((position) => position.realised));
  const redeemable = sum(positions.map((position) => position.redeemable));
  const kept = sum(working.map(reservedCash));
  const wanted = sum([...positions.map(mayPay), ...working.map(wantedShares)]);
  const by = (name: Exclude<JournalAccount, 'position'>) => journal.at(venue, name);
  const about = books.balances.length > 1 ? venue : null;
  const where = about === null ? '' : ` at ${about}`;
  return [
    ...compared('cash', about, `The cash${where}`, cash, by('cash'), BY_JOURNAL),
    ...compared('redeemable', about, `What may be redeemed${where}`, redeemable, by('redeemable'), BY_JOURNAL),
    ...compared('fees', about, `The fees of all positions${where}`, fees, by('fees'), BY_JOURNAL),
    ...compared('realised', about, `What all positions realised${where}`, realised, -by('realised'), BY_JOURNAL),
    ...compared('reserved_cash', about, `The reserved cash${where}`, reserved, kept, BY_ORDERS),
    ...compared('outstanding', about, `What may yet be paid for${where}`, outstanding, wanted, BY_HOLDINGS),
  ];
}

/** A finding when the two differ, in a sentence; none when they are equal. */
export function compared(
  check: AuditCheck,
  about: string | null,
  what: string,
  found: bigint,
  expected: bigint,
  reason: string,
): readonly Finding[] {
  if (found === expected) return [];
  const off =
    found > expected ? `${formatMicro(found - expected)} too much` : `${formatMicro(expected - found)} too little`;
  const message = `${what}: on record ${formatMicro(found)}, ${reason} ${formatMicro(expected)}, ${off}.`;
  return [{ check, about, found, expected, message }];
}

const BY_JOURNAL = 'by the journal';
const BY_ORDERS = 'by the working orders';
const BY_HOLDINGS = 'by the positions and working orders';

/** No account of the journal, and no market, has a space in its name. */
const isOutcomeName = (name: string): name is OutcomeName => name.includes(' ');

function auditOutcomes(
  journal: JournalSums,
  positions: readonly Position[],
  working: readonly Order[],
): readonly Finding[] {
  const held = new Map(positions.map((position) => [outcomeName(position), position]));
  const sold = sharesOf(working, reservedShares);
  const bought = sharesOf(working, wantedShares);
  return [...new Set([...held.keys(), ...sold.keys(), ...bought.keys(), ...journal.outcomes])].flatMap((name) => {
    const { cost = 0n, reserved = 0n, wanted = 0n } = held.get(name) ?? {};
    return [
      ...compared('cost', name, `The cost of ${name}`, cost, journal.of(name), BY_JOURNAL),
      ...compared('reserved_shares', name, `The reserved shares of ${name}`, reserved, sold.get(name) ?? 0n, BY_ORDERS),
      ...compared('wanted_shares', name, `The shares wanted of ${name}`, wanted, bought.get(name) ?? 0n, BY_ORDERS),
    ];
  });
}

function sharesOf(orders: readonly Order[], of: (order: Order) => bigint): ReadonlyMap<OutcomeName, bigint> {
  const sums = new Map<OutcomeName, bigint>();
  for (const order of orders) {
    const name = outcomeName(order.intent);
    if (of(order) !== 0n) sums.set(name, (sums.get(name) ?? 0n) + of(order));
  }
  return sums;
}

function auditExposure(
  { strategyId, committed, counted }: Exposure,
  parts: readonly Position[],
  working: readonly Order[],
): readonly Finding[] {
  const own = <T>(list: readonly T[], idOf: (item: T) => StrategyId | null | undefined) =>
    list.filter((item) => idOf(item) === strategyId);
  const held = own(parts, (part) => part.strategyId);
  const cost = sum(held.map(paidFor));
  const kept = sum(own(working, ({ intent }) => intent.strategy?.id).map(reservedCash));
  const what = `What strategy ${strategyId} has at work`;
  const brought = `What trading brought strategy ${strategyId}, for its daily loss`;
  const due = sum(held.map(bookedBy));
  return [
    ...compared('committed', strategyId, what, committed, cost + kept, 'by its positions and working orders'),
    ...compared('booked', strategyId, brought, counted.booked, due, 'by its positions'),
  ];
}

/** The rules that hold for every position at every moment; over the network a venue may undo a purchase of shares on sale. */
function impossible(position: Position, isLocal: boolean): readonly Finding[] {
  const { shares, reserved, cost, strategyId, paper, redeemable, returned } = position;
  const rules: readonly (readonly [boolean, string])[] = [
    [shares >= 0n && cost >= 0n && reserved >= 0n, 'has an amount below zero'],
    [reserved <= shares || !isLocal, 'has more shares reserved than there are'],
    [shares > 0n || cost === 0n, 'has a cost without shares'],
    [strategyId === null || reserved === 0n, 'has shares reserved, which only the whole account has'],
    [redeemable >= 0n && redeemable <= returned, 'has more to redeem than results paid, or less than nothing'],
    [redeemable === 0n || (!paper && strategyId === null), 'has something to redeem, which only real money does'],
  ];
  const name = outcomeName(position);
  const whose = strategyId === null ? name : `${name} of strategy ${strategyId}`;
  const sizes = `${formatMicro(shares)} shares, ${formatMicro(reserved)} reserved, cost ${formatMicro(cost)}`;
  return rules
    .filter(([holds]) => !holds)
    .map(([, words]) => {
      const message = `The position ${whose} ${words}: ${sizes}.`;
      return { check: 'position', about: name, found: null, expected: null, message };
    });
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
