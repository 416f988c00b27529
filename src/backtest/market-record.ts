import type { TapeWatch } from '../adapters/tape/tape-markets.js';
import type { MarketId } from '../core/ids.js';
import { proceedsAt } from '../core/market/fee.js';
import { payoutFor } from '../core/market/lifecycle.js';
import { isTradingOver, type Market, type OutcomeSide } from '../core/market/market.js';
import { ONE, type Price, type Shares, type Usdc } from '../core/money.js';
import type { MarketForecast } from './backtest-run.js';

/** A market is judged by its price so long before its start. */
const BEFORE_START_MS = 600_000;

type Known = Parameters<TapeWatch>[0];

/** A market that was seen. */
interface Seen {
  readonly known: Known;
  /** When it last changed, in milliseconds; what follows is as of before that. */
  at: number;
  isOver: boolean;
  /** For how long it was traded, and for how much of that its book was known. */
  tradedMs: number;
  liveMs: number;
  gaps: number;
  /** The last best bid and offer of the first outcome. */
  bid: Price | null;
  ask: Price | null;
  /** When it was over, in milliseconds; null before. */
  overAt: number | null;
  /** The price ten minutes before its start, null where there was none; undefined before that. */
  forecast: Price | null | undefined;
  /** Middles of the last ten minutes, where no start is known: each since when. */
  readonly mids: { readonly since: number; readonly mid: Price | null }[];
}

/** What a market said of its result, and where it comes among all markets that were seen. */
export interface PlacedForecast {
  readonly place: number;
  readonly forecast: MarketForecast;
}

/** What forecasts of a market are compared with. */
export interface JudgedForecast {
  readonly at: Date;
  readonly market: Market;
  readonly firstWon: boolean;
}

/** How well the books of markets were known. */
export interface MarketCoverage {
  readonly tradedMs: number;
  readonly liveMs: number;
  readonly gaps: number;
}

/** What is kept of the markets of a tape: their prices ten minutes before their start, for how long their books were known, and what shares are worth. */
export class MarketRecord {
  readonly #seen = new Map<MarketId, Seen>();
  /** How many changes there were so far, and how many of them described a market. */
  changes = 0;
  descriptions = 0;

  /**
   * @param from nothing before that counts as time of trading. @param until the last moment that is played. @param counted the markets
   * that coverage and forecasts are of
   */
  constructor(
    private readonly from: Date,
    private readonly until: Date,
    private readonly counted: ReadonlySet<MarketId>,
  ) {}

  /** Takes in a change, right before it is made. */
  readonly take: TapeWatch = (known, change, at) => {
    this.changes += 1;
    if (change.type === 'market') this.descriptions += 1;
    const now = at.getTime();
    const seen = this.#seen.get(known.market.id) ?? this.#begin(known, now);
    pass(seen, now);
    if (change.type === 'gap' && known.gap === null && !seen.isOver && now < this.until.getTime()) seen.gaps += 1;
    if (change.type === 'market') takeMarket(seen, change.market, now);
  };

  /** Those of them whose result is known, each with its price before its start, and its place among all markets that were seen. */
  forecasts(): readonly PlacedForecast[] {
    return [...this.#seen.values()].flatMap(({ known, forecast }, place): PlacedForecast[] => {
      const [first] = known.market.payout ?? [];
      if (!this.#isCounted(known) || forecast == null || (first !== ONE && first !== 0n)) return [];
      return [{ place, forecast: { probability: forecast, won: first === ONE } }];
    });
  }

  /** Of a market whose result is known, when its price counts for its calibration, and whether its first outcome won; null of others. */
  judged(id: MarketId): JudgedForecast | null {
    const seen = this.#seen.get(id);
    const [first] = seen?.known.market.payout ?? [];
    const start = seen?.known.market.startsAt?.getTime() ?? seen?.overAt ?? null;
    if (seen === undefined || start === null || (first !== ONE && first !== 0n)) return null;
    return { at: new Date(start - BEFORE_START_MS), market: seen.known.market, firstWon: first === ONE };
  }

