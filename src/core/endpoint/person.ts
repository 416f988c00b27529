import type { AccountId } from '../ids.js';
import type { PersonTarget } from './person-target.js';

/** Names a person who is told of an account. */
export interface PersonKey {
  readonly account: AccountId;
  readonly id: string;
}

/** Who is told of an account, where and how. */
export interface Person extends PersonKey {
  readonly target: PersonTarget;
  /** Types of events; empty for what everybody is told. */
  readonly types: readonly string[];
  /** The title of messages; empty for none of its own. */
  readonly description: string;
  /** What follows this event of the log is told. */
  readonly startsAfter: number;
  /** The token for the messenger, sealed; null where none is needed. */
  readonly sealedToken: string | null;
  readonly createdAt: Date;
}

/** How far a person has been told. */
export interface MessageProgress {
  /** Everything up to this event was told. */
  readonly passed: number;
  /** Nothing is sent before; null where nothing holds it. */
  readonly heldUntil: Date | null;
  /** When the first try failed since the last that succeeded; null where the last one succeeded. */
  readonly failingSince: Date | null;
  /** When a message was last delivered; null before. */
  readonly deliveredAt: Date | null;
  /** Grows each time that somebody has it begin anew. */
  readonly epoch: number;
}

/** Before the first message. */
export const nothingTold = ({ startsAfter }: Pick<Person, 'startsAfter'>): MessageProgress => ({
  ...{ passed: startsAfter, heldUntil: null, failingSince: null, deliveredAt: null, epoch: 0 },
});
