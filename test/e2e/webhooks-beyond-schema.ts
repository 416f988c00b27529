import { tokenProblem } from '../../src/core/endpoint/endpoint.js';
import { isZone } from '../../src/core/zone.js';

type Body = Readonly<Record<string, unknown>>;

const OF_PEOPLE = ['chat_id', 'thread_id', 'topic', 'token', 'quiet_hours', 'summary_at', 'zone', 'gather_seconds'];

/** What the document cannot say of a webhook in a schema, and it is refused for all the same. */
export const WEBHOOKS_BEYOND_SCHEMA: Readonly<Record<string, (body: Body) => boolean>> = {
  'a time zone is one of the IANA database': ({ zone }) => typeof zone === 'string' && !isZone(zone),
  'a Telegram bot has a token of its form': ({ kind, token }) =>
    kind === 'telegram' && typeof token === 'string' && tokenProblem(kind, token) !== null,
  'an ntfy server has no path': ({ kind, url }) => kind === 'ntfy' && !/^https?:\/\/[^/?#]+\/?$/.test(String(url)),
  'a webhook of a program has nothing of people': (body) =>
    body['kind'] === undefined && !('market_id' in body) && OF_PEOPLE.some((member) => member in body),
};
