import { type Market, type MarketRef, marketName, type OutcomeRole, type OutcomeSide } from '../market/market.js';
import { least, minus, NO_SHARES, NO_USDC, type Price, plus, proportion, type Shares, type Usdc } from '../money.js';

/** What a market belongs to, as far as losses go together; null where that is not known. */
export interface RiskGroup {
  readonly event: string | null;
  /** A set of markets of which exactly one resolves YES. */
  readonly exclusiveSet: string | null;
  readonly role: OutcomeRole | null;
  readonly league: string | null;
  readonly sport: string | null;
}

/** Limit prices of working orders, and how many orders have each. */
export type PriceCounts = readonly (readonly [price: Price, orders: number])[];

/**
 * What working purchases of one outcome may take from its result, each filled only where that hurts: if a share pays nothing,
 * one half, or a dollar; and the shares that working sales may take out. The sums move with the orders, step by step.
 */
export interface WorkingRisk {
  readonly orders: number;
  readonly selling: Shares;
  readonly lost: Usdc;
  readonly split: Usdc;
  readonly won: Usdc;
  readonly bids: PriceCounts;
  readonly asks: PriceCounts;
}

/** Why a position may still lose money: kept while it has shares or working orders, for an account that has limits. */
export interface Risk {
  readonly group: RiskGroup;
  readonly working: WorkingRisk;
}

/** The group of an unknown market, which counts as an event of its own. */
export const NO_GROUP: RiskGroup = { event: null, exclusiveSet: null, role: null, league: null, sport: null };

/** What a market belongs to. */
export const riskGroupOf = ({ event, exclusiveSet, role, league, sport }: Market): RiskGroup => ({
  event: event?.id ?? null,
  exclusiveSet,
  role,
  league,
  sport,
});

/** No working order. */
export const NOTHING_WORKING: WorkingRisk = {
  orders: 0,
  selling: NO_SHARES,
  lost: NO_USDC,
  split: NO_USDC,
  won: NO_USDC,
  bids: [],
  asks: [],
};

/** The sums after one order went from `before` to `after`. */
export function movedRisk(sums: WorkingRisk, before: WorkingRisk, after: WorkingRisk): WorkingRisk {
  const moved = (of: (risk: WorkingRisk) => Usdc) => plus(of(sums), minus(of(after), of(before)));
  return {
    orders: sums.orders + after.orders - before.orders,
    selling: plus(sums.selling, minus(after.selling, before.selling)),
    lost: moved(({ lost }) => lost),
    split: moved(({ split }) => split),
    won: moved(({ won }) => won),
    bids: counted(sums.bids, before.bids, after.bids),
    asks: counted(sums.asks, before.asks, after.asks),
  };
}

/** The sums of several orders. */
export const sumOfRisks = (risks: readonly WorkingRisk[]): WorkingRisk =>
  risks.reduce((sums, one) => movedRisk(sums, NOTHING_WORKING, one), NOTHING_WORKING);

