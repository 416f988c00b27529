import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../core/access/principal.js';
import type { AccountId } from '../../core/ids.js';
import type { MarketDataState } from '../../core/market/market.js';
import type {
  MarketSubscription,
  MarketSubscriptions,
  SubscriptionRequest,
} from '../../core/usecases/markets/background/market-subscriptions.js';
import type { Authenticator, Credentials } from '../../ports/authenticator.js';
import type { AccountReadings } from './account-readings.js';
import { EventStream, type StreamTerms } from './event-stream.js';
import { credentialsIn } from './guard.js';
import { MarketStreams } from './market-streams.js';
import { Problem } from './problem.js';
import { sentEvent } from './sent-event.js';
import { type PageParts, StreamPages } from './stream-pages.js';
import type { OpenStream, StreamTimes } from './stream-writer.js';

const TICK_MS = 1000;
const LIFE_MS = 55 * 60_000;
const LIFE_JITTER_MS = 10 * 60_000;
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 1000;
const RETRY_JITTER_MS = 3000;

/** How many streams may be open. */
export interface StreamLimits {
  readonly perKey: number;
  /** Whatever keys and tokens the account has. */
  readonly perAccount: number;
  readonly total: number;
}

/** What streams are made from. */
export interface StreamParts extends PageParts {
  readonly authenticator: Authenticator;
  readonly limits: StreamLimits;
  /** Why the service is not ready now, in the words of `/readyz`. */
  readonly reasons: () => readonly string[];
  /** What market data does now; `live` by default. */
  readonly marketData?: () => MarketDataState;
  /** The markets that clients follow. */
  readonly markets: MarketSubscriptions;
  /** What an account is worth, for those who want to know. */
  readonly readings: AccountReadings;
  /** Gets what must not happen. */
  readonly failed: (error: unknown) => void;
  /** How long a stream lives at most; about an hour by default. */
  readonly lifeMs?: number;
  /** After how long without output a comment is sent; 15 seconds by default. */
  readonly keepAliveMs?: number;
  /** How often streams are checked for their end and for a due keep-alive; every second by default. */
  readonly tickMs?: number;
}

/** Who asks for a stream. */
export interface StreamCaller {
  readonly principal: Principal;
  readonly req: IncomingMessage;
}

/** What a request for the stream of events asks for. */
export interface StreamRequest extends StreamCaller, Pick<StreamTerms, 'after' | 'types'> {
  readonly readings: boolean;
}

/** What a request for the stream of markets asks for. */
export interface MarketStreamRequest extends StreamCaller, Omit<SubscriptionRequest, 'account'> {}

/** A stream that is about to open. */
interface Opening {
  readonly stream: OpenStream;
  /** Called once it has ended. */
  readonly closed: () => void;
}

interface Open {
  readonly stream: OpenStream;
  readonly account: AccountId;
  readonly key: string;
  readonly credentials: Credentials;
  readonly endsAt: number;
}

/** All streams of a server, of events and of markets. */
export class EventStreams {
  readonly #open = new Set<Open>();
  readonly #pages = new Map<AccountId, StreamPages>();
  /** By key, those that are about to open too. */
  readonly #taken = new Map<string, number>();
  /** By account, likewise. */
  readonly #takenBy = new Map<AccountId, number>();
  #total = 0;
  #ticking: NodeJS.Timeout | null = null;
  #isChecking = false;
  #isEnded = false;
  #state: string;
  readonly #markets: MarketStreams;

  constructor(private readonly parts: StreamParts) {
    this.#markets = new MarketStreams(parts.markets);
    this.#state = this.#stateText();
  }

  /** How many are open. */
  get size(): number {
    return this.#total;
  }

  /** How many of them are streams of markets. */
  get ofMarkets(): number {
    return this.#markets.size;
  }

  /** For how many milliseconds the stream of events that is furthest behind has been behind; 0 where none is. */
  get behindMs(): number {
    return this.#behindMs((stream) => stream instanceof EventStream);
  }

  /** The same of streams of markets. */
  get marketsBehindMs(): number {
    return this.#behindMs((stream) => !(stream instanceof EventStream));
  }

