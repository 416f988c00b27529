/** What stands against trading at the venue. */
export type VenueObstacle = 'clock_untold' | 'version_mismatch' | 'credentials_refused' | 'venue_unreachable';

/** Trading at the venue cannot begin. The message says why and what to do, and holds no secret. */
export class VenueUnusable extends Error {
  constructor(
    readonly code: VenueObstacle,
    message: string,
  ) {
    super(message);
    this.name = 'VenueUnusable';
  }
}
