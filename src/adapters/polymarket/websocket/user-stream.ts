import { type BackoffLimits, repeatUntilDone } from '../../transport/backoff.js';
import { type WebSocketLimits, type WebSocketPeer, WebSocketSession } from '../../transport/websocket-session.js';
import type { ApiCredentials } from '../signing/l2-headers.js';
import { readUserFrame, type UserEvent } from './user-wire.js';

/** Where the venue tells what happens to the orders of an account (`polymarket.md` 5). */
export const USER_CHANNEL = new URL('wss://ws-subscriptions-clob.polymarket.com/ws/user');

/** Whose orders are listened to, and who is told. */
export interface UserStreamOptions {
  readonly url?: URL;
  /** Sent to the venue over the connection as they are. */
  readonly credentials: ApiCredentials;
  /** The wallet that pays for the account's orders, to tell whose part of a trade is whose. */
  readonly wallet?: string;
  /** Conditions; all of the account when absent. */
  readonly markets?: readonly string[];
  readonly limits?: Partial<WebSocketLimits>;
  readonly retry?: BackoffLimits;
  onEvent(event: UserEvent): void;
  /** The connection stands, for the first time or again: whatever was told before is lost, and has to be read by REST. */
  onReconnected(): void;
  /** A message was lost or could not be read, while the connection stands: what it told has to be read by REST. */
  onUnreadable(): void;
  /** Told why the connection ended or what could not be read, without any of the venue's text. */
  report(reason: string): void;
}

const LIMITS: WebSocketLimits = {
  pingMs: 10_000,
  silenceMs: 25_000,
  // An account may rest for days: this costs a new connection and a sweep, and bounds how long a dead one goes unseen.
  idleMs: 600_000,
  handshakeMs: 10_000,
  maxPayload: 1024 * 1024,
};
const RETRY: BackoffLimits = { initialDelay: 250, maxDelay: 30_000 };

/**
 * The venue's messages about the orders and trades of one account, over a connection that is made again for ever until it is
 * closed. The channel replays nothing: what is told while nobody listens has to be read by REST.
 */
export class UserStream {
  readonly #options: UserStreamOptions;
  readonly #limits: WebSocketLimits;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #session: WebSocketSession | null = null;
  #isOpen = false;

  constructor(options: UserStreamOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#running = repeatUntilDone(options.retry ?? RETRY, this.#closing.signal, () => this.#live());
  }

  /** True while messages can come. */
  get open(): boolean {
    return this.#isOpen;
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
    if (!this.#closing.signal.aborted) this.#options.report(reason);
    // One that keeps failing soon after it opened is as bad as one that never opens.
    return performance.now() - began > this.#limits.silenceMs ? 'afresh' : 'again';
  }

  /** Null for an address that no connection is made to, which is no reason to end the process. */
  #begun(): WebSocketSession | null {
    const peer: WebSocketPeer = {
      opened: (session) => this.#opened(session),
      received: (text) => this.#received(text),
    };
    try {
      return new WebSocketSession(this.#options.url ?? USER_CHANNEL, this.#limits, peer);
    } catch {
      return null;
    }
  }

  #opened(session: WebSocketSession): void {
    const { credentials, markets } = this.#options;
    const { apiKey, secret, passphrase } = credentials;
    const some = markets === undefined ? {} : { markets };
    session.send({ auth: { apiKey, secret, passphrase }, type: 'user', ...some });
    this.#isOpen = true;
    this.#guarded('a sweep could not be begun', () => this.#options.onReconnected());
  }

  #received(text: string): void {
    const { credentials, wallet } = this.#options;
    for (const event of readUserFrame(text, { apiKey: credentials.apiKey, wallet })) {
      if (event === null) this.#unreadable('a message has a shape that is not known');
      else if (!this.#guarded('an event could not be taken', () => this.#options.onEvent(event))) {
        this.#guarded('a sweep could not be begun', () => this.#options.onUnreadable());
      }
    }
  }

  #unreadable(reason: string): void {
    this.#options.report(reason);
    this.#guarded('a sweep could not be begun', () => this.#options.onUnreadable());
  }

  /** Whoever is told must not end the process by it. */
  #guarded(failure: string, tell: () => void): boolean {
    try {
      tell();
      return true;
    } catch {
      this.#options.report(failure);
      return false;
    }
  }
}
