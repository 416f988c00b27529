import type { EventDelivery, Progress } from '../core/endpoint/delivery.js';
import { type ShownEndpoint, shownEndpoint } from '../core/endpoint/endpoint.js';
import type { EventType } from '../core/ledger/event-log.js';
import type { Slice } from '../core/ledger/query.js';
import type { UseCases } from '../core/usecases/compose.js';
import {
  deliverDueUseCase,
  type MessagePorts,
  type WebhookPorts,
  webhookUseCases,
} from '../core/usecases/compose-webhooks.js';
import type { DueDeliveries } from '../core/usecases/endpoints/background/deliver-due.js';
import type { WhatToReplay } from '../core/usecases/endpoints/replay-webhook.js';
import type { UseCasePorts } from '../core/usecases/use-case-ports.js';
import type { Leasing } from '../ports/leases.js';
import type { Messengers } from '../ports/messenger.js';
import type { WebhookAnswer } from '../ports/webhook-sender.js';
import { eventTypesOf } from './events.js';
import { accountId, keyOf, onlyMembers, type PageRequest, pageOf, refuse, shownBriefly, webhookId } from './input.js';
import { type PersonRequest, targetOf } from './people.js';

/** What keeps the secrets of webhooks, and sends to them and to people. */
export interface WebhookOptions extends Omit<WebhookPorts, 'messages'> {
  /** Those of `stakeport/webhooks`; without them no person is sent messages. */
  readonly messengers?: Messengers;
}

/** What a webhook is to be, as a program sets it. */
export interface WebhookRequest {
  readonly url: string;
  /** Absent or empty for all. */
  readonly types?: readonly EventType[];
  readonly description?: string;
  readonly idempotencyKey?: string | null;
}

/** What is to change; an absent member stays. */
export type WebhookChange = Partial<Pick<WebhookRequest, 'url' | 'types' | 'description'>>;

/** A webhook, and how far it has come; undefined before it was sent anything. */
export interface WebhookFound {
  readonly webhook: ShownEndpoint;
  readonly progress: Progress | undefined;
}

/** A webhook, and the secret that it is signed with. */
export interface WebhookMade {
  readonly webhook: ShownEndpoint;
  /** `whsec_…`; null for a repeated request, because it is given only once. */
  readonly secret: string | null;
}

/** Where events of accounts are sent to, as signed requests. */
export interface Webhooks {
  /**
   * Makes a webhook, which is sent nothing but pings until its receiver has taken one.
   *
   * @throws InputInvalid, WebhookUrlInvalid, TooManyWebhooks, IdempotencyKeyReused
   *
   * @example
   * ```ts
   * const { webhook, secret } = await stakeport.webhooks.create('me', { url: 'https://example.org/hook', types: ['order.fill'] });
   * ```
   */
  create(account: string, request: WebhookRequest): Promise<WebhookMade>;
  /**
   * Subscribes a person to messages in words about what happens, once a test message has arrived: call `ping`.
   *
   * @throws InputInvalid, WebhookUrlInvalid, WebhookMemberInvalid, TooManyWebhooks, IdempotencyKeyReused
   *
   * @example
   * ```ts
   * const chat = await stakeport.webhooks.tell('me', { kind: 'telegram', chatId: 4711, token, zone: 'Europe/Berlin' });
   * await stakeport.webhooks.ping('me', chat.id);
   * ```
   */
  tell(account: string, request: PersonRequest): Promise<ShownEndpoint>;
  /** All of the account, oldest first. */
  list(account: string): Promise<readonly WebhookFound[]>;
  /** @throws WebhookNotFound */
  get(account: string, webhook: string): Promise<WebhookFound>;
  /** What its receiver did not take, newest first. @throws WebhookNotFound */
  deliveries(account: string, webhook: string, page?: PageRequest<number>): Promise<Slice<EventDelivery, number>>;
  /** Another address has to take a ping first. @throws InputInvalid, WebhookNotFound, WebhookUrlInvalid */
  change(account: string, webhook: string, change: WebhookChange): Promise<ShownEndpoint>;
  /**
   * Sends a test message, once. An unverified webhook whose receiver takes it is active from then on.
   *
   * @throws WebhookNotFound
   *
   * @example
   * ```ts
   * const { answer } = await stakeport.webhooks.ping('me', webhook.id);
   * console.log(answer.kind); // taken
   * ```
   */
  ping(account: string, webhook: string): Promise<{ readonly webhook: ShownEndpoint; readonly answer: WebhookAnswer }>;
  /** A new secret; for a day messages are signed with both. @throws WebhookNotFound, IdempotencyKeyReused */
  rotate(account: string, webhook: string, key?: { readonly idempotencyKey?: string | null }): Promise<WebhookMade>;
  /** Disables a webhook: nothing is sent to it until it is enabled. @throws WebhookNotFound */
  disable(account: string, webhook: string): Promise<ShownEndpoint>;
  /** A disabled one goes on where it stopped; one whose key was revoked has to take a ping first. @throws WebhookNotFound, WebhookNotVerified */
  enable(account: string, webhook: string): Promise<ShownEndpoint>;
  /**
   * Sends events once more, with the ids that they had.
   *
   * @throws InputInvalid, WebhookNotFound, EventsGone
   *
   * @example
   * ```ts
   * await stakeport.webhooks.replay('me', webhook.id, { after: 40 }); // or { seq: 41 }
   * ```
   */
  replay(account: string, webhook: string, what: WhatToReplay): Promise<ShownEndpoint>;
  /** Removes a webhook and its secret. @throws WebhookNotFound */
  remove(account: string, webhook: string): Promise<ShownEndpoint>;
  /**
   * Sends what is due to the webhooks of all accounts, for 15 seconds at most, and only while no other process on this ledger
   * does. Nothing is sent by itself: call it once a second.
   *
   * @throws StorageUnavailable
   *
   * @example
   * ```ts
   * const { nextAt } = await stakeport.webhooks.deliver();
   * ```
   */
  deliver(): Promise<DueDeliveries>;
}

