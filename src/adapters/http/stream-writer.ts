import type { ServerResponse } from 'node:http';
import { sentEvent } from './sent-event.js';

/** How long a client has to read that the stream ends. */
const LAST_WORD_MS = 1000;

/** Why a stream ended in good order; `market_data` where a market can no longer be followed. */
export type ByeReason = 'shutdown' | 'lifetime' | 'unauthenticated' | 'market_data';

/** How a stream is kept open. */
export interface StreamTimes {
  /** After how many milliseconds its client should come back. */
  readonly retryMs: number;
  /** After this long without output, a comment keeps the connection open. */
  readonly keepAliveMs: number;
}

/** What a stream sends beside events: each text replaces the one with the same name, and only the newest is sent. */
export type LatestReadings = () => ReadonlyMap<string, string>;

/** One stream that is open. */
export interface OpenStream {
  /** For how many milliseconds its client has not had everything that it asked for; 0 while it has. */
  readonly behindMs: number;
  /** Sends until the client is gone or the stream is ended. Never throws what a client may cause. */
  run(): Promise<void>;
  /** Lets it look for what there is to say. */
  wake(): void;
  /** Ends it with `bye`; a client that does not read by then is cut. */
  end(reason: ByeReason): void;
}

/** The response of one stream: what is said waits until what was said before has left. */
export class StreamWriter {
  #ending: ByeReason | null = null;
  #spokeAt = performance.now();
  #ring = () => {};
  #rung = false;
  readonly #sent = new Map<string, string>();

  constructor(private readonly res: ServerResponse) {
    res.once('close', () => this.wake());
  }

  /** Whether more is to be said. */
  get goesOn(): boolean {
    return this.#ending === null && !this.res.destroyed && !this.res.writableEnded;
  }

  /** For how many milliseconds nothing was said. */
  get quietMs(): number {
    return performance.now() - this.#spokeAt;
  }

  /** Ends a pause, the next one if there is none. */
  wake(): void {
    this.#rung = true;
    this.#ring();
  }

  /** Has nothing more said but `bye`; the connection is cut where that does not leave. */
  end(reason: ByeReason): void {
    if (this.#ending === null) setTimeout(() => this.res.destroy(), LAST_WORD_MS).unref();
    this.#ending ??= reason;
    this.wake();
  }

  /** Resolves when it left, or can never leave. */
  async say(text: string | Buffer): Promise<void> {
    if (!this.goesOn) return;
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

  /** Says those of the readings that are not what was said of them last. */
  async sayLatest(readings: ReadonlyMap<string, string>): Promise<void> {
    for (const [name, text] of readings) {
      if (this.#sent.get(name) === text) continue;
      this.#sent.set(name, text);
      await this.say(text);
    }
  }

  /** Resolves once it is woken. */
  async pause(): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        this.#ring = resolve;
      });
    this.#rung = false;
  }

  /** The last word of a stream that was ended in good order. */
  close(): void {
    if (this.#ending !== null && !this.res.writableEnded) this.res.end(sentEvent('bye', { reason: this.#ending }));
  }
}
