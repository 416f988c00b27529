import { performance } from 'node:perf_hooks';
import { type BackoffLimits, repeatUntilDone } from './backoff.js';
import { type WebSocketLimits, type WebSocketPeer, WebSocketSession } from './websocket-session.js';

/** The callbacks of a persistent connection. */
export interface PersistentPeer extends WebSocketPeer {
  /** The connection was lost, or could not be made; another attempt follows automatically. */
  lost(reason: string): void;
}

/** A WebSocket that reconnects, with growing and jittered pauses, until it is closed. */
export class PersistentWebSocket {
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #session: WebSocketSession | null = null;
  #isOpen = false;

  constructor(
    private readonly url: URL,
    private readonly limits: WebSocketLimits,
    backoff: BackoffLimits,
    private readonly peer: PersistentPeer,
  ) {
    this.#running = repeatUntilDone(backoff, this.#closing.signal, () => this.#live());
  }

  /** True while messages can come. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Does nothing unless the connection is open. */
  send(message: object): void {
    if (this.#isOpen) this.#session?.send(message);
  }

  /** Resolves once nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#session?.end('the connection was closed');
    await this.#running;
  }

  async #live(): Promise<'again' | 'afresh'> {
    const began = performance.now();
    this.#session = this.#begun();
    const reason = (await this.#session?.ended) ?? 'the connection could not be made';
    this.#isOpen = false;
    if (!this.#closing.signal.aborted) this.peer.lost(reason);
    // One that keeps failing soon after it opened is as bad as one that never opens.
    return performance.now() - began > this.limits.silenceMs ? 'afresh' : 'again';
  }

  /** Null for an address that cannot be connected to: not a reason to end the process. */
  #begun(): WebSocketSession | null {
    const { refused } = this.peer;
    const peer: WebSocketPeer = {
      opened: (session) => {
        this.#isOpen = true;
        this.peer.opened(session);
      },
      received: (text) => this.peer.received(text),
      ...(refused !== undefined && { refused: (status, body) => refused.call(this.peer, status, body) }),
    };
    try {
      return new WebSocketSession(this.url, this.limits, peer);
    } catch {
      return null;
    }
  }
}
