import * as v from 'valibot';
import type { DecisionId, StrategyId } from '../../core/ids.js';
import type { EvaluateStrategy } from '../../core/usecases/strategies/evaluate-strategy.js';
import type { ReadDecisions } from '../../core/usecases/strategies/read-decisions.js';
import {
  decisionOut,
  evaluationOut,
  presentDecision,
  presentEvaluation,
  presentSkips,
  skipCountOut,
} from './decision-wire.js';
import { JsonNumber } from './json-reader.js';
import { marketIdIn, venueNameIn } from './market-names.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { type Route, route } from './route.js';
import { describe, means, members, momentText, textOfLength, uuid } from './schema.js';
import { createStrategyBody, draftOf } from './strategy-wire.js';

/** The use cases behind decisions. */
export interface DecisionUseCases {
  readonly evaluateStrategy: EvaluateStrategy;
  readonly readDecisions: ReadDecisions;
}

const OF_STRATEGY = '/v1/strategies/{sid}';
const MOST = 100;
const DEFAULT = 50;
const WHOLE = /^[1-9][0-9]{0,2}$/;

const isLimit = (value: unknown) => value instanceof JsonNumber && WHOLE.test(value.text) && Number(value.text) <= MOST;

const limitIn = describe(
  v.pipe(
    v.custom<JsonNumber>(isLimit, `must be a whole number from 1 to ${MOST}`),
    v.transform(({ text }) => Number(text)),
  ),
  { type: 'integer', minimum: 1, maximum: MOST, default: DEFAULT },
);

const lookedAt = {
  market_id: v.optional(means(marketIdIn, 'The only market to look at; absent: every one that the rules may name.')),
  venue: v.optional(means(venueNameIn, 'The venue of that market; the default one when absent.')),
  limit: v.optional(means(limitIn, 'The most decisions to answer.')),
};

const evaluateBody = members(lookedAt);

const evaluateDraftBody = members({
  strategy: means(createStrategyBody, 'The body of a creation.'),
  strategy_id: v.optional(
    means(uuid, 'The strategy that it would be a version of: what that one bet and holds counts; absent: a new one.'),
  ),
  ...lookedAt,
});

const decisionFilters = {
  verdict: v.optional(means(v.picklist(['bet', 'skip'], 'must be bet or skip'), 'Only bets, or only skips.')),
  code: v.optional(means(textOfLength(1, 80), 'Only skips for this reason.')),
  market_id: v.optional(
    means(
      marketIdIn,
      'Only decisions on this market: its id, or another name that the source has for it, such as its slug.',
    ),
  ),
};

const sinceQuery = members({
  since: v.optional(means(momentText, 'From the hour of this moment on; the last 24 hours when absent.')),
});

/** The routes that return what strategies decide, and why. */
export function decisionRoutes(use: DecisionUseCases): Route[] {
  return [evaluating(use), evaluatingDraft(use), listing(use), counting(use), finding(use)];
}

function evaluating({ evaluateStrategy }: DecisionUseCases): Route {
  return route({
    method: 'POST',
    path: `${OF_STRATEGY}/evaluate`,
    uuid: true,
    operationId: 'evaluateStrategy',
    tag: 'strategies',
    status: 200,
    takesKey: false,
    scopes: ['orders:read'],
    summary: 'Tell what a strategy would bet and sell now, and why not',
    description:
      'Judges what the strategy holds and current markets as the strategy would, whether or not it trades by itself. It changes nothing. What it would sell by `exit`, one decision for each outcome that it holds, comes first: `slot` is null, `bound_by` the condition that is true, and `code` is `hold` where none is. Each decision lists every rule with what was found and what it asks for; the first that is not true gives the code.',
    body: evaluateBody,
    answer: v.object({ data: v.array(evaluationOut) }),
    answerName: 'Evaluation',
    problems: ['not-found', 'market-data-unavailable'],
    async handle({ principal, id, body }) {
      const of = { account: principal.account, strategyId: id as StrategyId };
      const decisions = await evaluateStrategy.execute({ ...of, ...lookOf(body) });
      return { status: 200, body: { data: decisions.map(presentEvaluation) } };
    },
  });
}

