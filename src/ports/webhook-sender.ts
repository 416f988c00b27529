import type { Failure } from '../core/endpoint/delivery.js';
import type { EndpointTo, WebhookTarget } from '../core/endpoint/endpoint.js';
import type { LoggedEvent } from '../core/ledger/event-log.js';

/** What a webhook is sent. */
export interface WebhookMessage {
  /** An id that is the same at every try, so that a receiver knows a repetition. */
  readonly id: string;
  /** Null for a message that only checks that a receiver answers. */
  readonly event: LoggedEvent | null;
  /** The moment of this try. */
  readonly at: Date;
}

/** What came of one try. `gone`: the receiver wants nothing any more. */
export type WebhookAnswer = { readonly kind: 'taken' } | ({ readonly kind: 'failed' | 'gone' } & Failure);

/** Sends signed messages to the addresses that users gave, each once, and never to where it must not. */
export interface WebhookSender {
  /** What is wrong with an address, in words that follow its name; null where nothing is. */
  problemOf(url: string): string | null;
  /** Does not throw. */
  send(webhook: EndpointTo<WebhookTarget>, message: WebhookMessage): Promise<WebhookAnswer>;
}

/** Keeps secrets so that access to the store alone does not reveal them. */
export interface SecretBox {
  /** A new secret to sign with: `whsec_` and 256 random bits in base64. */
  fresh(): string;
  /** The secret as it may be stored; another text each time. */
  seal(secret: string): string;
  /** @throws SecretUnreadable when it was sealed with another key, or changed since */
  open(sealed: string): string;
  /** 22 characters of the alphabet of base64url that only a holder of the key can tell of a text; the same each time. */
  codeOf(text: string): string;
}
