import { type BookSides, withChanges } from '../../../core/market/book.js';
import type { LevelChange } from '../../../core/market/event.js';

/** New totals of levels as received, and when the venue sent them, in milliseconds; null when it did not say. */
export interface ReceivedChanges {
  readonly changes: readonly LevelChange[];
  readonly sentAt: number | null;
}

interface Received extends ReceivedChanges {
  /** Its position in time: that of its predecessor, when it has no time. */
  readonly order: number;
}

/** The most recent level changes, in any order, to bring a whole book up to date that is older than some of them. */
export class ReceivedLevels {
  #received: Received[] = [];
  /** How many came before the book being read was requested. */
  #before = 0;
  #incomplete = false;
  #newest: number | null = null;

  /** Keeps at least `most` of them, and at most twice as many. */
  constructor(private readonly most: number) {}

  /** The latest sending time, which need not be that of the last received. */
  get newest(): number | null {
    return this.#newest;
  }

  receive({ changes, sentAt }: ReceivedChanges): void {
    const order = sentAt ?? this.#received.at(-1)?.order ?? Number.NEGATIVE_INFINITY;
    this.#received.push({ changes, sentAt, order });
    if (sentAt !== null) this.#newest = Math.max(sentAt, this.#newest ?? sentAt);
    if (this.#received.length <= 2 * this.most) return;
    this.#received.splice(0, this.most);
    this.#incomplete ||= this.#before < this.most;
    this.#before = Math.max(0, this.#before - this.most);
  }

  /** A book is being requested: changes from here on may be missing in it. */
  ask(): void {
    this.#before = this.#received.length;
    this.#incomplete = false;
  }

  /** A message could not be kept: the book being read cannot be brought up to date. */
  miss(): void {
    this.#incomplete = true;
  }

  /** Discards everything. */
  forget(): void {
    this.#received = [];
    this.#before = 0;
    this.#newest = null;
  }

  /**
   * The requested book with all changes sent after it or, without times, received after it; null when some of those are
   * lost.
   */
  addedToRead(read: BookSides, sentAt: number | null): BookSides | null {
    if (this.#incomplete) return null;
    return added(
      read,
      this.#received.filter((one, place) =>
        one.sentAt === null || sentAt === null ? place >= this.#before : one.sentAt >= sentAt,
      ),
    );
  }

  /** A book of the stream, with all changes that were sent after it but came before it. */
  addedToSent(book: BookSides, sentAt: number | null): BookSides {
    return added(
      book,
      this.#received.filter((one) => one.sentAt !== null && sentAt !== null && one.sentAt > sentAt),
    );
  }
}

function added(book: BookSides, lacking: readonly Received[]): BookSides {
  if (lacking.length === 0) return { bids: book.bids, asks: book.asks };
  const inTime = lacking.toSorted((a, b) => a.order - b.order);
  return withChanges(
    book,
    inTime.flatMap(({ changes }) => changes),
  );
}
