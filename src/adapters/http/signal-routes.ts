import { checkUnrestrained } from '../../core/access/session-restraint.js';
import type { DomainError } from '../../core/errors.js';
import { SIGNAL_NAME_WORDS, type Signal, type SignalDraft, signalNamed } from '../../core/signal/signal.js';
import { type FaultInSignals, SignalsInvalid } from '../../core/signal/signal-errors.js';
import type { SignalOwner } from '../../core/usecases/signals/complete-signal.js';
import type { PutSignals } from '../../core/usecases/signals/put-signals.js';
import type { ReadSignals } from '../../core/usecases/signals/read-signals.js';
import type { RemoveSignal } from '../../core/usecases/signals/remove-signal.js';
import { venueFilter } from './market-names.js';
import { marketIdOf } from './market-wire.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { Problem } from './problem.js';
import { RESTRAINED, type Route, type RouteCall, route } from './route.js';
import { members } from './schema.js';
import {
  presentSignal,
  putSignalBody,
  putSignalsBody,
  signalCursor,
  signalDraftOf,
  signalFieldError,
  signalFilters,
  signalOut,
  signalPlace,
  signalsOut,
} from './signal-wire.js';

/** The use cases behind `/v1/signals`. */
export interface SignalUseCases {
  readonly putSignals: PutSignals;
  readonly readSignals: ReadSignals;
  readonly removeSignal: RemoveSignal;
}

const LIST = '/v1/signals';
const MODEL = `${LIST}/{name}`;
const ONE = `${MODEL}/{market_id}`;
/** The largest body of a list: a hundred signals with long ids and labels. */
const LIST_BYTES = 64 * 1024;
const MOST_ERRORS = 20;

const answer = { answer: signalOut, answerName: 'Signal' } as const;
const common = { tag: 'signals', status: 200 } as const;
const reading = { ...common, scopes: ['strategies:read'] } as const;
const writing = { ...common, scopes: ['strategies:write'] } as const;
const put = { ...writing, method: 'PUT' } as const;
const MARKET = ['market-not-found', 'market-unusable', 'market-data-unavailable'] as const;

/** Everything under `/v1/signals`. */
export function signalRoutes(use: SignalUseCases): Route[] {
  return [puttingOne(use), puttingMany(use), listing(use), finding(use), removal(use)];
}

function puttingOne({ putSignals }: SignalUseCases): Route {
  return route({
    ...put,
    ...answer,
    path: ONE,
    operationId: 'putSignal',
    summary: 'Say how probable the outcomes of a market are',
    description: `What a model of yours says of one market, under the name of the model (${SIGNAL_NAME_WORDS}), until it expires. It takes the place of what the model said of the market before; a repetition changes nothing.`,
    body: putSignalBody,
    problems: ['not-found', 'too-many-signals', ...MARKET, ...RESTRAINED],
    async handle({ principal, id, second, body }) {
      checkUnrestrained(principal.restraint);
      const owner = ownerOf(principal, id);
      const draft = signalDraftOf(marketIdOf(second), body);
      const [signal] = await stored(putSignals, owner, [draft], () => '');
      return { status: 200, body: presentSignal(signal) };
    },
  });
}

function puttingMany({ putSignals }: SignalUseCases): Route {
  return route({
    ...put,
    path: MODEL,
    operationId: 'putSignals',
    summary: 'Say how probable the outcomes of up to 100 markets are',
    description: 'All of them are stored, or none. The answer has them in the order of the request.',
    body: putSignalsBody,
    bodyLimit: LIST_BYTES,
    answer: signalsOut,
    answerName: 'StoredSignals',
    problems: ['not-found', 'too-many-signals', 'market-data-unavailable', ...RESTRAINED],
    async handle({ principal, id, body }) {
      checkUnrestrained(principal.restraint);
      const drafts = body.signals.map(({ market_id, ...said }) => signalDraftOf(market_id, said));
      const signals = await stored(putSignals, ownerOf(principal, id), drafts, (at) => `/signals/${at}`);
      return { status: 200, body: { data: signals.map(presentSignal) } };
    },
  });
}

