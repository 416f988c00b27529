import type {
  WireApproval,
  WireList,
  WireOrder,
  WireStrategy,
  WireWebhookStatus,
} from '../../adapters/http/answers.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import type { ApiClient, ApiRequest } from './client/api-client.js';
import { destinationShown } from './output/shown.js';

/** What is identified by an id: where the server lists it, and what to do where there is no such thing. */
export interface IdentifiedThing<Row = never> {
  readonly noun: string;
  readonly path: string;
  readonly missing: string;
  /** Whether the list has pages. */
  readonly isPaged: boolean;
  /** Its rows that a command is most often about, however old they are: they are looked through before the newest. */
  readonly first: readonly NonNullable<ApiRequest['query']>[];
  /** A row in words, beside its id. */
  readonly words: (row: Row) => string;
}

/** What may still trade. The first two cannot be cancelled yet, which has to be said. */
export const WORKING_STATUSES = [
  'pending',
  'unknown',
  'delayed',
  'open',
  'partially_filled',
] as const satisfies WireOrder['status'][];

/** Orders, by their ids. */
export const ORDER: IdentifiedThing<WireOrder> = {
  noun: 'order',
  path: '/v1/exchange/orders',
  missing: 'There is no such order, or it is not yours. Yours are in: stakeport orders',
  isPaged: true,
  first: WORKING_STATUSES.map((status) => ({ status })),
  words: ({ side, name, price, status }) => `${side} ${name} at ${price}, ${status}`,
};

/** Strategies, by their ids. */
export const STRATEGY: IdentifiedThing<WireStrategy> = {
  noun: 'strategy',
  path: '/v1/strategies',
  missing: 'There is no such strategy, or it is not yours. Yours are in: stakeport strategies',
  isPaged: true,
  first: [],
  words: ({ name }) => name,
};

/** Approvals, by their ids. */
export const APPROVAL: IdentifiedThing<WireApproval> = {
  noun: 'approval',
  path: '/v1/approvals',
  missing: 'There is no such approval, or it is not yours. Yours are in: stakeport approvals',
  isPaged: true,
  first: [{ state: 'waiting' }],
  words: ({ decision: { name }, state }) => `${name}, ${state}`,
};

/** Webhooks, by their ids. */
export const WEBHOOK: IdentifiedThing<WireWebhookStatus> = {
  noun: 'webhook',
  path: '/v1/webhooks',
  missing: 'There is no such webhook, or it is not yours. Yours are in: stakeport webhooks',
  isPaged: false,
  first: [],
  words: destinationShown,
};

/** The last characters of an id, 8 or more of them. */
const ENDING = /^[0-9a-f-]{8,35}$/i;
/** So many of the newest are looked through, and as many of those that come first. */
const MOST = 1000;
const PAGE = '100';

/**
 * The whole id of what a person names by its last characters; what is no such text as it is.
 * @throws CommandFailed where nothing ends so among what is looked through, or several things do
 */
export async function knownId<Row extends { readonly id: string }>(
  api: ApiClient,
  thing: IdentifiedThing<Row>,
  text: string,
): Promise<string> {
  if (!isEnding(text)) return text;
  const ending = text.toLowerCase();
  const found = new Map<string, Row>();
  for (const query of [...thing.first, {}])
    for await (const row of rowsOf(api, thing, query)) if (row.id.endsWith(ending)) found.set(row.id, row);
  const one = onlyOne([...found.values()], ending, thing.words);
  if (one === undefined) throw new CommandFailed(notFound(thing, ending), EXIT.no);
  return one.id;
}

/** Whether a person may mean an id by its last characters. */
export const isEnding = (text: string): boolean => ENDING.test(text);

/** The only thing that was found; undefined for none. @throws CommandFailed for several, which it lists */
export function onlyOne<Row extends { readonly id: string }>(
  found: readonly Row[],
  ending: string,
  words: (row: Row) => string,
): Row | undefined {
  if (found.length < 2) return found[0];
  const matches = found.map((row) => `${row.id} (${inOneLine(words(row))})`).join(', ');
  throw new CommandFailed(`Several end in ${ending}: ${matches}. Say the whole id. Nothing was done.`, EXIT.usage);
}

/** The id of an option that may be absent. */
export async function knownOption<Row extends { readonly id: string }>(
  api: ApiClient,
  thing: IdentifiedThing<Row>,
  text: string | undefined,
): Promise<string | undefined> {
  return text === undefined ? undefined : knownId(api, thing, text);
}

async function* rowsOf<Row>(
  api: ApiClient,
  { path, missing, isPaged }: IdentifiedThing<Row>,
  filter: NonNullable<ApiRequest['query']>,
): AsyncGenerator<Row> {
  let cursor: string | null | undefined;
  for (let read = 0; read < MOST && cursor !== null; read += Number(PAGE)) {
    const query = isPaged ? { ...filter, limit: PAGE, cursor } : filter;
    const { body } = await api.request<Partial<WireList<Row>>>({ path, query, missing });
    yield* body.data ?? [];
    cursor = body.next_cursor ?? null;
  }
}

const notFound = ({ noun, missing }: IdentifiedThing<never>, ending: string): string =>
  `No ${noun} ends in ${ending}, of the newest ${MOST}: an older one is found by its whole id. ${missing.slice(missing.indexOf('Yours'))}`;
