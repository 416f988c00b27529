import { DomainError } from '../domain-error.js';

/** A signal is absent or belongs to another account; the error does not say which. */
export class SignalNotFound extends DomainError {
  readonly code = 'signal_not_found';

  constructor() {
    super('There is no such signal.');
  }
}

/** One thing that is wrong in a list of signals. */
export interface FaultInSignals {
  /** The place of the signal in the list, counted from 0. */
  readonly at: number;
  readonly member: string;
  /** The outcome in `probabilities` that is meant; null for the whole member. */
  readonly label: string | null;
  /** They follow the member: `must be …`. */
  readonly words: string;
  /** The refusal of the market itself; null where the signal is at fault. */
  readonly refusal: DomainError | null;
}

/** Signals are not valid; none of them was stored. */
export class SignalsInvalid extends DomainError {
  readonly code = 'signals_invalid';

  constructor(readonly faults: readonly [FaultInSignals, ...FaultInSignals[]]) {
    const [{ at, member, label, words }] = faults;
    super(`No signal was stored: ${member}${label === null ? '' : ` of ${label}`} in signal ${at} ${words}.`);
  }
}

/** The account has as many signals as it may; none was stored. */
export class TooManySignals extends DomainError {
  readonly code = 'too_many_signals';

  constructor(most: number) {
    super(`An account has at most ${most} signals. No signal was stored: delete some, or let some expire.`);
  }
}

/** Every refusal of signals. */
export type SignalError = SignalNotFound | SignalsInvalid | TooManySignals;
