import { DomainError } from './domain-error.js';
import type { LooseningForbidden } from './loosening-forbidden.js';
import type { SessionRestrained } from './session-restraint.js';

/** The caller lacks a scope for a part of what it asks for; nothing was changed. */
export class ScopeMissing extends DomainError {
  readonly code = 'scope_missing';

  constructor(
    readonly scope: 'orders:live' | 'orders:paper',
    what: string,
  ) {
    super(`${what} needs the scope ${scope}.`);
  }
}

/** The caller can never let a strategy trade with real money by itself; nothing was changed. */
export class LiveAutomationRefused extends DomainError {
  readonly code = 'live_automation_refused';

  constructor() {
    super(
      'Only an API key that has the scope orders:live and is not revoked lets a strategy trade with real money by itself, ' +
        'or changes one that does. Nothing was changed.',
    );
  }
}

/** Every refusal of what the caller's credential does not allow. */
export type CredentialRefused = ScopeMissing | LiveAutomationRefused | LooseningForbidden | SessionRestrained;
