import * as v from 'valibot';
import { explainRules } from '../../core/strategy/explain/explain-rules.js';
import { pausesStop } from '../../core/strategy/explain/pauses-stop.js';
import { warningsOf } from '../../core/strategy/explain/warnings.js';
import { drafted } from '../../core/strategy/strategy.js';
import { presentRules } from './present-rules.js';
import { type Route, route } from './route.js';
import { rulesOut } from './rules-out.js';
import { means } from './schema.js';
import { createStrategyBody, draftOf } from './strategy-wire.js';
import { warningOut } from './warning-wire.js';

const sentence = v.object({
  pointer: means(v.string(), 'A JSON pointer to the member.', '/rules/outcome'),
  sentence: means(v.string(), 'What it means.', 'Bets for the home team.'),
});

const explanationOut = v.object({
  data: means(v.array(sentence), 'A sentence for each member that does something, defaults too.'),
  warnings: means(v.array(warningOut), 'What is allowed but probably a mistake.'),
  rules: means(rulesOut, 'The rules as the strategy would have them.'),
});

/** `POST /v1/strategies/validate`: what a strategy would do, without making it. */
export function explanation(knownSports: () => readonly string[] | null): Route {
  return route({
    method: 'POST',
    path: '/v1/strategies/validate',
    operationId: 'validateStrategy',
    tag: 'strategies',
    status: 200,
    scopes: ['strategies:read'],
    takesKey: false,
    summary: 'Say what a strategy would do',
    description: 'The body of a creation is checked and explained, a sentence for each member. Nothing is created.',
    body: createStrategyBody,
    answer: explanationOut,
    answerName: 'Explanation',
    problems: [],
    async handle({ body }) {
      const strategy = drafted(draftOf(body));
      const warnings = warningsOf(strategy, knownSports(), pausesStop(strategy));
      return { status: 200, body: { data: explainRules(strategy), warnings, rules: presentRules(strategy) } };
    },
  });
}
