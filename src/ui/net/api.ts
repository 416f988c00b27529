import { onPage } from '../state/words.js';

/** What the service answered instead of what was asked for. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    detail: string,
    /** Which problem it is, such as `key-needed`; empty where the answer does not say. */
    readonly problem = '',
    /** What is wrong with the body, by JSON pointers into it. */
    readonly errors: readonly WrongMember[] = [],
  ) {
    super(detail);
    this.name = 'ApiRefusal';
  }
}

/** What is wrong with one member of a body. */
export interface WrongMember {
  readonly pointer: string;
  readonly detail: string;
}

/** A request besides its path. */
export interface UiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** The version that is changed; the service refuses where there is a newer one. */
  readonly ifVersion?: number;
  /** A key that this request alone is sent with. */
  readonly key?: string;
}

/** The key that was typed in, where the service keeps no session: it lives as long as the page. */
let keyInMemory: string | null = null;
let onUnauthenticated = () => {};

/** Sends this key with every request from now on; null for none. */
export function setKey(key: string | null): void {
  keyInMemory = key;
}

/** Calls it whenever the service does not know who is asking. */
export function whenUnauthenticated(then: () => void): void {
  onUnauthenticated = then;
}

/** Says that the service does not know who is asking. */
export const reportUnauthenticated = (): void => onUnauthenticated();

/** What a request carries to say who is asking: a session's cookie goes by itself. */
export const credentialHeaders = (key: string | null = keyInMemory): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` };

/** Asks the service. @throws ApiRefusal with its reason; TypeError where it does not answer */
export async function api<Answer>(path: string, request: UiRequest = {}): Promise<Answer> {
  const { method = 'GET', body, idempotencyKey, signal, ifVersion, key } = request;
  const response = await fetch(path, {
    method,
    headers: {
      ...credentialHeaders(key),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.status === 401 && key === undefined) onUnauthenticated();
  if (!response.ok) throw await refusalIn(response);
  return response.json();
}

/** The problem that a response holds. */
export async function refusalIn(response: Response): Promise<ApiRefusal> {
  const problem = await response.json().catch(() => ({}));
  const detail =
    typeof problem.detail === 'string' ? onPage(problem.detail) : `The service answered ${response.status}.`;
  const name = String(problem.type ?? '').replace('/problems/', '');
  return new ApiRefusal(response.status, detail, name, problem.errors ?? []);
}

/** A page of a list. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** The first rows of a list, over as many pages as that takes. */
export async function rowsOf<Row>(path: string, most: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: ListPage<Row> = await api(`${path}${path.includes('?') ? '&' : '?'}limit=100${more}`);
    rows.push(...page.data);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null && rows.length < most);
  return rows;
}

/** A fresh idempotency key. `crypto.randomUUID` is missing on plain http outside of this machine. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `ui-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
