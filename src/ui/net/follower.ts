import { createParser } from 'eventsource-parser';
import type {
  WireAlarm,
  WireApproval,
  WireFeed,
  WireLimitsInUse,
  WireLoggedEvent,
  WireOrder,
  WirePortfolio,
  WireStrategy,
  WireTradingNow,
} from '../../adapters/http/answers.js';
import { feedByMarket, type MarkRow, withMarks } from '../state/marks.js';
import { RESTING, reduce } from '../state/reduce.js';
import { knowledgeOf, type Lists, NOTHING_KNOWN, type Stops } from '../state/snapshot.js';
import { ApiRefusal, api, credentialHeaders, refusalIn, reportUnauthenticated, rowsOf } from './api.js';
import type { Connection, UiStore } from './ui-store.js';

const RETRY_MS = [250, 500, 1000, 2000, 3000];
/** A stream sends something every 15 seconds; after this long without anything it is begun anew. */
const DEAD_MS = 40_000;
const HIDDEN_MS = 60_000;
const PORTFOLIO_MS = 250;
const NONE_READ = { paper: null, live: null };
const MOVES_MONEY = /^(order\.(fill|settled|amended|accepted|cancelled|expired|denied|requested)|cash|account)/;

/** Keeps the store up to date: lists, then events, and what the account is worth. */
export class Follower {
  #lastId: string | null = null;
  #waiting: WireLoggedEvent[] = [];
  #abort = new AbortController();
  #failures = 0;
  #hiddenAt: number | null = null;
  #portfolioTimer: number | null = null;
  #loading = 0;
  #isReading = false;
  #isParting = false;

  constructor(private readonly store: UiStore) {}

  /** Forgets all that it knows, and begins anew: for another caller. */
  restart(): void {
    this.#lastId = null;
    this.#waiting = [];
    this.#loading += 1;
    this.#failures = 0;
    const connection = { state: 'connecting', heardAt: Date.now(), reasons: [], marketData: null } as const;
    this.store.set({ known: NOTHING_KNOWN, isLoaded: false, portfolios: NONE_READ, feeds: NONE_READ, connection });
    this.#abort.abort();
  }

  /** Follows for as long as the page lives. */
  start(): void {
    document.addEventListener('visibilitychange', () => {
      this.#hiddenAt = document.hidden ? Date.now() : null;
      if (!document.hidden) this.#abort.abort();
    });
    setInterval(() => this.#tick(), 1000);
    void this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      while (this.#isAsleep || this.#isLoggedOut) await new Promise((resolve) => setTimeout(resolve, 250));
      this.#abort = new AbortController();
      this.#isParting = false;
      const { signal } = this.#abort;
      await readEvents(this.#lastId, signal, {
        heard: () => this.#connection({ state: 'open', heardAt: Date.now() }),
        said: (type, data, id) => this.#received(type, data, id),
      }).catch((error) => this.#refused(error));
      // A stream that says goodbye is begun anew at once; nothing is lost until that fails.
      const isOver = this.#isAsleep || this.#isParting || this.#isLoggedOut;
      if (!isOver && this.store.state.connection.state !== 'refused') this.#connection({ state: 'lost' });
      this.#failures += 1;
      await this.#pause(RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1] ?? 0);
    }
  }

  /** A key may lack the scope to follow the account: that is no lost connection. */
  #refused(error: unknown): void {
    if (error instanceof ApiRefusal && error.status === 403)
      this.#connection({ state: 'refused', refusal: error.message, heardAt: Date.now() });
    else if (this.store.state.connection.state === 'refused') this.#connection({ state: 'lost' });
  }

