import type { BackoffLimits } from '../../transport/backoff.js';
import { PersistentWebSocket } from '../../transport/persistent-websocket.js';
import type { WebSocketLimits, WebSocketSession } from '../../transport/websocket-session.js';
import type { ApiCredentials } from '../signing/l2-headers.js';
import { TEXT_HEARTBEAT } from './heartbeat.js';
import { readUserFrame, type UserEvent } from './user-wire.js';

/** The account to listen to, and the callbacks. */
export interface UserStreamOptions {
  readonly url: URL;
  /** Sent to the venue over the connection as they are. */
  readonly credentials: ApiCredentials;
  /** The wallet that pays for the account's orders, to identify its parts of a trade. */
  readonly wallet?: string;
  /** Conditions; all of the account when absent. */
  readonly markets?: readonly string[];
  readonly limits?: Partial<WebSocketLimits>;
  readonly retry?: BackoffLimits;
  onEvent(event: UserEvent): void;
  /**
   * A connection is open, for the first time or again: earlier messages may be lost, and their content must be read by REST.
   */
  onReconnected(): void;
  /** A message was lost or could not be read on a live connection: its content must be read by REST. */
  onUnreadable(): void;
  /** Called with why the connection ended or what could not be read, without any of the venue's text. */
  report(reason: string): void;
}

const LIMITS: WebSocketLimits = {
  pingMs: 10_000,
  silenceMs: 25_000,
  // An account may be idle for days: this costs a new connection and a sweep, and bounds how long a dead one goes unseen.
  idleMs: 600_000,
  handshakeMs: 10_000,
  maxPayload: 1024 * 1024,
  heartbeat: TEXT_HEARTBEAT,
};
const RETRY: BackoffLimits = { initialDelay: 250, maxDelay: 30_000 };

/**
 * The venue's messages about one account's orders and trades, over a connection that is renewed until it is closed. The
 * channel replays nothing: messages sent while no connection is open must be read by REST.
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
      if (event === null) this.#unreadable('a message has an unknown shape');
      else if (!this.#guarded('an event could not be taken', () => this.#options.onEvent(event))) {
        this.#guarded('a sweep could not be begun', () => this.#options.onUnreadable());
      }
    }
  }

  #unreadable(reason: string): void {
    this.#options.report(reason);
    this.#guarded('a sweep could not be begun', () => this.#options.onUnreadable());
  }

  /** A failing callback must not end the process. */
  #guarded(failure: string, callback: () => void): boolean {
    try {
      callback();
      return true;
    } catch {
      this.#options.report(failure);
      return false;
    }
  }
}
