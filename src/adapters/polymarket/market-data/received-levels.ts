import { type BookSides, withChanges } from '../../../core/market/book.js';
import type { LevelChange } from '../../../core/market/event.js';

/** New totals of levels as the venue told them, and when it sent them, in milliseconds; null when it did not say. */
export interface ReceivedChanges {
  readonly changes: readonly LevelChange[];
  readonly sentAt: number | null;
}

interface Received extends ReceivedChanges {
  /** Its place in time: that of the one before it, when it does not say. */
  readonly order: number;
}

/** The changes of levels that came last, in any order, to bring a whole book up to date that is older than some of them. */
export class ReceivedLevels {
  #received: Received[] = [];
  /** How many came before the book that is being read was asked for. */
  #before = 0;
  #incomplete = false;
  #newest: number | null = null;

  /** Keeps at least `most` of them, and at most twice as many. */
  constructor(private readonly most: number) {}

  /** When the newest was sent, whichever came last. */
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

  /** A book is asked for now: what comes from here on may be missing in it. */
  ask(): void {
    this.#before = this.#received.length;
    this.#incomplete = false;
  }

  /** Something came that could not be kept: the book that is being read cannot be brought up to date. */
  miss(): void {
    this.#incomplete = true;
  }

  /** Nothing of it matters any more. */
  forget(): void {
    this.#received = [];
    this.#before = 0;
    this.#newest = null;
  }

  /** The book that was asked for, with all that was sent after it, or, without times, received after it; null when some of that is lost. */
  addedToRead(read: BookSides, sentAt: number | null): BookSides | null {
    if (this.#incomplete) return null;
    return added(
      read,
      this.#received.filter((one, place) =>
        one.sentAt === null || sentAt === null ? place >= this.#before : one.sentAt >= sentAt,
      ),
    );
  }

  /** A book of the stream, with all that was sent after it and came before it. */
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
