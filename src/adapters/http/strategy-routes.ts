import * as v from 'valibot';
import type { Principal } from '../../core/access/principal.js';
import { liveGrantOf } from '../../core/access/session.js';
import type { StrategyId } from '../../core/ids.js';
import { explainRules } from '../../core/strategy/explain/explain-rules.js';
import { pausesStop } from '../../core/strategy/explain/pauses-stop.js';
import { type WarningTerms, warningsOf } from '../../core/strategy/explain/warnings.js';
import { drafted, type Strategy, type StrategyPatch } from '../../core/strategy/strategy.js';
import type { ArchiveStrategy, ChangeStrategy } from '../../core/usecases/strategies/change-strategy.js';
import type { CreateStrategy } from '../../core/usecases/strategies/create-strategy.js';
import type { ReadStrategies } from '../../core/usecases/strategies/read-strategies.js';
import { entityTag, preconditionOf } from './headers.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { presentRules } from './present-rules.js';
import { RESTRAINED, type Reply, type Route, type RouteCall, route } from './route.js';
import { rulesOut } from './rules-out.js';
import { means } from './schema.js';
import {
  changeStrategyBody,
  createStrategyBody,
  draftOf,
  patchOf,
  presentStrategy,
  strategyFilters,
  strategyOut,
} from './strategy-wire.js';
import { warningOut } from './warning-wire.js';

/** The use cases behind `/v1/strategies`. */
export interface StrategyUseCases {
  readonly createStrategy: CreateStrategy;
  readonly changeStrategy: ChangeStrategy;
  readonly archiveStrategy: ArchiveStrategy;
  readonly readStrategies: ReadStrategies;
  /** The sports of the known markets, without a request to the venue; null where they are not known. */
  readonly knownSports: () => readonly string[] | null;
  /** Whether some of them have one net position each. */
  readonly netsOutcomes: () => boolean;
  /** The names of the venues; null where they are not known. */
  readonly knownVenues: () => readonly string[] | null;
}

type KnownMarkets = Pick<StrategyUseCases, 'knownSports' | 'netsOutcomes' | 'knownVenues'>;

const LIST = '/v1/strategies';
const ONE = '/v1/strategies/{sid}';
const answer = { answer: strategyOut, answerName: 'Strategy', answerHeaders: ['etag'] } as const;
const one = { path: ONE, uuid: true, tag: 'strategies', status: 200, ...answer } as const;

/** Everything under `/v1/strategies`. */
export function strategyRoutes(use: StrategyUseCases): Route[] {
  const present: Present = (strategy, isUnguarded) =>
    presentStrategy(strategy, warningsOf(strategy, use.knownSports(), { ...knownOf(use), isUnguarded }));
  return [
    creation(use, present),
    explanation(use),
    listing(use, present),
    finding(use, present),
    versions(use, present),
    ...changing(use, present),
    switching(use, present, true),
    switching(use, present, false),
  ];
}

type Present = (strategy: Strategy, isUnguarded: boolean) => object;

function creation({ createStrategy }: StrategyUseCases, present: Present): Route {
  return route({
    ...answer,
    method: 'POST',
    path: LIST,
    operationId: 'createStrategy',
    tag: 'strategies',
    status: 201,
    summary: 'Create a strategy',
    description:
      'It starts unpaused and on paper only, unless `is_paused` or `paper_only` say otherwise. Repeated with the same Idempotency-Key, the answer is the strategy as it is now, deleted or not.',
    scopes: ['strategies:write'],
    body: createStrategyBody,
    answerHeaders: ['location', 'etag'],
    problems: ['live-trading-not-enabled', 'too-many-automated', ...RESTRAINED],
    async handle({ principal, body, idempotencyKey }) {
      const { record, replayed } = await createStrategy.execute({
        account: principal.account,
        draft: draftOf(body),
        by: liveGrantOf(principal),
        restraint: principal.restraint,
        idempotencyKey,
      });
      return {
        ...reply(present(record, false), record, replayed),
        status: 201,
        headers: { ...tag(record), location: `${LIST}/${record.id}` },
      };
    },
  });
}

function listing({ readStrategies }: StrategyUseCases, present: Present): Route {
  return route({
    method: 'GET',
    path: LIST,
    operationId: 'listStrategies',
    tag: 'strategies',
    status: 200,
    scopes: ['strategies:read'],
    summary: 'List strategies, newest first',
    description: 'Those of the account that are not archived, each in its current version.',
    query: listQuery(strategyFilters, 'id'),
    answer: listOut(strategyOut),
    answerName: 'StrategyList',
    problems: [],
    async handle({ principal, query }) {
      const { sport, is_paused: isPaused } = query;
      const filter = { ...(sport !== undefined && { sport }), ...(isPaused !== undefined && { isPaused }) };
      const page = await readStrategies.many(
        principal.account,
        filter,
        pageFrom(query, (key) => key as StrategyId),
      );
      const unguarded = await readStrategies.unguarded(principal.account, page.items);
      const body = presentPage(page, (strategy) => present(strategy, unguarded.has(strategy.id)));
      return { status: 200, body };
    },
  });
}

