import type { OutcomeSide } from '../market/market.js';
import { type MarketRef, marketName } from '../market/venue.js';
import { minus, NO_USDC, plus, type Shares, type Usdc } from '../money.js';
import { NO_GROUP, NOTHING_WORKING, type Risk, type RiskGroup } from './risk.js';

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

/** A position as far as losses go: those of a whole account, or the part of one strategy. */
export interface RiskyPosition extends MarketRef {
  readonly outcome: OutcomeSide;
  readonly shares: Shares;
  readonly cost: Usdc;
  readonly fees: Usdc;
  readonly risk?: Risk | undefined;
}

/** What the account gets out of one market, less what it paid: if YES wins, if NO wins, and if each share pays one half. */
interface MarketResult {
  group: RiskGroup;
  yes: Usdc;
  no: Usdc;
  split: Usdc;
}

/**
 * The worst case of these positions, and of their working orders where they hurt. Of the markets of an exclusive set exactly
 * one resolves YES, maybe one that is not among them, or every share pays one half; the worst of these counts. Losses of
 * markets that have no such set are summed, never netted: what one result means for another is not known. Markets whose
 * event, league or sport is not known are an event of their own, in one unknown league and sport.
 */
export function worstCase(positions: readonly RiskyPosition[]): Losses {
  const results = resultsOf(positions);
  const markets = new Map([...results].map(([name, result]) => [name, lossOf(worstOfSet([result]))]));
  const sets = new Map<string, { names: LossNames; results: MarketResult[] }>();
  for (const [name, result] of results) {
    const [venue = ''] = name.split('/');
    const { exclusiveSet } = result.group;
    const set = exclusiveSet === null ? name : `${venue} ${exclusiveSet}`;
    const known = sets.get(set);
    if (known === undefined) sets.set(set, { names: lossNames(name, result.group), results: [result] });
    else known.results.push(result);
  }
  const sums = { events: new Map<string, Usdc>(), leagues: new Map<string, Usdc>(), sports: new Map<string, Usdc>() };
  let exposure = NO_USDC;
  for (const { names, results: members } of sets.values()) {
    const loss = lossOf(worstOfSet(members));
    add(sums.events, names.event, loss);
    add(sums.leagues, names.league, loss);
    add(sums.sports, names.sport, loss);
    exposure = plus(exposure, loss);
  }
  return { markets, ...sums, exposure };
}

/** The names under which the losses of a market are summed. */
export function lossNames(market: string, { event, exclusiveSet, league, sport }: RiskGroup): LossNames {
  const [venue = ''] = market.split('/');
  const own = exclusiveSet === null ? market : `${venue} ${exclusiveSet}`;
  return {
    market,
    event: event === null ? own : `${venue} ${event}`,
    league: `${sport ?? ''}/${league ?? ''}`,
    sport: sport ?? '',
  };
}

function resultsOf(positions: readonly RiskyPosition[]): Map<string, MarketResult> {
  const results = new Map<string, MarketResult>();
  for (const position of positions) {
    const name = marketName(position);
    const result = results.get(name) ?? { group: NO_GROUP, yes: NO_USDC, no: NO_USDC, split: NO_USDC };
    const { shares, cost, fees, outcome, risk } = position;
    const { lost, split, won } = risk?.working ?? NOTHING_WORKING;
    const paid = plus(cost, fees);
    const ifWon = ((shares as bigint) - paid - won) as Usdc;
    const ifLost = (-paid - lost) as Usdc;
    const ifSplit = (shares / 2n - paid - split) as Usdc;
    results.set(name, {
      group: isKnown(result.group) ? result.group : (risk?.group ?? NO_GROUP),
      yes: plus(result.yes, outcome === 'YES' ? ifWon : ifLost),
      no: plus(result.no, outcome === 'YES' ? ifLost : ifWon),
      split: plus(result.split, ifSplit),
    });
  }
  return results;
}

const isKnown = ({ event, exclusiveSet, league, sport }: RiskGroup): boolean =>
  event !== null || exclusiveSet !== null || league !== null || sport !== null;

/** The least that comes out of the markets of one set; of one market alone, of YES, of NO and of a split. */
function worstOfSet(results: readonly MarketResult[]): Usdc {
  const none = sum(results.map(({ no }) => no));
  const split = sum(results.map((result) => result.split));
  const each = results.map(({ yes, no }) => plus(none, minus(yes, no)));
  return [...(isExhaustive(results) ? [] : [none]), split, ...each].reduce(smaller);
}

/** A game is won at home, away, or by nobody. A set of other markets may have one that is not among them. */
function isExhaustive(results: readonly MarketResult[]): boolean {
  const roles = new Set(results.map(({ group }) => group.role));
  return roles.has('home') && roles.has('away') && roles.has('draw');
}

const sum = (amounts: readonly Usdc[]): Usdc => amounts.reduce((total, amount) => plus(total, amount), NO_USDC);
const smaller = (a: Usdc, b: Usdc): Usdc => (a < b ? a : b);
const lossOf = (worst: Usdc): Usdc => (worst < 0n ? (-worst as Usdc) : NO_USDC);

function add(sums: Map<string, Usdc>, name: string, loss: Usdc): void {
  sums.set(name, plus(sums.get(name) ?? NO_USDC, loss));
}
