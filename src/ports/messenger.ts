import type { PersonTarget } from '../core/endpoint/person-target.js';
import type { TextLimit } from '../core/message/message-text.js';

/** Something that a person can press below a message. */
export interface Button {
  readonly label: string;
  /** What a press sends back, of at most 64 bytes. */
  readonly data: string;
}

/** What a person is sent. */
export interface Message {
  readonly title: string;
  /** Plain, of as many lines as fit. */
  readonly text: string;
  /** True of what a person wants to be woken for. */
  readonly isUrgent: boolean;
  /** Rows of buttons, for a messenger that has them; absent for none. */
  readonly buttons?: readonly (readonly Button[])[];
}

/** What became of a message. Reasons are sentences without a stop that hold no secret. */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  /** The message may be delivered later, and may have been now: `afterMs` where the messenger says how long to wait. */
  | { readonly kind: 'retry'; readonly because: string; readonly afterMs: number | null }
  /** The chat has another name from now on. */
  | { readonly kind: 'moved'; readonly chatId: string }
  /** A shorter one may be delivered. */
  | { readonly kind: 'too_long'; readonly because: string }
  /** Nothing can be delivered there any more, until a person changes something. */
  | { readonly kind: 'gone'; readonly because: string }
  /** This message cannot be delivered; others may. */
  | { readonly kind: 'refused'; readonly because: string };

/** Sends messages to people of one kind of target. It never throws. */
export interface Messenger<Target extends PersonTarget> {
  readonly limit: TextLimit;
  /** @param token what authenticates towards the messenger; null where nothing does */
  send(target: Target, token: string | null, message: Message): Promise<SendOutcome>;
}

/** A messenger for each kind of target. */
export type Messengers = { readonly [Kind in PersonTarget['kind']]: Messenger<Extract<PersonTarget, { kind: Kind }>> };
