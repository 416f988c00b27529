import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import { PROBLEM_MEDIA_TYPE, Problem } from './problem.js';
import type { State } from './app.js';
import { Connections } from './connections.js';

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 500;
const KEEP_ALIVE_MS = 65_000;
const HEADER_LIMIT_BYTES = 16 * 1024;
const LONG_TARGET_BYTES = 8 * 1024;

/** A listening server. */
export interface HttpServer {
  /** Where it listens: the port is the real one when 0 was asked for. */
  readonly url: string;
  /** Takes no new connections, finishes what has been asked, and closes; cuts what is not done after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Serves the app; slow, oversized or unparsable requests get their problem here, before Koa would see them. */
export async function serve(app: Koa<State>, host: string, port: number): Promise<HttpServer> {
  const handle = app.callback();
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_BYTES, connectionsCheckingInterval: CHECK_EVERY_MS, noDelay: true });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const connections = new Connections(server);
  const work = new Set<Promise<void>>();
  const begin = (req: IncomingMessage, res: ServerResponse) => {
    const done: Promise<void> = handle(req, res).finally(() => work.delete(done));
    work.add(done);
  };
  server.on('request', begin);
  server.on('checkContinue', begin);
  server.on('checkExpectation', (_req, res) => refuseExpectation(res));
  server.on('clientError', refuse);
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${bound}`, close: (graceMs) => end(connections, work, graceMs) };
}

/** Work goes on when its client hangs up: an order on record is taken to its end. */
async function end(connections: Connections, work: ReadonlySet<Promise<void>>, graceMs: number): Promise<void> {
  const finished = async () => {
    while (work.size > 0) await Promise.allSettled(work);
  };
  await connections.close(graceMs);
  await Promise.race([finished(), delay(graceMs, undefined, { ref: false })]);
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

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers what never became a request, on the bare socket, and closes it. */
function refuse(error: ClientError, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const problem = problemOf(error);
  const body = problem.body(randomUUID());
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function problemOf({ code, rawPacket }: ClientError): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request-timeout', 'The request did not arrive in time.');
  if (code !== 'HPE_HEADER_OVERFLOW') return new Problem('bad-request', 'The request is not valid HTTP.');
  const target = rawPacket?.subarray(0, LONG_TARGET_BYTES).indexOf('\r\n') === -1;
  if (target) return new Problem('uri-too-long', 'The path and query are too long.');
  return new Problem('headers-too-large', `The headers are larger than ${HEADER_LIMIT_BYTES} bytes.`);
}

function refuseExpectation(res: ServerResponse): void {
  const problem = new Problem('expectation-failed', 'The only expectation that is met is 100-continue.');
  res.writeHead(problem.status, { 'content-type': PROBLEM_MEDIA_TYPE, 'cache-control': 'no-store', connection: 'close' });
  res.end(problem.body(randomUUID()));
}
