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
  at = new Float64Array();
  /** The venue's own time. */
  source = new Float64Array();
  /** The row in its file. */
  row = new Float64Array();
  /** The place of its market among those wanted. */
  market = new Uint32Array();
  /** 1 for the second outcome, 0 for the first one. */
  second = new Uint8Array();
  /** 1 for a purchase, 0 for a sale. */
  buy = new Uint8Array();
  price = new Float64Array();
  shares = new Float64Array();
  bestBid = new Float64Array();
  bestAsk = new Float64Array();
  readonly books = new Map<number, RowBook>();
  readonly hashes = new Map<number, string>();

  /** Makes room for so many rows more. */
  reserve(more: number): void {
    const needed = this.kinds.length + more;
    if (needed <= this.at.length) return;
    const size = Math.max(needed, 2 * this.at.length);
    this.at = grown(this.at, new Float64Array(size));
    this.source = grown(this.source, new Float64Array(size));
    this.row = grown(this.row, new Float64Array(size));
    this.market = grown(this.market, new Uint32Array(size));
    this.second = grown(this.second, new Uint8Array(size));
    this.buy = grown(this.buy, new Uint8Array(size));
    this.price = grown(this.price, new Float64Array(size));
    this.shares = grown(this.shares, new Float64Array(size));
    this.bestBid = grown(this.bestBid, new Float64Array(size));
    this.bestAsk = grown(this.bestAsk, new Float64Array(size));
  }

  /** Takes one row more, for which there is room, and returns its place; what it has beside this is given to it next. */
  add(kind: PmxtRowKind, at: number, source: number, row: number, market: number, isSecond: boolean): number {
    const place = this.kinds.push(kind) - 1;
    this.at[place] = at;
    this.source[place] = source;
    this.row[place] = row;
    this.market[place] = market;
    this.second[place] = Number(isSecond);
    this.amounts(place, false, Number.NaN, Number.NaN, Number.NaN, Number.NaN);
    return place;
  }

  /** Gives a change, a match or a tick its amounts, and the best prices that the venue stated beside it. */
  amounts(place: number, isBuy: boolean, price: number, shares: number, bestBid: number, bestAsk: number): void {
    this.buy[place] = Number(isBuy);
    this.price[place] = price;
    this.shares[place] = shares;
    this.bestBid[place] = bestBid;
    this.bestAsk[place] = bestAsk;
  }

  isSecond(place: number): boolean {
    return this.second[place] === 1;
  }

  isBuy(place: number): boolean {
    return this.buy[place] === 1;
  }

  /** The places of all rows in order of time; of one moment by market, the first outcome before the second, and then as in the file. */
  inOrder(): Uint32Array {
    const many = this.kinds.length;
    const places = this.#byOutcome();
    let began = Number.POSITIVE_INFINITY;
    for (let place = 0; place < many; place += 1) began = Math.min(began, this.at[place] as number);
    // One number for the time and the place in that order, so that they are sorted without a function.
    const keys = new Float64Array(many);
    for (let n = 0; n < many; n += 1) keys[n] = ((this.at[places[n] as number] as number) - began) * many + n;
    keys.sort();
    const order = new Uint32Array(many);
    for (let n = 0; n < many; n += 1) order[n] = places[(keys[n] as number) % many] as number;
    return order;
  }

  /** The places of all rows by market, the first outcome before the second, and then as in the file. */
  #byOutcome(): Uint32Array {
    const many = this.kinds.length;
    const runOf = (place: number) => 2 * (this.market[place] as number) + (this.second[place] as number);
    let runs = 0;
    for (let place = 0; place < many; place += 1) runs = Math.max(runs, runOf(place) + 1);
    // Where the next row of each run stands.
    const next = new Uint32Array(runs + 1);
    for (let place = 0; place < many; place += 1) next[runOf(place) + 1] = (next[runOf(place) + 1] as number) + 1;
    for (let run = 1; run <= runs; run += 1) next[run] = (next[run] as number) + (next[run - 1] as number);
    const places = new Uint32Array(many);
    for (let place = 0; place < many; place += 1) {
      const run = runOf(place);
      const at = next[run] as number;
      places[at] = place;
      next[run] = at + 1;
    }
    return places;
  }

  /** Turns the rows of the second outcome of these markets into ones of the first, and drops those of the first. */
  inFirstOutcome(isMirrored: (market: number) => boolean): HourRows {
    const rows = new HourRows();
    rows.reserve(this.kinds.length);
    for (const [place, kind] of this.kinds.entries()) {
      const of = (column: ArrayLike<number>) => column[place] as number;
      const market = of(this.market);
      const isSecond = this.isSecond(place);
      const turns = isMirrored(market);
      if (turns && !isSecond) continue;
      const made = rows.add(kind, of(this.at), of(this.source), of(this.row), market, isSecond && !turns);
      const [price, bid, ask] = [of(this.price), of(this.bestBid), of(this.bestAsk)];
      const isBuy = this.isBuy(place);
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
    const columns = [this.at, this.source, this.price, this.shares, this.kinds, this.buy] as const;
    if (!columns.every((column) => Object.is(column[a], column[b]))) return false;
    return (
      JSON.stringify(this.books.get(a)) === JSON.stringify(this.books.get(b)) &&
      this.hashes.get(a) === this.hashes.get(b)
    );
  }
}

const mirrored = (levels: readonly WholeLevel[]): readonly WholeLevel[] =>
  levels.map(([price, shares]): WholeLevel => [WHOLE - price, shares]);

/** A column with more room. */
function grown<Column extends Float64Array | Uint32Array | Uint8Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}
