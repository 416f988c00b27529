import type { AccountId } from '../ids.js';

/** The routes whose POST takes an idempotency key; part of the key's scope. */
export type RequestRoute =
  | 'orders.place'
  | 'orders.cancel'
  | 'strategies.create'
  | 'strategies.change'
  | 'strategies.pause'
  | 'strategies.resume'
  | 'keys.create'
  | 'accounts.reset'
  | 'trading.set'
  | 'approvals.approve'
  | 'approvals.reject'
  | 'webhooks.create'
  | 'webhooks.rotate';

/** What makes two requests the same one: owner, route and the client's key. */
export interface RequestKey {
  readonly account: AccountId;
  readonly route: RequestRoute;
  /** 1 to 255 printable ASCII characters. */
  readonly key: string;
}

/** A key that was used: what it meant, and the id of the record it made, or the answer itself where it made none. */
export interface RequestRecord extends RequestKey {
  /** The request with its defaults filled in, as canonical text; equal meaning is equal text. */
  readonly meaning: string;
  readonly resource: string;
  /** In the machine's time, like the next: a key is kept for as long as clients may repeat the request. */
  readonly createdAt: Date;
  /** Null is for ever. */
  readonly expiresAt: Date | null;
}

const THIRTY_DAYS_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The record to store with the request's result: kept for ever for real money, 30 days otherwise; none without a key. `now`
 * is the machine's time.
 */
export function requestRecords(
  request: KeyedRequest | null,
  resource: string,
  forEver: boolean,
  now: Date,
): RequestRecord[] {
  if (request === null) return [];
  const expiresAt = forEver ? null : new Date(now.getTime() + THIRTY_DAYS_MS);
  const { account, route, key } = request.key;
  return [{ account, route, key, meaning: request.meaning, resource, createdAt: now, expiresAt }];
}

/** A request that came with an idempotency key: the key, and what the request means. */
export interface KeyedRequest {
  readonly key: RequestKey;
  readonly meaning: string;
}

/** The keyed request for a command; null when the client sent no key. */
export function keyed(
  account: AccountId,
  route: RequestRoute,
  key: string | null,
  command: object,
): KeyedRequest | null {
  return key === null ? null : { key: { account, route, key }, meaning: meaningOf(command) };
}

/** Canonical text of a command: members in a fixed order, amounts as micro-units. */
function meaningOf(command: object): string {
  return JSON.stringify(command, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}`;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
