import type { AccountId, EndpointId, OrderId } from '../ids.js';
import type { PersonTarget } from './person-target.js';

/** What an endpoint is at the moment. One that was removed is kept without its secrets, and not shown. */
export const ENDPOINT_STATES = ['unverified', 'active', 'disabled', 'removed'] as const;

/** One of the states of an endpoint. */
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** A receiver of signed POST requests. */
export interface WebhookTarget {
  readonly kind: 'webhook';
  readonly url: string;
}

/** Where events go: as they are to a program, or in words to a person. */
export type EndpointTarget = WebhookTarget | PersonTarget;

/** What authenticates towards an endpoint, or signs for it, as a `SecretBox` sealed it. */
export interface SealedSecrets {
  /** Empty where nothing authenticates. */
  readonly current: string;
  /** The one before the last rotation, for as long as both are used; null where there is none. */
  readonly previous: { readonly sealed: string; readonly until: Date } | null;
}

/** Events that an endpoint was not sent in order, or not at all. */
export interface SkippedEvents {
  readonly from: number;
  readonly to: number;
  /** The order whose later events pass this one; null where it is about no order, or about several. */
  readonly orderId: OrderId | null;
  /** `passed`: it is tried further while later ones go on. `given_up`: its last try failed. `gone`: the log has it no more. */
  readonly because: 'passed' | 'given_up' | 'gone';
}

/** Where an account has its events sent to. */
export interface Endpoint {
  readonly account: AccountId;
  readonly id: EndpointId;
  readonly target: EndpointTarget;
  /** Types of events; empty for all. */
  readonly types: readonly string[];
  /** In the words of its creator; empty where there are none. */
  readonly description: string;
  /** The credential that made it, or that last changed where it leads. */
  readonly by: string;
  readonly state: EndpointState;
  /** As a sentence; null unless it is disabled. */
  readonly disabledBecause: string | null;
  /** The number of the event of the account's log after which events are sent. */
  readonly startsAfter: number;
  /** The last events that were not sent in order; null where there were none. */
  readonly skipped: SkippedEvents | null;
  readonly secrets: SealedSecrets;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Names an endpoint. */
export type EndpointKey = Pick<Endpoint, 'account' | 'id'>;

/** An endpoint as its account may see it: never with its secrets. */
export type ShownEndpoint = Omit<Endpoint, 'secrets'>;

/** An endpoint of this kind of target. */
export type EndpointTo<Target extends EndpointTarget> = Endpoint & { readonly target: Target };

/** True of one that signed events are sent to. */
export const isWebhook = (endpoint: Endpoint): endpoint is EndpointTo<WebhookTarget> =>
  endpoint.target.kind === 'webhook';

/** How many an account may have. */
export const MOST_ENDPOINTS = 20;

/** True of a type of event that the endpoint is to be sent. */
export const isWanted = ({ types }: Pick<Endpoint, 'types'>, type: string): boolean =>
  types.length === 0 || types.includes(type);

/** An endpoint without its secrets. */
export function shownEndpoint({ secrets: _, ...shown }: Endpoint): ShownEndpoint {
  return shown;
}

const NO_SECRETS: SealedSecrets = { current: '', previous: null };

/** The endpoint after its receiver took a test message. */
export const verified = (endpoint: Endpoint, at: Date): Endpoint => ({ ...endpoint, state: 'active', updatedAt: at });

/** The endpoint as it is sent nothing any more, for a reason that is a sentence. */
export function disabled(endpoint: Endpoint, because: string, at: Date): Endpoint {
  return { ...endpoint, state: 'disabled', disabledBecause: because, updatedAt: at };
}

/** The endpoint as it is sent nothing any more because its key was revoked, whether or not it was verified. */
export const disabledByRevocation = (endpoint: Endpoint, at: Date): Endpoint =>
  disabled(endpoint, revokedBecause(endpoint), at);

const revokedBecause = ({ by }: Endpoint): string => `The key ${by}, which made it, was revoked.`;

/** The endpoint as it is sent everything again; one of a revoked key takes a ping first, since it may never have been verified. */
export function enabled(endpoint: Endpoint, at: Date): Endpoint {
  const state = endpoint.disabledBecause === revokedBecause(endpoint) ? 'unverified' : 'active';
  return { ...endpoint, state, disabledBecause: null, updatedAt: at };
}

/** Gone for its account, and its secrets for everybody. */
export function removed(endpoint: Endpoint, at: Date): Endpoint {
  return { ...endpoint, state: 'removed', disabledBecause: null, secrets: NO_SECRETS, updatedAt: at };
}

/** The endpoint with a new secret, beside which the one before is used until a moment; null for not at all. */
export function rotated(endpoint: Endpoint, sealed: string, until: Date | null, at: Date): Endpoint {
  const previous = until && { sealed: endpoint.secrets.current, until };
  return { ...endpoint, secrets: { current: sealed, previous }, updatedAt: at };
}

/** The endpoint, with events that it was not sent in order. */
export const skipping = (endpoint: Endpoint, skipped: SkippedEvents, at: Date): Endpoint => ({
  ...endpoint,
  skipped,
  updatedAt: at,
});

/** The sealed secrets that are used at a moment, the newest first. */
export function secretsAt({ secrets }: Pick<Endpoint, 'secrets'>, at: Date): readonly string[] {
  const { current, previous } = secrets;
  return previous !== null && at < previous.until ? [current, previous.sealed] : [current];
}

/** An endpoint as its JSON text has it. */
export type Written = Omit<ShownEndpoint, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Reads back an endpoint of JSON text. */
export const endpointFrom = ({ createdAt, updatedAt, ...endpoint }: Written): ShownEndpoint => ({
  ...endpoint,
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});

const BOT_TOKEN = /^\d{1,20}:[\w-]{10,100}$/;
const ACCESS_TOKEN = /^[\x21-\x7e]{1,200}$/;

/** What is wrong with a token for a messenger, in words that follow its name and never hold it; null where nothing is. */
export function tokenProblem(kind: PersonTarget['kind'], token: string | null): string | null {
  if (kind === 'ntfy')
    return token === null || ACCESS_TOKEN.test(token) ? null : 'must have 1 to 200 visible ASCII characters';
  return token !== null && BOT_TOKEN.test(token)
    ? null
    : 'must be the token of a Telegram bot, as BotFather shows it: digits, a colon and letters';
}

/** What can happen to an endpoint, as the types of its events. */
export const WEBHOOK_EVENT_TYPES = [
  'webhook.created',
  'webhook.changed',
  'webhook.verified',
  'webhook.disabled',
  'webhook.enabled',
  'webhook.removed',
  'webhook.skipped',
] as const;

/** What happened to an endpoint; `before` is undefined for a new one. */
export function endpointEventType(
  { state, skipped }: Endpoint,
  before: Endpoint | undefined,
): (typeof WEBHOOK_EVENT_TYPES)[number] {
  if (before === undefined) return 'webhook.created';
  if (state === before.state) return skipped === before.skipped ? 'webhook.changed' : 'webhook.skipped';
  // Another address has to be verified again, and so has one of a revoked key.
  if (state === 'unverified') return 'webhook.changed';
  if (state === 'disabled') return 'webhook.disabled';
  if (state === 'removed') return 'webhook.removed';
  return before.state === 'disabled' ? 'webhook.enabled' : 'webhook.verified';
}
