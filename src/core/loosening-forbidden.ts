import { DomainError } from './domain-error.js';

/** A limit would be raised, or taken away, by a credential that may only tighten. Nothing was changed. */
export class LooseningForbidden extends DomainError {
  readonly code = 'loosening_forbidden';

  /** `limits` are the names of those that would be loosened. */
  constructor(readonly limits: readonly string[]) {
    // As the API names them: daily_loss_usdc.
    const names = limits.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    super(`To raise a limit, or to take it away, needs the scope risk:write: ${names.join(', ')}.`);
  }
}
