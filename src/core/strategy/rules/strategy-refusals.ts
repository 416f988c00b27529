import type { SessionRestrained } from '../../access/session-restraint.js';
import { DomainError } from '../../domain-error.js';
import type { LooseningForbidden } from '../../trading/trading-refusals.js';

/** A strategy has as many versions as it may: all of them are kept. It can be paused and archived, and nothing else. */
export class TooManyVersions extends DomainError {
  readonly code = 'too_many_versions';

  constructor(most: number) {
    super(
      `The strategy has ${most} versions, the most that one may have. Pause or archive it, and create another. Nothing was changed.`,
    );
  }
}

/** An account has as many strategies that trade by themselves, or ask for approval, as it may. */
export class TooManyAutomated extends DomainError {
  readonly code = 'too_many_automated';

  constructor(most: number) {
    super(`The account has ${most} strategies with automation, the most that it may have. Nothing was changed.`);
  }
}

/** Every refusal of one more strategy, or of one more version. */
export type StrategyRefusal = TooManyVersions | TooManyAutomated;

/** An approval is absent, or another account's; the error does not say which. */
export class ApprovalNotFound extends DomainError {
  readonly code = 'approval_not_found';

  constructor() {
    super('There is no such approval.');
  }
}

/** The bet waits for nobody any more, and became something else than the caller wants. Nothing was changed. */
export class ApprovalNotWaiting extends DomainError {
  readonly code = 'approval_not_waiting';

  constructor(readonly state: string) {
    super(`The approval is ${state}: it waits no longer. Nothing was changed.`);
  }
}

/** A newer version of the program decides on the same store: this one approves nothing. The bet still waits. */
export class ProgramOutdated extends DomainError {
  readonly code = 'program_outdated';

  constructor(why: string) {
    super(`This server approves nothing now: ${why}. The bet still waits; repeat the request in a moment.`);
  }
}

/** Every refusal of an answer to an approval. */
export type ApprovalError = ApprovalNotFound | ApprovalNotWaiting | ProgramOutdated;

/** A decision is absent, a skip that is remembered no longer, or another account's; the error does not say which. */
export class DecisionNotFound extends DomainError {
  readonly code = 'decision_not_found';

  constructor() {
    super('There is no such decision. Bets are kept for ever, and of each strategy the last skips of this server.');
  }
}

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
