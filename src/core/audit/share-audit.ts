import type { JournalAccount, JournalEntry } from '../account/account.js';
import type { Position, PositionKey } from '../account/position.js';
import type { Fill, Order } from '../order/order.js';
import { compared, type Finding, type JournalSums, type OutcomeName, outcomeName } from './books-audit.js';

/** Shares of one position, by the fills booked since its account was opened or reset. */
interface Tally {
  held: bigint;
  /** Those that a result has paid for. */
  settled: bigint;
  /** The fees of the shares that are held; */
  fees: bigint;
  /** false once a purchase was undone: what is left of its fee depends on the sales before. */
  feesAreSure: boolean;
  /** False once held and settled shares cannot be distinguished; their sum still holds. */
  split: boolean;
  /** False once neither is known. */
  sure: boolean;
}

/**
 * Adds up the shares of the booked fills, and what results paid, since the last reset. Keeps sums of each outcome that was
 * ever held, and of each strategy's part. What leaves no trace in the journal is ignored.
 */
export class ShareAudit {
  #tallies = new Map<string, Tally>();
  /** The names of the parts of strategies, by that of their outcome. */
  readonly #parts = new Map<OutcomeName, Set<string>>();
  readonly #costly = new Set<OutcomeName>();
  #returned = 0n;
  #returnedIsSure = true;
  /** False when the last reset is out of order, because the clocks of two servers disagree. */
  #inTurn = true;
  #isBlank = true;

  /** Takes the next entry after `sums` took it, with the fill that it is about. */
  add(entry: JournalEntry, sums: JournalSums, about: { readonly order: Order; readonly fill: Fill } | null): void {
    const { cause, lines } = entry;
    const named = lines.flatMap(({ held }) => (held === null ? [] : [outcomeName(held)]));
    if (about !== null && (cause === 'fill' || cause === 'void')) this.#trade(about.order, about.fill, cause);
    if (cause === 'settlement' || cause === 'reversal') this.#settle(entry, named);
    for (const name of named) this.#costly[sums.of(name) === 0n ? 'delete' : 'add'](name);
    const blank = this.#costly.size === 0 && sums.of('fees') === 0n && sums.of('realised') === 0n;
    this.#isBlank = blank;
    if (cause === 'reset') this.#reset(blank);
    else if (blank) this.#doubt();
    for (const name of about === null ? named : [outcomeName(about.order.intent)]) this.#blur(name, sums.of(name));
  }

  /** Whether the entries show what came before the last reset, and what after it. */
  get isInTurn(): boolean {
    return this.#inTurn;
  }

  /** True where a reset after the last entry would have left none. */
  get isBlank(): boolean {
    return this.#isBlank;
  }

