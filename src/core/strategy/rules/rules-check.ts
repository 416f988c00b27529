import { RulesInvalid } from '../../errors.js';
import { formatMicro, ONE } from '../../money.js';
import type { Odds, RuleKind } from './rule-member.js';
import { membersOf, type RulePart } from './rule-members.js';
import type { BetLimits, ExitRules, Rules, RulesDraft, Window } from './rules.js';

const ODDS_OF_ONE = 'must be above 1: decimal odds of 1 pay back the stake alone';
/** Sizing that is a fraction of the bankroll. */
const FRACTIONS = ['fixed_fraction', 'kelly', 'edge_proportional'];
/** Sizing that compares a price with a probability. */
const NEEDS_PROBABILITY = ['kelly', 'edge_proportional'];
const MOST_LISTED = 100;
const BELOW_ONE = 'must be below 1';
/** The most bets that a rule may count. */
export const MOST_BETS = 1_000_000;

/** Refuses what no rule can mean. @throws RulesInvalid for the first value, or combination of values, that means nothing. */
export function checkRules(draft: RulesDraft): void {
  checkLists(draft);
  checkOdds(draft.filter.minOdds ?? null, draft.filter.maxOdds ?? null);
  checkSizing(draft);
  checkPrices(draft);
  checkWindow(draft.window ?? {});
  checkLimits(draft.limits ?? {});
  checkExit(draft.exit ?? {});
  const { outcome } = draft;
  if (typeof outcome === 'object' && 'favouriteRank' in outcome && !isCount(outcome.favouriteRank))
    throw new RulesInvalid('outcome/favourite_rank', 'must be 1 for the favourite, 2 for the next, and so on');
}

/**
 * What a strategy needs that trades by itself: no side is ever guessed, and no probability.
 * @throws RulesInvalid
 */
export function checkAutomated({ outcome, signal, sizing, filter, exit }: Rules): void {
  if (outcome === undefined)
    throw new RulesInvalid('outcome', 'is required: a strategy that trades by itself has to name what it bets on');
  if (signal !== undefined) return;
  const why = 'is required: it names the signal that gives the probability for';
  if (NEEDS_PROBABILITY.includes(sizing.method)) throw new RulesInvalid('signal', `${why} ${sizing.method}`);
  if (typeof filter.minEdge === 'bigint') throw new RulesInvalid('signal', `${why} filter/min_edge`);
  if (exit?.edgeBelow !== undefined) throw new RulesInvalid('signal', `${why} exit/edge_below`);
}

function checkLists({ match }: RulesDraft): void {
  const lists = { market: match.market, league: match.league, venue: match.venue, events: match.events };
  for (const [name, list] of Object.entries(lists)) {
    if (list === undefined || typeof list === 'string') continue;
    if (list.length === 0 || list.length > MOST_LISTED)
      throw new RulesInvalid(`match/${name}`, `must have 1 to ${MOST_LISTED} entries; got ${list.length}`);
  }
}

function checkSizing({ sizing, outcome, filter }: RulesDraft): void {
  const { method, value, referenceEdge } = sizing;
  if (FRACTIONS.includes(method) && value > ONE) {
    const got = formatMicro(value);
    throw new RulesInvalid('sizing/value', `must be from 0 to 1 for ${method}: it is a fraction; got ${got}`);
  }
  if (referenceEdge !== undefined && method !== 'edge_proportional')
    throw new RulesInvalid('sizing/reference_edge', 'is for edge_proportional alone');
  if (referenceEdge === 0n) throw new RulesInvalid('sizing/reference_edge', 'must be greater than 0');
  if (method !== 'dutch') return;
  if (outcome !== undefined && outcome !== 'each')
    throw new RulesInvalid('outcome', 'must be "each" for dutch: it divides the stake among the outcomes');
  if (filter.side === 'LAY') throw new RulesInvalid('filter/side', 'must be BACK for dutch');
}

function checkOdds(minOdds: Odds | null, maxOdds: Odds | null): void {
  for (const [member, odds] of [
    ['filter/min_odds', minOdds],
    ['filter/max_odds', maxOdds],
  ] as const)
    if (odds !== null && odds <= ONE) throw new RulesInvalid(member, `${ODDS_OF_ONE}; got ${formatMicro(odds)}`);
  if (minOdds !== null && maxOdds !== null && minOdds > maxOdds) {
    const bounds = `must not be above max_odds, which is ${formatMicro(maxOdds)}`;
    throw new RulesInvalid('filter/min_odds', `${bounds}; got ${formatMicro(minOdds)}`);
  }
}

function checkPrices({ filter, order, exit = {} }: RulesDraft): void {
  const { takeProfit, stop } = exit;
  const bounds: readonly (readonly [string, unknown])[] = [
    ...ofKind('gap', 'filter', filter),
    ...ofKind('gap', 'order', order),
    ['exit/take_profit/price', takeProfit && 'price' in takeProfit ? takeProfit.price : null],
    ['exit/stop/price', stop && 'price' in stop ? stop.price : null],
    ['exit/stop/loss', stop && 'loss' in stop ? stop.loss : null],
  ];
  for (const [member, bound] of bounds)
    if (typeof bound === 'bigint' && bound >= ONE)
      throw new RulesInvalid(member, `${BELOW_ONE}; got ${formatMicro(bound)}`);
}

function checkWindow({ fromMs, toMs }: Window): void {
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
    throw new RulesInvalid('window/from', 'must be before window/to');
}

function checkLimits(limits: BetLimits): void {
  for (const [member, count] of ofKind('count', 'limits', limits)) {
    if (typeof count === 'number' && !isCount(count))
      throw new RulesInvalid(member, `must be a whole number from 1 to ${MOST_BETS}, or null for no limit`);
  }
}

function checkExit({ takeProfit, stop }: ExitRules): void {
  const amounts = { take_profit: takeProfit, stop };
  for (const [name, at] of Object.entries(amounts)) {
    const [none] = Object.entries(at ?? {}).filter(([, amount]) => amount === 0n);
    if (none !== undefined) throw new RulesInvalid(`exit/${name}/${none[0]}`, 'must be greater than 0');
  }
  if (takeProfit === undefined || stop === undefined || !('price' in takeProfit) || !('price' in stop)) return;
  if (takeProfit.price <= stop.price)
    throw new RulesInvalid(
      'exit/take_profit/price',
      `must be above exit/stop/price, which is ${formatMicro(stop.price)}`,
    );
}

/** The members of one kind in a part of rules, each with its name in the interface and its value. */
const ofKind = (kind: RuleKind, part: RulePart, asked: object = {}) =>
  membersOf(part)
    .filter(([, member]) => member.kind === kind)
    .map(([name, { shown }]) => [`${part}/${shown}`, (asked as Readonly<Record<string, unknown>>)[name]] as const);

const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= MOST_BETS;
