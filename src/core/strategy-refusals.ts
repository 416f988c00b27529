import { DomainError } from './domain-error.js';

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
