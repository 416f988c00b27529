import { answers } from '../../market/query.js';
import type { OneOrMore } from '../rules/rules.js';
import type { BetInputs } from './bet-inputs.js';
import { chosenOutcome } from './choose-outcome.js';
import type { RuleLog } from './rule-log.js';

/** Whether the market and the outcome are what the rules name; letters compare without case. */
export function testMatch(log: RuleLog, inputs: BetInputs): void {
  const { match } = inputs.rules;
  const { market } = inputs;
  testName(log, 'sport', match.sport, market.sport);
  testName(log, 'league', match.league, market.league);
  testName(log, 'market', match.market, market.kind);
  testEvent(log, match.events, inputs);
  if (match.text !== null)
    log.test('match/text', market.question, match.text, answers(market, { text: match.text }), 'not_matched:text');
  testOutcome(log, inputs);
}

function testName(log: RuleLog, field: string, wanted: OneOrMore<string> | null, found: string | null): void {
  if (wanted === null) return;
  const names = typeof wanted === 'string' ? [wanted] : wanted;
  const bound = names.join(', ');
  if (found === null) log.missing(`match/${field}`, bound, field);
  else
    log.test(
      `match/${field}`,
      found,
      bound,
      names.some((name) => same(name, found)),
      `not_matched:${field}`,
    );
}

function testEvent(log: RuleLog, events: readonly string[] | null, { market: { event } }: BetInputs): void {
  if (events === null) return;
  const bound = events.join(', ');
  if (event === null) {
    log.missing('match/events', bound, 'event');
    return;
  }
  const isNamed = events.some((name) => same(name, event.id) || (event.slug !== null && same(name, event.slug)));
  log.test('match/events', event.slug ?? event.id, bound, isNamed, 'not_matched:events');
}

function testOutcome(log: RuleLog, inputs: BetInputs): void {
  const { outcome: choice } = inputs.rules;
  if (choice === null) {
    log.missing('outcome', null, 'outcome');
    return;
  }
  const chosen = chosenOutcome(choice, inputs);
  const bound =
    typeof choice === 'string'
      ? choice
      : Object.entries(choice).map(([name, value]) => `${NAMES[name] ?? name} ${value}`)[0];
  if ('missing' in chosen) log.missing('outcome', bound ?? null, chosen.missing);
  else log.test('outcome', chosen.reason ?? chosen.value, bound ?? null, chosen.passed, 'not_matched:outcome');
}

const NAMES: Readonly<Record<string, string>> = { favouriteRank: 'favourite_rank' };

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
