import type { JournalEntry } from '../account/journal.js';
import type { VenueName } from '../ids.js';
import type { Order } from '../order/order.js';

/** What one purchase spent. */
interface Spending {
  readonly entry: string;
  readonly at: number;
  readonly amount: bigint;
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
    own.push({ entry: id, at: at.getTime(), amount: cash });
    this.#sinceDropped += 1;
    const kept = this.#sinceDropped < SLACK ? own : own.filter((one) => isNear(one.at, at.getTime()));
    if (kept !== own) this.#sinceDropped = 0;
    this.#spent.set(venue, kept);
  }

  /** True of an entry that may be of this day, in the zone of some server. */
  isOn(venue: VenueName | null, entry: string, day: string): boolean {
    const found = this.#spent.get(venue)?.find((one) => one.entry === entry);
    if (found === undefined) return true;
    const [earliest, latest] = [found.at - WEST_MS, found.at + EAST_MS].map((ms) => new Date(ms).toISOString());
    return day >= dateOf(earliest) && day <= dateOf(latest);
  }

  /** What purchases spent of this cash from the entry of this id on, if that is of the last day. */
  since(venue: VenueName | null, entry: string): bigint {
    const own = this.#spent.get(venue) ?? [];
    return own.reduce((sum, one) => (one.entry >= entry ? sum + one.amount : sum), 0n);
  }
}

const dateOf = (text = ''): string => text.slice(0, '2026-11-22'.length);
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= LONGEST_MS;
