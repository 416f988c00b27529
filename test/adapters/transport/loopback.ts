import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { LaneAllowances } from '../../../src/adapters/transport/http-client.js';

/** Lanes as a venue has them, with allowances that no test uses up. */
export const LANES: LaneAllowances<'order' | 'cancel'> = {
  order: [{ prefix: '', points: 1000 }],
  cancel: [{ prefix: '', points: 1000 }],
  read: [{ prefix: '', points: 1000 }],
};

/** Servers that a test started, to be stopped after it. */
export class Loopback {
  readonly #ends: (() => unknown)[] = [];

  onEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  /** A raw server that handles each connection with `answer`, numbered from 1. */
  async wire(answer: (socket: Socket, number: number) => void, tls?: { cert: string; key: string }): Promise<Wire> {
    const wire = new Wire(answer, tls);
    await wire.start();
    this.onEnd(() => wire.stop());
    return wire;
  }

  /** A server that answers the next requests with these, in turn, and repeats the last one for ever. */
  async script(...replies: readonly Reply[]): Promise<Script> {
    const script = new Script(replies);
    await script.start();
    this.onEnd(() => script.stop());
    return script;
  }
}

/** A server of bytes. */
export class Wire {
  readonly #server: Server;
  readonly #sockets: Socket[] = [];
  /** What arrived on each connection. */
  readonly received: Buffer[] = [];

  constructor(answer: (socket: Socket, number: number) => void, tls?: { cert: string; key: string }) {
    const accept = (socket: Socket) => {
      const index = this.#sockets.push(socket) - 1;
      this.received.push(Buffer.alloc(0));
      socket.on('error', () => {});
      socket.on('data', (chunk: Buffer) => {
        this.received[index] = Buffer.concat([this.received[index] ?? Buffer.alloc(0), chunk]);
      });
      answer(socket, index + 1);
    };
    this.#server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
    this.#server.on('tlsClientError', () => {});
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  url(protocol = 'http'): URL {
    return new URL(`${protocol}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  get bytes(): number {
    return this.received.reduce((sum, one) => sum + one.length, 0);
  }

  /** How often these characters arrived, on all connections. */
  count(text: string): number {
    return this.received.reduce((sum, one) => sum + one.toString('latin1').split(text).length - 1, 0);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** The answers of a scripted server; a text is a body of JSON with status 200, `hang` is nothing at all. */
export type Reply = string | 'hang' | { status?: number; headers?: Record<string, string>; body?: string | Buffer };

/** A request that arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that speaks HTTP. */
export class Script {
  readonly #server: HttpServer;
  readonly #replies: Reply[];
  readonly requests: Arrived[] = [];
  connections = 0;

  constructor(replies: readonly Reply[]) {
    this.#replies = [...replies];
    this.#server = createHttpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url ?? '', 'http://venue');
      this.requests.push({
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
      if (reply === 'hang' || reply === undefined) return;
      const { status = 200, headers = {}, body = '' } = typeof reply === 'string' ? { body: reply } : reply;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  answers(...replies: readonly Reply[]): void {
    this.#replies.splice(0, this.#replies.length, ...replies);
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
