import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How far a client had read at the last observed change. */
interface Progress {
  readonly taken: number;
  readonly at: number;
}

/**
 * Cuts connections whose client reads nothing of an answer that waits for it. What the system has buffered counts as read,
 * so a slow client appears to read in steps of the size of a socket buffer.
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

  /** Checks every connection, `now` in milliseconds, and cuts those without progress for `afterMs`. */
  look(now: number): void {
    for (const [socket, { taken, at }] of this.#seen) {
      const { bytesWritten, writableLength } = socket;
      const takenNow = bytesWritten - writableLength;
      if (writableLength === 0 || takenNow !== taken) this.#seen.set(socket, { taken: takenNow, at: now });
      else if (now - at >= this.afterMs) socket.destroy();
    }
  }
}
