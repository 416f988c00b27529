import type { Ledger } from '../../ports/ledger.js';
import type { Account } from '../account/account.js';
import { alarmed, unalarmed } from '../account/account-alarms.js';
import { shortId } from '../ids.js';
import { destinationOf, placeOf } from './destination.js';
import { disabled, type Endpoint, type EndpointKey, type EndpointTarget } from './endpoint.js';
import type { MessageTerms } from './message-terms.js';
import { isCommandChannel } from './person.js';
import type { CommandGrant, TelegramTarget } from './person-target.js';
import { WebhookMemberInvalid, WebhookNotFound } from './webhook-errors.js';

/**
 * Changes an endpoint, in one write with its event and, unless `isAlarming` is false, its alarm.
 * @throws WebhookNotFound, what `change` throws
 */
export function changeEndpoint(
  ledger: Pick<Ledger, 'write'>,
  { account, id }: EndpointKey,
  change: (endpoint: Endpoint) => Endpoint,
  isAlarming = true,
): Promise<Endpoint> {
  return ledger.write({ account, endpoints: true }, (now) => {
    const before = now.endpoint(id);
    if (before === undefined) throw new WebhookNotFound();
    const after = change(before);
    if (after === before) return { result: before };
    const heard = isListenedTo(after) ? now.account : unalarmed(now.account, { kind: COMMANDS_UNHEARD, subject: id });
    const owner = isAlarming ? ownerAfter(heard, before, after) : heard;
    return { result: after, endpoints: [after], ...(owner !== now.account && { accounts: [owner] }) };
  });
}

/** Disables it, for a reason that is a sentence; one that is disabled, or was removed meanwhile, stays as it is. */
export async function disableEndpoint(
  ledger: Pick<Ledger, 'write'>,
  endpoint: EndpointKey,
  because: string,
  at: Date,
): Promise<void> {
  const disable = (one: Endpoint) => (one.state === 'active' ? disabled(one, because, at) : one);
  await changeUnlessRemoved(ledger, endpoint, disable);
}

/** Changes an endpoint as `changeEndpoint` does, and nothing where it was removed meanwhile. */
export async function changeUnlessRemoved(
  ledger: Pick<Ledger, 'write'>,
  endpoint: EndpointKey,
  change: (endpoint: Endpoint) => Endpoint,
): Promise<void> {
  await changeEndpoint(ledger, endpoint, change).catch((error: unknown) => {
    if (!(error instanceof WebhookNotFound)) throw error;
  });
}

/** The alarm about a chat whose commands another program takes: it ends with the right to command. */
export const COMMANDS_UNHEARD = 'commands_unheard';

/** Whether its server listens to what people send there. */
export const isListenedTo = (endpoint: Endpoint): boolean => endpoint.state === 'active' && isCommandChannel(endpoint);

/** An alarm lasts for as long as an endpoint is disabled. */
function ownerAfter(account: Account, before: Endpoint, after: Endpoint): Account {
  if (before.state === after.state) return account;
  const key = { kind: 'webhook_disabled', subject: after.id } as const;
  if (after.state !== 'disabled') return unalarmed(account, key);
  const detail = `Webhook ${shortId(after.id)} to ${placeOf(after.target)} is disabled: ${after.disabledBecause}`;
  return alarmed(account, { ...key, detail, since: after.updatedAt, until: null });
}

/** What may be changed of where an endpoint leads; an absent member stays. */
export interface TargetPatch {
  /** The address of a webhook, or of an ntfy server. */
  readonly url?: string | undefined;
  /** The chat of Telegram; `threadId` is a topic in it. */
  readonly chatId?: string | undefined;
  readonly threadId?: number | null | undefined;
  /** Who may command the account from a chat of Telegram; null for nobody. */
  readonly commandsFrom?: CommandGrant | null | undefined;
  /** The topic of ntfy. */
  readonly topic?: string | undefined;
  /** What authenticates towards a messenger; null for nothing, which ntfy allows. */
  readonly token?: string | null | undefined;
  /** How a person wants to be notified. */
  readonly terms?: { readonly [Term in keyof MessageTerms]?: MessageTerms[Term] | undefined } | undefined;
}

