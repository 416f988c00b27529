import * as v from 'valibot';
import type { ReadEvents } from '../../core/usecases/accounts/read-events.js';
import { after, afterOrHead, beforeOrHead, seqText, types } from './event-query.js';
import type { EventStreams } from './event-streams.js';
import { eventOut, eventPageOut, presentEvents, presentLatest, withWarnings } from './event-wire.js';
import { limit, pageFrom } from './paging.js';
import { Problem } from './problem.js';
import { type Route, route } from './route.js';
import { means, members } from './schema.js';
import { lastEventIdOf } from './sent-event.js';

const DESCRIPTION =
  'Server-sent events: those of `GET /v1/events` with their `seq` as `id`, their type as `event` and the same JSON as `data`, first what the log has after `last-event-id` (or `after`), then each as it is committed. A client that comes back with the last `id` misses none. Events without an `id` are about the stream: `hello` (`head` and `floor` of the log), `caught_up`, `reset` (what followed the `id` is not kept: read orders and portfolio anew; the stream goes on with the oldest that is kept), `state` (whether the service is ready, as `/readyz` says, and what market data does), `bye` before it ends, and with `readings=1` `equity`, `marks` and `feed` (how old the books of the marks are). The connection is kept open by comments.';

/** `GET /v1/events/stream`. */
export function streamRoutes(streams: Pick<EventStreams, 'take'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/events/stream',
      operationId: 'streamEvents',
      tag: 'events',
      status: 200,
      scopes: ['orders:read'],
      summary: 'Follow what happens to the account',
      description: DESCRIPTION,
      query: members({
        after: v.optional(afterOrHead),
        types: v.optional(types),
        readings: v.optional(
          means(v.picklist(['0', '1'], 'must be 0 or 1'), '1: also what the account is worth, whenever that changes.'),
        ),
      }),
      answer: eventOut,
      answerName: 'Event',
      isStream: true,
      problems: ['too-many-streams'],
      async handle({ principal, query, req }) {
        const after = lastEventId(lastEventIdOf(req)) ?? query.after ?? null;
        const asked = { after, types: query.types ?? null, readings: query.readings === '1' };
        return { status: 200, stream: streams.take({ ...asked, principal, req }) };
      },
    }),
  ];
}

/** Null where there is none. @throws Problem bad-request */
function lastEventId(given: string | undefined): number | null {
  if (given === undefined) return null;
  const { success, output } = v.safeParse(seqText, given);
  if (success) return output;
  throw new Problem('bad-request', 'The header last-event-id is the `id` of an event of this stream.');
}

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
      summary: 'List what happened to the account, oldest first, or newest first with `before`',
      description:
        'Every change of an order, a strategy, the account, its cash or its keys is one event, numbered from 1 in the order in which they became durable, without holes. Go on from `next_after`: it misses nothing, whatever happens meanwhile. A page of few `types` may be empty although `next_after` is below `head`, or `next_before` is not null. Events are kept for 90 days (`EVENTS_KEEP`); the history of an order is kept with the order.',
      query: members({
        after: v.optional(after),
        before: v.optional(beforeOrHead),
        types: v.optional(types),
        limit: v.optional(limit),
      }),
      answer: eventPageOut,
      answerName: 'EventPage',
      problems: ['events-gone'],
      async handle({ principal, query }) {
        const { after: from, before, types: kinds = null } = query;
        const { limit: most } = pageFrom({ limit: query.limit }, String);
        const present = withWarnings(knownSports());
        if (before === undefined) {
          const asked = { limit: most, ...(from !== undefined && { after: from }) };
          return { status: 200, body: presentEvents(await readEvents.page(principal.account, kinds, asked), present) };
        }
        if (from !== undefined) throw new Problem('bad-request', 'Give after or before, not both.');
        const asked = { limit: most, ...(before !== 'head' && { after: before }) };
        return { status: 200, body: presentLatest(await readEvents.latest(principal.account, kinds, asked), present) };
      },
    }),
  ];
}
