import type { Market } from '../market/market.js';

/** When the venue empties the book of a market: once, at the start of its game, where it does that at all. */
export class GameStart {
  /** The start that is behind us, or was before we looked. */
  #passed: number | null;

  constructor({ startsAt }: Market, now: Date) {
    this.#passed = startsAt !== null && startsAt <= now ? startsAt.getTime() : null;
  }

  /** The moment at which the book is to be emptied, in milliseconds; undefined when it is not. */
  due({ startsAt, terms }: Market): number | undefined {
    if (startsAt === null || terms?.clearsBookAtStart !== true) return undefined;
    return startsAt.getTime() === this.#passed ? undefined : startsAt.getTime();
  }

  /** True when the book was emptied since this moment, or would be now. */
  wiped({ startsAt, terms }: Market, since: Date): boolean {
    const passed = startsAt !== null && startsAt.getTime() === this.#passed && since < startsAt;
    return passed && terms?.clearsBookAtStart === true;
  }

  /**
   * The start that a market turns out to have had by now; null when there is none, or one as late is behind us already: told
   * again, or put earlier afterwards, it empties nothing.
   */
  found(market: Market, now: number): number | null {
    const start = this.due(market);
    if (start === undefined || start > now) return null;
    const known = this.#passed ?? Number.NEGATIVE_INFINITY;
    this.#passed = start;
    return start > known ? start : null;
  }

  pass(start: number): void {
    this.#passed = start;
  }
}
