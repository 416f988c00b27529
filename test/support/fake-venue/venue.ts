import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { FakePolymarketRest } from '../fake-polymarket/rest.js';
import { FakeMarketSocket } from '../fake-polymarket/socket.js';
import type { Audience } from './engine.js';
import type { Fault } from './faults.js';
import { Hold } from './hold.js';
import { type Asked, forward, VenueHttp } from './http.js';
import { VenueLog } from './log.js';
import type { Market, MarketTerms } from './markets.js';
import { killMessage, orderMessage } from './orders.js';
import { Refused } from './refusals.js';
import { route } from './routes.js';
import { VenueScript } from './script.js';
import { VenueState } from './state.js';
import { concerns, tradeMessage } from './trades.js';
import { UserStream } from './user-stream.js';

export interface VenueOptions {
  readonly markets?: readonly MarketTerms[];
  readonly chainId?: number;
  /** Milliseconds; the system's clock when absent. */
  readonly clock?: () => number;
}

/**
 * A trading venue on loopback that checks signatures by itself, matches orders, and misbehaves towards clients as scripted
 * by a test.
 *
 * ```ts
 * const venue = await FakeVenue.start({ markets: [aMarket()] });   // or [marketOf(record)] to be listed by Gamma too
 * venue.fund(address, '1000');                                     // dollars; `grant` gives shares, `wallet` names a funder
 * venue.offer(token, 'SELL', '0.52', '100');                       // liquidity of the script, which also hits resting orders
 * // … the client under test talks to `venue.clob`, `venue.gamma`, `venue.stream` (`/ws/user`, `/ws/market`) …
 * venue.settle(trade, 'CONFIRMED');                                // trades stay MATCHED until the test moves them on
 * venue.script('POST /order', passes(), actsAndHangs());           // one fault a call, see faults.ts
 * const held = venue.hold('POST /order');                          // a late insertion: the client gives up, then
 * await held.arrived; held.release();                              // … the venue takes the order
 * expect(venue.breaches(records)).toEqual([]);                     // the oracle
 * await venue.close();
 * ```
 *
 * `habits` and `reads` say how it behaves where the real venue is not known for certain, `hours` closes its engine, `user`
 * scripts the stream, `log` keeps every request and every accepted hash. It waits for nothing by a clock.
 */
export class FakeVenue extends VenueScript {
  readonly user: UserStream;
  readonly #http: VenueHttp;

  private constructor(
    { markets = [], chainId = 137, clock = Date.now }: VenueOptions,
    /** Answers for Gamma; its faults can be scripted on their own. */
    readonly listing: FakePolymarketRest,
    /** Answers `/ws/market`, with the books of this venue. */
    readonly feed: FakeMarketSocket,
  ) {
    super(new VenueState(chainId, clock, new VenueLog()));
    this.state.engine.audience = this.#audience();
    this.user = new UserStream(this.state.keys);
    this.#http = new VenueHttp(
      this.log,
      clock,
      (asked) => this.#answer(asked),
      (...upgrade) => this.#upgrade(...upgrade),
    );
    for (const terms of markets) this.list(terms);
  }

  static async start(options: VenueOptions = {}): Promise<FakeVenue> {
    const venue = new FakeVenue(options, await FakePolymarketRest.start(), await FakeMarketSocket.start());
    await venue.#http.listen();
    return venue;
  }

  get clob(): URL {
    return new URL(this.#http.origin);
  }

  get gamma(): URL {
    return new URL('/gamma', this.#http.origin);
  }

  get geoblock(): URL {
    return new URL('/api/geoblock', this.#http.origin);
  }

  /** The base URL to which `/ws/user` and `/ws/market` are appended. */
  get stream(): URL {
    return new URL(this.#http.origin.replace('http', 'ws'));
  }

  /** The next calls of this endpoint (`POST /order`, or a prefix such as `GET /data/order/`) meet these faults, one each. */
  script(endpoint: string, ...faults: readonly Fault[]): void {
    this.#http.script(endpoint, ...faults);
  }

  /** All calls of this endpoint meet this fault, until the returned function is called. */
  always(endpoint: string, fault: Fault): () => void {
    return this.#http.always(endpoint, fault);
  }

  /** The next call of this endpoint waits, before the venue acts or between its act and its answer. */
  hold(endpoint: string, where: Hold['where'] = 'before'): Hold {
    const hold = new Hold(where);
    this.script(endpoint, hold.fault);
    return hold;
  }

  /** Cuts all connections and refuses new ones, until `acceptConnections`. */
  async refuseConnections(): Promise<void> {
    this.user.drop();
    this.feed.drop();
    await this.#http.stop();
  }

  /** Listens on the same port again. */
  async acceptConnections(): Promise<void> {
    await this.#http.listen();
  }

  async close(): Promise<void> {
    await this.refuseConnections();
    await this.feed.stop();
    await this.listing.close();
  }

  async #answer(asked: Asked): Promise<unknown> {
    const { pathname, search } = asked.url;
    if (!pathname.startsWith('/gamma/')) return route(this.state, asked);
    this.listing.markets = [...this.state.markets.values()].flatMap((market) => {
      const gamma = market.gamma();
      return gamma === undefined ? [] : [{ gamma }];
    });
    const answer = await fetch(new URL(`${pathname}${search}`, this.listing.gamma));
    if (!answer.ok) throw new Refused(answer.status, 'not found');
    return answer.json();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (request.url === '/ws/user') this.user.accept(request, socket, head);
    else forward(request, socket, head, Number(new URL(this.feed.url).port));
  }

  #audience(): Audience {
    const now = () => this.state.now();
    return {
      order: (order, type, status) => this.user.tell(order.owner, orderMessage(order, type, now(), status)),
      kill: (order, status) => this.user.tell(order.owner, killMessage(order, now(), status, this.habits.killedSize)),
      trade: (trade) => {
        const owners = new Set([trade.taker.owner, ...trade.makers.map(({ order }) => order.owner)]);
        for (const owner of owners) if (concerns(trade, owner)) this.user.tell(owner, tradeMessage(trade, owner));
      },
      book: (market) => this.#showBook(market),
    };
  }

  #showBook(market: Market): void {
    for (const token of market.terms.tokens) {
      const book = { event_type: 'book', ...market.summary(token, this.state.now()) };
      this.feed.dumps.set(token, book);
      for (const { socket, requests } of this.feed.clients) {
        if (requests.some(({ assets_ids }) => assets_ids.includes(token))) socket.send(JSON.stringify(book));
      }
    }
  }
}
