import { WHOLE, type WholeLevel } from './rebuilt-book.js';

/** What a row says. */
export type PmxtRowKind = 'book' | 'change' | 'trade' | 'tick';

/** A whole book as a row has it. */
export interface RowBook {
  readonly bids: readonly WholeLevel[];
  readonly asks: readonly WholeLevel[];
}

/** Rows of one hour, by column: amounts are whole millionths, what a row does not have is NaN. */
export class HourRows {
  readonly kinds: PmxtRowKind[] = [];
  readonly at: number[] = [];
  /** The venue's own time. */
  readonly source: number[] = [];
  /** The row in its file. */
  readonly row: number[] = [];
  /** The place of its market among those wanted. */
  readonly market: number[] = [];
  readonly isSecond: boolean[] = [];
  readonly isBuy: boolean[] = [];
  readonly price: number[] = [];
  readonly shares: number[] = [];
  readonly bestBid: number[] = [];
  readonly bestAsk: number[] = [];
  readonly books = new Map<number, RowBook>();
  readonly hashes = new Map<number, string>();

  /** Takes one row more, and returns its place; what it has beside this is given to it next. */
  add(kind: PmxtRowKind, at: number, source: number, row: number, market: number, isSecond: boolean): number {
    this.at.push(at);
    this.source.push(source);
    this.row.push(row);
    this.market.push(market);
    this.isSecond.push(isSecond);
    this.isBuy.push(false);
    this.price.push(Number.NaN);
    this.shares.push(Number.NaN);
    this.bestBid.push(Number.NaN);
    this.bestAsk.push(Number.NaN);
    return this.kinds.push(kind) - 1;
  }

  /** Gives a change, a match or a tick its amounts, and the best prices that the venue stated beside it. */
  amounts(place: number, isBuy: boolean, price: number, shares: number, bestBid: number, bestAsk: number): void {
    this.isBuy[place] = isBuy;
    this.price[place] = price;
    this.shares[place] = shares;
    this.bestBid[place] = bestBid;
    this.bestAsk[place] = bestAsk;
  }

  /** The places of all rows in order of time; of one moment by market, the first outcome before the second, and then as in the file. */
  inOrder(): Uint32Array {
    const runs = new Map<number, number[]>();
    for (let place = 0; place < this.kinds.length; place += 1) {
      const run = 2 * (this.market[place] as number) + Number(this.isSecond[place]);
      const own = runs.get(run);
      if (own === undefined) runs.set(run, [place]);
      else own.push(place);
    }
    const places = [...runs].sort(([a], [b]) => a - b).flatMap(([, own]) => own);
    const began = this.at.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
    // One number for the time and the place in that order, so that they are sorted without a function.
    const keys = Float64Array.from(
      places,
      (place, n) => ((this.at[place] as number) - began) * places.length + n,
    ).sort();
    return Uint32Array.from(keys, (key) => places[key % places.length] as number);
  }

  /** Turns the rows of the second outcome of these markets into ones of the first, and drops those of the first. */
  inFirstOutcome(isMirrored: (market: number) => boolean): HourRows {
    const rows = new HourRows();
    for (const [place, kind] of this.kinds.entries()) {
      const of = (column: readonly number[]) => column[place] as number;
      const market = of(this.market);
      const isSecond = this.isSecond[place] as boolean;
      const turns = isMirrored(market);
      if (turns && !isSecond) continue;
      const made = rows.add(kind, of(this.at), of(this.source), of(this.row), market, isSecond && !turns);
      const [price, bid, ask] = [of(this.price), of(this.bestBid), of(this.bestAsk)];
      const isBuy = this.isBuy[place] as boolean;
      if (turns)
        rows.amounts(made, !isBuy, kind === 'tick' ? price : WHOLE - price, of(this.shares), WHOLE - ask, WHOLE - bid);
      else rows.amounts(made, isBuy, price, of(this.shares), bid, ask);
      const [book, hash] = [this.books.get(place), this.hashes.get(place)];
      if (book !== undefined)
        rows.books.set(made, turns ? { bids: mirrored(book.asks), asks: mirrored(book.bids) } : book);
      if (hash !== undefined) rows.hashes.set(made, hash);
    }
    return rows;
  }

  /** Whether a row says the same as another one. */
  isEqual(a: number, b: number): boolean {
    const columns = [this.at, this.source, this.price, this.shares, this.kinds, this.isBuy] as const;
    if (!columns.every((column) => Object.is(column[a], column[b]))) return false;
    return (
      JSON.stringify(this.books.get(a)) === JSON.stringify(this.books.get(b)) &&
      this.hashes.get(a) === this.hashes.get(b)
    );
  }
}

const mirrored = (levels: readonly WholeLevel[]): readonly WholeLevel[] =>
  levels.map(([price, shares]): WholeLevel => [WHOLE - price, shares]);