  /** Over the markets that are counted, up to this moment. */
  coverage(upTo: Date): MarketCoverage {
    let [tradedMs, liveMs, gaps] = [0, 0, 0];
    for (const seen of this.#seen.values()) {
      if (!this.#isCounted(seen.known)) continue;
      pass(seen, Math.max(seen.at, upTo.getTime()));
      tradedMs += seen.tradedMs;
      liveMs += seen.liveMs;
      gaps += seen.gaps;
    }
    return { tradedMs, liveMs, gaps };
  }

  /** What shares would bring now: their result, or what the best bid pays after the fee; null where no bid was ever seen. */
  valueOf({ marketId, outcome, shares }: { marketId: MarketId; outcome: OutcomeSide; shares: Shares }): Usdc | null {
    const seen = this.#seen.get(marketId);
    if (seen === undefined) return null;
    const { market } = seen.known;
    const payout = market.payout?.[outcome === 'YES' ? 0 : 1];
    if (payout !== undefined) return payoutFor(shares, payout);
    note(seen);
    const bid = outcome === 'YES' ? seen.bid : seen.ask === null ? null : ((ONE - seen.ask) as Price);
    return bid === null ? null : proceedsAt(market.terms?.fee ?? null, shares, bid);
  }

  #isCounted({ market }: Known): boolean {
    return this.counted.has(market.id);
  }

  #begin(known: Known, now: number): Seen {
    const seen: Seen = {
      known,
      at: Math.max(now, this.from.getTime()),
      isOver: false,
      overAt: null,
      tradedMs: 0,
      liveMs: 0,
      gaps: 0,
      bid: null,
      ask: null,
      forecast: undefined,
      mids: [],
    };
    this.#seen.set(known.market.id, seen);
    return seen;
  }
}

/** Takes in that the market was as it is until now. */
function pass(seen: Seen, now: number): void {
  const { known } = seen;
  note(seen);
  if (seen.isOver) return;
  const { startsAt } = known.market;
  if (startsAt === null) keepMid(seen, now);
  else if (seen.forecast === undefined && now > startsAt.getTime() - BEFORE_START_MS) seen.forecast = midOf(known);
  const passed = now - seen.at;
  if (passed <= 0) return;
  seen.tradedMs += passed;
  if (known.gap === null || known.mid !== undefined) seen.liveMs += passed;
  seen.at = now;
}

function note(seen: Seen): void {
  const { book } = seen.known;
  seen.bid = book.best('bids')?.price ?? seen.bid;
  seen.ask = book.best('asks')?.price ?? seen.ask;
}

function takeMarket(seen: Seen, market: Market, now: number): void {
  const { startsAt } = market;
  const before = seen.known.market.startsAt;
  const isMoved = startsAt?.getTime() !== before?.getTime();
  // A later start is judged anew.
  if (isMoved && startsAt !== null && now <= startsAt.getTime() - BEFORE_START_MS) seen.forecast = undefined;
  if (seen.isOver || !isTradingOver(market)) return;
  seen.isOver = true;
  seen.overAt = now;
  if (startsAt !== null) return;
  seen.forecast = seen.mids.findLast(({ since }) => since <= now - BEFORE_START_MS)?.mid ?? null;
  seen.mids.length = 0;
}

/** Remembers the middle that was there since the last change. */
function keepMid(seen: Seen, now: number): void {
  const mid = midOf(seen.known);
  if (seen.mids.at(-1)?.mid !== mid || seen.mids.length === 0) seen.mids.push({ since: seen.at, mid });
  while ((seen.mids[1]?.since ?? now) < now - BEFORE_START_MS) seen.mids.shift();
}

/** Of its book, or what a tape without books says. */
function midOf({ book, gap, mid }: Known): Price | null {
  const [bid, ask] = [book.best('bids')?.price, book.best('asks')?.price];
  return gap !== null || bid === undefined || ask === undefined ? (mid ?? null) : (((bid + ask) / 2n) as Price);
}
