/** An exact amount in millionths: a numerator, and a denominator above 0. */
export type Exact = readonly [bigint, bigint];

const MICRO = 1_000_000n;
export const ZERO: Exact = [0n, 1n];
export const exact = (n: bigint): Exact => [n, 1n];
const add = (a: Exact, b: Exact): Exact => reduced([a[0] * b[1] + b[0] * a[1], a[1] * b[1]]);
const times = (a: Exact, n: bigint, d: bigint): Exact => reduced([a[0] * n, a[1] * d]);
const negative = ([n, d]: Exact): Exact => [-n, d];
const lower = (a: Exact, b: Exact): Exact => (a[0] * b[1] < b[0] * a[1] ? a : b);
const sum = (all: readonly Exact[]): Exact => all.reduce(add, ZERO);
export const isAbove = (a: Exact, b: Exact): boolean => a[0] * b[1] > b[0] * a[1];
/** How far they are apart. */
export const apart = (a: Exact, b: Exact): Exact => (isAbove(a, b) ? add(a, negative(b)) : add(b, negative(a)));
export const more = (a: Exact, micros: bigint): Exact => add(a, exact(micros));

function reduced([n, d]: Exact): Exact {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b > 0n) [a, b] = [b, a % b];
  return [n / a, d / a];
}

export type Side = 'YES' | 'NO';

/** What the venue says that a market belongs to. */
export interface Group {
  readonly event: string;
  readonly set: string | null;
  readonly role: string | null;
}

/** An order that was accepted, as far as it may still trade. */
export interface Working {
  readonly market: string;
  readonly outcome: Side;
  readonly side: 'BUY' | 'SELL';
  readonly price: bigint;
  readonly shares: bigint;
}

/** What is held of one outcome. */
interface Held {
  shares: bigint;
  cost: Exact;
  fees: Exact;
  group: Group;
}

/** What a sale took out. */
export interface TakenOut {
  readonly shares: bigint;
  readonly cost: Exact;
  readonly fees: Exact;
}

/** The most that can be lost, by the names of markets and events, and in all. `mixed`: the outcomes of a market know other groups. */
export interface Worst {
  readonly by: ReadonlyMap<string, Exact>;
  readonly isMixed: boolean;
}

/**
 * What somebody holds and risks, computed from nothing but what happened, in exact fractions: it shares no rule, no sum and no
 * rounding with the product.
 */
export class Holder {
  readonly #held = new Map<string, Held>();
  /** Cash in and out by trading. */
  #flow: Exact = ZERO;
  /** In millionths, what a taker pays of shares × price × (1 − price). */
  constructor(private readonly feeRate: bigint) {}

  /** An order was accepted, when this was known of its market. Returns whether something else was known before. */
  accepted(market: string, outcome: Side, group: Group): boolean {
    const held = this.#at(market, outcome, group);
    const isOther = JSON.stringify(held.group) !== JSON.stringify(group);
    held.group = group;
    return isOther;
  }

  bought(market: string, outcome: Side, shares: bigint, cost: bigint, fee: bigint): void {
    const held = this.#at(market, outcome);
    held.shares += shares;
    held.cost = add(held.cost, exact(cost));
    held.fees = add(held.fees, exact(fee));
    this.#flow = add(this.#flow, exact(-cost - fee));
  }

  /** Takes out shares with their part of the cost: as many as there are. */
  sold(market: string, outcome: Side, asked: bigint, proceeds: bigint, fee: bigint): TakenOut {
    const held = this.#at(market, outcome);
    const shares = asked < held.shares ? asked : held.shares;
    const rest = held.shares - shares;
    const part = (of: Exact) => (shares === 0n ? ZERO : times(of, shares, held.shares));
    const taken = { shares, cost: part(held.cost), fees: part(held.fees) };
    held.cost = rest === 0n ? ZERO : add(held.cost, negative(taken.cost));
    held.fees = rest === 0n ? ZERO : add(held.fees, negative(taken.fees));
    held.shares = rest;
    if (asked > 0n) this.#flow = add(this.#flow, times(exact(proceeds - fee), shares, asked));
    return taken;
  }

  /** A purchase was undone: its own cost leaves, as far as it is there yet. */
  unbought(market: string, outcome: Side, asked: bigint, cost: bigint, fee: bigint): void {
    const held = this.#at(market, outcome);
    held.shares -= asked < held.shares ? asked : held.shares;
    const rest = (of: Exact, gone: bigint) => (held.shares === 0n ? ZERO : add(of, negative(lower(of, exact(gone)))));
    held.cost = rest(held.cost, cost);
    held.fees = rest(held.fees, fee);
    this.#flow = add(this.#flow, exact(cost + fee));
  }

