import type { ServerResponse } from 'node:http';
import { TooManyMarkets } from '../../core/errors.js';
import type { AccountId } from '../../core/ids.js';
import type {
  MarketNews,
  MarketSubscription,
  MarketSubscriptions,
  SubscriptionRequest,
} from '../../core/usecases/markets/background/market-subscriptions.js';
import { positionText, updateText } from './market-stream-wire.js';
import { COMMENT, inTextPieces, sentEvent, sentId } from './sent-event.js';
import {
  type ByeReason,
  type LatestReadings,
  type OpenStream,
  type StreamTimes,
  StreamWriter,
} from './stream-writer.js';

/** At most 20 books of a market a second. */
const PACE_MS = 50;
/** So many updates are written as text at once: a slow client then gets the books that are newest by that time. */
const PIECE = 64;
/** A client that comes back within this misses nothing of markets that nobody else follows. */
const PARKED_MS = 60_000;
const MOST_PARKED = 8;
/** A market that cannot be followed is refused within this; after it, the stream ends. */
const BEGIN_MS = 1000;

/** The streams of markets of a server: what they follow, when they look, and each update as text once for all of them. */
export class MarketStreams {
  readonly #open = new Set<MarketNewsStream>();
  readonly #texts = new WeakMap<object, string>();
  readonly #parked = new Map<AccountId | null, Set<() => void>>();
  #timer: NodeJS.Timeout | null = null;
  #wokenAt = Number.NEGATIVE_INFINITY;
  #unwatch = () => {};

  constructor(
    private readonly subscriptions: MarketSubscriptions,
    private readonly parkedMs = PARKED_MS,
  ) {}

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** @throws MarketNotFound, MarketUnusable, MarketDataUnavailable, TooManyLookups, TooManyMarkets */
  async subscribe(request: SubscriptionRequest): Promise<MarketSubscription> {
    const subscription = await this.#subscribed(request);
    try {
      await Promise.race([subscription.begun, new Promise<void>((resolve) => setTimeout(resolve, BEGIN_MS).unref())]);
      return subscription;
    } catch (error) {
      subscription.end();
      throw error;
    }
  }

  /** The stream of a subscription, which ends with it. */
  begin(
    subscription: MarketSubscription,
    res: ServerResponse,
    times: StreamTimes,
    readings: LatestReadings,
  ): MarketNewsStream {
    const stream = new MarketNewsStream(
      res,
      subscription,
      { ...times, run: this.subscriptions.run, text: (update) => this.#text(update) },
      readings,
    );
    if (this.#open.size === 0) this.#unwatch = this.subscriptions.watch(() => this.#plan());
    this.#open.add(stream);
    subscription.begun.catch(() => stream.end('market_data'));
    return stream;
  }

  /** Takes the stream away; what it followed is followed for a while, should its client come back. */
  close(stream: MarketNewsStream, subscription: MarketSubscription): void {
    this.#open.delete(stream);
    if (this.#open.size === 0) this.#unwatch();
    this.#park(subscription);
  }

  async #subscribed(request: SubscriptionRequest): Promise<MarketSubscription> {
    try {
      return await this.subscriptions.subscribe(request);
    } catch (error) {
      const parked = this.#parked.get(request.account);
      if (!(error instanceof TooManyMarkets) || parked === undefined) throw error;
      for (const end of [...parked]) end();
      return this.subscriptions.subscribe(request);
    }
  }

  #park(subscription: MarketSubscription): void {
    const { account } = subscription;
    const parked = this.#parked.get(account) ?? new Set();
    this.#parked.set(account, parked);
    const over = () => {
      clearTimeout(timer);
      if (parked.delete(over)) subscription.end();
      if (parked.size === 0 && this.#parked.get(account) === parked) this.#parked.delete(account);
    };
    const timer = setTimeout(over, this.parkedMs).unref();
    parked.add(over);
    if (parked.size > MOST_PARKED) [...parked][0]?.();
  }

  /** Never in the same turn: what trades on the news comes first. */
  #plan(): void {
    const pause = Math.max(0, this.#wokenAt + PACE_MS - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#wokenAt = performance.now();
      for (const stream of this.#open) stream.wake();
    }, pause);
  }

  #text(update: MarketNews): string {
    const named = update.type === 'book' ? update.book : update;
    const known = this.#texts.get(named);
    if (known !== undefined) return known;
    const text = updateText(update, this.subscriptions.run);
    this.#texts.set(named, text);
    return text;
  }
}

/** What a stream of markets is made with. */
interface MarketStreamTerms extends StreamTimes {
  readonly run: string;
  readonly text: (update: MarketNews) => string;
}

/**
 * One client of the stream of markets. It pulls when what was sent before has left: of a book it gets the newest, and one that reads
 * nothing is cut by the server's guard of stalled readers. Nothing waits for it.
 */
export class MarketNewsStream implements OpenStream {
  readonly #writer: StreamWriter;
  #lastId = -1;
  #isCaughtUp = false;
  #behindSince: number | null = performance.now();

  constructor(
    res: ServerResponse,
    private readonly subscription: MarketSubscription,
    private readonly terms: MarketStreamTerms,
    private readonly readingsNow: LatestReadings,
  ) {
    this.#writer = new StreamWriter(res);
  }

  get behindMs(): number {
    return this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
  }

  async run(): Promise<void> {
    const writer = this.#writer;
    await writer.say(`retry: ${this.terms.retryMs}\n\n${this.#hello()}`);
    while (writer.goesOn) if (!(await this.#step())) await writer.pause();
    writer.close();
  }

  wake(): void {
    this.#writer.wake();
  }

  end(reason: ByeReason): void {
    this.#writer.end(reason);
  }

  /** What it follows; and where it begins, so that a client which comes back before any news begins at the same place. */
  #hello(): string {
    const { markets, depth } = this.subscription;
    const data = { depth, markets: markets.map(({ id, venue, slug }) => ({ market_id: id, venue, slug })) };
    return sentEvent('hello', data) + this.#moved();
  }

  #moved(): string {
    const { position: seq } = this.subscription;
    this.#lastId = seq;
    return sentId(positionText({ run: this.terms.run, seq }));
  }

  /** Resolves with false once there is nothing to say. */
  async #step(): Promise<boolean> {
    const { subscription, terms } = this;
    await this.#writer.sayLatest(this.readingsNow());
    const updates = subscription.take(PIECE);
    if (updates.length > 0) {
      this.#behindSince ??= performance.now();
      for (const piece of inTextPieces(updates.map(terms.text))) await this.#writer.say(piece);
      this.#lastId = updates.findLast(({ seq }) => seq !== null)?.seq ?? this.#lastId;
      return true;
    }
    this.#behindSince = null;
    if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      await this.#writer.say(sentEvent('caught_up', {}));
    } else if (this.#writer.quietMs >= terms.keepAliveMs)
      await this.#writer.say(this.#lastId < subscription.position ? this.#moved() : COMMENT);
    return false;
  }
}
