import { type BackoffLimits, repeatUntilDone } from '../../transport/backoff.js';
import { type WebSocketLimits, type WebSocketPeer, WebSocketSession } from '../../transport/websocket-session.js';

/** Whoever lives off a connection. */
export interface ConnectionPeer {
  /** It stands anew, and the tokens of this moment have been subscribed to. */
  opened(): void;
  /** A text frame that is no PONG. @throws FrameMalformed */
  received(text: string): void;
  /** It is gone, or could not be made; another attempt follows by itself. */
  lost(reason: string): void;
  /** The tokens to subscribe to. */
  tokens(): readonly string[];
}

/** A connection to the market channel that is made again for ever, with growing and jittered pauses, until it is closed. */
export class MarketConnection {
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #session: WebSocketSession | null = null;
  #open = false;

  constructor(
    private readonly url: URL,
    private readonly limits: WebSocketLimits,
    pace: BackoffLimits,
    private readonly peer: ConnectionPeer,
  ) {
    this.#running = repeatUntilDone(pace, this.#closing.signal, () => this.#live());
  }

  /** True while messages can come. */
  get open(): boolean {
    return this.#open;
  }

  /** Subscribes to more tokens; without a connection nothing is sent, for the next one begins with all of them. */
  subscribe(tokens: readonly string[]): void {
    this.#operate('subscribe', tokens);
  }

  /** Ends the subscription of these tokens. */
  unsubscribe(tokens: readonly string[]): void {
    this.#operate('unsubscribe', tokens);
  }

  /** Resolves once nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#session?.end('the connection was closed');
    await this.#running;
  }

  #operate(operation: 'subscribe' | 'unsubscribe', tokens: readonly string[]): void {
    if (this.#open) this.#session?.send({ operation, assets_ids: tokens });
  }

  async #live(): Promise<'again' | 'afresh'> {
    const began = performance.now();
    const peer: WebSocketPeer = {
      opened: (session) => this.#opened(session),
      received: (text) => this.peer.received(text),
    };
    this.#session = sessionOf(this.url, this.limits, peer);
    const reason = (await this.#session?.ended) ?? 'the connection could not be made';
    this.#open = false;
    if (!this.#closing.signal.aborted) this.peer.lost(reason);
    // One that keeps failing soon after it opened is as bad as one that never opens.
    return performance.now() - began > this.limits.silenceMs ? 'afresh' : 'again';
  }

  #opened(session: WebSocketSession): void {
    this.#open = true;
    const dump = { custom_feature_enabled: true, initial_dump: true, level: 2 };
    session.send({ assets_ids: this.peer.tokens(), type: 'market', ...dump });
    this.peer.opened();
  }
}

/** Null for an address that no connection is made to, which is no reason to end the process. */
function sessionOf(url: URL, limits: WebSocketLimits, peer: WebSocketPeer): WebSocketSession | null {
  try {
    return new WebSocketSession(url, limits, peer);
  } catch {
    return null;
  }
}
