import type { Clock } from '../../../ports/system.js';
import type { EquityMark } from '../../limits/loss-marks.js';
import { type Market, refOf } from '../../market/market.js';
import { type MarketRef, marketName } from '../../market/venue.js';

/** A mark is used again for so long, */
const MOST_AGE_MS = 1000;
/** and, where something was heard of a market that it is about, for so long only: with many orders, not each makes a new one. */
const AGE_IF_CHANGED_MS = 100;
/** The most marks that are remembered, */
const REMEMBERED = 10_000;
/** and the most pairs of a market and of who is in it. */
const MOST_INVOLVED = 100_000;

/** A mark that may be used again. */
interface Remembered {
  readonly at: number;
  readonly marking: Promise<EquityMark | null>;
  isChanged: boolean;
}

/** Marks of equity that may be used again, by whose they are, and which of them a change of a market is about. */
export class RecentMarks {
  readonly #marks = new Map<string, Remembered>();
  /** Who has shares, or orders, in a market, by its name. */
  readonly #holders = new Map<string, Set<string>>();
  #involved = 0;

  constructor(private readonly clock: Clock) {}

  /** Undefined where there is none that is young enough. */
  find(holder: string): Promise<EquityMark | null> | undefined {
    const known = this.#marks.get(holder);
    if (known === undefined) return undefined;
    const age = this.clock.now().getTime() - known.at;
    return age >= 0 && age <= (known.isChanged ? AGE_IF_CHANGED_MS : MOST_AGE_MS) ? known.marking : undefined;
  }

  /** Remembers one of this moment, and returns it; one that fails is forgotten. */
  put(holder: string, at: Date, marking: Promise<EquityMark | null>): Promise<EquityMark | null> {
    if (this.#marks.size >= REMEMBERED) this.#marks.clear();
    this.#marks.set(holder, { at: at.getTime(), marking, isChanged: false });
    marking.catch(() => this.#marks.delete(holder));
    return marking;
  }

  forget(holder: string): void {
    this.#marks.delete(holder);
  }

  /** From now on news of the market are about the marks of this holder. */
  involves(market: MarketRef, holder: string): void {
    const name = marketName(market);
    const known = this.#holders.get(name) ?? new Set();
    if (known.has(holder)) return;
    if (this.#involved >= MOST_INVOLVED) {
      // Marks that are forgotten are made anew.
      this.#involved = 0;
      this.#holders.clear();
      this.#marks.clear();
    }
    this.#holders.set(name, known.add(holder));
    this.#involved += 1;
  }

  /** Something was heard of the market. */
  heard(market: Market): void {
    for (const holder of this.#holders.get(marketName(refOf(market))) ?? []) {
      const mark = this.#marks.get(holder);
      if (mark !== undefined) mark.isChanged = true;
    }
  }
}
