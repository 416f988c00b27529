import type { JournalEntry } from '../account/journal.js';
import type { VenueName } from '../ids.js';
import type { Order } from '../order/order.js';

/** What one purchase spent. */
interface Spending {
  readonly entry: string;
  readonly at: number;
  readonly amount: bigint;
  /** Of its order; undefined for one of before that was kept. */
  readonly day: string | undefined;
}

/** The longest day, at the end of summer time, and an hour. */
const LONGEST_MS = 26 * 3_600_000;
/** How far the clocks of the world are behind UTC, and ahead of it. */
const [WEST_MS, EAST_MS] = [12 * 3_600_000, 14 * 3_600_000];
/** So many more purchases before those of other days are dropped. */
const SLACK = 10_000;

/** Adds up what purchases spent of each sum of cash, by the entries that book them; those of the last day are kept. */
export class SpendingAudit {
  readonly #spent = new Map<VenueName | null, Spending[]>();
  #sinceDropped = 0;

  /** Takes the next entry, with the order that it is about. */
  add({ id, cause, venue, at, lines }: JournalEntry, order: Order | undefined): void {
    if (cause === 'reset') this.#spent.delete(venue);
    if (cause !== 'fill' || order?.intent.side !== 'BUY') return;
    const cash = lines.reduce((sum, { ledger, amount }) => (ledger === 'cash' ? sum - amount : sum), 0n);
    const own = this.#spent.get(venue) ?? [];
    own.push({ entry: id, at: at.getTime(), amount: cash, day: order.intent.day });
    this.#sinceDropped += 1;
    const kept = this.#sinceDropped < SLACK ? own : own.filter((one) => isNear(one.at, at.getTime()));
    if (kept !== own) this.#sinceDropped = 0;
    this.#spent.set(venue, kept);
  }

  /** True of an entry that may be of this day, in the zone of some server, as far as its order does not say it. */
  isOn(venue: VenueName | null, entry: string, day: string): boolean {
    const found = this.#spent.get(venue)?.find((one) => one.entry === entry);
    if (found === undefined || found.day !== undefined) return true;
    const [earliest, latest] = [found.at - WEST_MS, found.at + EAST_MS].map((ms) => new Date(ms).toISOString());
    return day >= dateOf(earliest) && day <= dateOf(latest);
  }

  /**
   * What purchases of this day spent of this cash from the entry of this id on, at least and at most: orders of before their day
   * was kept may be of it.
   */
  since(venue: VenueName | null, entry: string, day: string): { readonly least: bigint; readonly most: bigint } {
    const own = (this.#spent.get(venue) ?? []).filter((one) => one.entry >= entry);
    const sum = (of: readonly Spending[]) => of.reduce((all, { amount }) => all + amount, 0n);
    const least = sum(own.filter((one) => one.day === day));
    return { least, most: least + sum(own.filter((one) => one.day === undefined)) };
  }
}

const dateOf = (text = ''): string => text.slice(0, '2026-11-22'.length);
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= LONGEST_MS;