function finding(use: StrategyUseCases, present: Present): Route {
  return route({
    ...one,
    method: 'GET',
    operationId: 'getStrategy',
    scopes: ['strategies:read'],
    summary: 'Read a strategy',
    description:
      'The current version, with its `ETag`: send it back as `If-Match` to change nothing that you have not seen.',
    problems: ['not-found'],
    handle: async ({ principal, id }) =>
      current(use, present, await use.readStrategies.one(principal.account, id as StrategyId)),
  });
}

function versions({ readStrategies }: StrategyUseCases, present: Present): Route {
  return route({
    method: 'GET',
    path: `${ONE}/versions`,
    uuid: true,
    operationId: 'listStrategyVersions',
    tag: 'strategies',
    status: 200,
    scopes: ['strategies:read'],
    summary: 'List every version of a strategy, newest first',
    description:
      'Versions never change. An order names the version that it was placed under. A deleted strategy keeps its versions.',
    query: listQuery({}, 'place'),
    answer: listOut(strategyOut),
    answerName: 'StrategyList',
    problems: ['not-found'],
    async handle({ principal, id, query }) {
      const page = await readStrategies.versions(principal.account, id as StrategyId, pageFrom(query, Number));
      return { status: 200, body: presentPage(page, (version) => present(version, false)) };
    },
  });
}

function changing(use: StrategyUseCases, present: Present): Route[] {
  const { changeStrategy, archiveStrategy } = use;
  const scopes = ['strategies:write'] as const;
  return [
    route({
      ...one,
      method: 'PATCH',
      operationId: 'updateStrategy',
      scopes,
      takesIfMatch: true,
      summary: 'Update a strategy',
      description:
        'Absent members stay unchanged, as does the name for `name: null`. Each change makes a new version; a patch that changes nothing makes none.',
      body: changeStrategyBody,
      problems: [
        'not-found',
        'precondition-failed',
        'live-trading-not-enabled',
        'too-many-versions',
        'too-many-automated',
        ...RESTRAINED,
      ] as const,
      async handle({ principal, id, body, req }) {
        const change = changeCommand(principal, id, patchOf(body));
        const { record } = await changeStrategy.execute({
          ...change,
          route: 'strategies.change',
          precondition: preconditionOf(req),
        });
        return current(use, present, record);
      },
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: 'deleteStrategy',
      scopes,
      takesIfMatch: true,
      summary: 'Archive a strategy',
      description: 'It takes no more orders and can no longer be read or changed. Its versions and its orders stay.',
      problems: ['not-found', 'precondition-failed'],
      async handle({ principal, id, req }) {
        const precondition = preconditionOf(req);
        const command = { account: principal.account, strategyId: id as StrategyId, precondition };
        const archived = await archiveStrategy.execute(command);
        return reply(present(archived, false), archived);
      },
    }),
  ];
}

function switching(use: StrategyUseCases, present: Present, isPaused: boolean): Route {
  const verb = isPaused ? 'pause' : 'resume';
  return route({
    ...one,
    method: 'POST',
    path: `${ONE}/${verb}`,
    operationId: `${verb}Strategy`,
    scopes: ['strategies:write'],
    summary: isPaused ? 'Pause a strategy: its new orders are denied' : 'Resume a paused strategy',
    description: isPaused
      ? 'Orders under it are recorded as `denied` until it is resumed; what rests, and what it holds, stays as it is.'
      : 'Its orders are taken again. What stops trading otherwise still stops them.',
    problems: ['not-found', 'live-trading-not-enabled', 'too-many-versions', ...RESTRAINED],
    async handle({ principal, id, idempotencyKey }: RouteCall<unknown, unknown>) {
      const change = changeCommand(principal, id, { isPaused });
      const { record, replayed } = await use.changeStrategy.execute({
        ...change,
        route: `strategies.${verb}`,
        idempotencyKey,
      });
      return current(use, present, record, replayed);
    },
  });
}

function changeCommand(principal: Principal, id: string, patch: StrategyPatch) {
  const { account, restraint } = principal;
  const of = { account, strategyId: id as StrategyId, by: liveGrantOf(principal), restraint };
  return { ...of, patch, precondition: null, idempotencyKey: null };
}

const tag = (strategy: Strategy) => ({ etag: entityTag(strategy.version) });

function reply(body: object, strategy: Strategy, replayed = false): Reply {
  return { status: 200, body, headers: tag(strategy), replayed };
}

/** A strategy as it is now, with what its money at work makes worth a warning. */
async function current(
  { readStrategies }: StrategyUseCases,
  present: Present,
  strategy: Strategy,
  replayed = false,
): Promise<Reply> {
  const unguarded = await readStrategies.unguarded(strategy.account, [strategy]);
  return reply(present(strategy, unguarded.has(strategy.id)), strategy, replayed);
}

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
const knownOf = ({ netsOutcomes, knownVenues }: KnownMarkets): WarningTerms => ({
  nets: netsOutcomes(),
  venues: knownVenues(),
});

function explanation(known: KnownMarkets): Route {
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
      const terms = { ...knownOf(known), isUnguarded: pausesStop(strategy) };
      const warnings = warningsOf(strategy, known.knownSports(), terms);
      return { status: 200, body: { data: explainRules(strategy), warnings, rules: presentRules(strategy) } };
    },
  });
}
