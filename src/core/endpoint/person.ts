import type { Progress } from './delivery.js';
import type { Endpoint, EndpointKey, EndpointTo } from './endpoint.js';
import type { PersonTarget, TelegramTarget } from './person-target.js';

/** A person who is notified about an account: where and how. */
export interface Person extends EndpointKey {
  readonly target: PersonTarget;
  /** Types of events; empty for the default selection. */
  readonly types: readonly string[];
  /** The title of messages; empty for none of its own. */
  readonly description: string;
  /** The number in the log after which events are sent. */
  readonly startsAfter: number;
  /** The token for the messenger, sealed; null where none is needed. */
  readonly sealedToken: string | null;
  readonly createdAt: Date;
}

/** How far a person has been notified. */
export type MessageProgress = Omit<Progress, 'account' | 'endpointId'>;

/** The progress before the first message. */
export const nothingSent = ({ startsAfter }: Pick<Person, 'startsAfter'>): MessageProgress => ({
  passed: startsAfter,
  urgentPassed: 0,
  heldUntil: null,
  failingSince: null,
  deliveredAt: null,
  epoch: 0,
});

/** True of an endpoint that a person reads. */
export const isPersonal = (endpoint: Endpoint): endpoint is EndpointTo<PersonTarget> =>
  endpoint.target.kind !== 'webhook';

/** A chat of a Telegram bot. */
export type CommandChannel = EndpointTo<TelegramTarget>;

/** True of a chat from which somebody may command the account. */
export const isCommandChannel = (endpoint: Endpoint): endpoint is CommandChannel =>
  endpoint.target.kind === 'telegram' && endpoint.target.commands !== undefined;

/** The person who reads what an endpoint is sent. */
export function personOf(endpoint: EndpointTo<PersonTarget>): Person {
  const { account, id, target, types, description, startsAfter, secrets, createdAt } = endpoint;
  const sealedToken = secrets.current === '' ? null : secrets.current;
  return { account, id, target, types, description, startsAfter, sealedToken, createdAt };
}
