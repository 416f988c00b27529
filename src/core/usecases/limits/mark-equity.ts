import type { Ledger } from '../../../ports/ledger.js';
import type { Asker } from '../../../ports/market-data.js';
import type { Clock, Pause } from '../../../ports/system.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import type { Position } from '../../account/position.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId, MarketId, StrategyId } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import { type EquityMark, worthAtMarket } from '../../limits/counted.js';
import type { BookView } from '../../market/book.js';
import { type Market, type MarketRef, marketName, refOf } from '../../market/market.js';
import { minus, NO_USDC, plus, type Usdc } from '../../money.js';
import { bookedOf, measuredNow } from '../../posting/account-limits.js';
import { countedOf } from '../../posting/strategy-limits.js';
import type { OrderContext } from '../../posting/trading-stop.js';

/** Whose equity is marked: an account's, or the part of a strategy; what is on paper, or real money. */
export interface MarkedHolder {
  readonly account: AccountId;
  readonly paper: boolean;
  /** Absent, or null, for the whole account. */
  readonly strategyId?: StrategyId | null;
}

/** Reports the markets of which news arrives. */
export interface PricedMarkets {
  hear(heard: (market: Market) => void): void;
}

/**
 * Marks what accounts with limits on their losses are worth. All orders of an account share a mark while it is young: the
 * source of prices is asked once in a second, not for each order, and sooner where a followed market has news.
 */
export class MarkEquity {
  readonly #marks: RecentMarks;

  constructor(
    private readonly ledger: Pick<Ledger, 'read'>,
    private readonly markets: Pick<MarketDirectory, 'find' | 'book'>,
    private readonly clock: Clock,
    news: PricedMarkets | null = null,
    /** Gives other work its turn, after some of the positions. */
    private readonly pause?: Pause | undefined,
  ) {
    this.#marks = new RecentMarks(clock);
    news?.hear((market) => this.#marks.heard(market));
  }

  /**
   * A mark of at most a second ago, for an order in this market; null where the equity cannot be marked.
   * @throws StorageUnavailable
   */
  recent(holder: MarkedHolder, market: Market): Promise<EquityMark | null> {
    // What it buys is in none of the marks yet.
    this.#marks.involves(refOf(market), nameOf(holder));
    return this.#marks.find(nameOf(holder)) ?? this.now(holder);
  }

  /** The mark if a recent one exists; undefined otherwise: none is made. */
  young(holder: MarkedHolder, market: Market): Promise<EquityMark | null> | undefined {
    const name = nameOf(holder);
    const mark = this.#marks.find(name);
    if (mark !== undefined) this.#marks.involves(refOf(market), name);
    return mark;
  }

  /** A mark of now; null where the equity cannot be marked. @throws StorageUnavailable */
  now(holder: MarkedHolder): Promise<EquityMark | null> {
    const at = this.clock.now();
    return this.#marks.put(nameOf(holder), at, this.#mark(holder, at));
  }

  /** The next mark of the account is a new one. */
  forget(holder: MarkedHolder): void {
    this.#marks.forget(nameOf(holder));
  }

  async #mark(holder: MarkedHolder, at: Date): Promise<EquityMark | null> {
    const { account, paper, strategyId = null } = holder;
    const strategies = strategyId === null ? [] : [strategyId];
    const held = await this.ledger.read({ account, strategies, risks: [{ paper, strategyId }] }, (now) => ({
      positions: [...now.risks({ paper, strategyId })].filter(({ shares }) => shares > 0n),
      booked: strategyId === null ? bookedOf(now.balances(paper)) : countedOf(now, strategyId, paper).booked,
    }));
    for (const position of held.positions) this.#marks.involves(position, nameOf(holder));
    const asker: Asker = { account, purpose: 'order' };
    const quotes = new Map<string, Promise<Quote | null>>();
    const quoted = async (position: Position): Promise<Usdc | null> => {
      const name = marketName(position);
      const asked = quotes.get(name) ?? this.#quote(position, asker);
      quotes.set(name, asked);
      const quote = await asked;
      return quote && worthAtMarket(position, quote.market, quote.book);
    };
    const asked: Promise<Usdc | null>[] = [];
    for (const position of held.positions) {
      const worth = quoted(position);
      // A failure is that of all of them, below.
      worth.catch(() => {});
      if (asked.push(worth) % AT_ONCE === 0) await this.pause?.();
    }
    const worths = await Promise.all(asked);
    let unrealised = NO_USDC;
    for (const [i, worth] of worths.entries()) {
      if (worth === null) return null;
      unrealised = plus(unrealised, minus(worth, held.positions[i]?.cost ?? NO_USDC));
    }
    return { unrealised, booked: held.booked, at };
  }

