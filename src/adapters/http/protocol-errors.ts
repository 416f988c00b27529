import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.js';
import { PROBLEM_MEDIA_TYPE, Problem } from './problem.js';

/** The request line and the headers are at most this many bytes. */
export const HEADER_LIMIT_BYTES = 16 * 1024;

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
export class ProtocolErrors {
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
