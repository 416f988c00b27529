import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** What to do to a request instead of answering it. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  | { readonly kind: 'page'; readonly status: number }
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'body'; readonly body: string | Buffer }
  | { readonly kind: 'hang' | 'cut' | 'stall' | 'reset' };

/** One market of the fake venue, in the venue's own shapes. */
export interface FakeMarket {
  readonly gamma?: Json;
  readonly compact?: Json;
  readonly clob?: Json;
}

/** More than is ever sent. */
const PROMISED_BYTES = 86_400;

/** Gamma below `/gamma` and the CLOB below `/clob`, on a free port of 127.0.0.1. Faults are used up one request each. */
export class FakePolymarketRest {
  readonly #server: Server;
  readonly #faults: { readonly prefix: string; readonly fault: Fault }[] = [];
  markets: FakeMarket[] = [];
  readonly books = new Map<string, unknown>();
  /** Path and query of every request, in order of arrival. */
  readonly requests: string[] = [];
  /** Most markets of one keyset page. */
  pageSize = 100;
  connections = 0;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async start(): Promise<FakePolymarketRest> {
    const fake = new FakePolymarketRest();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get gamma(): URL {
    return new URL('/gamma', this.#origin);
  }

  get clob(): URL {
    return new URL('/clob', this.#origin);
  }

  /** The next requests whose path begins with this meet these faults, one each. */
  script(prefix: string, ...faults: readonly Fault[]): void {
    for (const fault of faults) this.#faults.push({ prefix, fault });
  }

  asked(prefix: string): number {
    return this.requests.filter((request) => request.startsWith(prefix)).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(path);
    const next = this.#faults.findIndex(({ prefix }) => path.startsWith(prefix));
    const [scripted] = next === -1 ? [] : this.#faults.splice(next, 1);
    if (scripted !== undefined) fail(scripted.fault, response);
    else this.#send(path, response);
  }

  #send(path: string, response: ServerResponse): void {
    const answer = this.#look(new URL(path, this.#origin));
    const status = answer === undefined ? 404 : 200;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? { error: 'not found' }));
  }

  #look({ pathname, searchParams }: URL): unknown {
    const [, service, list, ...rest] = pathname.split('/');
    const name = decodeURIComponent(rest.at(-1) ?? '');
    if (service === 'clob') return this.#clobAnswer(list, name, searchParams);
    if (list === 'public-search') return this.#searched(searchParams);
    if (list !== 'markets') return undefined;
    if (name === 'keyset') return this.#listed(searchParams);
    return this.#gammas.find((market) => market[rest[0] === 'slug' ? 'slug' : 'id'] === name);
  }

  #clobAnswer(list: string | undefined, name: string, asked: URLSearchParams): unknown {
    if (list === 'book') return this.books.get(asked.get('token_id') ?? '');
    if (list === 'clob-markets') return this.markets.find(({ compact }) => compact?.['c'] === name)?.compact;
    return this.markets.find(({ clob }) => clob?.['condition_id'] === name)?.clob;
  }

  #listed(asked: URLSearchParams): unknown {
    const ids = asked.getAll('condition_ids');
    const kinds = asked.getAll('sports_market_types');
    const found = this.#gammas
      .filter((market) => `${market['closed'] === true}` === (asked.get('closed') ?? 'false'))
      .filter((market) => ids.length === 0 || ids.includes(String(market['conditionId'])))
      .filter((market) => kinds.length === 0 || kinds.includes(String(market['sportsMarketType'])));
    const from = Number(asked.get('after_cursor') ?? 0);
    const end = from + Math.min(this.pageSize, Number(asked.get('limit') ?? 20));
    return { markets: found.slice(from, end), ...(end < found.length ? { next_cursor: `${end}` } : {}) };
  }

  #searched(asked: URLSearchParams): unknown {
    const page = Number(asked.get('page') ?? 1);
    const word = (asked.get('q') ?? '').toLowerCase();
    const found = this.#gammas.filter((market) => JSON.stringify(market).toLowerCase().includes(word));
    const shown = found.slice((page - 1) * this.pageSize, page * this.pageSize);
    const events = shown.map(({ events: [event = {}] = [], ...market }: Json & { events?: readonly Json[] }) => ({
      ...event,
      markets: [market],
    }));
    return { events, pagination: { hasMore: page * this.pageSize < found.length, totalResults: found.length } };
  }

  get #gammas(): readonly Json[] {
    return this.markets.flatMap(({ gamma }) => (gamma === undefined ? [] : [gamma]));
  }
}

function fail(fault: Fault, response: ServerResponse): void {
  if (fault.kind === 'status') {
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    response.end(fault.body ?? '{"error":"scripted"}');
  } else if (fault.kind === 'page') {
    response.writeHead(fault.status, { 'content-type': 'text/html; charset=UTF-8' });
    response.end('<!DOCTYPE html><title>Just a moment...</title>');
  } else if (fault.kind === 'body') response.writeHead(200).end(fault.body);
  else if (fault.kind === 'huge') response.writeHead(200).end(JSON.stringify(' '.repeat(fault.bytes)));
  else if (fault.kind === 'reset') response.destroy();
  else if (fault.kind === 'stall' || fault.kind === 'cut') {
    response.writeHead(200, { 'content-length': `${PROMISED_BYTES}` });
    response.write('{"markets":[', () => (fault.kind === 'cut' ? response.destroy() : undefined));
  }
}
