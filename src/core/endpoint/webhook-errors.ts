import { DomainError } from '../domain-error.js';

/** A webhook is absent, was removed, or belongs to another account; the error does not say which. */
export class WebhookNotFound extends DomainError {
  readonly code = 'webhook_not_found';

  constructor() {
    super('There is no such webhook.');
  }
}

/** The address of a webhook is none that requests may be sent to; nothing was stored. */
export class WebhookUrlInvalid extends DomainError {
  readonly code = 'webhook_url_invalid';

  /** `words` follow the name of the member: `must be …`. */
  constructor(readonly words: string) {
    super(`No webhook was stored: its url ${words}.`);
  }
}

/** A member of a webhook has a value, or is one, that its kind does not take; nothing was stored. */
export class WebhookMemberInvalid extends DomainError {
  readonly code = 'webhook_member_invalid';

  /** `words` follow the name of the member, and never hold its value. */
  constructor(
    readonly member: string,
    readonly words: string,
  ) {
    super(`No webhook was stored: its ${member} ${words}.`);
  }
}

/** Messages to people are not signed, so there is no secret to make anew. */
export class WebhookWithoutSecret extends DomainError {
  readonly code = 'webhook_without_secret';

  constructor() {
    super('Messages to people are not signed. To give the messenger another token, change the member token.');
  }
}

/** The account has as many endpoints as it may. */
export class TooManyWebhooks extends DomainError {
  readonly code = 'too_many_webhooks';

  constructor(most: number) {
    super(`An account has at most ${most} webhooks. Remove one that is not needed.`);
  }
}

/** A webhook whose receiver has taken no ping yet, before which nothing is sent to it. */
export class WebhookNotVerified extends DomainError {
  readonly code = 'webhook_not_verified';

  constructor() {
    super('The receiver of this webhook has not taken a ping yet. Have it pinged first.');
  }
}

/** A stored secret cannot be read with the key of this server. */
export class SecretUnreadable extends DomainError {
  readonly code = 'secret_unreadable';

  constructor() {
    super(
      'A stored secret was sealed with another key than SECRETS_KEY, or was changed. Set the key that it was sealed with, or rotate the secret.',
    );
  }
}

/** Every refusal that is about webhooks. */
export type WebhookError =
  | WebhookNotFound
  | WebhookUrlInvalid
  | WebhookMemberInvalid
  | WebhookWithoutSecret
  | TooManyWebhooks
  | WebhookNotVerified
  | SecretUnreadable;
