import * as v from 'valibot';
import { EVENT_TYPES } from '../../core/ledger/event-log.js';
import { DATA_OF_KIND, eventOut, kindOfType } from './event-wire.js';
import { describe, means, momentOut } from './schema.js';
import { schemaOf } from './shown-schema.js';

/** What is sent to webhooks, as the document has it. */
export interface ShownMessages {
  readonly webhooks: Readonly<Record<string, object>>;
  /** The bodies, by their names. */
  readonly schemas: Readonly<Record<string, object>>;
}

const HEADERS = {
  'webhook-id':
    'The same at every try, at every webhook: deal with each once. `evt_<account>_<seq>` of an event, `msg_<id>` of a ping.',
  'webhook-timestamp': 'When this try was sent, in seconds since 1970. Refuse what is more than five minutes off.',
  'webhook-signature':
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces, two for a day after a rotation: `v1,` and the Base64 text of its HMAC-SHA256 with the secret. The libraries of Standard Webhooks verify them.',
} as const;

const RETRY_AFTER = {
  'retry-after': {
    description: 'How long to wait, in seconds or as a date; up to a day is obeyed.',
    schema: { type: 'string' },
  },
};

const RESPONSES = {
  '2XX': { description: 'It was taken, and is not sent again. Answer within 15 seconds; the body does not count.' },
  '410': { description: 'The receiver wants nothing any more: the webhook is disabled.' },
  '429': {
    description: 'The receiver is busy. Nothing is sent to it for five seconds, or for as long as it asks.',
    headers: RETRY_AFTER,
  },
  default: {
    description:
      'It was not taken, a redirect neither: none is followed. It is sent ten times over three days, with the same `webhook-id`, later ones of the same order after it.',
    headers: RETRY_AFTER,
  },
};

const WORDS = {
  description:
    'Sent to each active webhook that wants the type, at least once, those of an order in their order. `data` is the event as `GET /v1/events` shows it.',
};
const PING_WORDS = {
  summary: 'A test message',
  description:
    'Sent by `POST /v1/webhooks/{id}/ping`, once. An unverified webhook that takes it is active from then on.',
};

/** What a receiver gets and may answer, for each kind of event, and for a ping. */
export function webhookMessages(): ShownMessages {
  const ping = v.object({
    type: means(v.literal('webhook.ping'), 'It is a test message.'),
    timestamp: sentAt,
    data: nothing,
  });
  const all = [...Object.entries(DATA_OF_KIND).map(bodyOf), { kind: 'ping', body: ping, words: PING_WORDS }];
  return {
    webhooks: Object.fromEntries(all.map(({ kind, words }) => [kind, { post: operation(kind, words) }])),
    schemas: Object.fromEntries(all.map(({ kind, body }) => [nameOf(kind), schemaOf(body, 'output')])),
  };
}

const nothing = describe(v.object({}), { type: 'object', maxProperties: 0, description: 'Empty.' });
const sentAt = means(momentOut, 'When it happened, at every try; of a ping, when it was sent.');

function bodyOf([kind, data]: readonly [string, v.GenericSchema]) {
  const types = EVENT_TYPES.filter((type) => kindOfType(type) === kind);
  const type = means(v.picklist(types), 'What happened.', types[0]);
  const body = v.object({ type, timestamp: sentAt, data: v.object({ ...eventOut.entries, type, data }) });
  return { kind, body, words: { ...WORDS, summary: `An event whose type begins with ${kind}` } };
}

const nameOf = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Message`;

function operation(kind: string, words: typeof PING_WORDS): object {
  const name = nameOf(kind);
  return {
    operationId: `receive${name}`,
    tags: ['webhooks'],
    ...words,
    security: [],
    parameters: Object.entries(HEADERS).map(([header, description]) => {
      return { name: header, in: 'header', required: true, schema: { type: 'string' }, description };
    }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    },
    responses: RESPONSES,
  };
}