const TERMS = ['url', 'types', 'description'] as const;
/** What a program is called that has no credential. */
const PROGRAM = 'program';
const MOST_DESCRIBED = 200;
const MOST_ADDRESSED = 2000;

/** The methods that act upon webhooks. */
export function webhookMethodsOf(
  ports: UseCasePorts,
  { accounts }: UseCases,
  { messengers, ...parts }: WebhookOptions,
  time: Omit<MessagePorts, 'messengers'>,
): Webhooks {
  const messages = messengers && { messages: { messengers, ...time } };
  const use = webhookUseCases(ports, accounts, { ...parts, ...messages });
  const leases = isLeasing(ports.ledger) ? ports.ledger.leases : null;
  const due = deliverDueUseCase(ports, leases, use.deliver);
  const keyed = (account: string, webhook: string) => ({ account: accountId(account), id: webhookId(webhook) });
  return {
    async create(account, request) {
      onlyMembers(request, [...TERMS, 'idempotencyKey']);
      const { url = '', types = [], description = '' } = checked(request);
      const command = { account: accountId(account), by: PROGRAM, url, types, description };
      const made = await use.create.execute({ ...command, idempotencyKey: keyOf(request.idempotencyKey) });
      return { webhook: shownEndpoint(made.webhook), secret: made.secret };
    },
    async tell(account, request) {
      const target = targetOf(request);
      const { types = [], description = '' } = request;
      checked({ types, description });
      if (use.subscribe === null) throw refuse('kind', 'needs the option webhooks.messengers');
      const command = {
        account: accountId(account),
        by: PROGRAM,
        target,
        token: request.token ?? null,
        types,
        description,
      };
      const made = await use.subscribe.execute({ ...command, idempotencyKey: keyOf(request.idempotencyKey) });
      return shownEndpoint(made.webhook);
    },
    list: async (account) => (await use.read.many(accountId(account))).map(shown),
    get: async (account, webhook) => shown(await use.read.one(keyed(account, webhook))),
    deliveries: async (account, webhook, page = {}) => use.read.deliveries(keyed(account, webhook), pageOf(page)),
    async change(account, webhook, change) {
      onlyMembers(change, TERMS);
      return shownEndpoint(await use.change.patch(keyed(account, webhook), checked(change), PROGRAM));
    },
    ping: async (account, webhook) => shown(await use.ping.execute(keyed(account, webhook))),
    async rotate(account, webhook, { idempotencyKey } = {}) {
      const made = await use.change.rotate(keyed(account, webhook), keyOf(idempotencyKey));
      return { webhook: shownEndpoint(made.webhook), secret: made.secret };
    },
    disable: async (account, webhook) => shownEndpoint(await use.change.disable(keyed(account, webhook))),
    enable: async (account, webhook) => shownEndpoint(await use.change.enable(keyed(account, webhook))),
    replay: async (account, webhook, what) =>
      shownEndpoint(await use.replay.execute(keyed(account, webhook), replayed(what))),
    remove: async (account, webhook) => shownEndpoint(await use.change.remove(keyed(account, webhook))),
    deliver: () => due.execute(),
  };
}

/** @throws InputInvalid */
function checked<Terms extends WebhookChange>(terms: Terms): Terms {
  const { url, types, description } = terms;
  if (url !== undefined) requireText('url', url, 1, MOST_ADDRESSED);
  if (description !== undefined) requireText('description', description, 0, MOST_DESCRIBED);
  if (types !== undefined) eventTypesOf(types);
  return terms;
}

function requireText(member: string, text: string, least: number, most: number): void {
  if (typeof text === 'string' && text.length >= least && text.length <= most) return;
  throw refuse(member, `must be ${least} to ${most} characters; got ${shownBriefly(text)}`);
}

/** @throws InputInvalid unless it is one of the two */
function replayed(what: WhatToReplay): WhatToReplay {
  onlyMembers(what, ['seq', 'after']);
  const [member, value, ...others] = Object.entries(what).flat();
  const isOne = others.length === 0 && Number.isSafeInteger(value) && Number(value) >= 0;
  if (isOne) return what;
  throw refuse(`${member ?? 'seq'}`, 'or the other of seq and after must be the number of an event');
}

const shown = <Found extends { readonly webhook: Parameters<typeof shownEndpoint>[0] }>({
  webhook,
  ...rest
}: Found) => ({
  ...rest,
  webhook: shownEndpoint(webhook),
});

const isLeasing = (ledger: object): ledger is Leasing => 'leases' in ledger;
