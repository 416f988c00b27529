import type { Usdc } from '../../core/money.js';
import type { VenueAdapter, VenueTrading } from '../../ports/venue-adapter.js';
import { complete } from '../../settings/complete.js';
import { VENUE_ADAPTERS } from '../venues.js';
import type { Review } from './review.js';
import type { AuthMode, Values } from './settings.js';

/** All that trading with real money needs. */
export interface LiveConfig {
  /** The name of the venue. */
  readonly venue: string;
  readonly trading: VenueTrading;
  /** The most that one order may be worth: the signer refuses any above it. */
  readonly orderCap: Usdc;
}

/** Holds for LIVE_TRADING=on, and for commands that check it in advance. */
const WHERE = 'with LIVE_TRADING=on';

/**
 * What live trading needs; null without LIVE_TRADING=on, undefined when something is missing. Reports every unmet
 * condition.
 */
export function liveOf(mode: AuthMode | undefined, values: Values, review: Review): LiveConfig | null | undefined {
  if (values.LIVE_TRADING !== 'on') return values.LIVE_TRADING === undefined ? undefined : null;
  checkSurroundings(mode, values, review);
  const venue = venueOf(values);
  return complete<LiveConfig>({
    venue: venue.name,
    trading: venue.trading(values, (variable, problem) => review.report(variable, problem)),
    orderCap: values.LIVE_MAX_ORDER_USDC,
  });
}

/** The venue whose market data is chosen; the default one until a venue is chosen. */
function venueOf({ MARKET_DATA: choice }: Values): VenueAdapter {
  const chosen = VENUE_ADAPTERS.find(({ name }) => choice?.kind === 'venue' && choice.name === name);
  return chosen ?? VENUE_ADAPTERS[0];
}

function checkSurroundings(mode: AuthMode | undefined, { MARKET_DATA, DATABASE_URL }: Values, review: Review): void {
  if (mode === 'dev') {
    review.report('AUTH_MODE', `must be keys, jwt or keys+jwt ${WHERE}, because dev trusts every caller`);
  }
  if (MARKET_DATA !== undefined && MARKET_DATA.kind !== 'venue') {
    review.report('MARKET_DATA', `must be ${VENUE_ADAPTERS.map(({ name }) => name).join(' or ')} ${WHERE}`);
  }
  if (DATABASE_URL?.kind === 'memory' || DATABASE_URL?.url === 'sqlite::memory:') {
    review.report('DATABASE_URL', `must name a persistent database ${WHERE}: sqlite:PATH or postgres://…`);
  }
}
