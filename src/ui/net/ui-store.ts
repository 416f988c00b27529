import type { WireFeed, WirePortfolio } from '../../adapters/http/answers.js';
import type { AuthScope } from '../../core/access/principal.js';
import type { MarketDataState } from '../../core/market/market.js';
import { ODDS_FORMATS, type OddsFormat } from '../state/amounts.js';
import type { Knowledge } from '../state/snapshot.js';
import { NOTHING_KNOWN } from '../state/snapshot.js';

/** What the server says of itself to its pages. */
export interface UiSettings {
  readonly version: string;
  readonly needs_login: boolean;
  readonly live: boolean;
  /** Whether what is live here is the play money of a venue's demo. */
  readonly play_money: boolean;
  readonly ui_trading: boolean;
  /** Which parts of the API this server has. */
  readonly has_keys: boolean;
  readonly has_webhooks: boolean;
  readonly has_sessions: boolean;
  /** The time zone whose midnight begins a day. */
  readonly day_zone: string;
  /** Whether this browser had a session when the page was read. */
  readonly is_known: boolean;
}

/** What the kinds of money are called on the page: which one it is is never left to a colour alone. */
export interface MoneyNames {
  readonly badge: (paper: boolean) => string;
  /** Of what is not paper, in a sentence and at its beginning. */
  readonly live: string;
  readonly capital: string;
}

/** A server trades real money, or the play money of a venue's demo. */
export function moneyNames({ play_money: isPlay }: Pick<UiSettings, 'play_money'>): MoneyNames {
  const name = isPlay ? 'PLAY MONEY' : 'LIVE';
  return {
    badge: (paper) => (paper ? 'PAPER' : name),
    live: isPlay ? 'play money' : 'real money',
    capital: isPlay ? 'Play money' : 'Real money',
  };
}

/** The session of this browser, in milliseconds of this machine. */
export interface PageSession {
  readonly account: string;
  /** When it ends however much it is used. */
  readonly endsAt: number;
  /** When a person last used one of its pages. */
  readonly usedAt: number;
}

/** The connection to the event stream. */
export interface Connection {
  readonly state: 'connecting' | 'open' | 'lost' | 'refused';
  /** Why the service refuses to be followed, such as a scope that the key lacks. */
  readonly refusal?: string;
  /** When something came last, in milliseconds of this machine. */
  readonly heardAt: number;
  /** Why the service is not ready. */
  readonly reasons: readonly string[];
  /** What market data does; null before the service has said so. */
  readonly marketData: MarketDataState | null;
}

/** A portfolio, and when it was read. */
export interface ReadPortfolioAt {
  readonly row: WirePortfolio;
  readonly readAt: number;
}

/** How old the books of markets are in which shares are held, and when that was read. */
export interface ReadFeedAt {
  readonly markets: readonly WireFeed[];
  /** `markets` by the id of the market. */
  readonly books: ReadonlyMap<string, WireFeed>;
  readonly readAt: number;
}

/** All that the pages draw. */
export interface UiState {
  readonly settings: UiSettings;
  readonly page: string;
  /** Which thing of the page is shown, by the parts of its address; none where all are. */
  readonly of: readonly string[];
  /** What the address asks for after its question mark, with it: filters, and which page of a list. */
  readonly query: string;
  /** Null where there is none: callers are trusted, or the page holds the key. */
  readonly session: PageSession | null;
  /** What the caller may do; null where that is not known, or everything. */
  readonly scopes: readonly AuthScope[] | null;
  /** Why a new login is needed; null where nobody was logged in. */
  readonly ended: string | null;
  /** Whether the pages show paper money; the other kind is never added to it. */
  readonly paper: boolean;
  /** How odds are written; this browser keeps it. */
  readonly odds: OddsFormat;
  readonly known: Knowledge;
  /** Whether `known` has been read. */
  readonly isLoaded: boolean;
  readonly connection: Connection;
  readonly portfolios: { readonly paper: ReadPortfolioAt | null; readonly live: ReadPortfolioAt | null };
  readonly feeds: { readonly paper: ReadFeedAt | null; readonly live: ReadFeedAt | null };
  /** Moves once a second, so that ages are drawn anew. */
  readonly now: number;
}

/** Whether markets have the time of a tape. */
export const isOnTape = ({ connection: { marketData } }: Pick<UiState, 'connection'>): boolean =>
  marketData !== null && marketData !== 'live' && marketData !== 'none';

/** The time of a tape when money last moved, as the service writes it; null where markets have no tape, or before it is read. */
export const tapeTime = (state: UiState): string | null =>
  isOnTape(state) ? (state.portfolios.paper?.row.at ?? null) : null;

/** Where this browser keeps how odds are written. */
export const ODDS_KEY = 'stakeport odds';

/** Ten times a second. */
const DRAW_MS = 100;

/** The state from which every page is drawn. Listeners are called at most ten times a second. */
export class UiStore {
  #state: UiState;
  #timer: number | null = null;
  #drawnAt = 0;
  readonly #listeners = new Set<() => void>();

  constructor(settings: UiSettings, { page, of, query }: Pick<UiState, 'page' | 'of' | 'query'>) {
    this.#state = {
      settings,
      page,
      of,
      query,
      paper: true,
      odds: ODDS_FORMATS.find((format) => format === localStorage.getItem(ODDS_KEY)) ?? 'decimal',
      known: NOTHING_KNOWN,
      isLoaded: false,
      now: Date.now(),
      session: null,
      scopes: null,
      ended: null,
      connection: { state: 'connecting', heardAt: Date.now(), reasons: [], marketData: null },
      portfolios: { paper: null, live: null },
      feeds: { paper: null, live: null },
    };
  }

  get state(): UiState {
    return this.#state;
  }

  /** Changes some members; draws soon. */
  set(change: Partial<UiState>): void {
    this.#state = { ...this.#state, ...change };
    this.#timer ??= setTimeout(() => this.#draw(), Math.max(0, this.#drawnAt + DRAW_MS - performance.now()));
  }

  /** Calls it after changes, until the function returned is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #draw(): void {
    this.#timer = null;
    this.#drawnAt = performance.now();
    for (const listener of this.#listeners) listener();
  }
}
