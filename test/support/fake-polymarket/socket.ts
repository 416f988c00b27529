import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';

/** The messages of a client: the first has a `type`, later ones an `operation`. */
export interface Request {
  readonly type?: string;
  readonly operation?: string;
  readonly assets_ids: readonly string[];
}

/** One accepted connection, and the messages received over it. */
export interface FakeClient {
  readonly socket: WebSocket;
  readonly requests: Request[];
  pings: number;
}

const HTML = '<!doctype html><title>Attention required</title>';

/** How the server answers a request to upgrade. */
export type Upgrade = 'accept' | 'html' | 'redirect';

/** The venue's market channel on loopback, scripted by a test. */
export class FakeMarketSocket {
  readonly clients: FakeClient[] = [];
  /** How many upgrades were requested, including refused ones. */
  upgrades = 0;
  upgrade: Upgrade = 'accept';
  answersPings = true;
  /** Sent whenever a token is subscribed to, by token id; the book as a rule. */
  readonly dumps = new Map<string, object>();
  readonly #server: Server = createServer((_request, response) => response.writeHead(404).end());
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor() {
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async start(): Promise<FakeMarketSocket> {
    const started = new FakeMarketSocket();
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  /** The base URL to which `/ws/market` is appended. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `ws://127.0.0.1:${port}`;
  }

  /** The newest connection. */
  get client(): FakeClient {
    const newest = this.clients.at(-1);
    if (newest === undefined) throw new Error('no client has connected');
    return newest;
  }

  /** The requests over the newest connection. */
  get requests(): readonly Request[] {
    return this.clients.at(-1)?.requests ?? [];
  }

  /** The open connections. */
  get standing(): number {
    return this.clients.filter(({ socket }) => socket.readyState === socket.OPEN).length;
  }

  /** Sends JSON to everyone who is connected. */
  send(message: unknown): void {
    this.sendRaw(JSON.stringify(message));
  }

  /** Sends this text, well-formed or not. */
  sendRaw(frame: string | Uint8Array): void {
    for (const { socket } of this.clients) socket.send(frame);
  }

  /** Cuts every connection without a close frame. */
  drop(): void {
    for (const { socket } of this.clients) socket.terminate();
  }

  async stop(): Promise<void> {
    this.drop();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.upgrades += 1;
    if (this.upgrade === 'html') {
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nContent-Length: ${HTML.length}\r\n\r\n${HTML}`);
    } else if (this.upgrade === 'redirect' && request.url === '/ws/market') {
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ${this.url}/elsewhere\r\nContent-Length: 0\r\n\r\n`);
    } else if (request.url !== '/ws/market' && request.url !== '/elsewhere') {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    } else {
      this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#accept(accepted));
    }
  }

  #accept(socket: WebSocket): void {
    const client: FakeClient = { socket, requests: [], pings: 0 };
    this.clients.push(client);
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => this.#received(client, data));
  }

  #received(client: FakeClient, data: RawData): void {
    const text = data.toString();
    if (text === 'PING') {
      client.pings += 1;
      if (this.answersPings) client.socket.send('PONG');
      return;
    }
    const request = JSON.parse(text) as Request;
    client.requests.push(request);
    if (request.operation === 'unsubscribe') return;
    const dumps = request.assets_ids.flatMap((token) => this.dumps.get(token) ?? []);
    if (dumps.length > 0) client.socket.send(JSON.stringify(dumps));
  }
}
