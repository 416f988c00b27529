import * as v from 'valibot';
import { EVENT_TYPES, type EventType } from '../../core/ledger/event-log.js';
import { warningsOf } from '../../core/strategy/warnings.js';
import type { ReadEvents } from '../../core/usecases/accounts/read-events.js';
import { eventPageOut, presentEvents } from './event-wire.js';
import { limit, pageFrom } from './paging.js';
import { type Route, route } from './route.js';
import { describe, members } from './schema.js';
import { presentStrategy } from './strategy-wire.js';

const SEQ = /^(0|[1-9][0-9]{0,14})$/;

const after = describe(
  v.pipe(v.string('must be given once'), v.regex(SEQ, 'must be the seq of an event, or 0'), v.transform(Number)),
  {
    type: 'string',
    pattern: SEQ.source,
    description: 'Only events after this `seq`; absent: from the oldest that is kept.',
  },
);

const isType = (text: string): text is EventType => (EVENT_TYPES as readonly string[]).includes(text);

const namesIn = (text: string): string[] => text.split(',');

const types = describe(
  v.pipe(
    v.string('must be given once'),
    v.check(
      (text) => namesIn(text).every(isType),
      `must be types of events, separated by commas: ${EVENT_TYPES.join(', ')}`,
    ),
    v.transform((text) => namesIn(text).filter(isType)),
  ),
  { type: 'string', description: 'Only events of these types, separated by commas: those of the answer.' },
);

/** What `GET /v1/events` needs. */
export interface EventParts {
  readonly readEvents: ReadEvents;
  /** The sports of the venues, for the warnings of strategies; null where they are not known. */
  readonly knownSports: () => readonly string[] | null;
}

/** Everything under `/v1/events`. */
export function eventRoutes({ readEvents, knownSports }: EventParts): Route[] {
  return [
    route({
      ...{ method: 'GET', path: '/v1/events', operationId: 'listEvents', tag: 'events', status: 200 },
      scopes: ['orders:read'],
      summary: 'List what happened to the account, oldest first',
      description:
        'Every change of an order, a strategy, the account, its cash or its keys is one event, numbered from 1 in the order in which they became durable, without holes. Go on from `next_after`: it misses nothing, whatever happens meanwhile. A page of few `types` may be empty although `next_after` is below `head`. Events are kept for 90 days (`EVENTS_KEEP`); the history of an order is kept with the order.',
      query: members({ after: v.optional(after), types: v.optional(types), limit: v.optional(limit) }),
      answer: eventPageOut,
      answerName: 'EventPage',
      problems: ['events-gone'],
      async handle({ principal, query }) {
        const { limit: most } = pageFrom({ limit: query.limit }, String);
        const asked = { limit: most, ...(query.after !== undefined && { after: query.after }) };
        const page = await readEvents.page(principal.account, query.types ?? null, asked);
        const known = knownSports();
        return { status: 200, body: presentEvents(page, (one) => presentStrategy(one, warningsOf(one, known))) };
      },
    }),
  ];
}
