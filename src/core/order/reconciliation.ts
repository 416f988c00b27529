import type { ExternalOrder } from '../../ports/external-orders.js';
import { InvariantBroken, TransitionForbidden } from '../errors.js';
import type { OrderId } from '../ids.js';

/** A contradiction between the record of an order and its venue, for an operator to examine. */
export interface Contradiction {
  readonly orderId: OrderId;
  readonly message: string;
}

/** The result of comparing the venue with the record. */
export interface Reconciliation {
  /** False when the venue's answer is incomplete, or an order could not be compared with it: to be repeated soon. */
  readonly complete: boolean;
  /** What of the venue's answer could not be read, in words: to be fetched again. Null when all was read. */
  readonly unread: string | null;
  /** How many orders were brought up to date. */
  readonly changed: number;
  /** New orders of the wallet that were not placed here. */
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

  /** What was found. `unread`: what could not be read. `isAnswered`: false where the venue did not answer at all. */
  result(unread: string | null, isAnswered = true): Reconciliation {
    const { changed, external, contradictions, failures } = this;
    return { complete: isAnswered && failures.length === 0, unread, changed, external, contradictions, failures };
  }
}

/** True of an error that means that a report and the record of its order cannot both be true. */
export const contradicts = (error: unknown): error is InvariantBroken | TransitionForbidden =>
  error instanceof InvariantBroken || error instanceof TransitionForbidden;
