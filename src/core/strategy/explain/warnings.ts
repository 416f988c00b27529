import { formatMicro, ONE } from '../../money.js';
import { isAnyVenue } from '../rules/condition-members.js';
import type { Strategy } from '../strategy.js';
import { type AutomatedRules, automationWarnings } from './automation-warnings.js';
import type { Warning } from './warning.js';

/** The members of a strategy that are checked for warnings. */
export type WarnedAbout = Pick<Strategy, 'sport' | 'rules' | 'bankrollCap' | 'stakeCap'> & AutomatedRules;

/** What else is known where a strategy trades. */
export interface WarningTerms {
  /** Whether a pause keeps its stop from selling what it holds. */
  readonly isUnguarded?: boolean;
  /** Whether some of the known markets have one net position each. */
  readonly nets?: boolean;
  /** The names of the venues; null where they are not known. */
  readonly venues?: readonly string[] | null;
}

/** The lowest price is a millionth of a dollar. */
const LONGEST_ODDS = 1_000_000n * ONE;

/**
 * What in a strategy is allowed but probably a mistake; nothing is refused for it. `sports` are those of the known markets,
 * in any case of letters; null where they are not known.
 */
export function warningsOf(
  strategy: WarnedAbout,
  sports: readonly string[] | null,
  { isUnguarded = false, nets = false, venues = null }: WarningTerms = {},
): readonly Warning[] {
  return [
    ...sportWarnings(strategy, sports),
    ...venueWarnings(strategy, venues),
    ...textWarnings(strategy),
    ...filterWarnings(strategy),
    ...sizingWarnings(strategy),
    ...capWarnings(strategy),
    ...automationWarnings(strategy),
    ...(isUnguarded ? [UNGUARDED] : []),
    ...(nets && mayBuyBoth(strategy) ? [ONE_AT_A_TIME] : []),
  ];
}

const UNGUARDED: Warning = {
  pointer: '/is_paused',
  detail:
    'is true, so nothing that it holds is sold, not even by rules/exit/stop; the trading state reducing ends its bets and keeps its stop',
};

const ONE_AT_A_TIME: Warning = {
  pointer: '/rules/outcome',
  detail:
    'may choose both outcomes of a market; where a venue keeps one net position of it, bets on the other one are skipped as other_outcome_held while the account holds one',
};

/** True of rules that may choose either outcome of one market, at once or one after the other. */
const mayBuyBoth = ({ rules: { outcome } }: WarnedAbout): boolean =>
  outcome === 'each' || (typeof outcome === 'object' && 'favouriteRank' in outcome);

const MATCH_SPORT = '/rules/match/sport';

function* sportWarnings({ sport, rules }: WarnedAbout, sports: readonly string[] | null): Generator<Warning> {
  const wanted = rules.match.sport;
  const isSame = same(wanted, sport);
  const known = (name: string) => sports === null || sports.some((one) => same(one, name));
  const knownSports = `known are ${(sports ?? []).join(', ')}`;
  if (!known(sport)) yield { pointer: '/sport', detail: `no known market has the sport ${sport}; ${knownSports}` };
  if (isSame) return;
  yield { pointer: MATCH_SPORT, detail: `is ${wanted}, while the sport of the strategy is ${sport}` };
  if (!known(wanted)) yield { pointer: MATCH_SPORT, detail: `no known market has the sport ${wanted}; ${knownSports}` };
}

function* venueWarnings({ rules }: WarnedAbout, venues: readonly string[] | null): Generator<Warning> {
  const { venue = [] } = rules.match;
  if (venues === null || isAnyVenue(venue)) return;
  const pointer = '/rules/match/venue';
  for (const name of typeof venue === 'string' ? [venue] : venue)
    if (!venues.includes(name))
      yield { pointer, detail: `no venue here is called ${name}; known are ${venues.join(', ')}` };
}

/** Sports and leagues are compared whole, so that a blank at an end matches nothing. */
function* textWarnings({ sport, rules }: WarnedAbout): Generator<Warning> {
  const { match } = rules;
  const { league } = match;
  const leagues = Array.isArray(league)
    ? league.map((one, i) => [`/rules/match/league/${i}`, one] as const)
    : ([['/rules/match/league', league ?? '']] as const);
  const texts = [['/sport', sport], [MATCH_SPORT, match.sport === sport ? '' : match.sport], ...leagues] as const;
  for (const [pointer, text] of texts) {
    if (text !== text.trim()) yield { pointer, detail: 'begins or ends with a blank, as no market does' };
  }
}

function* filterWarnings({ rules }: WarnedAbout): Generator<Warning> {
  const { minOdds, maxOdds } = rules.filter;
  if (minOdds !== null && minOdds === maxOdds) {
    const odds = formatMicro(minOdds);
    yield {
      pointer: '/rules/filter/min_odds',
      detail: `is max_odds, so only odds of exactly ${odds} match`,
    };
  }
  if (minOdds !== null && minOdds > LONGEST_ODDS) {
    const most = formatMicro(LONGEST_ODDS);
    const detail = `is ${formatMicro(minOdds)}, and nothing matches: the lowest price, 0.000001, has odds of ${most}`;
    yield { pointer: '/rules/filter/min_odds', detail };
  }
}

/** What becomes of bets whose stake is above a bound. */
const CUT = ': bets are made smaller';

function* sizingWarnings({ rules, stakeCap, bankrollCap }: WarnedAbout): Generator<Warning> {
  const pointer = '/rules/sizing/value';
  const { method, value } = rules.sizing;
  const written = formatMicro(value);
  if (value === 0n) yield { pointer, detail: 'is 0, so every stake is 0 and no bet is made' };
  if (method === 'fixed_fraction' && value === ONE)
    yield { pointer, detail: 'is 1, so one bet stakes the whole free bankroll' };
  if (method !== 'flat') return;
  if (value > stakeCap)
    yield { pointer, detail: `is ${written}, above the stake_cap of ${formatMicro(stakeCap)}${CUT}` };
  if (value > bankrollCap)
    yield { pointer, detail: `is ${written}, above the bankroll_cap of ${formatMicro(bankrollCap)}${CUT}` };
}

function* capWarnings({ stakeCap, bankrollCap }: WarnedAbout): Generator<Warning> {
  if (stakeCap <= bankrollCap) return;
  const caps = `is ${formatMicro(stakeCap)}, above the bankroll_cap of ${formatMicro(bankrollCap)}`;
  yield { pointer: '/stake_cap', detail: `${caps}: no stake can come near it` };
}

/** As markets are searched: in any case. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