/** In ascending order of prices, so that equal sums are equal records. */
function counted(sums: PriceCounts, before: PriceCounts, after: PriceCounts): PriceCounts {
  if (before.length === 0 && after.length === 0) return sums;
  const counts = new Map(sums);
  for (const [price, orders] of after) counts.set(price, (counts.get(price) ?? 0) + orders);
  for (const [price, orders] of before) counts.set(price, (counts.get(price) ?? 0) - orders);
  return [...counts].filter(([, orders]) => orders !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A position as far as losses go: those of a whole account, or the part of one strategy. */
export interface RiskyPosition extends MarketRef {
  readonly outcome: OutcomeSide;
  readonly shares: Shares;
  readonly cost: Usdc;
  /** Paid for the shares that are held; absent for none. */
  readonly heldFees?: Usdc | undefined;
  readonly risk?: Risk | undefined;
}

/** The least that comes out of something, less what was paid: if YES wins, if NO wins, and if each share pays one half. */
export interface Results {
  readonly yes: Usdc;
  readonly no: Usdc;
  readonly split: Usdc;
}

/** What comes out of one market. */
export interface MarketResults extends Results {
  readonly group: RiskGroup;
}

/**
 * The results of one market for these positions, with working orders filled only where that hurts; the group is that of the
 * first position that knows it. A sale removes shares with their part of the cost, and its proceeds are not at risk, before the
 * fill or after. So a fill within its limit makes no result worse than it counted before.
 */
export function resultsOf(positions: readonly RiskyPosition[]): MarketResults {
  let [yes, no, split] = [NO_USDC, NO_USDC, NO_USDC];
  for (const { shares, cost, heldFees = NO_USDC, outcome, risk } of positions) {
    const { working } = risk ?? { working: NOTHING_WORKING };
    const paid = plus(cost, heldFees);
    const rest = minus(shares, least(working.selling, shares));
    const restPaid = rest === shares ? paid : proportion(paid, rest, shares, 'ceil');
    const ifWon = minus(smaller(minus(dollars(shares), paid), minus(dollars(rest), restPaid)), working.won);
    const ifSplit = minus(smaller(minus(halves(shares), paid), minus(halves(rest), restPaid)), working.split);
    const ifLost = (-paid - working.lost) as Usdc;
    yes = plus(yes, outcome === 'YES' ? ifWon : ifLost);
    no = plus(no, outcome === 'YES' ? ifLost : ifWon);
    split = plus(split, ifSplit);
  }
  const groups = positions.flatMap(({ risk }) => (risk === undefined ? [] : [risk.group]));
  return { group: groups.find(isKnown) ?? groups[0] ?? NO_GROUP, yes, no, split };
}

const isKnown = ({ event, exclusiveSet, league, sport }: RiskGroup): boolean =>
  event !== null || exclusiveSet !== null || league !== null || sport !== null;

/**
 * What comes out of all markets of an exclusive set, by the result of one of them: `own`, which is among `all`. Exactly one
 * market resolves YES, maybe one that is not among them, or every share pays one half.
 */
export function resultsOfSet(all: readonly MarketResults[], own: MarketResults): Results {
  const none = sum(all.map(({ no }) => no));
  const ifWon = ({ yes, no }: Results) => plus(none, minus(yes, no));
  const others = all.filter((one) => one !== own).map(ifWon);
  const split = sum(all.map((one) => one.split));
  return {
    yes: ifWon(own),
    no: [...(isExhaustive(all.map(({ group }) => group)) ? [] : [none]), ...others].reduce(smaller),
    split,
  };
}

/** A game is won at home, away, or by nobody. A set of other markets may have one that is not among them. */
export function isExhaustive(markets: readonly Pick<RiskGroup, 'role'>[]): boolean {
  const roles = new Set(markets.map(({ role }) => role));
  return roles.has('home') && roles.has('away') && roles.has('draw');
}

/** What may be lost in the worst of these results. */
export function lossOf({ yes, no, split }: Results): Usdc {
  const worst = [no, split].reduce(smaller, yes);
  return worst < 0n ? (-worst as Usdc) : NO_USDC;
}

const dollars = (shares: Shares): Usdc => shares as bigint as Usdc;
const halves = (shares: Shares): Usdc => (shares / 2n) as Usdc;
const sum = (amounts: readonly Usdc[]): Usdc => amounts.reduce((total, amount) => plus(total, amount), NO_USDC);
const smaller = (a: Usdc, b: Usdc): Usdc => (a < b ? a : b);

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
  /** The results of the market alone. */
  readonly market: Results;
  /** The results of all markets of its exclusive set. */
  readonly set: Results;
}

/**
 * The positions of one holder that may lose money, and what they may lose in the worst case, with their working orders where
 * they hurt. It is kept as sums, which change with the positions of one set of markets at a time: what is held elsewhere
 * costs nothing to compare with.
 *
 * Exactly one market of an exclusive set resolves YES, maybe one that is not known here, or every share pays one half;
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

  /** The possible losses around this position if it were as given; the sums stay as they are. */
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

/** The most that can be lost, by the names of markets, events, leagues and sports, and in all of them together. */
export interface Losses {
  readonly markets: ReadonlyMap<string, Usdc>;
  readonly events: ReadonlyMap<string, Usdc>;
  readonly leagues: ReadonlyMap<string, Usdc>;
  readonly sports: ReadonlyMap<string, Usdc>;
  readonly exposure: Usdc;
}

/** What an order is about, as the maps of `Losses` name it. */
export type LossNames = Readonly<Record<'market' | 'event' | 'league' | 'sport', string>>;

/** The name of the set to which a market belongs: its own where it excludes no other. */
export function setName(market: string, { exclusiveSet }: Pick<RiskGroup, 'exclusiveSet'>): string {
  return exclusiveSet === null ? market : `${venueOf(market)} ${exclusiveSet}`;
}

/** The names under which the losses of a market are summed. */
function lossNames(market: string, group: RiskGroup): LossNames {
  const { event, league, sport } = group;
  return {
    market,
    event: event === null ? setName(market, group) : `${venueOf(market)} ${event}`,
    league: `${sport ?? ''}/${league ?? ''}`,
    sport: sport ?? '',
  };
}

const venueOf = (market: string): string => market.slice(0, market.indexOf('/'));

/** Losses that change one by one. */
class ChangingLosses implements Losses {
  readonly markets = new Map<string, Usdc>();
  readonly events = new Map<string, Usdc>();
  readonly leagues = new Map<string, Usdc>();
  readonly sports = new Map<string, Usdc>();
  #exposure = NO_USDC;

  get exposure(): Usdc {
    return this.#exposure;
  }

  /** More, or, negative, less may be lost in a set of markets. */
  add({ event, league, sport }: LossNames, amount: Usdc): void {
    if (amount === 0n) return;
    addTo(this.events, event, amount);
    addTo(this.leagues, league, amount);
    addTo(this.sports, sport, amount);
    this.#exposure = plus(this.#exposure, amount);
  }
}

function addTo(sums: Map<string, Usdc>, name: string, amount: Usdc): void {
  const sum = plus(sums.get(name) ?? NO_USDC, amount);
  if (sum === 0n) sums.delete(name);
  else sums.set(name, sum);
}
