import { DomainError } from './domain-error.js';

/** A limit would be raised, or taken away, by a credential that may only tighten. Nothing was changed. */
export class LooseningForbidden extends DomainError {
  readonly code = 'loosening_forbidden';

  /** `limits` are the names of those that would be loosened. */
  constructor(readonly limits: readonly string[]) {
    super(`To raise a limit, or to take it away, needs the scope risk:write: ${limits.join(', ')}.`);
  }
}
