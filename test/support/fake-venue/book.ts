import { remaining, type VenueOrder } from './orders.js';
import { costOf, ONE, type Side } from './wire.js';

/** A part of a match at one price. */
export interface Slice {
  readonly maker: VenueOrder;
  readonly size: bigint;
  /** Of the taker's token. */
  readonly price: bigint;
  /** Dollars of the taker. */
  readonly cost: bigint;
}

/** What a FOK or FAK BUY uses up at a better price: its shares as signed, or all its dollars. */
export type BuySpends = 'shares' | 'dollars';

/**
 * The resting orders of one market, both tokens in one: a BUY meets a SELL of its own token at its price, and a BUY of the
 * other token at one dollar minus its price. Best price first, then oldest.
 */
export class Book {
  #resting: VenueOrder[] = [];

  get resting(): readonly VenueOrder[] {
    return this.#resting;
  }

  add(order: VenueOrder): void {
    this.#resting.push(order);
  }

  remove(order: VenueOrder): void {
    this.#resting = this.#resting.filter((other) => other !== order);
  }

  crosses(order: VenueOrder): boolean {
    return this.#meets(order).length > 0;
  }

  /** The fills that this order would get now; nothing changes. */
  match(order: VenueOrder, spends: BuySpends): Slice[] {
    const byDollars = order.side === 'BUY' && spends === 'dollars';
    const slices: Slice[] = [];
    let [shares, dollars] = [remaining(order), order.dollars];
    for (const { maker, price } of this.#meets(order)) {
      const affordable = byDollars ? (dollars * ONE) / price : shares;
      const size = affordable < remaining(maker) ? affordable : remaining(maker);
      if (size <= 0n) break;
      const cost = byDollars && size === affordable ? dollars : costOf(size, price);
      slices.push({ maker, size, price, cost });
      shares -= size;
      dollars -= cost;
    }
    return slices;
  }

  /** Open shares by price as the holder of this token sees them. */
  levels(token: string, side: Side): Map<bigint, bigint> {
    const levels = new Map<bigint, bigint>();
    for (const order of this.#resting) {
      const own = order.token === token;
      if ((order.side === side) !== own) continue;
      const price = own ? order.price : ONE - order.price;
      levels.set(price, (levels.get(price) ?? 0n) + remaining(order));
    }
    return levels;
  }

  #meets(order: VenueOrder): { maker: VenueOrder; price: bigint }[] {
    const buys = order.side === 'BUY';
    return this.#resting
      .filter((maker) => (maker.side === order.side) !== (maker.token === order.token))
      .map((maker) => ({ maker, price: maker.token === order.token ? maker.price : ONE - maker.price }))
      .filter(({ price }) => (buys ? price <= order.price : price >= order.price))
      .sort((one, other) => Number(buys ? one.price - other.price : other.price - one.price));
  }
}
