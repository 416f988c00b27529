import * as v from 'valibot';
import type { Principal } from '../../core/access/principal.js';
import { withCommands } from '../../core/endpoint/change-endpoint.js';
import type { EndpointTarget } from '../../core/endpoint/endpoint.js';
import { DEFAULT_TERMS, type MessageTerms } from '../../core/endpoint/message-terms.js';
import { CHAT_FORM, MOST_GATHER_MS, MOST_THREAD, TIME_FORM, TOPIC_FORM } from '../../core/endpoint/person-forms.js';
import { grantOf, MOST_COMMANDERS, type NtfyTarget, type TelegramTarget } from '../../core/endpoint/person-target.js';
import { isZone } from '../../core/zone.js';
import { JsonNumber } from './json-reader.js';
import { wholeFrom } from './rule-schemas.js';
import { describe, means, members, wholeOut } from './schema.js';

const MOST_CHAT = 8_999_999_999_999_999;
const TOKEN = /^[\x21-\x7e]{1,200}$/;
const SECOND_MS = 1000;

/** A number, however long, or the name of a channel; read as text. */
const chat = describe(
  v.pipe(
    v.unknown(),
    v.transform((value) => (value instanceof JsonNumber ? value.text : value)),
    v.string('must be the number of a chat, or the @name of a channel'),
    v.regex(CHAT_FORM, 'must be the number of a chat, or the @name of a channel'),
  ),
  {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: MOST_CHAT },
      { type: 'integer', minimum: -MOST_CHAT, maximum: -1 },
      { type: 'string', pattern: CHAT_FORM.source },
    ],
  },
);

/** A token of a messenger, which no message that refuses it shows. */
const token = describe(
  v.pipe(
    v.unknown(),
    v.rawCheck(({ dataset: { value }, addIssue }) => {
      if (typeof value === 'string' && TOKEN.test(value)) return;
      addIssue({ message: 'must be text of 1 to 200 visible ASCII characters' });
    }),
    v.transform(String),
  ),
  { type: 'string', pattern: '^[!-~]{1,200}$' },
);

const time = v.pipe(v.string('must be a string'), v.regex(TIME_FORM, 'must be a time of day such as 22:00'));
const zone = describe(
  v.pipe(
    v.string('must be a string'),
    v.check(isZone, 'must be a time zone of the IANA database, such as Europe/Berlin'),
  ),
  { type: 'string' },
);

const chatId = means(chat, 'The chat that the bot writes to: its number, or the `@name` of a channel.', '4711');
const threadId = means(v.nullable(wholeFrom(1, MOST_THREAD)), 'The topic of a group that has topics; null for none.');
const COMMANDERS =
  'The numbers of the Telegram users who may command the account from the chat, with the rights of the credential that sets this; empty for nobody. Another chat or token empties it.';
const commandsFrom = means(
  v.pipe(v.array(wholeFrom(1, MOST_CHAT), 'must be an array of numbers of users'), v.maxLength(MOST_COMMANDERS)),
  COMMANDERS,
);
const topic = means(
  v.pipe(v.string('must be a string'), v.regex(TOPIC_FORM, 'must have 1 to 64 letters, digits, - or _')),
  'The topic. Where it needs no token, whoever guesses it reads along.',
  'bets-f3c1a7',
);
const server = means(v.string('must be a string'), 'The address of the ntfy server.', 'https://ntfy.sh');
const quietHours = members({
  from: means(time, 'When they begin.', '22:00'),
  to: means(time, 'When they end.', '07:00'),
});

const QUIET = 'Hours in which only what is urgent is sent; null for none. What waited is one message at their end.';
const SUMMARY = 'When the daily summary is sent; null for none.';
const ZONE = 'The time zone of both; null for DAY_ZONE of the server.';
const GATHER = 'How long it must be quiet before a message is sent; three times as long at the latest. 0 for at once.';

const terms = {
  quiet_hours: v.optional(means(v.nullable(quietHours), QUIET)),
  summary_at: v.optional(means(v.nullable(time), SUMMARY, '08:00')),
  zone: v.optional(means(v.nullable(zone), ZONE, 'Europe/Berlin')),
  gather_seconds: v.optional(means(wholeFrom(0, MOST_GATHER_MS / SECOND_MS), GATHER, 20)),
};

/** The members of a Telegram chat that a person reads. */
export const telegramIn = {
  kind: means(v.literal('telegram'), 'Messages of a Telegram bot, in words.'),
  chat_id: chatId,
  thread_id: v.optional(threadId),
  commands_from: v.optional(commandsFrom),
  token: means(token, 'The token of the bot. It is kept sealed, and never shown.'),
  ...terms,
};

