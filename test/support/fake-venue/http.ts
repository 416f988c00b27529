import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Answer, type Call, type Fault, passes } from './faults.js';
import type { LoggedRequest, VenueLog } from './log.js';
import { Refused } from './refusals.js';

/** A request with all its bytes. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface Scripted {
  readonly endpoint: string;
  readonly fault: Fault;
  readonly stays: boolean;
}

/** The listener of the venue: reads requests, lets faults have them, and writes what the routes answer. */
export class VenueHttp {
  readonly #faults: Scripted[] = [];
  #server: Server;
  #port = 0;

  constructor(
    readonly log: VenueLog,
    readonly now: () => number,
    readonly answer: (asked: Asked) => Promise<unknown>,
    readonly upgrade: Upgrade,
  ) {
    this.#server = this.#create();
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, after a stop on the same port as before. */
  async listen(): Promise<void> {
    if (this.#server.listening) return;
    this.#server = this.#create();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Cuts every connection and refuses new ones. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** The next calls of this endpoint (`POST /order`, or a prefix that ends in a slash) meet these faults, one each. */
  script(endpoint: string, ...faults: readonly Fault[]): void {
    for (const fault of faults) this.#faults.push({ endpoint, fault, stays: false });
  }

  /** Every call of this endpoint meets this fault until the returned function is called. */
  always(endpoint: string, fault: Fault): () => void {
    const scripted = { endpoint, fault, stays: true };
    this.#faults.push(scripted);
    return () => {
      this.#faults.splice(this.#faults.indexOf(scripted), 1);
    };
  }

  #create(): Server {
    const server = createServer((request, response) => void this.#serve(request, response));
    return server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const entry: LoggedRequest = {
      at: this.now(),
      method: request.method ?? '',
      path: url.pathname,
      query: url.search,
      body: '',
      status: null,
    };
    this.log.requests.push(entry);
    const body = read(request, entry);
    for (const stream of [request, response]) stream.on('error', () => {});
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status: number, ...rest: never[]) => {
      entry.status = status;
      return writeHead(status, ...rest);
    };
    const fault = this.#next(`${entry.method} ${entry.path}`) ?? passes();
    await Promise.resolve(fault(this.#callOf(request, response, url, body))).catch(() => response.destroy());
  }

  #callOf(request: IncomingMessage, response: ServerResponse, url: URL, whole: Promise<Buffer>): Call {
    const body = () => whole;
    const process = async (): Promise<Answer> => {
      const asked = { method: request.method ?? '', url, headers: request.headers, body: await whole };
      return this.answer(asked).then(
        (found) => jsonOf(200, found),
        (error: unknown) =>
          error instanceof Refused ? jsonOf(error.status, error.body, error.headers) : failure(error),
      );
    };
    const send = (answer: Answer) => {
      if (!response.destroyed) response.writeHead(answer.status, answer.headers).end(answer.body);
    };
    return { request, response, body, process, send };
  }

  #next(endpoint: string): Fault | undefined {
    const fits = (name: string) => name === endpoint || (name.endsWith('/') && endpoint.startsWith(name));
    const index = this.#faults.findIndex((scripted) => fits(scripted.endpoint));
    const found = this.#faults[index];
    if (found !== undefined && !found.stays) this.#faults.splice(index, 1);
    return found?.fault;
  }
}

/** All bytes of a request; rejected when it breaks off. What has come so far is logged. */
function read(request: IncomingMessage, entry: LoggedRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    entry.body = Buffer.concat(chunks).toString();
  });
  const whole = new Promise<Buffer>((resolve, reject) => {
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => reject(new Error('the request broke off')));
  });
  whole.catch(() => {});
  return whole;
}

/** Joins a socket that asks to be upgraded with another server on loopback, which answers it. */
export function forward(request: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
  }
  const upstream = connect(port, '127.0.0.1', () => {
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
  upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
}

function jsonOf(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const text = body === undefined ? '' : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: text };
}

/** A bug of the fake itself, which no test may take for an answer of the venue. */
function failure(error: unknown): Answer {
  return jsonOf(599, { error: `the fake venue is broken: ${String(error)}` });
}
