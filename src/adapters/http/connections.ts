import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows each connection and how many requests it has under way. Node's own `closeIdleConnections` misses sockets that
 * never sent a request, and `close` waits for the keep-alive of those that fall idle later.
 */
export class Connections {
  readonly #underWay = new Map<Socket, number>();
  #closing = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#underWay.set(socket, 0);
      socket.once('close', () => this.#underWay.delete(socket));
    });
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
      server.on(event, (req, res) => {
        const { socket } = req;
        if (this.#closing) res.setHeader('connection', 'close');
        this.#underWay.set(socket, (this.#underWay.get(socket) ?? 0) + 1);
        res.once('close', () => this.#finished(socket));
      });
    }
  }

  /** Stops listening, lets every request under way finish, then closes its socket; cuts the rest after `graceMs`. */
  close(graceMs: number): Promise<void> {
    this.#closing = true;
    return new Promise((resolve) => {
      const cut = setTimeout(() => this.#destroy(() => true), graceMs);
      this.server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      this.#destroy((underWay) => underWay === 0);
    });
  }

  #finished(socket: Socket): void {
    const left = (this.#underWay.get(socket) ?? 1) - 1;
    if (this.#underWay.has(socket)) this.#underWay.set(socket, left);
    if (this.#closing && left === 0) socket.destroySoon();
  }

  #destroy(which: (underWay: number) => boolean): void {
    for (const [socket, underWay] of this.#underWay) if (which(underWay)) socket.destroy();
  }
}