function evaluatingDraft({ evaluateStrategy }: DecisionUseCases): Route {
  return route({
    method: 'POST',
    path: '/v1/strategies/evaluate',
    operationId: 'evaluateDraft',
    tag: 'strategies',
    status: 200,
    takesKey: false,
    scopes: ['orders:read'],
    summary: 'Tell what a strategy would bet now, before it is made or changed',
    description:
      'As the evaluation of a strategy, of one as its draft says. Nothing is created or changed. A draft of no strategy is judged on paper, and its `strategy_id` is all zeros.',
    body: evaluateDraftBody,
    answer: v.object({ data: v.array(evaluationOut) }),
    answerName: 'Evaluation',
    problems: ['not-found', 'market-data-unavailable'],
    async handle({ principal, body }) {
      const { strategy, strategy_id: id = null } = body;
      const of = { account: principal.account, strategyId: id as StrategyId | null, draft: draftOf(strategy) };
      const decisions = await evaluateStrategy.execute({ ...of, ...lookOf(body) });
      return { status: 200, body: { data: decisions.map(presentEvaluation) } };
    },
  });
}

/** Which markets a body asks for, and how many decisions. */
function lookOf({ market_id: marketId, venue, limit = DEFAULT }: v.InferOutput<typeof evaluateBody>) {
  return { market: marketId === undefined ? null : { venue: venue ?? null, marketId }, limit };
}

function listing({ readDecisions }: DecisionUseCases): Route {
  return route({
    method: 'GET',
    path: `${OF_STRATEGY}/decisions`,
    uuid: true,
    operationId: 'listDecisions',
    tag: 'strategies',
    status: 200,
    scopes: ['orders:read'],
    summary: 'List what a strategy decided, newest first',
    description:
      'Bets are kept for ever. Of skips, the server that runs the strategies remembers the last 100 of each strategy; `decisions/summary` counts all of them.',
    query: listQuery(decisionFilters, 'id'),
    answer: listOut(decisionOut),
    answerName: 'DecisionList',
    problems: ['not-found', 'market-not-found', 'market-data-unavailable'],
    async handle({ principal, id, query }) {
      const { verdict, code, market_id: marketId } = query;
      const filter = {
        ...(verdict !== undefined && { verdict }),
        ...(code !== undefined && { code }),
        ...(marketId !== undefined && { marketId }),
      };
      const page = pageFrom(query, (key) => key as DecisionId);
      const found = await readDecisions.many(principal.account, id as StrategyId, filter, page);
      return { status: 200, body: presentPage(found, presentDecision) };
    },
  });
}

function counting({ readDecisions }: DecisionUseCases): Route {
  return route({
    method: 'GET',
    path: `${OF_STRATEGY}/decisions/summary`,
    uuid: true,
    operationId: 'countSkips',
    tag: 'strategies',
    status: 200,
    scopes: ['orders:read'],
    summary: 'Count why a strategy did not bet, by hour',
    description: 'Counts become visible within 10 seconds.',
    query: sinceQuery,
    answer: v.object({ data: v.array(skipCountOut) }),
    answerName: 'SkipCounts',
    problems: ['not-found'],
    async handle({ principal, id, query }) {
      const counts = await readDecisions.counts(principal.account, id as StrategyId, query.since);
      return { status: 200, body: { data: counts.map(presentSkips) } };
    },
  });
}

function finding({ readDecisions }: DecisionUseCases): Route {
  return route({
    method: 'GET',
    path: '/v1/decisions/{did}',
    uuid: true,
    operationId: 'getDecision',
    tag: 'strategies',
    status: 200,
    scopes: ['orders:read'],
    summary: 'Read a decision',
    description:
      'What a strategy saw, every rule that it tested, and what came of it. A bet is on record for ever, a skip only while this server remembers it.',
    answer: decisionOut,
    answerName: 'Decision',
    problems: ['not-found'],
    handle: async ({ principal, id }) => ({
      status: 200,
      body: presentDecision(await readDecisions.one(principal.account, id as DecisionId)),
    }),
  });
}
