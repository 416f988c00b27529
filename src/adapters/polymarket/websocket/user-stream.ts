import type { BackoffLimits } from '../../transport/backoff.js';
import { PersistentWebSocket } from '../../transport/persistent-websocket.js';
import type { WebSocketLimits, WebSocketSession } from '../../transport/websocket-session.js';
import type { ApiCredentials } from '../signing/l2-headers.js';
import { TEXT_HEARTBEAT } from './heartbeat.js';
import { readUserFrame, type UserEvent } from './user-wire.js';

/** Whose orders are listened to, and who is told. */
export interface UserStreamOptions {
  readonly url: URL;
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
  heartbeat: TEXT_HEARTBEAT,
};
const RETRY: BackoffLimits = { initialDelay: 250, maxDelay: 30_000 };

/**
 * The venue's messages about the orders and trades of one account, over a connection that is made again for ever until it is
 * closed. The channel replays nothing: what is sent while no connection stands has to be read by REST.
 */
export class UserStream {
  readonly #options: UserStreamOptions;
  readonly #socket: PersistentWebSocket;

  constructor(options: UserStreamOptions) {
    this.#options = options;
    const { url, limits, retry = RETRY } = options;
    this.#socket = new PersistentWebSocket(url, { ...LIMITS, ...limits }, retry, {
      opened: (session) => this.#opened(session),
      received: (text) => this.#received(text),
      lost: (reason) => options.report(reason),
    });
  }

  /** True while messages can come. */
  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  /** Resolves once nothing of it is left. */
  close(): Promise<void> {
    return this.#socket.close();
  }

  #opened(session: WebSocketSession): void {
    const { credentials, markets } = this.#options;
    const { apiKey, secret, passphrase } = credentials;
    const some = markets === undefined ? {} : { markets };
    session.send({ auth: { apiKey, secret, passphrase }, type: 'user', ...some });
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