  /** Takes a place for a stream of events, and returns what begins it. @throws Problem too-many-streams */
  take(request: StreamRequest): (res: ServerResponse) => void {
    const { principal, readings, after, types } = request;
    const { account } = principal;
    const key = this.#takePlace(principal);
    return (res) => {
      const readingsNow = readings ? this.parts.readings.follow(account) : null;
      const latest = () => new Map([['state', this.#state], ...(readingsNow?.latest() ?? [])]);
      const stream = new EventStream(res, this.#pagesOf(account), { after, types, ...this.#times() }, latest);
      const closed = () => {
        readingsNow?.end();
        if (this.#pages.get(account)?.isIdle) this.#pages.delete(account);
      };
      this.#begin(request, key, { stream, closed }, res);
    };
  }

  /**
   * Takes a place for a stream of markets, and returns what begins it.
   * @throws Problem too-many-streams; MarketNotFound, MarketUnusable, MarketDataUnavailable, TooManyLookups, TooManyMarkets
   */
  async takeMarkets(request: MarketStreamRequest): Promise<(res: ServerResponse) => void> {
    const { account } = request.principal;
    const key = this.#takePlace(request.principal);
    let subscription: MarketSubscription;
    try {
      subscription = await this.#markets.subscribe({ ...request, account });
    } catch (error) {
      this.#givePlace(key, account);
      throw error;
    }
    return (res) => {
      const stream = this.#markets.begin(subscription, res, this.#times(), () => new Map([['state', this.#state]]));
      this.#begin(request, key, { stream, closed: () => this.#markets.close(stream, subscription) }, res);
    };
  }

  /** Ends every stream with `bye`, and those to come at once. */
  end(): void {
    this.#isEnded = true;
    for (const { stream } of this.#open) stream.end('shutdown');
  }

  #behindMs(counts: (stream: OpenStream) => boolean): number {
    const open = [...this.#open].filter(({ stream }) => counts(stream));
    return Math.max(0, ...open.map(({ stream }) => stream.behindMs));
  }

  /** The name of the key by which its place is counted. @throws Problem too-many-streams */
  #takePlace({ kind, account, credential }: Principal): string {
    const key = `${kind} ${account} ${credential}`;
    const { perKey, perAccount, total } = this.parts.limits;
    const [taken, takenBy] = [this.#taken.get(key) ?? 0, this.#takenBy.get(account) ?? 0];
    if (taken >= perKey) throw tooMany(`This key or token has ${perKey} streams open, the most that it may.`);
    if (takenBy >= perAccount) throw tooMany(`This account has ${perAccount} streams open, the most that it may.`);
    if (this.#total >= total) throw tooMany(`This server has ${total} streams open, the most that it may.`);
    this.#taken.set(key, taken + 1);
    this.#takenBy.set(account, takenBy + 1);
    this.#total += 1;
    return key;
  }

  #givePlace(key: string, account: AccountId): void {
    this.#total -= 1;
    giveBack(this.#taken, key);
    giveBack(this.#takenBy, account);
  }

  #times(): StreamTimes {
    const retryMs = Math.round(RETRY_MS + Math.random() * RETRY_JITTER_MS);
    return { retryMs, keepAliveMs: this.parts.keepAliveMs ?? KEEP_ALIVE_MS };
  }

  #begin({ principal, req }: StreamCaller, key: string, { stream, closed }: Opening, res: ServerResponse): void {
    const lifeMs = this.parts.lifeMs ?? LIFE_MS + Math.random() * LIFE_JITTER_MS;
    const endsAt = performance.now() + lifeMs;
    const open: Open = { stream, account: principal.account, key, credentials: credentialsIn(req), endsAt };
    this.#open.add(open);
    this.#ticking ??= setInterval(() => this.#tick(), this.parts.tickMs ?? TICK_MS).unref();
    this.#state = this.#stateText();
    if (this.#isEnded) stream.end('shutdown');
    if (req.method === 'HEAD') res.end();
    void stream
      .run()
      .catch((error: unknown) => {
        this.parts.failed(error);
        res.destroy();
      })
      .finally(() => {
        closed();
        this.#close(open);
      });
  }

  #stateText(): string {
    const { reasons, marketData = () => 'live' } = this.parts;
    const why = reasons();
    return sentEvent('state', { ready: why.length === 0, reasons: why, market_data: marketData() });
  }

  #pagesOf(account: AccountId): StreamPages {
    const pages = this.#pages.get(account) ?? new StreamPages(account, this.parts);
    this.#pages.set(account, pages);
    return pages;
  }

  #close(open: Open): void {
    this.#open.delete(open);
    this.#givePlace(open.key, open.account);
    if (this.#open.size > 0) return;
    clearInterval(this.#ticking ?? undefined);
    this.#ticking = null;
  }

  #tick(): void {
    this.#state = this.#stateText();
    const now = performance.now();
    for (const { stream, endsAt } of this.#open) {
      if (now >= endsAt) stream.end('lifetime');
      else stream.wake();
    }
    void this.#check();
  }

  /** Ends the streams of keys that were revoked, have expired or lost their scope, key by key. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const byKey = new Map<string, Open[]>();
    for (const open of this.#open) byKey.set(open.key, [...(byKey.get(open.key) ?? []), open]);
    await Promise.all([...byKey.values()].map((same) => this.#checkAlike(same)));
    this.#isChecking = false;
  }

  async #checkAlike(same: readonly Open[]): Promise<void> {
    for (const { stream, credentials, account } of same) {
      const found = await this.parts.authenticator.authenticate(credentials);
      // What cannot be checked now is checked a second later.
      if (found.kind === 'unavailable') return;
      const isSame = found.kind === 'principal' && found.principal.account === account;
      if (!isSame || !found.principal.scopes.has('orders:read')) stream.end('unauthenticated');
    }
  }
}

function giveBack<Name>(taken: Map<Name, number>, name: Name): void {
  const left = (taken.get(name) ?? 1) - 1;
  if (left === 0) taken.delete(name);
  else taken.set(name, left);
}

function tooMany(detail: string): Problem {
  return new Problem('too-many-streams', detail, { headers: { 'retry-after': '30' } });
}
