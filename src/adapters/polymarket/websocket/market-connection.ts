import type { BackoffLimits } from '../../transport/backoff.js';
import { PersistentWebSocket } from '../../transport/persistent-websocket.js';
import type { WebSocketLimits } from '../../transport/websocket-session.js';
import { TEXT_HEARTBEAT } from './heartbeat.js';

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

/** A connection to the market channel, made again for ever until it is closed, and what it is subscribed to. */
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

  /** Subscribes to more tokens; without a connection nothing is sent, for the next one begins with all of them. */
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
