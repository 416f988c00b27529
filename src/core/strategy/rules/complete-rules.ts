import type { OneOrMore, SizingMethod } from './rule-member.js';
import type { Rules, RulesDraft } from './rules.js';
import { checkRules } from './rules-check.js';

/**
 * Fills in the defaults: the sport is the strategy's, the side is BACK.
 * @throws RulesInvalid for a value, or a combination of values, that means nothing.
 */
export function completeRules(draft: RulesDraft, strategySport: string): Rules {
  checkRules(draft);
  const { match, filter, sizing, ...others } = draft;
  const { sport = strategySport, market, league, ...moreMatch } = match;
  const { minOdds = null, maxOdds = null, side = 'BACK', ...moreFilter } = filter;
  return {
    version: 1,
    match: { sport, market: oneOf(market), league: oneOf(league), ...moreMatch },
    filter: { minOdds, maxOdds, side, ...moreFilter },
    sizing,
    ...others,
  };
}

/** A list of one means that one. */
function oneOf<T extends string>(names: OneOrMore<T> | undefined): OneOrMore<T> | null {
  if (names === undefined || typeof names === 'string') return names ?? null;
  const [first, ...others] = new Set(names);
  return first === undefined || others.length > 0 ? [...new Set(names)] : first;
}

const GIVEN_MATCH = ['sport', 'market', 'league'];
const GIVEN_FILTER = ['minOdds', 'maxOdds', 'side'];
const GIVEN_SIZING = ['method', 'value'];
const GIVEN_METHODS: readonly SizingMethod[] = ['fixed_fraction', 'flat', 'kelly'];
const GIVEN = ['version', 'match', 'filter', 'sizing'];

/** True where the client named a member, or a value, that only a strategy that trades by itself needs. */
export function isGrown(rules: Rules): boolean {
  const { match, filter, sizing } = rules;
  const more = (part: object, given: readonly string[]) => Object.keys(part).some((name) => !given.includes(name));
  return (
    more(rules, GIVEN) ||
    more(match, GIVEN_MATCH) ||
    more(filter, GIVEN_FILTER) ||
    more(sizing, GIVEN_SIZING) ||
    !GIVEN_METHODS.includes(sizing.method) ||
    Array.isArray(match.market) ||
    Array.isArray(match.league)
  );
}

/** True of rules that say the same, member by member. */
export const sameRules = (a: Rules, b: Rules): boolean => textOf(a) === textOf(b);

/** Members in the order of their names, so that equal rules are equal text. */
function textOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, member]) => `${name}:${textOf(member)}`).join()}}`;
}
