import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many requests of one connection may wait for their turn before reading from it stops. */
const READ_AHEAD = 8;
/** How many may wait on all connections together: the parser delivers all that one packet holds, up to some thousands. */
const MOST_WAITING = 4096;

/** Starts the work on one request. */
type Begin = (req: IncomingMessage, res: ServerResponse) => void;

/** One connection: whether it has a request in progress, and the requests behind that one. */
interface Line {
  busy: boolean;
  readonly waiting: (() => void)[];
  /** True while nothing is read. */
  held: boolean;
}

/**
 * Handles the requests of each connection one after another: the next begins when the answer to the one before has left, so
 * a client that sends many and reads none costs one answer. RFC 9112, 9.3.2 also requires this for requests that change
 * something.
 */
export class Turns {
  readonly #lines = new Map<Duplex, Line>();
  #waiting = 0;

  /** Begins now, or when all earlier requests on this connection are answered; never once the connection is closed. */
  take(req: IncomingMessage, res: ServerResponse, begin: Begin): void {
    const { socket } = req;
    if (!socket.writable) return;
    const line = this.#lines.get(socket) ?? this.#open(socket);
    const start = () => {
      line.busy = true;
      res.once('close', () => this.#next(socket, line));
      begin(req, res);
    };
    if (!line.busy) start();
    else if (this.#waiting < MOST_WAITING) this.#queue(socket, line, start);
    else socket.destroy();
  }

  #open(socket: Duplex): Line {
    const line: Line = { busy: false, waiting: [], held: false };
    this.#lines.set(socket, line);
    // Node continues reading after every message that it has parsed.
    socket.on('resume', () => {
      if (line.held) socket.pause();
    });
    socket.once('close', () => {
      this.#lines.delete(socket);
      this.#waiting -= line.waiting.splice(0).length;
    });
    return line;
  }

  #queue(socket: Duplex, line: Line, start: () => void): void {
    this.#waiting += 1;
    line.held = line.waiting.push(start) >= READ_AHEAD;
    if (line.held) socket.pause();
  }

  #next(socket: Duplex, line: Line): void {
    line.busy = false;
    if (!socket.writable) return;
    const start = line.waiting.shift();
    if (start === undefined) return;
    this.#waiting -= 1;
    if (line.held && line.waiting.length < READ_AHEAD) {
      line.held = false;
      socket.resume();
    }
    start();
  }
}
