import type { JournalEntry } from '../account/account.js';
import type { VenueName } from '../ids.js';
import type { Order } from '../order/order.js';

/** What one purchase spent, or, from `entry` on, the sum of a day's purchases that were read before. */
interface Spending {
  readonly entry: string;
  readonly at: number;
  readonly amount: bigint;
  readonly isSum?: true;
}

/** The entries that book the first purchase of a day. */
export interface FirstOfDay {
  readonly day: string;
  readonly any: string;
  /** The entry of a purchase that was certainly counted for the account: only then is its day on record, where no strategy counted it. */
  readonly counted: string | undefined;
}

/** What purchases spent of one sum of cash. */
interface Spent {
  readonly days: Map<string, Spending[]>;
  readonly firsts: Map<string, FirstOfDay>;
  /** Spending of orders without a day. */
  undated: Spending[];
}

/** The longest day, at the end of summer time, and an hour. */
const LONGEST_MS = 26 * 3_600_000;
/** How far the clocks of the world are behind UTC, and ahead of it. */
const [WEST_MS, EAST_MS] = [12 * 3_600_000, 14 * 3_600_000];
/** How many more purchases are kept before those of other days are added up, or, undated, dropped. */
const SLACK = 10_000;

/** Adds up what purchases spent of each sum of cash since the last reset, by day, by the entries that book them. */
export class SpendingAudit {
  readonly #spent = new Map<VenueName | null, Spent>();
  #sinceAdded = 0;

  /** Takes the next entry, with the order that it is about. */
  add({ id, cause, venue, at, lines }: JournalEntry, order: Order | undefined): void {
    if (cause === 'reset') this.#spent.delete(venue);
    if (cause !== 'fill' || order?.intent.side !== 'BUY') return;
    const amount = lines.reduce((sum, { ledger, amount: moved }) => (ledger === 'cash' ? sum - moved : sum), 0n);
    const own: Spent = this.#spent.get(venue) ?? { days: new Map(), firsts: new Map(), undated: [] };
    this.#spent.set(venue, own);
    const one = { entry: id, at: at.getTime(), amount };
    const { day, strategy } = order.intent;
    if (day === undefined) own.undated.push(one);
    else {
      const ofDay = own.days.get(day);
      if (ofDay === undefined) own.days.set(day, [one]);
      else ofDay.push(one);
      const { any = id, counted } = own.firsts.get(day) ?? {};
      own.firsts.set(day, { day, any, counted: counted ?? (strategy === null ? id : undefined) });
    }
    this.#sinceAdded += 1;
    if (this.#sinceAdded >= SLACK) this.#addUp(own, day, at.getTime());
  }

  /** What came before may be of before a reset that left no entry. */
  doubt(): void {
    for (const { firsts } of this.#spent.values()) firsts.clear();
  }

  /** The days, on record with their orders, on which this cash was spent, as far as nothing raises doubts. */
  days(venue: VenueName | null): readonly FirstOfDay[] {
    return [...(this.#spent.get(venue)?.firsts.values() ?? [])];
  }

  /** True of an entry that may be of this day, in the zone of some server, as far as its order does not say it. */
  isOn(venue: VenueName | null, entry: string, day: string): boolean {
    const found = this.#spent.get(venue)?.undated.find((one) => one.entry === entry);
    if (found === undefined) return true;
    const [earliest, latest] = [found.at - WEST_MS, found.at + EAST_MS].map((ms) => new Date(ms).toISOString());
    return day >= dateOf(earliest) && day <= dateOf(latest);
  }

  /**
   * What purchases of this day spent of this cash from the entry of this id on, at least and at most: orders of before their day
   * was kept may be of it.
   */
  since(venue: VenueName | null, entry: string, day: string): { readonly least: bigint; readonly most: bigint } {
    const { days, undated = [] } = this.#spent.get(venue) ?? {};
    const own = days?.get(day) ?? [];
    const from = (of: readonly Spending[]) => of.filter((one) => one.entry >= entry);
    const before = own.filter((one) => one.isSum === true && one.entry < entry);
    const least = sum(from(own));
    return { least, most: least + sum(before) + sum(from(undated)) };
  }

  #addUp(own: Spent, last: string | undefined, at: number): void {
    this.#sinceAdded = 0;
    own.undated = own.undated.filter((one) => isNear(one.at, at));
    for (const [day, [first, ...rest]] of own.days)
      if (day !== last && first !== undefined && rest.length > 0)
        own.days.set(day, [{ ...first, amount: sum([first, ...rest]), isSum: true }]);
  }
}

const sum = (of: readonly Spending[]): bigint => of.reduce((all, { amount }) => all + amount, 0n);
const dateOf = (text = ''): string => text.slice(0, '2026-11-22'.length);
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= LONGEST_MS;
