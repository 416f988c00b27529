import type {
  WireApproval,
  WireList,
  WireOrder,
  WireStrategy,
  WireWebhookStatus,
} from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
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
  /** The name of a row, where a person may name it by that. */
  readonly nameOf?: (row: Row) => string;
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

/** Strategies, by their ids or names. */
export const STRATEGY: IdentifiedThing<WireStrategy> = {
  noun: 'strategy',
  path: '/v1/strategies',
  missing: 'There is no such strategy, or it is not yours. Yours are in: stakeport strategies',
  isPaged: true,
  first: [],
  words: ({ name }) => name,
  nameOf: ({ name }) => name,
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

const WHOLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The last characters of an id, 8 or more of them. */
const ENDING = /^[0-9a-f-]{8,35}$/i;
/** So many of the newest are looked through, and as many of those that come first. */
const MOST = 1000;
/** So many of several that are named so are listed. */
const MOST_NAMED = 10;
const PAGE = '100';

/**
 * The whole id of what a person names by its last characters, or by its name or the start of that; a whole id as it is, and of
 * what has no names whatever is no ending.
 * @throws CommandFailed where nothing is named so among what is looked through, or several things are
 */
export async function knownId<Row extends { readonly id: string }>(
  api: ApiClient,
  thing: IdentifiedThing<Row>,
  text: string,
): Promise<string> {
  const { nameOf } = thing;
  if (WHOLE.test(text) || (nameOf === undefined && !isEnding(text))) return text;
  const wanted = text.toLowerCase();
  const rows = new Map<string, Row>();
  for (const query of [...thing.first, {}]) for await (const row of rowsOf(api, thing, query)) rows.set(row.id, row);
  const all = [...rows.values()];
  const ending = isEnding(text) ? all.filter(({ id }) => id.endsWith(wanted)) : [];
  const one = onlyOne(ending, wanted, thing.words) ?? (nameOf && onlyNamed(all, text, nameOf));
  if (one === undefined) throw new CommandFailed(notFound(thing, text), EXIT.no);
  return one.id;
}

/** The row of this name, else the only one whose name begins so. @throws CommandFailed for several, which it lists */
function onlyNamed<Row extends { readonly id: string }>(
  rows: readonly Row[],
  text: string,
  nameOf: (row: Row) => string,
): Row | undefined {
  const wanted = text.trim().toLowerCase();
  const named = rows.map((row) => [nameOf(row).trim().toLowerCase(), row] as const);
  const same = named.filter(([name]) => name === wanted);
  const found = same.length > 0 ? same : named.filter(([name]) => name.startsWith(wanted));
  if (found.length < 2) return found[0]?.[1];
  const shown = found.slice(0, MOST_NAMED).map(([, row]) => `${shortId(row.id)} (${inOneLine(nameOf(row))})`);
  const more = found.length > MOST_NAMED ? ', and more' : '';
  const words = `Several names begin with ${inOneLine(text)}: ${shown.join(', ')}${more}. Say one of these ids. Nothing was done.`;
  throw new CommandFailed(words, EXIT.usage);
}

/** The names of these strategies, by their ids, of those that are listed. */
export async function strategyNames(api: ApiClient, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const [wanted, names] = [new Set(ids), new Map<string, string>()];
  if (wanted.size === 0) return names;
  for await (const { id, name } of rowsOf(api, STRATEGY, {})) {
    if (wanted.has(id)) names.set(id, name);
    if (names.size === wanted.size) break;
  }
  return names;
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

function notFound({ noun, missing }: IdentifiedThing<never>, text: string): string {
  const such = `No ${noun} ${isEnding(text) ? `ends in ${text.toLowerCase()}` : `has a name that begins with ${inOneLine(text)}`}`;
  const yours = missing.slice(missing.indexOf('Yours'));
  return `${such}, of the newest ${MOST}: an older one is found by its whole id. ${yours}`;
}
