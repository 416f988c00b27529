import type { ServerResponse } from 'node:http';
import { StorageUnavailable } from '../../core/errors.js';
import type { EventType } from '../../core/ledger/event-log.js';
import { EventsGone } from '../../core/ledger/event-log.js';
import { COMMENT, sentEvent, sentId } from './sent-event.js';
import type { StreamPages } from './stream-pages.js';

/** How long a client has to read that the stream ends. */
const LAST_WORD_MS = 1000;

/** Why a stream ended in good order. */
export type ByeReason = 'shutdown' | 'lifetime' | 'unauthenticated';

/** What a client asked for. */
export interface StreamTerms {
  /** Null is the oldest event that is kept. */
  readonly after: number | 'head' | null;
  readonly types: readonly EventType[] | null;
  /** After how many milliseconds it should come back. */
  readonly retryMs: number;
  /** After this long without output, a comment keeps the connection open. */
  readonly keepAliveMs: number;
}

/** What a stream sends beside events: each text replaces the one with the same name, and only the newest is sent. */
export type LatestReadings = () => ReadonlyMap<string, string>;

/**
 * One client of a stream. It pulls: a page is read when the one before has left, so a slow client costs one page, and one that
 * reads nothing is cut by the server's guard of stalled readers. Nothing waits for it.
 */
export class EventStream {
  readonly #sent = new Map<string, string>();
  #cursor = 0;
  /** The last `id` that the client has. */
  #lastId = 0;
  #mayHaveMore = true;
  #isCaughtUp = false;
  #ending: ByeReason | null = null;
  #spokeAt = performance.now();
  /** Since when its client has not had everything that it asked for; null while it has. */
  #behindSince: number | null = performance.now();
  #ring = () => {};
  #rung = false;

  constructor(
    private readonly res: ServerResponse,
    private readonly pages: StreamPages,
    private readonly terms: StreamTerms,
    private readonly readingsNow: LatestReadings,
  ) {}

  /** Sends until the client is gone or the stream is ended. Never throws what a client or the store may cause. */
  async run(): Promise<void> {
    const unwatch = this.pages.watch(() => {
      this.#mayHaveMore = true;
      this.#behindSince ??= performance.now();
      this.wake();
    });
    this.res.once('close', () => this.wake());
    try {
      await this.#say(`retry: ${this.terms.retryMs}\n\n`);
      while (this.#goesOn && !(await this.#survives(() => this.#hello()))) await this.#pause();
      while (this.#goesOn) if (!(await this.#survives(() => this.#step()))) await this.#pause();
      if (this.#ending !== null && !this.res.writableEnded) this.res.end(sentEvent('bye', { reason: this.#ending }));
    } finally {
      unwatch();
    }
  }

  /** For how many milliseconds its client has not had everything that it asked for; 0 while it has. */
  get behindMs(): number {
    return this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
  }

  /** Lets it look for what there is to say. */
  wake(): void {
    this.#rung = true;
    this.#ring();
  }

  /** Ends it with `bye`; a client that does not read by then is cut. */
  end(reason: ByeReason): void {
    if (this.#ending === null) setTimeout(() => this.res.destroy(), LAST_WORD_MS).unref();
    this.#ending ??= reason;
    this.wake();
  }

  get #goesOn(): boolean {
    return this.#ending === null && !this.res.destroyed && !this.res.writableEnded;
  }

  /** Says where the log begins and ends, and where this stream begins. */
  async #hello(): Promise<true> {
    const { first, last } = await this.pages.range();
    const { after } = this.terms;
    this.#cursor = after === 'head' ? last : (after ?? first - 1);
    await this.#say(sentEvent('hello', { head: `${last}`, floor: `${first}` }));
    if (this.#cursor < first - 1 || this.#cursor > last) await this.#reset(first, last);
    // So that a client which comes back before its first event begins at the same place.
    else await this.#move(this.#cursor);
    return true;
  }

  /** Resolves with false once there is nothing to say. */
  async #step(): Promise<boolean> {
    for (const [name, text] of this.readingsNow()) {
      if (this.#sent.get(name) === text) continue;
      this.#sent.set(name, text);
      await this.#say(text);
    }
    if (this.#mayHaveMore) return this.#read();
    if (performance.now() - this.#spokeAt < this.terms.keepAliveMs) return false;
    if (this.#lastId < this.#cursor) await this.#move(this.#cursor);
    else await this.#say(COMMENT);
    return false;
  }

  async #read(): Promise<boolean> {
    this.#mayHaveMore = false;
    const { pieces, next, head } = await this.pages.page(this.#cursor, this.terms.types);
    for (const piece of pieces) await this.#say(piece);
    this.#cursor = next;
    if (this.terms.types === null) this.#lastId = next;
    if (next < head) this.#mayHaveMore = true;
    else if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      await this.#say(sentEvent('caught_up', { head: `${head}` }));
    }
    if (!this.#mayHaveMore) this.#behindSince = null;
    return this.#mayHaveMore;
  }

  /** What follows the cursor is not kept: the client has to read its orders anew, and gets what is kept. */
  async #reset(first: number, last: number): Promise<void> {
    this.#cursor = first - 1;
    await this.#say(sentEvent('reset', { floor: `${first}`, head: `${last}` }));
    await this.#move(this.#cursor);
  }

  async #move(id: number): Promise<void> {
    this.#lastId = id;
    await this.#say(sentId(id));
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

  /** Resolves when it left, or can never leave. */
  async #say(text: string | Buffer): Promise<void> {
    if (!this.#goesOn) return;
    this.#spokeAt = performance.now();
    if (this.res.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.res.off('drain', done).off('close', done);
        resolve();
      };
      this.res.on('drain', done).on('close', done);
    });
  }

  async #pause(): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        this.#ring = resolve;
      });
    this.#rung = false;
  }
}
