import { DomainError } from './errors.js';

/** Trading at a venue cannot begin. The message says why and what to do, and holds no secret. */
export class VenueUnusable extends DomainError {
  constructor(
    readonly code: string,
    message: string,
    /** True when trying again later may help. */
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}