/** What may be changed; an absent member stays. */
export interface EndpointPatch extends TargetPatch {
  readonly types?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

const TERMS = ['quietHours', 'summaryAt', 'zone', 'gatherMs'] as const;
const MEMBERS_OF: Readonly<Record<EndpointTarget['kind'], readonly string[]>> = {
  webhook: ['url'],
  telegram: ['chatId', 'threadId', 'commandsFrom', 'token', ...TERMS],
  ntfy: ['url', 'topic', 'token', ...TERMS],
};

/**
 * The endpoint after a change; the same object where nothing changes. A new target makes it unverified, and the changing credential
 * its owner. `sealed` is its new token; undefined keeps the current one.
 * @throws WebhookMemberInvalid for what endpoints of its kind do not have
 */
export function patchedEndpoint(
  before: Endpoint,
  patch: EndpointPatch,
  sealed: string | undefined,
  { by, at }: { readonly by: string; readonly at: Date },
): Endpoint {
  refuseForeign(before.target.kind, patch);
  const target = patchedTarget(before.target, patch);
  const isMoved = destinationOf(target) !== destinationOf(before.target);
  const after: Endpoint = {
    ...before,
    ...(patch.types !== undefined && { types: patch.types }),
    ...(patch.description !== undefined && { description: patch.description }),
    target,
    secrets: sealed === undefined ? before.secrets : { current: sealed, previous: null },
    ...(isMoved && ({ by, state: 'unverified', disabledBecause: null } as const)),
  };
  return isSame(before, after) ? before : { ...after, updatedAt: at };
}

const isSame = (one: Endpoint, other: Endpoint): boolean => textOf(one) === textOf(other);
const textOf = ({ target, types, description, secrets }: Endpoint): string =>
  JSON.stringify([target, types, description, secrets]);

function refuseForeign(
  kind: EndpointTarget['kind'],
  { terms = {}, types: _, description: __, ...others }: EndpointPatch,
) {
  const given = Object.entries({ ...others, ...terms }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const foreign = given.find((name) => !MEMBERS_OF[kind].includes(name));
  if (foreign !== undefined)
    throw new WebhookMemberInvalid(foreign, `is not a member of a webhook of the kind ${kind}`);
}

function patchedTarget(target: EndpointTarget, patch: TargetPatch): EndpointTarget {
  const { url, topic, terms = {} } = patch;
  if (target.kind === 'webhook') return url === undefined ? target : { ...target, url };
  const { quietHours, summaryAt, zone, gatherMs } = terms;
  const wanted: MessageTerms = {
    quietHours: quietHours === undefined ? target.terms.quietHours : quietHours,
    summaryAt: summaryAt === undefined ? target.terms.summaryAt : summaryAt,
    zone: zone === undefined ? target.terms.zone : zone,
    gatherMs: gatherMs ?? target.terms.gatherMs,
  };
  if (target.kind === 'ntfy') return { ...target, url: url ?? target.url, topic: topic ?? target.topic, terms: wanted };
  return patchedChat({ ...target, terms: wanted }, patch);
}

/** Who may command the account from one chat of one bot may not do so from another, unless the patch says so. */
function patchedChat(target: TelegramTarget, { chatId, threadId, token, commandsFrom }: TargetPatch): TelegramTarget {
  const thread = threadId === undefined ? target.threadId : threadId;
  const patched = { ...target, chatId: chatId ?? target.chatId, threadId: thread };
  if (commandsFrom !== undefined) return withCommands(patched, commandsFrom);
  const isThere = token === undefined && destinationOf(patched) === destinationOf(target);
  return isThere ? patched : withCommands(patched, null);
}

/** The chat, from which these people may command the account; null for nobody. */
export const withCommands = (
  { commands: _, ...target }: TelegramTarget,
  grant: CommandGrant | null,
): TelegramTarget => ({ ...target, ...(grant !== null && { commands: grant }) });
