import { DomainError } from './domain-error.js';

/** A decision is absent, a skip that is remembered no longer, or another account's; the error does not say which. */
export class DecisionNotFound extends DomainError {
  readonly code = 'decision_not_found';

  constructor() {
    super('There is no such decision. Bets are kept for ever, and of each strategy the last skips of this server.');
  }
}
