import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ED25519_KEY, isSignedBy, type TestKey } from './keys.js';
import { EVENT, found, isPrivate, limitsOf, MARKET, MILESTONE, OTHER_MARKET, SERIES } from './records.js';
import { type Answer, refused } from './rows.js';
import { KalshiAccount } from './trading.js';
import { KalshiWrites } from './writes.js';

type Json = Readonly<Record<string, unknown>>;
type Rows = readonly (readonly [price: string, count: string])[];

/** A command that a client sent. */
export interface Command {
  readonly id: number;
  readonly cmd: string;
  readonly params: {
    readonly channels?: readonly string[];
    readonly market_tickers?: readonly string[];
    readonly use_yes_price?: boolean;
    readonly sid?: number;
    readonly sids?: readonly number[];
    readonly action?: string;
  };
}

/** One subscription of a connection, as the venue keeps it. */
interface Subscribed {
  readonly channel: string;
  readonly tickers: Set<string>;
  seq: number;
}

/** One accepted connection, its commands and its subscriptions by number. */
export interface KalshiClientSeen {
  readonly socket: WebSocket;
  readonly commands: Command[];
  readonly subscriptions: Map<number, Subscribed>;
}

/** Kalshi on loopback: its public REST and its socket, by its own rules. A test says what its markets are. */
export class FakeKalshi {
  readonly series = new Map<string, Json>([['KXNFLGAME', SERIES]]);
  readonly events = new Map<string, Json>([[String(EVENT['event_ticker']), EVENT]]);
  readonly markets = new Map<string, Json>([MARKET, OTHER_MARKET].map((market) => [String(market['ticker']), market]));
  readonly books = new Map<string, { readonly yes: Rows; readonly no: Rows }>();
  /** Markets that left the live list. */
  readonly past = new Map<string, Json>();
  /** Whether a list of markets answers about others than were asked for. */
  ignoresTickers = false;
  milestones: readonly Json[] = [MILESTONE];
  /** A command that names one of these is refused. */
  readonly refusedTickers = new Set<string>();
  /** Whether a page of events has their games, where they are asked for. */
  listsGames = true;
  status: Json = { exchange_active: true, trading_active: true };
  /** Path and query of every request. */
  readonly requests: string[] = [];
  /** Answered instead of the next requests of such a path, one each. */
  readonly faults: { readonly path: string; readonly status: number; readonly body: string }[] = [];
  readonly clients: KalshiClientSeen[] = [];
  /** How many handshakes were refused. */
  refused = 0;
  key: TestKey = ED25519_KEY;
  /** How far the venue's clock is ahead of the machine's, and when it is for the account. */
  skewMs = 0;
  /** How far the time of a handshake may be off: many tests have a clock of their own. */
  socketWindowMs = Number.POSITIVE_INFINITY;
  now: () => number = Date.now;
  readonly account = new KalshiAccount(() => this.now());
  keyRecord: Json = { scopes: ['read', 'write'] };
  /** In seconds; null where no attestation of the location is asked for. */
  attestedUntil: number | null = null;
  /** Its tier. */
  limits: Json = limitsOf('basic', 200, 100);
  readonly writes = new KalshiWrites();
  /** What becomes of the next writes. */
  readonly vanish = this.writes.vanish;
  /** The bodies of requests to place an order, in the order of arrival, as far as they have come. */
  readonly placed: { body: string }[] = [];
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true });
  #sid = 0;

  static async start(): Promise<FakeKalshi> {
    const fake = new FakeKalshi();
    fake.account.heard = (type, msg) => fake.#tellAccount(type, msg);
    fake.#server.on('upgrade', (request, socket, head) => fake.#upgrade(request, socket, head));
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get api(): URL {
    return new URL(`http://127.0.0.1:${this.#port}`);
  }

  get socket(): URL {
    return new URL(`ws://127.0.0.1:${this.#port}`);
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The newest connection. */
  get client(): KalshiClientSeen {
    const newest = this.clients.at(-1);
    if (newest === undefined) throw new Error('no client has connected');
    return newest;
  }

  /** Commands of the newest connection of this name. */
  sent(cmd: string): readonly Command[] {
    return this.clients.at(-1)?.commands.filter((command) => command.cmd === cmd) ?? [];
  }

  /** The market with these members changed. */
  changes(ticker: string, members: Json): void {
    this.markets.set(ticker, { ...this.markets.get(ticker), ...members });
  }

  /** Sends a message of a channel about a market, counted as the venue counts; `lost` counts one that is not sent. */
  tell(channel: string, type: string, msg: Json, lost = false): void {
    for (const { socket, subscriptions } of this.clients) {
      for (const [sid, subscribed] of subscriptions) {
        const isAbout = subscribed.tickers.has(String(msg['market_ticker'])) || channel === 'market_lifecycle_v2';
        if (subscribed.channel !== channel || !isAbout) continue;
        subscribed.seq += 1;
        if (!lost) socket.send(`${JSON.stringify({ type, sid, seq: subscribed.seq, msg })}\n`);
      }
    }
  }

  /** To every subscriber of the account's channels; these do not count. */
  #tellAccount(type: 'user_order' | 'fill', msg: Json): void {
    const channel = type === 'fill' ? 'fill' : 'user_orders';
    for (const { socket, subscriptions } of this.clients) {
      for (const [sid, subscribed] of subscriptions) {
        if (subscribed.channel === channel) socket.send(`${JSON.stringify({ type, sid, msg })}\n`);
      }
    }
  }

  /** Changes the count at a price of the book, in the prices that its subscribers asked for. */
  delta(ticker: string, side: 'yes' | 'no', price: string, change: string, lost = false): void {
    const msg = { market_ticker: ticker, price_dollars: price, delta_fp: change, side, ts_ms: 1 };
    this.tell('orderbook_delta', 'orderbook_delta', msg, lost);
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

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(path);
    const next = this.faults.findIndex((fault) => path.startsWith(`/trade-api/v2${fault.path}`));
    const [fault] = next === -1 ? [] : this.faults.splice(next, 1);
    const found = fault === undefined ? this.#look(new URL(path, this.api)) : undefined;
    const status = fault?.status ?? (found === undefined ? 404 : 200);
    const body = fault?.body ?? JSON.stringify(found ?? { error: { code: 'not_found', message: 'not found' } });
    if (fault === undefined && isPrivate(path)) this.#private(request, response);
    else this.#end(response, status, body);
  }

  #end(response: ServerResponse, status: number, body: string): void {
    const date = new Date(this.now() + this.skewMs).toUTCString();
    response.sendDate = false;
    response.writeHead(status, { 'content-type': 'application/json', date }).end(body);
  }

  #private(request: IncomingMessage, response: ServerResponse): void {
    const sent = { body: '' };
    if (request.method === 'POST') this.placed.push(sent);
    request.on('data', (chunk: Buffer) => {
      sent.body += chunk.toString();
    });
    const taken = () => this.#traded(request, sent.body);
    request.on('end', async () => {
      const given = request.method === 'GET' ? taken() : await this.writes.answerTo(taken);
      if (given === null) request.socket.destroy();
      else this.#end(response, given.status, JSON.stringify(given.body));
    });
  }

  #traded(request: IncomingMessage, body: string): Answer {
    const url = new URL(request.url ?? '', this.api);
    const bad = this.#unauthorized(request, url.pathname);
    if (bad !== null) return bad;
    const [, name] = /\/portfolio\/events\/orders\/(.+)$/.exec(url.pathname) ?? [];
    if (request.method === 'POST') return this.account.create(JSON.parse(body) as Json);
    if (request.method === 'DELETE') return this.account.cancel(name ?? '', url.searchParams.get('market_ticker'));
    const read = this.#accountRead(url);
    return read === undefined ? refused(404, 'not_found') : { status: 200, body: read };
  }

  #accountRead({ pathname, searchParams }: URL): unknown {
    const [, orderId] = /\/portfolio\/orders\/([^/]+)$/.exec(pathname) ?? [];
    if (orderId !== undefined) return this.account.readOrder(orderId);
    switch (pathname.replace('/trade-api/v2', '')) {
      case '/portfolio/orders':
        return this.account.listOrders(searchParams);
      case '/portfolio/fills':
        return this.account.listFills(searchParams);
      case '/portfolio/positions':
        return this.account.listPositions();
      case '/portfolio/settlements':
        return this.account.listSettlements(searchParams);
      case '/portfolio/balance':
        return this.account.balance();
      case '/api_keys':
        return {
          api_keys: [{ api_key_id: this.key.id, name: 'ours', ...this.keyRecord }],
          api_key_region_expiration_ts: this.attestedUntil,
        };
      case '/account/limits':
        return this.limits;
      case '/exchange/user_data_timestamp':
        return { as_of_time: new Date(Date.parse(this.account.asOf) + this.skewMs).toISOString() };
      case '/historical/orders':
        return this.account.listOrders(searchParams, true);
      case '/historical/fills':
        return this.account.listFills(searchParams, true);
      default:
        return undefined;
    }
  }

  /** Headers are good for ten seconds around the venue's time. */
  #unauthorized({ headers, method }: IncomingMessage, path: string, windowMs = 10_000): Answer | null {
    const [id, timestamp, signature] = ['key', 'timestamp', 'signature'].map((name) =>
      String(headers[`kalshi-access-${name}`] ?? ''),
    );
    if (signature === '') return refused(401, 'signature_is_missing_from_headers');
    if (id !== this.key.id) return refused(401, 'authentication_error', 'NOT_FOUND');
    if (!isSignedBy(this.key, `${timestamp}${method}${path}`, signature ?? '')) {
      return refused(401, 'authentication_error', 'INCORRECT_API_KEY_SIGNATURE');
    }
    const off = Math.abs(Number(timestamp) - this.now() - this.skewMs);
    return off > windowMs ? refused(401, 'header_timestamp_expired') : null;
  }

  #look({ pathname, searchParams }: URL): unknown {
    const [list = '', name = '', part] = pathname.replace('/trade-api/v2/', '').split('/').map(decodeURIComponent);
    if (list === 'exchange') return this.status;
    if (list === 'milestones') return { milestones: this.milestones, cursor: '' };
    if (list === 'series') return found('series', this.series.get(name));
    if (list === 'events' && name !== '') return found('event', this.events.get(name));
    if (list === 'events') return this.#listed(searchParams);
    if (list === 'historical' && name === 'markets') return found('market', this.past.get(part ?? ''));
    if (list === 'markets' && name === '') return this.#named(searchParams);
    if (list === 'markets' && part === 'orderbook') return this.#restBook(name);
    return list === 'markets' ? found('market', this.markets.get(name)) : undefined;
  }

  /** Markets by their tickers; all of them where the venue ignores those. */
  #named(asked: URLSearchParams): unknown {
    const tickers = this.ignoresTickers ? [...this.markets.keys()] : (asked.get('tickers') ?? '').split(',');
    const limit = Number(asked.get('limit') ?? 100);
    return { markets: tickers.flatMap((ticker) => this.markets.get(ticker) ?? []).slice(0, limit), cursor: '' };
  }

  /** A garbage cursor answers the first page. */
  #listed(asked: URLSearchParams): unknown {
    const tickers = asked.get('tickers')?.split(',');
    if (tickers !== undefined) {
      const events = tickers.flatMap((ticker) => this.events.get(ticker) ?? []);
      return { events, ...(this.listsGames && { milestones: this.milestones }), cursor: '' };
    }
    const all = [...this.events.values()].filter((event) => event['series_ticker'] === asked.get('series_ticker'));
    const from = /^p\d+$/.test(asked.get('cursor') ?? '') ? Number(asked.get('cursor')?.slice(1)) : 0;
    const end = from + Math.min(Number(asked.get('limit') ?? 200), 2);
    const events = all.slice(from, end).map((event) => ({
      ...event,
      markets: [...this.markets.values()].filter((market) => market['event_ticker'] === event['event_ticker']),
    }));
    const games = this.listsGames && asked.get('with_milestones') === 'true' ? { milestones: this.milestones } : {};
    return { events, ...games, cursor: end < all.length ? `p${end}` : '' };
  }

  /** Bids for either outcome, each in its own prices, the best one last. */
  #restBook(ticker: string): unknown {
    const book = this.books.get(ticker);
    return book && { orderbook_fp: { yes_dollars: book.yes, no_dollars: book.no } };
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const bad = this.#unauthorized(request, '/trade-api/ws/v2', this.socketWindowMs);
    if (bad === null && request.url === '/trade-api/ws/v2') {
      this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#accept(accepted));
      return;
    }
    this.refused += 1;
    const body = JSON.stringify(bad?.body ?? {});
    socket.end(`HTTP/1.1 401 Unauthorized\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  }

  #accept(socket: WebSocket): void {
    const client: KalshiClientSeen = { socket, commands: [], subscriptions: new Map() };
    this.clients.push(client);
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => this.#commanded(client, JSON.parse(data.toString()) as Command));
  }

  #commanded(client: KalshiClientSeen, command: Command): void {
    client.commands.push(command);
    const { id, cmd, params } = command;
    if (
      params.action !== 'delete_markets' &&
      params.market_tickers?.some((ticker) => this.refusedTickers.has(ticker))
    ) {
      client.socket.send(JSON.stringify({ id, type: 'error', msg: { code: 16, msg: 'Market not found' } }));
      return;
    }
    if (cmd === 'subscribe') {
      for (const channel of params.channels ?? []) this.#subscribe(client, id, channel, params);
    }
    if (cmd === 'unsubscribe') for (const sid of params.sids ?? []) client.subscriptions.delete(sid);
    if (cmd === 'update_subscription') this.#update(client, command);
  }

  #subscribe(client: KalshiClientSeen, id: number, channel: string, params: Command['params']): void {
    const sid = ++this.#sid;
    const tickers = params.market_tickers ?? [];
    const subscribed: Subscribed = { channel, tickers: new Set(tickers), seq: 0 };
    client.subscriptions.set(sid, subscribed);
    client.socket.send(`${JSON.stringify({ type: 'subscribed', id, msg: { channel, sid } })}\n`);
    if (channel === 'orderbook_delta') for (const ticker of tickers) this.#snapshot(client, sid, ticker);
  }

  #update(client: KalshiClientSeen, { id, params }: Command): void {
    const subscribed = client.subscriptions.get(params.sid ?? -1);
    if (subscribed === undefined) {
      client.socket.send(JSON.stringify({ id, type: 'error', msg: { code: 7, msg: 'Unknown subscription ID' } }));
      return;
    }
    const tickers = params.market_tickers ?? [];
    if (params.action === 'get_snapshot') {
      for (const ticker of tickers) this.#snapshot(client, params.sid ?? -1, ticker);
      return;
    }
    for (const ticker of tickers) {
      if (params.action === 'add_markets') subscribed.tickers.add(ticker);
      else subscribed.tickers.delete(ticker);
    }
    subscribed.seq += 1;
    const ok = {
      type: 'ok',
      id,
      sid: params.sid,
      seq: subscribed.seq,
      msg: { market_tickers: [...subscribed.tickers] },
    };
    client.socket.send(`${JSON.stringify(ok)}\n`);
    if (params.action !== 'add_markets' || subscribed.channel !== 'orderbook_delta') return;
    for (const ticker of tickers) this.#snapshot(client, params.sid ?? -1, ticker);
  }

  /** In prices of the first outcome, whichever side: `use_yes_price` is what our client asks for. One side may be missing. */
  #snapshot({ socket, subscriptions }: KalshiClientSeen, sid: number, ticker: string): void {
    const subscribed = subscriptions.get(sid);
    const book = this.books.get(ticker);
    if (subscribed === undefined || book === undefined) return;
    subscribed.seq += 1;
    const turned = book.no.map(([price, count]) => [(1 - Number(price)).toFixed(4), count]);
    const msg = {
      market_ticker: ticker,
      market_id: '44444444-0000-4000-8000-000000000001',
      ...(book.yes.length > 0 && { yes_dollars_fp: book.yes }),
      ...(turned.length > 0 && { no_dollars_fp: turned }),
    };
    socket.send(`${JSON.stringify({ type: 'orderbook_snapshot', sid, seq: subscribed.seq, msg })}\n`);
  }
}
