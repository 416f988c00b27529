import type { MarketId } from '../../core/ids.js';
import { Book } from '../../core/market/book.js';
import { isTradingOver, marketName } from '../../core/market/market.js';
import type { TapeHeader } from './tape-line.js';
import { apply, type MarketState } from './tape-markets.js';
import { readTapeHeader } from './tape-reader.js';
import { type Played, playedParts } from './tape-span.js';
import type { OnRead } from './tape-unreadable.js';

/** What a tape holds. */
export interface TapeSurvey {
  readonly header: TapeHeader;
  /** The moments of the first and last line; of the header where there is none. */
  readonly from: Date;
  readonly to: Date;
  readonly lines: number;
  /** How many lines of each kind there are. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly markets: number;
  /** Events of these markets; one without an event is one by itself. */
  readonly games: number;
  /** Markets with a result. */
  readonly results: number;
  /** How often a book, or a mid, that was known was known no longer while its market was traded, silences included. */
  readonly gaps: number;
  /** The part of the time of markets in which one was known, from 0 to 1; null where there is no such time. */
  readonly coverage: number | null;
}

/** Which line of tapes is reached. */
export interface TapeProgress {
  /** Which part of the files is read, from 0 to 1. */
  readonly done: number;
  readonly at: Date;
}

/** How many lines pass between two reports of progress. */
const LINES_A_REPORT = 10_000;

/** Reports which line of tapes is reached, now and then. */
export class Reached {
  #lines = 0;
  #done = 0;

  constructor(private readonly onProgress: (reached: TapeProgress) => void) {}

  readonly onRead: OnRead = (read, size) => {
    this.#done = read / size;
  };

  line({ at }: Pick<Played, 'at'>): void {
    this.#lines += 1;
    if (this.#lines % LINES_A_REPORT === 0) this.onProgress({ done: this.#done, at });
  }
}

interface Surveyed extends MarketState {
  /** Up to when its time is counted, in milliseconds; null once its trading is over. */
  counted: number | null;
}

const KINDS = ['market', 'book', 'levels', 'trade', 'mid', 'tick', 'gap', 'alive'] as const;

/** Reads all of a tape, and counts; it holds one book a market. @throws TapeUnreadable */
export async function surveyTape(
  path: string,
  onProgress: (reached: TapeProgress) => void = () => {},
): Promise<TapeSurvey> {
  const header = await readTapeHeader(path);
  const counts = new SurveyCounts();
  const reached = new Reached(onProgress);
  for await (const part of playedParts([path], { onRead: reached.onRead }))
    for (const played of part) {
      counts.take(played);
      reached.line(played);
    }
  return counts.survey(header);
}

class SurveyCounts {
  lines = 0;
  readonly #kinds = new Map<string, number>(KINDS.map((kind) => [kind, 0]));
  readonly #markets = new Map<MarketId, Surveyed>();
  #from: Date | null = null;
  #to: Date | null = null;
  #gaps = 0;
  #tradedMs = 0;
  #knownMs = 0;

  take(played: Played): void {
    const { at } = played;
    if (played.type === 'hole') {
      for (const state of this.#markets.values()) this.#lose(state, at);
      return;
    }
    this.lines += 1;
    this.#from ??= at;
    this.#to = at;
    const kind = played.type === 'alive' ? 'alive' : played.change.type;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (played.type === 'alive') return;
    const { marketId, change } = played;
    const state = this.#markets.get(marketId);
    if (state !== undefined) {
      if (change.type === 'gap') this.#lose(state, at);
      else this.#pass(state, at);
      apply(state, change, at);
      if (change.type === 'market' && isTradingOver(change.market)) state.counted = null;
    } else if (change.type === 'market') {
      const counted = isTradingOver(change.market) ? null : at.getTime();
      this.#markets.set(marketId, {
        market: change.market,
        book: new Book(),
        at,
        gap: 'nothing was received yet',
        counted,
      });
    }
  }

  survey(header: TapeHeader): TapeSurvey {
    const to = this.#to ?? header.recordedAt;
    for (const state of this.#markets.values()) this.#pass(state, to);
    const all = [...this.#markets.values()].map(({ market }) => market);
    const games = new Set(all.map(({ venue, id, event }) => event?.id ?? marketName({ venue, marketId: id })));
    return {
      header,
      from: this.#from ?? header.recordedAt,
      to,
      lines: this.lines,
      kinds: Object.fromEntries(this.#kinds),
      markets: all.length,
      games: games.size,
      results: all.filter(({ payout }) => payout !== null).length,
      gaps: this.#gaps,
      coverage: this.#tradedMs === 0 ? null : this.#knownMs / this.#tradedMs,
    };
  }

  #lose(state: Surveyed, at: Date): void {
    this.#pass(state, at);
    if (isKnown(state) && state.counted !== null) this.#gaps += 1;
    apply(state, { type: 'gap', reason: 'nothing was recorded' }, at);
  }

  /** Takes in that the market was as it is until now. */
  #pass(state: Surveyed, at: Date): void {
    if (state.counted === null) return;
    const passed = at.getTime() - state.counted;
    this.#tradedMs += passed;
    if (isKnown(state)) this.#knownMs += passed;
    state.counted = at.getTime();
  }
}

const isKnown = ({ gap, mid }: MarketState): boolean => gap === null || mid !== undefined;
