import type { OutcomeSide } from '../market/market.js';
import type { MarketRef } from '../market/venue.js';
import { least, minus, NO_USDC, plus, proportion, type Shares, type Usdc } from '../money.js';
import { NO_GROUP, NOTHING_WORKING, type Risk, type RiskGroup } from './risk.js';

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
 * What these positions of one market come to, with their working orders where they hurt; the first that knows its group names
 * it. A sale takes out shares with their part of what was paid: what it brings is at risk no more, before it is filled and
 * after. So a fill within its limit makes nothing worse than it counted before.
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