function listing({ readSignals }: SignalUseCases): Route {
  return route({
    ...reading,
    method: 'GET',
    path: LIST,
    operationId: 'listSignals',
    summary: 'List signals, by name, venue and market',
    description: 'Those that have expired too, until they are removed.',
    query: listQuery(signalFilters, 'signal'),
    answer: listOut(signalOut),
    answerName: 'SignalList',
    problems: ['market-not-found', 'market-data-unavailable'],
    async handle({ principal: { account }, query }) {
      const { name, market_id: marketId } = query;
      const filter = { ...(name !== undefined && { name }), ...(marketId !== undefined && { marketId }) };
      const page = pageFrom(query, (text) => signalPlace(account, text));
      const { items, next } = await readSignals.many(account, filter, page);
      return { status: 200, body: presentPage({ items, next: next && signalCursor(next) }, presentSignal) };
    },
  });
}

function finding({ readSignals }: SignalUseCases): Route {
  return route({
    ...reading,
    ...answer,
    method: 'GET',
    path: ONE,
    operationId: 'getSignal',
    summary: 'Read what a model says of a market',
    description: 'The newest value, when it was put, and until when it counts.',
    query: members(venueFilter),
    problems: ['not-found', ...MARKET],
    async handle({ principal, id, second, query }) {
      const signal = await readSignals.one(ownerOf(principal, id), query.venue ?? null, marketIdOf(second));
      return { status: 200, body: presentSignal(signal) };
    },
  });
}

function removal({ removeSignal }: SignalUseCases): Route {
  return route({
    ...writing,
    ...answer,
    method: 'DELETE',
    path: ONE,
    operationId: 'deleteSignal',
    summary: 'Remove what a model says of a market',
    description:
      'From then on nothing is decided with it, as when the model is switched off. The answer is what was removed.',
    query: members(venueFilter),
    problems: ['not-found', ...MARKET],
    async handle({ principal, id, second, query }) {
      const signal = await removeSignal.execute(ownerOf(principal, id), query.venue ?? null, marketIdOf(second));
      return { status: 200, body: presentSignal(signal) };
    },
  });
}

/** @throws Problem not-found where no signal can have the name */
function ownerOf({ account }: RouteCall<unknown, unknown>['principal'], name: string): SignalOwner {
  const named = signalNamed(name);
  if (named === undefined) throw new Problem('not-found', `A signal's name must be ${SIGNAL_NAME_WORDS}.`);
  return { account, name: named };
}

/** Stores them all. A market that is not there is the address of a single signal, and a value in a list. */
async function stored(
  putSignals: PutSignals,
  owner: SignalOwner,
  drafts: readonly SignalDraft[],
  rootOf: (at: number) => string,
): Promise<readonly [Signal, ...Signal[]]> {
  try {
    const [first, ...others] = await putSignals.execute({ ...owner, drafts });
    if (first === undefined) throw new TypeError('A request puts at least one signal.');
    return [first, ...others];
  } catch (error) {
    if (!(error instanceof SignalsInvalid)) throw error;
    throw refusalOf(error.faults, rootOf);
  }
}

function refusalOf(faults: SignalsInvalid['faults'], rootOf: (at: number) => string): Problem | DomainError {
  const isAddress = ({ at, member }: FaultInSignals) => rootOf(at) === '' && member === 'marketId';
  const inBody = faults.filter((fault) => !isAddress(fault));
  const [{ refusal }] = faults;
  if (inBody.length === 0 && refusal !== null) return refusal;
  const errors = inBody.slice(0, MOST_ERRORS).map((fault) => signalFieldError(rootOf(fault.at), fault));
  const values = errors.length === 1 ? 'a value' : 'values';
  const first = `${errors[0]?.pointer} ${errors[0]?.detail}`;
  return new Problem('validation-failed', `The body has ${values} that cannot be taken: ${first}.`, { errors });
}
