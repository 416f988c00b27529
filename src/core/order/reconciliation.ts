import type { ExternalOrder } from '../../ports/external-orders.js';
import { InvariantBroken, TransitionForbidden } from '../errors.js';
import type { OrderId } from '../ids.js';

/** What cannot be true on both sides, of an order on record and at its venue: for a person. */
export interface Contradiction {
  readonly orderId: OrderId;
  readonly message: string;
}

/** What holding the venue against the record came to. */
export interface Reconciliation {
  /** False when the venue did not tell everything, or an order could not be held against it: to be done again soon. */
  readonly complete: boolean;
  /** What the venue did not tell so that it could be read, in words: to be looked for again. Null when it told all. */
  readonly untold: string | null;
  /** How many orders were brought up to date. */
  readonly changed: number;
  /** Orders of the wallet that nobody placed here and that were not known yet. */
  readonly external: readonly ExternalOrder[];
  readonly contradictions: readonly Contradiction[];
  readonly failures: readonly { readonly order: OrderId; readonly error: unknown }[];
}

/** A reconciliation in the making. */
export class Findings {
  changed = 0;
  external: readonly ExternalOrder[] = [];
  readonly contradictions: Contradiction[] = [];
  readonly failures: { readonly order: OrderId; readonly error: unknown }[] = [];

  /** What was found; `untold` where something could not be read, and `isAnswered` false where the venue did not tell at all. */
  result(untold: string | null, isAnswered = true): Reconciliation {
    const { changed, external, contradictions, failures } = this;
    return { complete: isAnswered && failures.length === 0, untold, changed, external, contradictions, failures };
  }
}

/** True of an event that its order cannot take: what was told of it and what is on record are not both true. */
export const contradicts = (error: unknown): error is InvariantBroken | TransitionForbidden =>
  error instanceof InvariantBroken || error instanceof TransitionForbidden;
