import type { WireWebhook, WireWebhookStatus } from '../../../adapters/http/answers.js';
import { shortId } from '../../../core/ids.js';
import { print } from '../../print.js';
import type { ApiAnswer, ApiClient } from '../client/api-client.js';
import { knownId, WEBHOOK } from '../known-id.js';
import { destinationShown, momentShown } from '../output/shown.js';
import { type Detail, detailsOf, type TableColumn } from '../output/table.js';
import { type Flag, segment } from '../page-options.js';
import { aside, type RemoteOptions } from '../remote-command.js';

/** Which webhook is meant. */
export const WEBHOOK_ID = [
  '<id>',
  'the id of the webhook, or its last 8 characters as stakeport webhooks shows them',
] as const;
/** What to do where the server has no webhooks at all. */
export const NO_WEBHOOKS = 'This server sends no webhooks: its operator has to set SECRETS_KEY.';

/** The option that makes a repetition safe. */
export const KEY_OPTION: Flag = [
  '--key <key>',
  'the idempotency key of a request whose answer was lost: shows what it did',
];
/** What the options of every kind say. */
export interface TermsOptions {
  readonly types?: string;
  readonly description?: string;
}

/** The options that every kind has. */
export const TERMS: readonly Flag[] = [
  ['--types <list>', 'only of these types, separated by commas, such as order.fill,order.settled; or all'],
  ['--description <text>', 'in your own words'],
];

const ALL_TYPES = 'all';
const URL_WIDTH = 50;
const TYPES_WIDTH = 40;

/** Webhooks in a table. */
export const WEBHOOK_COLUMNS: readonly TableColumn<WireWebhookStatus>[] = [
  { title: 'id', of: ({ id }) => shortId(id) },
  { title: 'state', of: ({ state }) => state, painted: true },
  { title: 'to', of: destinationShown, most: URL_WIDTH },
  { title: 'types', of: ({ types }) => typesShown(types), most: TYPES_WIDTH },
  { title: 'last taken', of: ({ delivered_at: at }) => momentShown(at) },
  { title: 'failing since', of: ({ failing_since: at }) => momentShown(at) },
];

/** The types in one text. */
export const typesShown = (types: readonly string[]): string => (types.length === 0 ? ALL_TYPES : types.join(','));

// The option has a list with commas, or `all`.
const typesIn = (text: string): readonly string[] =>
  text === ALL_TYPES ? [] : text.split(',').map((type) => type.trim());

/** What these options say of the types and the description; the others are absent. */
export const termsIn = ({ types, description }: TermsOptions) => ({
  types: types === undefined ? undefined : typesIn(types),
  description,
});

/** What a webhook is. */
export function detailsOfWebhook(webhook: WireWebhook): readonly Detail[] {
  const { id, state, types, skipped } = webhook;
  return [
    ['id', id],
    ['state', state],
    ['to', destinationShown(webhook)],
    ['types', typesShown(types)],
    ['description', webhook.description || null],
    ...personDetails(webhook),
    ...(webhook.disabled_because === null ? [] : [['because', webhook.disabled_because] as const]),
    ...(skipped === null ? [] : [['skipped', `${skipped.from} to ${skipped.to}: ${skipped.because}`] as const]),
    ['made', momentShown(webhook.created_at)],
    ['by', webhook.by],
    ['changed', momentShown(webhook.updated_at)],
  ];
}

function personDetails({
  kind,
  commands_from: users = [],
  quiet_hours: quiet,
  summary_at: summary,
  zone,
  gather_seconds: gather,
}: WireWebhook) {
  if (kind === undefined) return [];
  const hours = quiet ? `${quiet.from} to ${quiet.to}` : null;
  return [
    ['quiet hours', hours],
    ['daily summary', summary ?? null],
    ['time zone', zone ?? null],
    ['sent after', `${gather} s of silence`],
    ...(users.length === 0 ? [] : [['commands from', users.join(', ')] as const]),
  ] as const;
}

/** What a webhook is, and how far it has come. */
export const detailsOfStatus = (webhook: WireWebhookStatus): readonly Detail[] => [
  ...detailsOfWebhook(webhook),
  ['sent up to', webhook.passed],
  ['last taken', momentShown(webhook.delivered_at)],
  ['failing since', momentShown(webhook.failing_since)],
  ['held until', momentShown(webhook.held_until)],
];

/** The path of the webhook that a person names, or of something below it. */
export const webhookPath = async (api: ApiClient, id: string, below = ''): Promise<string> =>
  `${WEBHOOK.path}/${segment(await knownId(api, WEBHOOK, id))}${below}`;

/** Prints a webhook as it is now, with what comes next. */
export function printWebhook(options: RemoteOptions, { text, body }: ApiAnswer<WireWebhook>, next?: string): void {
  print(options.json === true ? text : detailsOf(detailsOfWebhook(body)));
  if (next !== undefined) aside(next, options);
}
