import type { BookSide } from '../../../src/core/market/event.js';

/** What one account can still get of a quote by the rules, and all that it got. */
interface Own {
  left: bigint;
  sold: bigint;
}

/** A level from the moment that it was quoted until it was gone. */
interface Quote {
  shares: bigint;
  /** All that it ever displayed: what it began with, and all growth. */
  displayed: bigint;
  /** What others traded of it, as far as it shrank by that. */
  traded: bigint;
  readonly own: Map<string, Own>;
}

/** Something that happened at a price, and how much of it is not accounted for. */
interface Noted {
  open: bigint;
  readonly at: number;
  readonly quote: Quote | undefined;
  /** By account: shares that it keeps although they may have been traded away. */
  readonly forgiven: Map<string, bigint>;
}

const ONE_MATCH_MS = 500;
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** What is displayed at one price of one side, what others trade there, and what each account took. */
class Spot {
  quote: Quote | undefined;
  readonly #gone: Noted[] = [];
  readonly #traded: Noted[] = [];

  tell(shares: bigint, at: number): void {
    const { quote } = this;
    if (quote === undefined) {
      if (shares > 0n) this.quote = { shares, displayed: shares, traded: 0n, own: new Map() };
      return;
    }
    const grown = shares - quote.shares;
    quote.shares = shares;
    if (grown < 0n) this.#shrink(quote, -grown, at);
    else {
      quote.displayed += grown;
      for (const own of quote.own.values()) own.left += grown;
    }
    if (shares === 0n) this.quote = undefined;
  }

  trade(shares: bigint, at: number): void {
    const recent = lately(this.#gone, at);
    const explained = account(recent, shares);
    for (const [name, own] of this.quote?.own ?? []) {
      const mine = recent.filter(({ quote }) => quote === this.quote);
      own.left -= giveBack(mine, name, explained);
    }
    this.#traded.push({ open: shares - explained, at, quote: undefined, forgiven: new Map() });
  }

  /** What an account may get now. */
  free(name: string, at: number): bigint {
    const { quote } = this;
    if (quote === undefined) return 0n;
    return most(0n, (quote.own.get(name)?.left ?? quote.shares) - this.#due(at));
  }

  /** True when all that the account got of this quote is within what was displayed, less what others traded. */
  take(name: string, shares: bigint, at: number): boolean {
    const { quote } = this;
    if (quote === undefined) return false;
    const own = quote.own.get(name) ?? { left: quote.shares, sold: 0n };
    quote.own.set(name, { left: own.left - shares, sold: own.sold + shares });
    return own.sold + shares <= quote.displayed - quote.traded - this.#due(at);
  }

  #due(at: number): bigint {
    return lately(this.#traded, at).reduce((sum, { open }) => sum + open, 0n);
  }

  #shrink(quote: Quote, gone: bigint, at: number): void {
    const explained = account(lately(this.#traded, at), gone);
    quote.traded += explained;
    const forgiven = new Map<string, bigint>();
    for (const [name, own] of quote.own) {
      const left = least(own.left - explained, quote.shares);
      forgiven.set(name, left - (own.left - gone));
      own.left = left;
    }
    this.#gone.push({ open: gone - explained, at, quote, forgiven });
  }
}

/** What was noted recently, each within the time of one match of the next, oldest first. */
function lately(noted: readonly Noted[], now: number): Noted[] {
  const recent: Noted[] = [];
  let next = now;
  for (const one of [...noted].reverse()) {
    if (next - one.at >= ONE_MATCH_MS) break;
    recent.unshift(one);
    next = one.at;
  }
  return recent;
}

/** Accounts for up to so many shares of what is open, oldest first. */
function account(noted: readonly Noted[], shares: bigint): bigint {
  let rest = shares;
  for (const one of noted) {
    const part = least(one.open, rest);
    one.open -= part;
    rest -= part;
    if (one.quote !== undefined) one.quote.traded += part;
  }
  return shares - rest;
}

function giveBack(noted: readonly Noted[], name: string, shares: bigint): bigint {
  let rest = shares;
  for (const { forgiven } of noted) {
    const part = least(forgiven.get(name) ?? 0n, rest);
    forgiven.set(name, (forgiven.get(name) ?? 0n) - part);
    rest -= part;
  }
  return shares - rest;
}

/** All that is displayed of a book, level by level, with its past. */
export class Displayed {
  readonly #spots: Record<BookSide, Map<bigint, Spot>> = { bids: new Map(), asks: new Map() };

  at(side: BookSide, price: bigint): Spot {
    const known = this.#spots[side].get(price);
    if (known !== undefined) return known;
    const spot = new Spot();
    this.#spots[side].set(price, spot);
    return spot;
  }

  shares(side: BookSide, price: bigint): bigint {
    return this.#spots[side].get(price)?.quote?.shares ?? 0n;
  }

  /** Where something is displayed, best price first. */
  prices(side: BookSide): bigint[] {
    const shown = [...this.#spots[side]].filter(([, { quote }]) => quote !== undefined).map(([price]) => price);
    return shown.sort((a, b) => (a < b === (side === 'asks') ? -1 : 1));
  }
}
