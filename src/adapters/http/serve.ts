import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import type { State } from './app-context.js';
import { type ConnectionLimit, Connections } from './connections.js';
import { HEADER_LIMIT_BYTES, ProtocolErrors } from './protocol-errors.js';
import { StalledReaders } from './stalled-readers.js';
import { Turns } from './turns.js';

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
  const { stalledMs = STALLED_MS } = tolerance;
  const handle = app.callback();
  const server = createServer({
    maxHeaderSize: HEADER_LIMIT_BYTES,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    noDelay: true,
    // Node would answer without a body; the app answers with a problem.
    requireHostHeader: false,
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const connections = new Connections(server, tolerance.connections);
  const work = new Set<Promise<void>>();
  const begin = (req: IncomingMessage, res: ServerResponse) => {
    // The parser drops what else came with an upgrade request, and would take the rest for a separate request.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    const done: Promise<void> = handle(req, res).finally(() => work.delete(done));
    work.add(done);
  };
  const turns = new Turns();
  const errors = new ProtocolErrors(connections);
  server.on('request', (req, res) => turns.take(req, res, begin));
  server.on('checkContinue', (req, res) => turns.take(req, res, begin));
  server.on('checkExpectation', (req, res) => turns.take(req, res, () => errors.expectation(res)));
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