/** The members of an ntfy topic that a person reads. */
export const ntfyIn = {
  kind: means(v.literal('ntfy'), 'Messages of a topic of an ntfy server, in words.'),
  url: server,
  topic,
  token: v.optional(means(v.nullable(token), 'An access token. It is kept sealed, and never shown. Null for none.')),
  ...terms,
};

/** What may be changed of either. */
export const personPatchIn = {
  chat_id: v.optional(chatId),
  thread_id: v.optional(threadId),
  commands_from: v.optional(commandsFrom),
  topic: v.optional(topic),
  token: v.optional(means(v.nullable(token), 'Another token, used from then on; null for none.')),
  ...terms,
};

const telegramBody = members(telegramIn);
const ntfyBody = members(ntfyIn);
const patchBody = members(personPatchIn);

type TermsIn = Pick<v.InferOutput<typeof patchBody>, keyof typeof terms>;

/** The terms that a body names. */
export function messageTermsOf(body: TermsIn): {
  readonly [Term in keyof MessageTerms]?: MessageTerms[Term] | undefined;
} {
  const { gather_seconds: seconds } = body;
  return {
    quietHours: body.quiet_hours,
    summaryAt: body.summary_at,
    zone: body.zone,
    gatherMs: seconds === undefined ? undefined : seconds * SECOND_MS,
  };
}

/** Where a body says that a person reads. */
export function personTargetOf(
  body: v.InferOutput<typeof telegramBody> | v.InferOutput<typeof ntfyBody>,
  principal: Principal,
): TelegramTarget | NtfyTarget {
  const { quietHours: hours = null, summaryAt = null, zone: name = null, gatherMs } = messageTermsOf(body);
  const wanted = { quietHours: hours, summaryAt, zone: name, gatherMs: gatherMs ?? DEFAULT_TERMS.gatherMs };
  if (body.kind === 'ntfy') return { kind: 'ntfy', url: body.url, topic: body.topic, terms: wanted };
  const chatTarget = {
    kind: 'telegram',
    chatId: body.chat_id,
    threadId: body.thread_id ?? null,
    terms: wanted,
  } as const;
  return withCommands(chatTarget, grantOf(body.commands_from ?? [], principal));
}

const quietHoursOut = v.object({
  from: means(v.string(), 'When they begin.', '22:00'),
  to: means(v.string(), 'When they end.', '07:00'),
});
const OF_PEOPLE = 'Only for messages to a person.';

/** Where an endpoint leads, as it is shown. */
export const targetOut = {
  kind: v.optional(means(v.picklist(['telegram', 'ntfy']), 'How a person gets messages; absent for a webhook.')),
  url: v.optional(
    means(
      v.string(),
      'Where events are sent, or the ntfy server; absent for Telegram.',
      'https://example.org/stakeport',
    ),
  ),
  chat_id: v.optional(means(v.string(), 'The chat; only for Telegram.', '4711')),
  thread_id: v.optional(means(v.nullable(wholeOut), 'The topic of a group; null for none. Only for Telegram.')),
  commands_from: v.optional(means(v.array(wholeOut), `${COMMANDERS} Only for Telegram.`)),
  topic: v.optional(means(v.string(), 'The topic; only for ntfy.', 'bets-f3c1a7')),
  quiet_hours: v.optional(means(v.nullable(quietHoursOut), `${QUIET} ${OF_PEOPLE}`)),
  summary_at: v.optional(means(v.nullable(v.string()), `${SUMMARY} ${OF_PEOPLE}`)),
  zone: v.optional(means(v.nullable(v.string()), `${ZONE} ${OF_PEOPLE}`)),
  gather_seconds: v.optional(means(wholeOut, `${GATHER} ${OF_PEOPLE}`)),
};

type TargetOut = v.InferInput<v.ObjectSchema<typeof targetOut, undefined>>;

/** Where an endpoint leads, never with what authenticates. */
export function presentTarget(target: EndpointTarget): TargetOut {
  switch (target.kind) {
    case 'webhook':
      return { url: target.url };
    case 'ntfy':
      return { kind: 'ntfy', url: target.url, topic: target.topic, ...presentTerms(target.terms) };
    case 'telegram':
      return {
        kind: 'telegram',
        chat_id: target.chatId,
        thread_id: target.threadId,
        commands_from: [...(target.commands?.users ?? [])],
        ...presentTerms(target.terms),
      };
  }
}

const presentTerms = ({ quietHours: hours, summaryAt, zone: name, gatherMs }: MessageTerms) => ({
  quiet_hours: hours && { ...hours },
  summary_at: summaryAt,
  zone: name,
  gather_seconds: Math.round(gatherMs / SECOND_MS),
});
