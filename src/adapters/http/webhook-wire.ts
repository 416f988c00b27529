import * as v from 'valibot';
import type { Principal } from '../../core/access/principal.js';
import type { EventDelivery, Progress } from '../../core/endpoint/delivery.js';
import { ENDPOINT_STATES, type ShownEndpoint } from '../../core/endpoint/endpoint.js';
import { grantOf } from '../../core/endpoint/person-target.js';
import { EVENT_TYPES } from '../../core/ledger/event-log.js';
import type { WebhookPatch } from '../../core/usecases/endpoints/change-webhook.js';
import { seqText } from './event-query.js';
import { messageTermsOf, ntfyIn, personPatchIn, presentTarget, targetOut, telegramIn } from './message-wire.js';
import { describe, means, members, momentOut, seqOut, textOfLength, uuidOut, wholeOut } from './schema.js';

const typeName = v.picklist(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}`);
// A schema of its own: `describe` is remembered for the schema object.
const seqIn = describe(v.pipe(v.string('must be a string'), seqText), {
  type: 'string',
  pattern: '^(0|[1-9][0-9]{0,14})$',
});

const writable = {
  types: v.optional(
    means(
      v.pipe(v.array(typeName), v.maxLength(EVENT_TYPES.length)),
      'The types of events to send; empty or absent for all.',
    ),
  ),
  description: v.optional(means(textOfLength(0, 200), 'In your own words.')),
};
const url = means(
  textOfLength(1, 2000),
  'Where to send them: https, of the public Internet.',
  'https://example.org/stakeport',
);

/** The body of `POST /v1/webhooks`. */
export const createWebhookBody = v.variant(
  'kind',
  [
    members({ kind: v.optional(means(v.literal('webhook'), 'Signed requests to a program.')), url, ...writable }),
    members({ ...telegramIn, ...writable }),
    members({ ...ntfyIn, ...writable }),
  ],
  'must be webhook, telegram or ntfy',
);

/** The body of `PATCH /v1/webhooks/{id}`: what its kind does not have is refused once that is known. */
export const changeWebhookBody = members({ url: v.optional(url), ...personPatchIn, ...writable });

/** What such a body changes. */
export function webhookPatchOf(body: v.InferOutput<typeof changeWebhookBody>, principal: Principal): WebhookPatch {
  const { url: to, types, description, chat_id: chatId, thread_id: threadId, topic, token } = body;
  const commandsFrom = body.commands_from && grantOf(body.commands_from, principal);
  return { url: to, types, description, chatId, threadId, commandsFrom, topic, token, terms: messageTermsOf(body) };
}

/** The body of `POST /v1/webhooks/{id}/replay`: one of the two. */
export const replayBody = v.union(
  [
    members({ seq: means(seqIn, 'The number of the event to send once more.', '41') }),
    members({ after: means(seqIn, 'Everything that it wants after this event.', '40') }),
  ],
  'must have either seq or after, the number of an event as text',
);

/** What became of a webhook's removal is in its event: the API itself shows none that was removed. */
const skippedOut = v.object({
  from: means(seqOut, 'The first event.', '41'),
  to: means(seqOut, 'The last one.', '41'),
  order_id: means(v.nullable(uuidOut), 'The order that the event is about; null where it is about none, or several.'),
  because: means(
    v.picklist(['passed', 'given_up', 'gone']),
    '`passed`: later events of its order go on while it is tried further. `given_up`: its last try failed. `gone`: the log has it no more.',
  ),
});

/** A webhook without its secret, or the messenger target of a person without its token. */
export const webhookOut = v.object({
  id: means(uuidOut, 'The id of the webhook.'),
  ...targetOut,
  types: means(v.array(v.picklist(EVENT_TYPES)), 'The types of events that are sent; empty for all.'),
  description: means(v.string(), 'In the words of whoever made it.'),
  by: means(v.string(), 'The credential that made it, or last changed where it leads: the id of a key.', '4f1c0b7a'),
  state: means(
    v.picklist(ENDPOINT_STATES),
    '`unverified` until its receiver takes a ping, `active`, `disabled` by hand, or when its receiver took nothing for five days or wants nothing any more, `removed` in the event of its removal.',
  ),
  disabled_because: means(v.nullable(v.string()), 'Why it is disabled; null unless it is.'),
  skipped: means(
    v.nullable(skippedOut),
    'The last events that it was not sent in their turn, or at all; null for none.',
  ),
  created_at: means(momentOut, 'When it was made.'),
  updated_at: means(momentOut, 'When it last changed.'),
});

/** A webhook, and its secret. */
export const secretOut = v.object({
  secret: means(
    v.nullable(v.string()),
    'What its messages are signed with. It is shown this once: null for a repeated request.',
    'whsec_…',
  ),
  ...webhookOut.entries,
});

/** What became of a ping. */
export const pingOut = v.object({
  taken: means(
    v.boolean(),
    'Whether the receiver answered with a status of 200 to 299, or the messenger took a test message.',
  ),
  status: means(
    v.nullable(wholeOut),
    'The status of its answer; null where it was taken, there was none, or for messages to a person.',
  ),
  said: means(v.string(), 'The beginning of the answer, or why there was none; empty where it was taken.'),
  webhook: means(v.object(webhookOut.entries), 'The webhook after it.'),
});

/** How a webhook does, beside what it is. */
export const webhookStatusOut = v.object({
  ...webhookOut.entries,
  passed: means(seqOut, 'The number of the last event that was delivered, or failed and is in its deliveries.', '97'),
  failing_since: means(
    v.nullable(momentOut),
    'When a try first failed since the last that did not; null while none does.',
  ),
  held_until: means(v.nullable(momentOut), 'Until when nothing is sent, as its receiver asked; null where it did not.'),
  delivered_at: means(v.nullable(momentOut), 'When its receiver last took an event; null before.'),
});

/** An event that a webhook did not take. */
export const deliveryOut = v.object({
  seq: means(seqOut, "The number of the event in the account's log.", '41'),
  type: means(v.picklist(EVENT_TYPES), 'The type of the event.', 'order.fill'),
  order_id: means(v.nullable(uuidOut), 'The order that it is about; null where it is about none.'),
  state: means(v.picklist(['waiting', 'given_up']), '`waiting` for its next try, or `given_up` after the last.'),
  tries: means(wholeOut, 'How often it was sent; 0 where it waits for an earlier event of its order.'),
  next_at: means(v.nullable(momentOut), 'When it is sent again; null where it was given up.'),
  tried_at: means(v.nullable(momentOut), 'When it was last sent; null before.'),
  status: means(v.nullable(wholeOut), 'The HTTP status of the last answer; null where there was none.'),
  said: means(v.string(), 'The first 200 characters of that answer, or why there was none.'),
});

/** A webhook as the API shows it. */
export function presentWebhook(endpoint: ShownEndpoint): v.InferInput<typeof webhookOut> {
  const { id, target, types, description, by, state, disabledBecause, skipped, createdAt, updatedAt } = endpoint;
  return {
    id,
    ...presentTarget(target),
    types: [...types] as v.InferInput<typeof webhookOut>['types'],
    description,
    by,
    state,
    disabled_because: disabledBecause,
    skipped: skipped && {
      from: `${skipped.from}`,
      to: `${skipped.to}`,
      order_id: skipped.orderId,
      because: skipped.because,
    },
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

/** A webhook, and how far it has come; undefined where it was sent nothing yet. */
export function presentStatus(endpoint: ShownEndpoint, progress: Progress | undefined) {
  return {
    ...presentWebhook(endpoint),
    passed: `${progress?.passed ?? endpoint.startsAfter}`,
    failing_since: progress?.failingSince?.toISOString() ?? null,
    held_until: progress?.heldUntil?.toISOString() ?? null,
    delivered_at: progress?.deliveredAt?.toISOString() ?? null,
  };
}

/** A delivery as the API shows it. */
export function presentDelivery(delivery: EventDelivery): v.InferInput<typeof deliveryOut> {
  const { seq, type, orderId, tries, nextAt, triedAt, status, said } = delivery;
  return {
    seq: `${seq}`,
    type: type as v.InferInput<typeof deliveryOut>['type'],
    order_id: orderId,
    state: nextAt === null ? 'given_up' : 'waiting',
    tries,
    next_at: nextAt?.toISOString() ?? null,
    tried_at: triedAt?.toISOString() ?? null,
    status,
    said,
  };
}
