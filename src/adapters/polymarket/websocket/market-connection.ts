import type { BackoffLimits } from '../../transport/backoff.js';
import { PersistentWebSocket } from '../../transport/persistent-websocket.js';
import type { WebSocketLimits } from '../../transport/websocket-session.js';
import { TEXT_HEARTBEAT } from './heartbeat.js';

/** The callbacks of a connection. */
export interface ConnectionPeer {
  /** A new connection is open, and the current tokens have been subscribed to. */
  opened(): void;
  /** A text frame other than a PONG. @throws FrameMalformed */
  received(text: string): void;
  /** The connection was lost, or could not be made; another attempt follows automatically. */
  lost(reason: string): void;
  /** The tokens to subscribe to. */
  tokens(): readonly string[];
}

/** A connection to the market channel, renewed until it is closed, and its subscriptions. */
export class MarketConnection {
  readonly #socket: PersistentWebSocket;

  constructor(url: URL, limits: WebSocketLimits, backoff: BackoffLimits, peer: ConnectionPeer) {
    this.#socket = new PersistentWebSocket(url, { ...limits, heartbeat: TEXT_HEARTBEAT }, backoff, {
      opened: (session) => {
        const dump = { custom_feature_enabled: true, initial_dump: true, level: 2 };
        session.send({ assets_ids: peer.tokens(), type: 'market', ...dump });
        peer.opened();
      },
      received: (text) => peer.received(text),
      lost: (reason) => peer.lost(reason),
    });
  }

  /** True while messages can come. */
  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  /** Subscribes to more tokens; without a connection nothing is sent, since the next one begins with all of them. */
  subscribe(tokens: readonly string[]): void {
    this.#socket.send({ operation: 'subscribe', assets_ids: tokens });
  }

  /** Ends the subscription of these tokens. */
  unsubscribe(tokens: readonly string[]): void {
    this.#socket.send({ operation: 'unsubscribe', assets_ids: tokens });
  }

  /** Resolves once nothing of it is left. */
  close(): Promise<void> {
    return this.#socket.close();
  }
}
