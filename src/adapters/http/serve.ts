import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import type { State } from './app-context.js';
import { type ConnectionLimit, Connections } from './connections.js';
import { PROBLEM_MEDIA_TYPE, Problem } from './problem.js';

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 500;
const KEEP_ALIVE_MS = 65_000;
const STALLED_MS = 30_000;

/** A listening server. */
export interface HttpServer {
  /** Where it listens: the actual port when 0 was requested. */
  readonly url: string;
  /** Takes no new connections, finishes pending requests, and closes; cuts the rest after `graceMs` in total. */
  close(graceMs: number): Promise<void>;
}

/** Limits of a server. */
export interface Tolerance {
  /** How long a client may read nothing of its answer before it is cut; 30 seconds by default. */
  readonly stalledMs?: number;
  /** In how long the headers of a request have to come; 5 seconds by default. */
  readonly headersMs?: number;
  /** In how long a whole request has to come; 10 seconds by default. */
  readonly requestMs?: number;
  /** No limit by default. */
  readonly connections?: ConnectionLimit;
}

/** Serves the app; slow, oversized or unparsable requests get their problem here, before Koa would see them. */
export async function serve(
  app: Koa<State>,
  host: string,
  port: number,
  tolerance: Tolerance = {},
): Promise<HttpServer> {
  const { stalledMs = STALLED_MS, headersMs = HEADERS_TIMEOUT_MS, requestMs = REQUEST_TIMEOUT_MS } = tolerance;
  const handle = app.callback();
  const server = createServer({
    maxHeaderSize: HEADER_LIMIT_BYTES,
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, headersMs / 2),
    noDelay: true,
    // Node would answer without a body; the app answers with a problem.
    requireHostHeader: false,
  });
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const connections = new Connections(server, tolerance.connections);
  const work = new Set<Promise<void>>();
  const begin = (req: IncomingMessage, res: ServerResponse) => {
    // The parser drops what else came with an upgrade request, and would take the rest for a separate request.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    const done: Promise<void> = handle(req, res).finally(() => work.delete(done));
    work.add(done);
  };
  const requests = new RequestQueue();
  const errors = new ProtocolErrors(connections);
  server.on('request', (req, res) => requests.take(req, res, begin));
  server.on('checkContinue', (req, res) => requests.take(req, res, begin));
  server.on('checkExpectation', (req, res) => requests.take(req, res, () => errors.expectation(res)));
  server.on('clientError', (error, socket) => void errors.broken(error, socket));
  server.on('connect', (_req, socket) => void errors.tunnel(socket));
  const stalled = new StalledReaders(server, stalledMs);
  const looking = setInterval(() => stalled.look(performance.now()), stalledMs / 10).unref();
  server.once('close', () => clearInterval(looking));
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${bound}`, close: (graceMs) => end(connections, work, graceMs) };
}

/** Work continues when its client hangs up: a recorded order is taken to its end. */
async function end(connections: Connections, work: ReadonlySet<Promise<void>>, graceMs: number): Promise<void> {
  const finished = async () => {
    while (work.size > 0) await Promise.allSettled(work);
  };
  const deadline = delay(graceMs, undefined, { ref: false });
  await connections.close(graceMs);
  await Promise.race([finished(), deadline]);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The request line and the headers are at most this many bytes. */
const HEADER_LIMIT_BYTES = 16 * 1024;

const LONG_TARGET_BYTES = 8 * 1024;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_LINE = /^[A-Z]+ /;
/** How long a client may take to read its refusal before the socket is cut. */
const LINGER_MS = 2_000;

interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers what never becomes a request of the app: broken, slow or oversized messages, and unsupported expectations. */
class ProtocolErrors {
  readonly #refused = new WeakSet<Duplex>();

  constructor(private readonly connections: Connections) {}

  /** Answers on the bare socket, after the answers to all complete requests before it, and closes. */
  async broken(error: ParseError, socket: Duplex): Promise<void> {
    // The parser reports an error again for each packet that follows.
    if (this.#refused.has(socket) && socket.writable) return;
    this.#refused.add(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const answered = await this.connections.answered(socket);
    finish(socket, answered ? undefined : message(problemOf(error)));
  }

  /** `CONNECT` requests a tunnel: the parser has released the socket, and nothing else answers. */
  async tunnel(socket: Duplex): Promise<void> {
    // No other listener is left, and an unhandled error event ends the process.
    socket.on('error', () => socket.destroy());
    await this.connections.answered(socket);
    const problem = new Problem('method-not-allowed', `This is not a proxy: it takes ${METHODS}.`, {
      headers: { allow: METHODS },
    });
    finish(socket, message(problem));
  }

  expectation(res: ServerResponse): void {
    const problem = new Problem('expectation-failed', 'The only supported expectation is 100-continue.');
    const { fields, body } = answer(problem);
    res.writeHead(problem.status, fields);
    res.end(body);
  }
}

function finish(socket: Duplex, last: string | undefined): void {
  socket.end(last);
  // Further data is dropped: a socket closed with unread data resets, and the answer would be lost.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function answer(problem: Problem): { fields: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const body = problem.body(requestId);
  const fields = {
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    connection: 'close',
    ...problem.more.headers,
  };
  return { fields, body };
}

function message(problem: Problem): string {
  const { fields, body } = answer(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function problemOf({ code, rawPacket }: ParseError): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request-timeout', 'The request did not arrive in time.');
  if (code !== 'HPE_HEADER_OVERFLOW') return new Problem('bad-request', 'The request is not valid HTTP.');
  const start = rawPacket?.toString('latin1', 0, LONG_TARGET_BYTES) ?? '';
  if (REQUEST_LINE.test(start) && !start.includes('\r\n')) {
    return new Problem('uri-too-long', 'The path and query are too long.');
  }
  return new Problem('headers-too-large', `The headers are larger than ${HEADER_LIMIT_BYTES} bytes.`);
}

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
  readonly #progress = new Map<Socket, Progress>();

  constructor(
    server: Server,
    private readonly afterMs: number,
  ) {
    server.on('connection', (socket: Socket) => {
      this.#progress.set(socket, { taken: -1, at: 0 });
      socket.once('close', () => this.#progress.delete(socket));
    });
  }

  /** Checks every connection, `now` in milliseconds, and cuts those without progress for `afterMs`. */
  look(now: number): void {
    for (const [socket, { taken, at }] of this.#progress) {
      const { bytesWritten, writableLength } = socket;
      const takenNow = bytesWritten - writableLength;
      if (writableLength === 0 || takenNow !== taken) this.#progress.set(socket, { taken: takenNow, at: now });
      else if (now - at >= this.afterMs) socket.destroy();
    }
  }
}

/** How many requests of one connection may be queued before reading from it stops. */
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
class RequestQueue {
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
