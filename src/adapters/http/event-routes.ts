import * as v from 'valibot';
import type { ReadEvents } from '../../core/usecases/accounts/read-events.js';
import { after, types } from './event-query.js';
import { eventPageOut, presentEvents, withWarnings } from './event-wire.js';
import { limit, pageFrom } from './paging.js';
import { type Route, route } from './route.js';
import { members } from './schema.js';

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
      method: 'GET',
      path: '/v1/events',
      operationId: 'listEvents',
      tag: 'events',
      status: 200,
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
        return { status: 200, body: presentEvents(page, withWarnings(knownSports())) };
      },
    }),
  ];
}
