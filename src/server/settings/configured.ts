import { InvariantBroken } from '../../core/errors.js';
import { adapterNamed, VENUE_ADAPTERS } from '../venues.js';
import type { LiveConfig } from './config.js';
import { type Config, type MarketDataConfig, readConfig } from './config.js';
import { isLiveVariable, MARKET_DATA_VARIABLES, VARIABLES } from './settings.js';

/** The configuration of this process's environment, with `overrides` in its place. @throws ConfigInvalid */
export function configured(overrides: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...process.env, ...overrides });
}

/**
 * The configuration by these variables alone, for commands that work beside a server or without one: other mistakes in the
 * environment must not prevent an operator from stopping an account. @throws ConfigInvalid
 */
export function configuredAlone(...used: readonly string[]): Config {
  return configured(blankBut((variable) => used.includes(variable)));
}

/**
 * The market data of each of these venues, with its own settings; none where MARKET_DATA names no venue, so that nothing is
 * requested from outside. @throws ConfigInvalid
 */
export function configuredMarketData(venues: readonly string[]): readonly MarketDataConfig[] {
  if (configuredAlone(...MARKET_DATA_VARIABLES).marketData.kind !== 'venue') return [];
  const others = blankBut((variable) => MARKET_DATA_VARIABLES.includes(variable));
  const dataOf = (venue: string) =>
    configured({ ...others, MARKET_DATA: adapterNamed(venue)?.name ?? venue }).marketData;
  // Settings choose one exchange of a venue: the markets of another one are not there.
  return venues.map(dataOf).filter((data, at) => data.kind === 'venue' && data.venue === venues[at]);
}

/** Placeholders for settings that LIVE_TRADING=on requires and that reaching the wallet's orders does not need. */
const SURROUNDINGS = {
  LIVE_TRADING: 'on',
  AUTH_MODE: 'keys',
  KEY_PEPPER: 'not used by this',
};
/** Nothing is bought; each venue lists what else it does not need. */
const UNUSED: readonly string[] = [
  'LIVE_MAX_ORDER_USDC',
  ...VENUE_ADAPTERS.flatMap(({ notForCancelling }) => notForCancelling),
];

/**
 * The wallet and its venue only: other missing or wrong settings must not prevent an operator from cancelling.
 * @param venue the venue's name; that of MARKET_DATA unless given
 * @throws ConfigInvalid
 */
export function configuredWallet(venue = process.env['MARKET_DATA'] ?? ''): LiveConfig {
  const { live } = configured({
    ...blankBut((variable) => (isLiveVariable(variable) || isOfVenue(variable)) && !UNUSED.includes(variable)),
    ...SURROUNDINGS,
    MARKET_DATA: (adapterNamed(venue) ?? VENUE_ADAPTERS[0]).name,
  });
  if (live === null) throw new InvariantBroken('with LIVE_TRADING=on there is a wallet');
  return live;
}

const isOfVenue = (variable: string): boolean =>
  VENUE_ADAPTERS.some(({ marketDataSettings }) => Object.hasOwn(marketDataSettings, variable));

function blankBut(isUsed: (variable: string) => boolean): Readonly<Record<string, string>> {
  return Object.fromEntries(VARIABLES.filter((variable) => !isUsed(variable)).map((variable) => [variable, '']));
}
