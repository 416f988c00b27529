import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One request, and the answer to it. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Notified each time that a connection is closed because the limit is reached. */
export interface ConnectionObserver {
  /** `idle`: the longest idle one made room for a new one. `new`: every other connection had a request in progress. */
  closedAtLimit(connection: 'idle' | 'new'): void;
}

/** How many connections may be open, and who is notified of those beyond. */
export interface ConnectionLimit {
  readonly most: number;
  readonly observer: ConnectionObserver;
}

/**
 * Tracks each connection and its requests in progress. Node's own `closeIdleConnections` misses sockets that never sent a
 * request, and `close` waits for the keep-alive of those that become idle later; its `maxConnections` rejects new clients
 * while idle connections are open.
 */
export class Connections {
  readonly #underWay = new Map<Duplex, Set<Exchange>>();
  /** Connections without a request whose headers are complete, the longest idle first. */
  readonly #idle = new Set<Duplex>();
  /** The last request of a connection that was answered before it was complete. */
  readonly #answeredEarly = new WeakMap<Duplex, IncomingMessage>();
  #closing = false;

  constructor(
    private readonly server: Server,
    private readonly limit: ConnectionLimit | null = null,
  ) {
    server.on('connection', (socket: Socket) => this.#open(socket));
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
      server.on(event, (req, res) => this.#begin({ req, res }));
    }
  }

  /** Stops listening, lets every request in progress finish, then closes its socket; cuts the rest after `graceMs`. */
  close(graceMs: number): Promise<void> {
    this.#closing = true;
    return new Promise((resolve) => {
      const cut = setTimeout(() => this.#destroy(() => true), graceMs);
      this.server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      this.#destroy((underWay) => underWay.size === 0);
    });
  }

  /**
   * Resolves when every complete request on this socket has its answer: what follows on the wire must not be taken for that
   * answer. Returns whether an incomplete request has been answered, too.
   */
  async answered(socket: Duplex): Promise<boolean> {
    const exchanges = [...(this.#underWay.get(socket) ?? [])];
    await Promise.all(exchanges.filter(({ req }) => req.complete).map(({ res }) => once(res, 'close')));
    if (this.#answeredEarly.get(socket)?.complete === false) return true;
    return exchanges.some(({ req, res }) => !req.complete && res.headersSent);
  }

  #open(socket: Socket): void {
    if (this.limit !== null && this.#underWay.size >= this.limit.most) {
      const [longestIdle] = this.#idle;
      this.limit.observer.closedAtLimit(longestIdle === undefined ? 'new' : 'idle');
      this.#forget(longestIdle ?? socket).destroy();
      if (longestIdle === undefined) return;
    }
    this.#underWay.set(socket, new Set());
    this.#idle.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Duplex): Duplex {
    this.#underWay.delete(socket);
    this.#idle.delete(socket);
    return socket;
  }

  #begin(exchange: Exchange): void {
    const { req, res } = exchange;
    if (this.#closing) res.setHeader('connection', 'close');
    this.#idle.delete(req.socket);
    this.#underWay.get(req.socket)?.add(exchange);
    res.once('close', () => this.#finished(req.socket, exchange));
  }

  #finished(socket: Socket, exchange: Exchange): void {
    const underWay = this.#underWay.get(socket);
    underWay?.delete(exchange);
    if (underWay?.size === 0) this.#idle.add(socket);
    if (!exchange.req.complete) this.#answeredEarly.set(socket, exchange.req);
    if (this.#closing && underWay?.size === 0) socket.destroySoon();
  }

  #destroy(which: (underWay: ReadonlySet<Exchange>) => boolean): void {
    for (const [socket, underWay] of this.#underWay) if (which(underWay)) socket.destroy();
  }
}