  get #isAsleep(): boolean {
    return this.#hiddenAt !== null && Date.now() - this.#hiddenAt > HIDDEN_MS;
  }

  get #isLoggedOut(): boolean {
    return this.store.state.page === 'login';
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  #tick(): void {
    this.store.set({ now: Date.now() });
    const { heardAt, state } = this.store.state.connection;
    if (this.#isAsleep || (state === 'open' && Date.now() - heardAt > DEAD_MS)) this.#abort.abort();
  }

  #connection(change: Partial<Connection>): void {
    this.store.set({ connection: { ...this.store.state.connection, ...change } });
  }

  #received(type: string, data: string, id: string | undefined): void {
    const message = JSON.parse(data);
    if (type === 'hello' || type === 'reset') {
      this.#failures = 0;
      if (type === 'reset' || this.#lastId === null) void this.#load(Number(message.head));
      this.#lastId ??= message.head;
    } else if (type === 'bye') this.#isParting = true;
    else if (type === 'state') this.#connection({ reasons: message.reasons, marketData: message.market_data });
    else if (type === 'feed') this.#fed(message);
    else if (type === 'equity') this.#priced(message);
    else if (type === 'marks') this.#marked(message);
    else if (id !== undefined) {
      this.#lastId = id;
      this.#waiting.push(message);
      this.#take();
    }
  }

  /** Reads the lists anew; events that come meanwhile wait for them. What was read before stays on the page until then. */
  async #load(head: number): Promise<void> {
    this.#loading += 1;
    const turn = this.#loading;
    this.#isReading = true;
    for (;;) {
      try {
        const lists = await readLists(head);
        if (turn !== this.#loading) return;
        this.#isReading = false;
        this.store.set({ known: knowledgeOf(head, lists), isLoaded: true });
        this.#take();
        this.#planPortfolio();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        if (turn !== this.#loading) return;
      }
    }
  }

  #take(): void {
    if (this.#isReading || !this.store.state.isLoaded) return;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0) return;
    this.store.set({ known: reduce(this.store.state.known, events) });
    if (events.some(({ type }) => MOVES_MONEY.test(type))) this.#planPortfolio();
    if (events.some(({ type }) => /^(account|trading)/.test(type))) void this.#stops();
  }

  /** Reads what stops trading: a halt may be reported by an event of the account, or not at all where it is of the whole service. */
  async #stops(): Promise<void> {
    const stops = await readStops().catch(() => null);
    if (stops !== null) this.store.set({ known: { ...this.store.state.known, ...stops } });
  }

  /** Reads what is held, at most four times a second. */
  #planPortfolio(): void {
    this.#portfolioTimer ??= setTimeout(() => {
      this.#portfolioTimer = null;
      for (const paper of this.store.state.settings.live ? [true, false] : [true]) void this.#portfolio(paper);
    }, PORTFOLIO_MS);
  }

  async #portfolio(paper: boolean): Promise<void> {
    const row = await api<WirePortfolio>(`/v1/portfolio?paper=${paper}`).catch(() => null);
    if (row !== null) this.#hold(row);
  }

  #hold(row: WirePortfolio): void {
    const { portfolios } = this.store.state;
    const held = { row, readAt: Date.now() };
    this.store.set({ portfolios: row.paper ? { ...portfolios, paper: held } : { ...portfolios, live: held } });
  }

  /** New sums; positions stay as they were read, with their newest marks. */
  #priced(worth: Partial<WirePortfolio> & { readonly paper: boolean }): void {
    const before = this.store.state.portfolios[worth.paper ? 'paper' : 'live'];
    if (before !== null) this.#hold({ ...before.row, ...worth });
  }

  #fed({ paper, markets }: { readonly paper: boolean; readonly markets: readonly WireFeed[] }): void {
    const { feeds } = this.store.state;
    const fed = { markets, books: feedByMarket(markets), readAt: Date.now() };
    this.store.set({ feeds: paper ? { ...feeds, paper: fed } : { ...feeds, live: fed } });
  }

  #marked({ paper, marks }: { readonly paper: boolean; readonly marks: readonly MarkRow[] }): void {
    const before = this.store.state.portfolios[paper ? 'paper' : 'live'];
    if (before !== null) this.#hold({ ...before.row, positions: withMarks(before.row.positions, marks) });
  }
}

/** What a stream says. */
export interface StreamListener {
  /** Something came: the connection lives. */
  heard(): void;
  said(type: string, data: string, id: string | undefined): void;
}

/**
 * Reads the event stream until it ends. Unlike `EventSource` it can carry a key, and an answer such as 503 does not end it
 * for good: its caller tries again.
 * @throws ApiRefusal, TypeError where the service is gone
 */
async function readEvents(lastId: string | null, signal: AbortSignal, listener: StreamListener): Promise<void> {
  const response = await fetch('/v1/events/stream?after=head&readings=1', {
    headers: { ...credentialHeaders(), ...(lastId === null ? {} : { 'last-event-id': lastId }) },
    signal,
  });
  if (response.status === 401) reportUnauthenticated();
  if (!response.ok || response.body === null) throw await refusalIn(response);
  listener.heard();
  const parser = createParser({ onEvent: ({ event, data, id }) => listener.said(event ?? 'message', data, id) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    listener.heard();
    parser.feed(value);
  }
}

const MOST_ORDERS = 300;
const LAST_EVENTS = 50;

/** What stops trading now. */
async function readStops(): Promise<Stops> {
  const { data, live_enabled } = await api<WireTradingNow>('/v1/trading/state');
  return { trading: data, liveEnabled: live_enabled };
}

/** Reads everything that events then change: the newest orders and all that work, strategies, approvals and the rest. */
async function readLists(head: number): Promise<Lists> {
  const [newest, working, strategies, approvals, stops, alarms, limits, events] = await Promise.all([
    rowsOf<WireOrder>('/v1/exchange/orders', MOST_ORDERS),
    rowsOf<WireOrder>(`/v1/exchange/orders?status=${RESTING.join()}`, 4 * MOST_ORDERS),
    rowsOf<WireStrategy>('/v1/strategies', 500).catch(nothingWhereRefused),
    rowsOf<WireApproval>('/v1/approvals', 200),
    readStops(),
    api<{ data: readonly WireAlarm[] }>('/v1/alarms'),
    api<WireLimitsInUse>('/v1/limits'),
    lastEvents(head),
  ]);
  const { used: _, ...only } = limits;
  return {
    orders: [...working, ...newest],
    ordersSince: newest.length < MOST_ORDERS ? null : (newest.at(-1)?.placed_at ?? null),
    strategies,
    approvals,
    ...stops,
    alarms: alarms.data,
    limits: only,
    events,
  };
}

/** A key that may not read strategies still sees the rest. */
function nothingWhereRefused(error: unknown): readonly never[] {
  if (error instanceof ApiRefusal && error.status === 403) return [];
  throw error;
}

async function lastEvents(head: number): Promise<readonly WireLoggedEvent[]> {
  const after = Math.max(0, head - LAST_EVENTS);
  const page = await api<{ data: readonly WireLoggedEvent[] }>(`/v1/events?after=${after}&limit=${LAST_EVENTS}`).catch(
    () => ({
      data: [],
    }),
  );
  return page.data.filter(({ seq }) => Number(seq) <= head).toReversed();
}
