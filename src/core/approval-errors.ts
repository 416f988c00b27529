import { DomainError } from './domain-error.js';

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
