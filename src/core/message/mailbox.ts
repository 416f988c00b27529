import { Bundle } from './bundle.js';
import { isUrgent } from './interest.js';
import type { News } from './news.js';
import { type Arrivals, dueAt, type Pacing } from './pace.js';

/** What is told at once and during quiet hours too, and what is not. */
export type Urgency = 'urgent' | 'usual';

/** Events that wait to be told, and when they came. */
interface Waiting {
  readonly bundle: Bundle;
  /** The number of the first of them. */
  readonly from: number;
  readonly arrivals: Arrivals;
}

/** How one person is told of one log: what they were not told yet, and how far that log was read. */
export class Mailbox {
  readonly #waiting = new Map<Urgency, Waiting>();
  #seen: number;
  #urgentTold: number;
  #sentAt: number | null = null;

  /**
   * @param seen the number of the event up to which everything was told
   * @param urgentTold the one up to which everything urgent was
   */
  constructor(seen: number, urgentTold = 0) {
    this.#seen = seen;
    this.#urgentTold = urgentTold;
  }

  /** Up to where the log was read. */
  get seen(): number {
    return this.#seen;
  }

  /** Up to where everything was told. */
  get told(): number {
    return Math.min(this.#seen, ...[...this.#waiting.values()].map(({ from }) => from - 1));
  }

  /** Up to where everything urgent was told. */
  get urgentTold(): number {
    return this.#urgentTold;
  }

  /** Whether somebody else told more meanwhile. */
  isBehind(told: number, urgentTold: number): boolean {
    return told > this.told || urgentTold > this.#urgentTold;
  }

  /** The log was read up to this number, and this is what is to be told of it. */
  read(seen: number, news: readonly News[], at: Date): void {
    for (const one of news) this.#put(one, at.getTime());
    this.#seen = Math.max(seen, this.#seen);
  }

  /** The log has the events after this number only: those before it are lost, which is told too. */
  lost(to: number, at: Date): void {
    const { bundle } = this.#opened('usual', this.#seen + 1, at.getTime());
    bundle.note(`Events ${this.#seen + 1} to ${to} were deleted before they could be told.`);
    this.#seen = Math.max(to, this.#seen);
  }

  /** What is to be sent now; null for nothing. What is urgent comes first, and alone while it is quiet. */
  due(at: Date, isQuiet: boolean, pacing: Omit<Pacing, 'sentAt'>): Urgency | null {
    const isDue = (urgency: Urgency) => (this.#dueAt(urgency, pacing) ?? Number.POSITIVE_INFINITY) <= at.getTime();
    if (isDue('urgent')) return 'urgent';
    return !isQuiet && isDue('usual') ? 'usual' : null;
  }

  /** When something is to be sent next, unless more comes; null where nothing waits. */
  nextAt(isQuiet: boolean, pacing: Omit<Pacing, 'sentAt'>): Date | null {
    const times = [this.#dueAt('urgent', pacing), isQuiet ? null : this.#dueAt('usual', pacing)];
    const known = times.filter((time) => time !== null);
    return known.length === 0 ? null : new Date(Math.min(...known));
  }

  /** The number of the first event that waits, and all that wait with it; undefined where nothing does. */
  waiting(urgency: Urgency): { readonly from: number; readonly bundle: Bundle } | undefined {
    return this.#waiting.get(urgency);
  }

  /** It was told, or cannot be. */
  done(urgency: Urgency): void {
    this.#waiting.delete(urgency);
    if (urgency === 'urgent') this.#urgentTold = this.#seen;
  }

  /** A message was sent, whatever became of it. */
  sent(at: Date): void {
    this.#sentAt = at.getTime();
  }

  #dueAt(urgency: Urgency, pacing: Omit<Pacing, 'sentAt'>): number | null {
    const waiting = this.#waiting.get(urgency);
    if (waiting === undefined) return null;
    return dueAt(waiting.arrivals, urgency === 'urgent', { ...pacing, sentAt: this.#sentAt });
  }

  #put(news: News, at: number): void {
    const urgency = isUrgent(news) ? 'urgent' : 'usual';
    if (urgency === 'urgent' && news.seq <= this.#urgentTold) return;
    this.#opened(urgency, news.seq, at).bundle.add(news);
  }

  #opened(urgency: Urgency, seq: number, at: number): Waiting {
    const { bundle, from, arrivals } = this.#waiting.get(urgency) ?? {
      bundle: new Bundle(),
      from: seq,
      arrivals: { first: at, last: at },
    };
    const waiting = { bundle, from, arrivals: { ...arrivals, last: at } };
    this.#waiting.set(urgency, waiting);
    return waiting;
  }
}