  /** The quote of a market; null where the source of prices does not answer, or does not know it. */
  async #quote(ref: MarketRef, asker: Asker): Promise<Quote | null> {
    try {
      const market = await this.markets.find(ref, asker);
      return market === undefined ? null : { market, book: await this.markets.book(market, asker) };
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}

/** How many positions are marked in one turn of the process. */
const AT_ONCE = 50;

interface Quote {
  readonly market: Market;
  readonly book: BookView | undefined;
}

const nameOf = ({ account, paper, strategyId = null }: MarkedHolder): string => `${paper} ${strategyId} ${account}`;

/** How long a mark is used again. */
const MOST_AGE_MS = 1000;
/** How long a mark is used again after news of one of its markets: with many orders, not every order makes a new mark. */
const AGE_IF_CHANGED_MS = 100;
/** The most marks that are remembered. */
const REMEMBERED = 10_000;
/** The most pairs of a market and a holder that are remembered. */
const MOST_INVOLVED = 100_000;

/** A mark that may be used again. */
interface Remembered {
  readonly at: number;
  readonly marking: Promise<EquityMark | null>;
  isChanged: boolean;
}

/** Marks of equity that may be used again, by holder, and the holders whose marks depend on each market. */
class RecentMarks {
  readonly #marks = new Map<string, Remembered>();
  /** Who has shares, or orders, in a market, by its id: markets of two venues with one id share their news, which does no harm. */
  readonly #holders = new Map<MarketId, Set<string>>();
  /** The markets whose news has reached every mark that depends on them: most news comes while there is no newer one. */
  readonly #heard = new Set<MarketId>();
  #involved = 0;

  constructor(private readonly clock: Clock) {}

  /** The holder's mark if it is recent enough to be used again; undefined otherwise. */
  find(holder: string): Promise<EquityMark | null> | undefined {
    const known = this.#marks.get(holder);
    if (known === undefined) return undefined;
    const age = this.clock.now().getTime() - known.at;
    return age >= 0 && age <= (known.isChanged ? AGE_IF_CHANGED_MS : MOST_AGE_MS) ? known.marking : undefined;
  }

  /** Remembers a mark made at this moment, and returns it; a mark that fails is forgotten. */
  put(holder: string, at: Date, marking: Promise<EquityMark | null>): Promise<EquityMark | null> {
    if (this.#marks.size >= REMEMBERED) this.#marks.clear();
    this.#marks.set(holder, { at: at.getTime(), marking, isChanged: false });
    this.#heard.clear();
    marking.catch(() => this.#marks.delete(holder));
    return marking;
  }

  forget(holder: string): void {
    this.#marks.delete(holder);
  }

  /** From now on, news of the market makes the marks of this holder expire sooner. */
  involves(market: MarketRef, holder: string): void {
    const known = this.#holders.get(market.marketId) ?? new Set();
    if (known.has(holder)) return;
    if (this.#involved >= MOST_INVOLVED) {
      // Marks that are forgotten are made anew.
      this.#involved = 0;
      this.#holders.clear();
      this.#marks.clear();
    }
    this.#holders.set(market.marketId, known.add(holder));
    this.#heard.delete(market.marketId);
    this.#involved += 1;
  }

  /** Something was heard of the market. */
  heard({ id }: Market): void {
    const holders = this.#heard.has(id) ? undefined : this.#holders.get(id);
    if (holders === undefined) return;
    this.#heard.add(id);
    for (const holder of holders) {
      const mark = this.#marks.get(holder);
      if (mark !== undefined) mark.isChanged = true;
    }
  }
}

/** While the account trades this fast, its orders measure it. */
const ATTEMPTS = 3;

/** Measures the equity of an account whose losses are limited, and puts on record what that changes. */
export class MeasureLosses {
  constructor(
    private readonly ledger: Ledger,
    private readonly marks: Pick<MarkEquity, 'now'>,
    private readonly context: Pick<OrderContext, 'clock' | 'wallClock' | 'dayOf'>,
  ) {}

  /** False where the equity cannot be marked now. @throws StorageUnavailable */
  async execute(holder: MarkedHolder): Promise<boolean> {
    const { account, paper } = holder;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mark = await this.marks.now(holder);
      if (mark === null) return false;
      const measure = (now: Snapshot) => measuredNow(now, { paper, mark, context: this.context });
      // Most of the time nothing changes: then nothing is locked.
      const isNews = await this.ledger.read({ account }, (now) => {
        const found = measure(now);
        return found.isExact ? found.account !== now.account : null;
      });
      if (isNews === false) return true;
      if (isNews === null) continue;
      const isDone = await this.ledger.write({ account }, (now) => {
        const found = measure(now);
        return { result: found.isExact, accounts: found.account === now.account ? [] : [found.account] };
      });
      if (isDone) return true;
    }
    return true;
  }
}
