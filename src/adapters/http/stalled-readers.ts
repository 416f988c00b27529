import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How far a client had read when that was last seen to change. */
interface Progress {
  readonly taken: number;
  readonly at: number;
}

/**
 * Cuts connections whose client takes nothing of an answer that waits for it. What the system has taken over counts as
 * taken, so a client that reads slowly is seen to read in steps of the size of a socket buffer.
 */
export class StalledReaders {
  readonly #seen = new Map<Socket, Progress>();

  constructor(
    server: Server,
    private readonly afterMs: number,
  ) {
    server.on('connection', (socket: Socket) => {
      this.#seen.set(socket, { taken: -1, at: 0 });
      socket.once('close', () => this.#seen.delete(socket));
    });
  }

  /** Looks at every connection, `now` in milliseconds, and cuts those that have stood still since `afterMs` before. */
  look(now: number): void {
    for (const [socket, { taken, at }] of this.#seen) {
      const { bytesWritten, writableLength } = socket;
      const takenNow = bytesWritten - writableLength;
      if (writableLength === 0 || takenNow !== taken) this.#seen.set(socket, { taken: takenNow, at: now });
      else if (now - at >= this.afterMs) socket.destroy();
    }
  }
}
