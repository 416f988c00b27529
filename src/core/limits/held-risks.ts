import { type MarketRef, marketName } from '../market/venue.js';
import { NO_USDC, plus, type Usdc } from '../money.js';
import { ChangingLosses, type Losses, type LossNames, lossNames, setName } from './losses.js';
import { lossOf, type MarketResults, type Results, type RiskyPosition, resultsOf, resultsOfSet } from './risk.js';

/** The positions of one market, and the set to which they belong. */
interface KeptMarket<P> {
  readonly positions: readonly P[];
  readonly set: string;
}

/** Markets of which one excludes the others, and what may be lost in them. */
interface KeptSet {
  readonly names: LossNames;
  readonly markets: ReadonlyMap<string, MarketResults>;
  readonly loss: Usdc;
}

/** What may be lost where an order trades, and what comes out by the result of its market. */
export interface RiskHere {
  readonly losses: Readonly<Record<keyof LossNames | 'exposure', Usdc>>;
  /** Of the market alone, */
  readonly market: Results;
  /** and of all markets of its exclusive set. */
  readonly set: Results;
}

/**
 * The positions of one holder that may lose money, and what they may lose in the worst case, with their working orders where
 * they hurt. It is kept as sums, which change with the positions of one set of markets at a time: what is held elsewhere
 * costs nothing to compare with.
 *
 * Of the markets of an exclusive set exactly one resolves YES, maybe one that is not among them, or every share pays one half;
 * the worst of these counts. Losses of markets that have no such set are summed, never netted: what one result means for
 * another is not known. Markets whose event, league or sport is not known are an event of their own, in one unknown league
 * and sport.
 */
export class HeldRisks<P extends RiskyPosition = RiskyPosition> implements Iterable<P> {
  readonly #markets = new Map<string, KeptMarket<P>>();
  readonly #sets = new Map<string, KeptSet>();
  readonly #losses = new ChangingLosses();
  #openOrders = 0;
  #atWork = NO_USDC;

  constructor(positions: Iterable<P> = []) {
    for (const position of positions) this.take(position);
  }

  /** Takes in a position as it is from now on. */
  take(position: P): void {
    const name = marketName(position);
    this.#put(name, [position, ...this.#beside(name, position)]);
  }

  /** A position may lose nothing any more. */
  drop(position: P): void {
    const name = marketName(position);
    this.#put(name, this.#beside(name, position));
  }

  *[Symbol.iterator](): Iterator<P> {
    for (const { positions } of this.#markets.values()) yield* positions;
  }

  /** The most that can be lost. */
  get losses(): Losses {
    return this.#losses;
  }

  /** How many orders are working. */
  get openOrders(): number {
    return this.#openOrders;
  }

  /** What positions cost with their fees, and what working orders may still spend or lose. */
  get atWork(): Usdc {
    return this.#atWork;
  }

  /** Both outcomes of a market, as far as they are held. */
  inMarket(ref: MarketRef): readonly P[] {
    return this.#markets.get(marketName(ref))?.positions ?? [];
  }

  /** What may be lost where this position is, if it were like this. */
  with(position: P): RiskHere {
    const name = marketName(position);
    const before = this.inMarket(position);
    this.take(position);
    const here = this.#at(name);
    this.#put(name, before);
    return here;
  }

  #at(name: string): RiskHere {
    const set = this.#sets.get(this.#markets.get(name)?.set ?? '');
    const market = set?.markets.get(name);
    if (set === undefined || market === undefined) return NOTHING_HERE;
    const { markets, events, leagues, sports, exposure } = this.#losses;
    const { event, league, sport } = set.names;
    const at = (losses: ReadonlyMap<string, Usdc>, of: string) => losses.get(of) ?? NO_USDC;
    return {
      losses: {
        market: at(markets, name),
        event: at(events, event),
        league: at(leagues, league),
        sport: at(sports, sport),
        exposure,
      },
      market,
      set: resultsOfSet([...set.markets.values()], market),
    };
  }

  #beside(name: string, { outcome }: P): readonly P[] {
    return this.#markets.get(name)?.positions.filter((one) => one.outcome !== outcome) ?? [];
  }

  #put(name: string, positions: readonly P[]): void {
    const before = this.#markets.get(name);
    if (before !== undefined) this.#leave(name, before);
    if (positions.length > 0) this.#enter(name, positions);
  }

  #enter(name: string, positions: readonly P[]): void {
    const results = resultsOf(positions);
    const set = setName(name, results.group);
    this.#markets.set(name, { positions, set });
    this.#losses.markets.set(name, lossOf(results));
    this.#count(positions, 1);
    const others = this.#sets.get(set)?.markets ?? [];
    this.#replace(set, lossNames(name, results.group), new Map([...others, [name, results]]));
  }

  #leave(name: string, { positions, set }: KeptMarket<P>): void {
    this.#markets.delete(name);
    this.#losses.markets.delete(name);
    this.#count(positions, -1);
    const kept = this.#sets.get(set);
    if (kept !== undefined) this.#replace(set, kept.names, new Map([...kept.markets].filter(([one]) => one !== name)));
  }

  /** The names are those of the market that changed last. */
  #replace(set: string, names: LossNames, markets: KeptSet['markets']): void {
    const before = this.#sets.get(set);
    if (before !== undefined) this.#losses.add(before.names, -before.loss as Usdc);
    const [first] = markets.values();
    if (first === undefined) this.#sets.delete(set);
    else {
      const loss = lossOf(resultsOfSet([...markets.values()], first));
      this.#losses.add(names, loss);
      this.#sets.set(set, { names, markets, loss });
    }
  }

  #count(positions: readonly P[], sign: 1 | -1): void {
    for (const { cost, heldFees = NO_USDC, risk } of positions) {
      this.#openOrders += sign * (risk?.working.orders ?? 0);
      const atWork = plus(plus(cost, heldFees), risk?.working.lost ?? NO_USDC);
      this.#atWork = plus(this.#atWork, (sign === 1 ? atWork : -atWork) as Usdc);
    }
  }
}

const NOTHING: Results = { yes: NO_USDC, no: NO_USDC, split: NO_USDC };
const NOTHING_HERE: RiskHere = {
  losses: { market: NO_USDC, event: NO_USDC, league: NO_USDC, sport: NO_USDC, exposure: NO_USDC },
  market: NOTHING,
  set: NOTHING,
};

/** The worst case of these positions, and of their working orders where they hurt. */
export const worstCase = (positions: Iterable<RiskyPosition>): Losses => new HeldRisks(positions).losses;