  /** Everything that is wrong with these positions and parts, but for those whose shares are `unknown` by the entries. */
  audit(positions: readonly Position[], parts: readonly Position[], unknown: ReadonlySet<string>): readonly Finding[] {
    const found = new Map([...positions, ...parts].map((position) => [nameOf(position), position]));
    if (!this.#inTurn) return [];
    const names = new Set([...this.#tallies.keys(), ...found.keys()]);
    const returned = positions.reduce((sum, position) => sum + position.returned, 0n);
    const paid = this.#returnedIsSure
      ? compared('returned', null, 'What results paid', returned, this.#returned, 'by the journal')
      : [];
    const known = [...names].filter((name) => !unknown.has(name));
    return [...known.flatMap((name) => this.#compare(name, found.get(name))), ...paid];
  }

  #compare(name: string, position: Position | undefined): readonly Finding[] {
    const { held, settled, fees, feesAreSure, split, sure } = this.#tallies.get(name) ?? NOTHING;
    if (!sure) return [];
    const { shares = 0n, settled: paidFor = 0n, heldFees = 0n } = position ?? {};
    const about = name.split(' ').slice(0, 2).join(' ');
    const what = name === about ? name : name.replace(/ (?=[^ ]*$)/, ' of strategy ');
    const ofFees =
      feesAreSure && this.#isSplit(about)
        ? compared('held_fees', about, `The fees of what is held of ${what}`, heldFees, fees, BY_FILLS)
        : [];
    if (split && name === about)
      return [
        ...ofFees,
        ...compared('shares', about, `The shares of ${what}`, shares, held, BY_FILLS),
        ...compared('settled', about, `The shares of ${what} with a result`, paidFor, settled, BY_FILLS),
      ];
    const sum = `The shares of ${what}, with a result or not`;
    return [...ofFees, ...compared('shares', about, sum, shares + paidFor, held + settled, BY_FILLS)];
  }

  /** A result for shares that cost nothing leaves no line: what was held then is not known of the parts either. */
  #isSplit(outcome: string): boolean {
    return this.#tallies.get(outcome)?.split ?? true;
  }

  #trade(order: Order, fill: Fill, cause: 'fill' | 'void'): void {
    const { whole, part } = changeOf(order, fill, cause);
    const [name, own] = positionsOf(order);
    const { fees = 0n, strategyFees = 0n } = fill.basis;
    addFees(this.#of(name), order, { cause, shares: whole, fee: fill.fee, taken: fees });
    this.#of(name).held += whole;
    if (own === undefined) return;
    this.#parts.set(name, (this.#parts.get(name) ?? new Set()).add(own));
    const tally = this.#of(own);
    addFees(tally, order, { cause, shares: part ?? 0n, fee: fill.fee, taken: strategyFees });
    tally.held += part ?? 0n;
    if (part === null) tally.sure = false;
  }

  #settle({ lines }: JournalEntry, named: readonly OutcomeName[]): void {
    for (const { ledger, amount } of lines) if (PAID.has(ledger)) this.#returned += amount;
    for (const name of named) {
      const tally = this.#of(name);
      tally.settled += tally.held;
      tally.held = 0n;
      for (const paid of [name, ...(this.#parts.get(name) ?? [])]) this.#of(paid).fees = 0n;
    }
  }

  /** A reset makes no entry where nothing changed but results that paid exactly what their shares cost. */
  #doubt(): void {
    for (const tally of this.#tallies.values()) if (tally.held !== 0n || tally.settled !== 0n) tally.sure = false;
    if (this.#returned !== 0n) this.#returnedIsSure = false;
  }

  /** A result for shares that cost nothing leaves no line that names them. */
  #blur(name: OutcomeName, cost: bigint): void {
    if (cost !== 0n) return;
    const tally = this.#of(name);
    if (tally.held !== 0n) tally.split = false;
    // Where all shares were sold by hand a result leaves no line, and yet ends the fees of the strategy that had bought them.
    for (const part of this.#parts.get(name) ?? []) if (this.#of(part).held !== 0n) this.#of(part).feesAreSure = false;
  }

  #reset(blank: boolean): void {
    this.#inTurn = blank;
    this.#tallies = new Map();
    this.#returned = 0n;
    this.#returnedIsSure = true;
  }

  #of(name: string): Tally {
    const tally = this.#tallies.get(name) ?? { ...NOTHING };
    this.#tallies.set(name, tally);
    return tally;
  }
}

const BY_FILLS = 'by its fills';
/** Where a result's money goes. */
const PAID: ReadonlySet<JournalAccount> = new Set(['cash', 'redeemable']);
const NOTHING: Readonly<Tally> = { held: 0n, settled: 0n, fees: 0n, feesAreSure: true, split: true, sure: true };

/** What a fill, or its void, did to shares, what was paid in fees, and what a sale took out of them. */
interface Trade {
  readonly cause: 'fill' | 'void';
  readonly shares: bigint;
  readonly fee: bigint;
  readonly taken: bigint;
}

function addFees(tally: Tally, { intent }: Order, { cause, shares, fee, taken }: Trade): void {
  const { held } = tally;
  if (intent.side === 'SELL') tally.fees += cause === 'void' ? taken : -taken;
  else if (cause === 'fill') tally.fees += fee;
  else tally.feesAreSure = false;
  if (tally.feesAreSure || held + shares !== 0n) return;
  tally.fees = 0n;
  tally.feesAreSure = true;
}

/** The name of a position or, after the name of its outcome, of a strategy's part. */
const nameOf = (key: Pick<PositionKey, 'venue' | 'marketId' | 'outcome' | 'strategyId'>): string =>
  key.strategyId === null ? outcomeName(key) : `${outcomeName(key)} ${key.strategyId}`;

/** The names of the position that an order trades, and of the part of its strategy. */
export function positionsOf({
  intent,
}: Order): readonly [whole: OutcomeName] | readonly [whole: OutcomeName, part: string] {
  const whole = outcomeName(intent);
  return intent.strategy === null ? [whole] : [whole, nameOf({ ...intent, strategyId: intent.strategy.id })];
}

/** What a fill, or its void, did to the shares; null for a part that may have sold some of an undone purchase. */
function changeOf({ intent }: Order, { shares, basis }: Fill, cause: 'fill' | 'void') {
  const selling = intent.side === 'SELL';
  const sign = selling === (cause === 'void') ? 1n : -1n;
  if (selling) return { whole: sign * shares, part: sign * basis.strategyShares };
  return { whole: sign * shares, part: cause === 'void' ? null : shares };
}
