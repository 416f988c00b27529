import type { ServerResponse } from 'node:http';
import { StorageUnavailable } from '../../core/errors.js';
import type { EventType } from '../../core/ledger/event-log.js';
import { EventsGone } from '../../core/ledger/event-log.js';
import { COMMENT, sentEvent, sentId } from './sent-event.js';
import type { StreamPages } from './stream-pages.js';
import {
  type ByeReason,
  type LatestReadings,
  type OpenStream,
  type StreamTimes,
  StreamWriter,
} from './stream-writer.js';

/** What a client asked for. */
export interface StreamTerms extends StreamTimes {
  /** Null is the oldest event that is kept. */
  readonly after: number | 'head' | null;
  readonly types: readonly EventType[] | null;
}

/**
 * One client of a stream. It pulls: a page is read when the one before has left, so a slow client costs one page, and one that
 * reads nothing is cut by the server's guard of stalled readers. Nothing waits for it.
 */
export class EventStream implements OpenStream {
  readonly #writer: StreamWriter;
  #cursor = 0;
  /** The last `id` that the client has. */
  #lastId = 0;
  #mayHaveMore = true;
  #isCaughtUp = false;
  /** Since when its client has not had everything that it asked for; null while it has. */
  #behindSince: number | null = performance.now();

  constructor(
    res: ServerResponse,
    private readonly pages: StreamPages,
    private readonly terms: StreamTerms,
    private readonly readingsNow: LatestReadings,
  ) {
    this.#writer = new StreamWriter(res);
  }

  async run(): Promise<void> {
    const unwatch = this.pages.watch(() => {
      this.#mayHaveMore = true;
      this.#behindSince ??= performance.now();
      this.wake();
    });
    const writer = this.#writer;
    try {
      await writer.say(`retry: ${this.terms.retryMs}\n\n`);
      while (writer.goesOn && !(await this.#survives(() => this.#hello()))) await writer.pause();
      while (writer.goesOn) if (!(await this.#survives(() => this.#step()))) await writer.pause();
      writer.close();
    } finally {
      unwatch();
    }
  }

  get behindMs(): number {
    return this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
  }

  wake(): void {
    this.#writer.wake();
  }

  end(reason: ByeReason): void {
    this.#writer.end(reason);
  }

  /** Says where the log begins and ends, and where this stream begins. */
  async #hello(): Promise<true> {
    const { first, last } = await this.pages.range();
    const { after } = this.terms;
    this.#cursor = after === 'head' ? last : (after ?? first - 1);
    await this.#writer.say(sentEvent('hello', { head: `${last}`, floor: `${first}` }));
    if (this.#cursor < first - 1 || this.#cursor > last) await this.#reset(first, last);
    // So that a client which comes back before its first event begins at the same place.
    else await this.#move(this.#cursor);
    return true;
  }

  /** Resolves with false once there is nothing to say. */
  async #step(): Promise<boolean> {
    await this.#writer.sayLatest(this.readingsNow());
    if (this.#mayHaveMore) return this.#read();
    if (this.#writer.quietMs < this.terms.keepAliveMs) return false;
    if (this.#lastId < this.#cursor) await this.#move(this.#cursor);
    else await this.#writer.say(COMMENT);
    return false;
  }

  async #read(): Promise<boolean> {
    this.#mayHaveMore = false;
    const { pieces, next, head } = await this.pages.page(this.#cursor, this.terms.types);
    for (const piece of pieces) await this.#writer.say(piece);
    this.#cursor = next;
    if (this.terms.types === null) this.#lastId = next;
    if (next < head) this.#mayHaveMore = true;
    else if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      await this.#writer.say(sentEvent('caught_up', { head: `${head}` }));
    }
    if (!this.#mayHaveMore) this.#behindSince = null;
    return this.#mayHaveMore;
  }

  /** What follows the cursor is not kept: the client has to read its orders anew, and gets what is kept. */
  async #reset(first: number, last: number): Promise<void> {
    this.#cursor = first - 1;
    await this.#writer.say(sentEvent('reset', { floor: `${first}`, head: `${last}` }));
    await this.#move(this.#cursor);
  }

  async #move(id: number): Promise<void> {
    this.#lastId = id;
    await this.#writer.say(sentId(id));
  }

  /** Where the store does not answer, it is asked again later; resolves with false then. */
  async #survives(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      this.#mayHaveMore = true;
      if (error instanceof StorageUnavailable) return false;
      if (!(error instanceof EventsGone)) throw error;
      await this.#reset(error.first, error.last);
      return true;
    }
  }
}
