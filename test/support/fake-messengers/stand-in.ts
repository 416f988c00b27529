import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a stand-in was sent. */
export interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What it answers in place of what it would. */
export interface Scripted {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer, or what goes wrong on the way: nothing comes, or the connection breaks; or so after the message was taken. */
export type Turn = Scripted | 'silence' | 'silence_after' | 'cut' | 'cut_after';

/** A local server that stands for a messenger: it takes messages, and answers what a test wants. */
export abstract class StandIn {
  /** Every request, those that were refused too. */
  readonly received: Received[] = [];
  readonly #turns: Turn[] = [];
  readonly #server: Server;
  #always: Turn | null = null;

  protected constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** What a real one answers. */
  protected abstract answer(received: Received): Scripted | Promise<Scripted>;

  /** The next requests meet these, one each. */
  next(...turns: readonly Turn[]): void {
    this.#turns.push(...turns);
  }

  /** Every request meets this; null for what a real one answers. */
  always(turn: Turn | null): void {
    this.#always = turn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers } = request;
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Received['body'];
    const received = { path, authorization: headers.authorization, body };
    this.received.push(received);
    const turn = this.#turns.shift() ?? this.#always;
    if (turn === 'silence') return;
    if (turn === 'cut_after' || turn === 'silence_after') await this.answer(received);
    if (turn === 'silence_after') return;
    if (turn === 'cut' || turn === 'cut_after') {
      request.socket.destroy();
      return;
    }
    const { status, body: text = '', headers: own = {} } = turn ?? (await this.answer(received));
    response.writeHead(status, { 'content-type': 'application/json', ...own }).end(text);
  }
}
