import { DomainError } from './domain-error.js';

/** The log does not have the events that follow the requested one: they were deleted for their age, or the log is another one. */
export class EventsGone extends DomainError {
  readonly code = 'events_gone';

  /** `first` and `last` are the numbers of the events that the log has. */
  constructor(
    readonly first: number,
    readonly last: number,
  ) {
    super(
      `The log has the events ${first} to ${last}. Read the orders and the portfolio anew, then go on after ${last}.`,
    );
  }
}
