import { DEFAULT_TERMS, type MessageTerms } from '../core/endpoint/message-terms.js';
import { personProblem } from '../core/endpoint/person-forms.js';
import type { PersonTarget } from '../core/endpoint/person-target.js';
import type { EventType } from '../core/ledger/event-log.js';
import { onlyMembers, refuse, shownBriefly } from './input.js';

/** What all requests to notify a person have in common. */
export interface RecipientTerms extends Partial<MessageTerms> {
  /** Absent or empty for the default selection. */
  readonly types?: readonly EventType[];
  /** The title of messages. */
  readonly description?: string;
  readonly idempotencyKey?: string | null;
}

/** A person who reads a chat of a Telegram bot. */
export interface TelegramRequest extends RecipientTerms {
  readonly kind: 'telegram';
  /** A number, negative for a group, or the `@name` of a channel. */
  readonly chatId: number | string;
  /** The topic of a group that has topics. */
  readonly threadId?: number | null;
  /** The token of the bot, as BotFather shows it. */
  readonly token: string;
}

/** A person who follows a topic of an ntfy server. */
export interface NtfyRequest extends RecipientTerms {
  readonly kind: 'ntfy';
  /** The address of the server, such as `https://ntfy.sh`. */
  readonly url: string;
  readonly topic: string;
  /** Where the topic needs one. */
  readonly token?: string | null;
}

/** Where and how a person is to be notified. */
export type PersonRequest = TelegramRequest | NtfyRequest;

const TERMS = ['quietHours', 'summaryAt', 'zone', 'gatherMs'] as const;
const OF_ALL = ['kind', 'token', 'types', 'description', 'idempotencyKey', ...TERMS];

/** The chat or topic that a request names. @throws InputInvalid */
export function targetOf(request: PersonRequest): PersonTarget {
  const target = read(request);
  const problem = personProblem(target);
  if (problem !== null) throw refuse(...problem);
  return target;
}

function read(request: PersonRequest): PersonTarget {
  const { quietHours = null, summaryAt = null, zone = null, gatherMs = DEFAULT_TERMS.gatherMs } = request;
  const terms = { quietHours, summaryAt, zone, gatherMs };
  switch (request.kind) {
    case 'telegram':
      onlyMembers(request, [...OF_ALL, 'chatId', 'threadId']);
      return { kind: 'telegram', chatId: String(request.chatId), threadId: request.threadId ?? null, terms };
    case 'ntfy':
      onlyMembers(request, [...OF_ALL, 'url', 'topic']);
      return { kind: 'ntfy', url: String(request.url), topic: request.topic, terms };
    default:
      throw refuse('kind', `must be telegram or ntfy; got ${shownBriefly((request as PersonRequest).kind)}`);
  }
}