  /** A sale was undone: what it took out comes back. */
  unsold(market: string, outcome: Side, taken: TakenOut, asked: bigint, proceeds: bigint, fee: bigint): void {
    const held = this.#at(market, outcome);
    held.shares += taken.shares;
    held.cost = add(held.cost, taken.cost);
    held.fees = add(held.fees, taken.fees);
    this.#flow = add(this.#flow, times(exact(fee - proceeds), taken.shares, asked));
  }

  /** A result paid so much a share. */
  paid(market: string, outcome: Side, perShare: bigint): void {
    const held = this.#at(market, outcome);
    this.#flow = add(this.#flow, exact((held.shares * perShare) / MICRO));
    Object.assign(held, { shares: 0n, cost: ZERO, fees: ZERO });
  }

  shares(market: string, outcome: Side): bigint {
    return this.#at(market, outcome).shares;
  }

  /** What trading brought, with what is held at its cost. */
  get gain(): Exact {
    return add(this.#flow, sum([...this.#held.values()].map(({ cost }) => cost)));
  }

  /** What is held has cost this, with fees, and working purchases may still cost more. */
  atWork(working: readonly Working[]): Exact {
    const held = [...this.#held.values()].flatMap(({ cost, fees }) => [cost, fees]);
    return sum([...held, ...working.filter(({ side }) => side === 'BUY').map((order) => this.#mostCost(order))]);
  }

  worst(working: readonly Working[]): Worst {
    const markets = new Map<string, { yes: Exact; no: Exact; split: Exact; groups: Group[] }>();
    for (const [name, held] of this.#held) {
      const [market = '', outcome] = name.split(' ');
      const own = working.filter((one) => one.market === market && one.outcome === outcome);
      if (held.shares === 0n && own.length === 0) continue;
      const value = (pays: bigint) => this.#least(held, own, pays);
      const [won, lost] = [value(MICRO), value(0n)];
      const { yes, no, split, groups } = markets.get(market) ?? { yes: ZERO, no: ZERO, split: ZERO, groups: [] };
      markets.set(market, {
        yes: add(yes, outcome === 'YES' ? won : lost),
        no: add(no, outcome === 'YES' ? lost : won),
        split: add(split, value(MICRO / 2n)),
        groups: [...groups, held.group],
      });
    }
    const by = new Map<string, Exact>();
    const put = (name: string, loss: Exact) => by.set(name, add(by.get(name) ?? ZERO, loss));
    const sets = new Map<string, [string, Outcomes][]>();
    for (const [market, found] of markets) {
      put(`market ${market}`, lossOf([found.yes, found.no, found.split]));
      const group = found.groups[0] as Group;
      const set = group.set === null ? market : `set ${group.set}`;
      sets.set(set, [...(sets.get(set) ?? []), [market, { ...found, group }]]);
    }
    for (const all of sets.values()) {
      const loss = lossOf(resultsOf(all.map(([, one]) => one)));
      put(`event ${all[0]?.[1].group.event}`, loss);
      put('exposure', loss);
    }
    const texts = [...markets.values()].map(({ groups }) => new Set(groups.map((one) => JSON.stringify(one))).size);
    return { by, isMixed: texts.some((count) => count > 1) };
  }

  /** The least that one outcome comes to where a share pays so much, its orders filled only where that hurts. */
  #least({ shares, cost, fees }: Held, own: readonly Working[], pays: bigint): Exact {
    const paid = add(cost, fees);
    const onSale = own.filter(({ side }) => side === 'SELL').reduce((all, one) => all + one.shares, 0n);
    const rest = onSale < shares ? shares - onSale : 0n;
    const worth = (many: bigint) => times(exact(many), pays, MICRO);
    const whole = add(worth(shares), negative(paid));
    const left = rest === 0n ? ZERO : add(worth(rest), negative(times(paid, rest, shares)));
    const buys = own.filter(({ side }) => side === 'BUY');
    const hurts = buys.map((one) => lower(ZERO, add(worth(one.shares), negative(this.#mostCost(one)))));
    return add(shares === 0n ? ZERO : lower(whole, left), sum(hurts));
  }

  /** A better price costs less, also with its fee. */
  #mostCost({ shares, price }: Working): Exact {
    return add(
      times(exact(shares), price, MICRO),
      times(exact(shares), this.feeRate * price * (MICRO - price), MICRO ** 3n),
    );
  }

  #at(market: string, outcome: Side, group: Group = { event: market, set: null, role: null }): Held {
    const name = `${market} ${outcome}`;
    const known = this.#held.get(name);
    if (known !== undefined) return known;
    const held: Held = { shares: 0n, cost: ZERO, fees: ZERO, group };
    this.#held.set(name, held);
    return held;
  }
}

interface Outcomes {
  readonly yes: Exact;
  readonly no: Exact;
  readonly split: Exact;
  readonly group: Group;
}

/** What comes out of markets of which one excludes the others: one of them wins, maybe none, or all are split. */
function resultsOf(markets: readonly Outcomes[]): readonly Exact[] {
  const roles = markets.map(({ group }) => group.role);
  const isWhole = ['home', 'draw', 'away'].every((role) => roles.includes(role));
  const won = markets.map((winner) => sum(markets.map((one) => (one === winner ? one.yes : one.no))));
  const none = sum(markets.map(({ no }) => no));
  return [...won, ...(isWhole ? [] : [none]), sum(markets.map(({ split }) => split))];
}

function lossOf(results: readonly Exact[]): Exact {
  return negative(results.reduce(lower, ZERO));
}

/** What there is of each thing that a limit bounds, by a name, and what there may be. */
export type Figures = ReadonlyMap<string, { readonly is: Exact; readonly cap: Exact }>;

/** Of what is not known by which table it is to be summed: the outcomes of a market know other groups. */
export const NO_CAP = 10n ** 18n;

/** Which are above their limits, and higher than they were. */
export const above = (now: Figures, before: Figures): readonly string[] =>
  [...now].flatMap(([name, { is, cap }]) => {
    const { is: was = ZERO, cap: capBefore = cap } = before.get(name) ?? {};
    if (capBefore[0] === NO_CAP) return [];
    return isAbove(is, cap) && isAbove(is, more(was, 4n)) ? [`${name}: ${Number(is[0]) / Number(is[1])}`] : [];
  });

/** What purchases of a day spent, and how often a strategy bet on it: of the last three days on which there were some. */
export class DayCounts {
  /** What the strategy had gained when it first bought on a day, and how often it did. */
  readonly #bets = new Map<number, { readonly start: Exact; readonly count: number }>();
  /** What a purchase spent, also in fills that were undone. */
  readonly #spent = new Map<string, bigint>();
  readonly #forgotten = new Set<number>();
  #days: readonly number[] = [];

  /** A purchase of the strategy was accepted, after such a gain. */
  bet(day: number, gain: Exact): void {
    const { start, count } = this.#bets.get(day) ?? { start: gain, count: 0 };
    this.#bets.delete(day);
    this.#bets.set(day, { start, count: count + 1 });
    for (const gone of [...this.#bets.keys()].slice(0, -3)) this.#bets.delete(gone);
  }

  /** A purchase was accepted. */
  purchase(day: number): void {
    const all = [...this.#days.filter((one) => one !== day), day];
    this.#days = all.slice(-3);
    for (const gone of all.slice(0, -3)) this.#forgotten.add(gone);
  }

  spend(order: string, amount: bigint): void {
    this.#spent.set(order, this.spentBy(order) + amount);
  }

  spentBy(order: string): bigint {
    return this.#spent.get(order) ?? 0n;
  }

  betsOf(day: number): number {
    return this.#bets.get(day)?.count ?? 0;
  }

  /** What the strategy lost since its first purchase of the day. */
  lostOn(day: number, gain: Exact): Exact {
    const start = this.#bets.get(day)?.start;
    return start === undefined ? ZERO : add(start, negative(gain));
  }

  /** True once purchases of three other days came after those of this one: what they spent need not be known any more. */
  isForgotten(day: number): boolean {
    return this.#forgotten.has(day);
  }
}

/** Whether a worst case is higher than it was before; null where the outcomes of a market know other groups. */
export function isRaised(before: readonly Worst[], after: readonly Worst[]): boolean | null {
  if (after.some(({ isMixed }) => isMixed)) return null;
  return after.some(({ by }, at) =>
    [...by].some(([name, loss]) => isAbove(loss, before[at]?.by.get(name) ?? exact(0n))),
  );
}
