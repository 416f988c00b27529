import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { ApiKey, ApiKeys } from './auth.js';
import type { Json } from './wire.js';

/** One connection to the user channel. */
export interface UserClient {
  readonly socket: WebSocket;
  readonly requests: Json[];
  pings: number;
  /** The owner authenticated on it. */
  key?: ApiKey;
  /** The conditions it subscribes to; empty for all. */
  markets: Set<string>;
}

interface Message {
  readonly owner: string;
  readonly body: Json;
}

/** The user channel, scripted by a test. Messages sent while no connection is open are lost, as at the venue. */
export class UserStream {
  readonly clients: UserClient[] = [];
  /** Every message, in order, whether or not it was received. */
  readonly sent: Json[] = [];
  answersPings = true;
  /** Takes connections and sends nothing more. */
  silent = false;
  /** How often each message is sent. */
  copies = 1;
  /** Whether messages come in arrays. */
  inArrays = false;
  /** How an upgrade is answered. */
  upgrade: 'accept' | 'refuse' | 'page' = 'accept';
  readonly #sockets = new WebSocketServer({ noServer: true });
  #kept: Message[] | undefined;

  constructor(readonly keys: ApiKeys) {}

  /** Open and authenticated connections. */
  get listeners(): readonly UserClient[] {
    return this.clients.filter(({ socket, key }) => socket.readyState === socket.OPEN && key !== undefined);
  }

  /** Sends to this API key, unless messages are kept. */
  tell(owner: string, body: Json): void {
    this.sent.push(body);
    if (this.#kept === undefined) this.#deliver({ owner, body });
    else this.#kept.push({ owner, body });
  }

  /** From now on messages wait for `letGo`. */
  keep(): void {
    this.#kept ??= [];
  }

  /** Sends what was kept, in the order that `arrange` gives it, and keeps nothing more. */
  letGo(arrange: (messages: Json[]) => Json[] = (messages) => messages): void {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const body of arrange(kept.map((message) => message.body))) {
      const owner = kept.find((message) => message.body === body)?.owner ?? kept[0]?.owner;
      if (owner !== undefined) this.#deliver({ owner, body });
    }
  }

  /** Sends this text to everyone, well-formed or not. */
  sendRaw(frame: string | Uint8Array): void {
    for (const { socket } of this.clients) if (socket.readyState === socket.OPEN) socket.send(frame);
  }

  /** Cuts every connection without a close frame. */
  drop(): void {
    for (const { socket } of this.clients) socket.terminate();
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.upgrade === 'refuse') socket.destroy();
    else if (this.upgrade === 'page') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>');
    } else this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#join(accepted));
  }

  #join(socket: WebSocket): void {
    const client: UserClient = { socket, requests: [], pings: 0, markets: new Set() };
    this.clients.push(client);
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => this.#received(client, data));
  }

  #received(client: UserClient, data: RawData): void {
    const text = data.toString();
    if (text === 'PING') {
      client.pings += 1;
      if (this.answersPings && !this.silent) client.socket.send('PONG');
      return;
    }
    const request = JSON.parse(text) as Json;
    client.requests.push(request);
    const markets = (request['markets'] ?? []) as readonly string[];
    if (request['type'] === 'user') this.#prove(client, request['auth'] ?? {});
    for (const market of markets) {
      if (request['operation'] === 'unsubscribe') client.markets.delete(market);
      else client.markets.add(market);
    }
  }

  #prove(client: UserClient, credentials: object): void {
    const key = this.keys.matching(credentials);
    if (key === undefined) client.socket.close();
    else client.key = key;
  }

  #deliver({ owner, body }: Message): void {
    if (this.silent) return;
    const text = JSON.stringify(this.inArrays ? [body] : body);
    const wants = ({ markets }: UserClient) => markets.size === 0 || markets.has(String(body['market']));
    for (const client of this.listeners) {
      if (client.key?.apiKey !== owner || !wants(client)) continue;
      for (let copy = 0; copy < this.copies; copy += 1) client.socket.send(text);
    }
  }
}
