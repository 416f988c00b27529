import { realVenue } from '../../core/market/market.js';
import { nearest } from '../../core/nearest.js';
import { VENUE_ADAPTERS } from '../venues.js';
import type { Config, Environment } from './config.js';
import { isLiveVariable, VARIABLES } from './settings.js';

/** Prefixes of variables that only this program uses. */
const VENUES = VENUE_ADAPTERS.map(({ name }) => `${name.toUpperCase()}_`);
const OWN = [...VENUES, 'PAPER_', 'LIVE_', 'TAPE_', 'JWT_', 'EQUITY_', 'MARKET_DATA_', 'RECORD_', 'KEY_PEPPER_'];
/** Too short or too common for a similar name to be a typo. */
const COMMON: readonly string[] = ['HOST', 'PORT', 'NODE_ENV', 'UI'];

/** What an operator set in vain: variables that look like settings but are not, and settings without effect here. */
export function straysIn(env: Environment, config: Config): readonly string[] {
  return [...unknownIn(env), ...idleIn(env, config)];
}

/** Variables that are set but unknown, and are most likely typos of this setting. */
export function slipsOf(variable: string, env: Environment): readonly string[] {
  return namesIn(env).filter((name) => !isSetting(name) && meantBy(name) === variable);
}

/** Variables that look like settings but are not, in words. */
export function unknownIn(env: Environment): readonly string[] {
  return namesIn(env).flatMap((name) => {
    if (isSetting(name)) return [];
    const meant = meantBy(name);
    const isOurs = OWN.some((beginning) => name.startsWith(beginning));
    if (meant === undefined) return isOurs ? [`${name} is not a setting, and has no effect.`] : [];
    return [`${name} is not a setting, and has no effect. Did you mean ${meant}?`];
  });
}

const isSetting = (name: string): boolean => VARIABLES.some((variable) => variable === name);

function meantBy(name: string): string | undefined {
  const known = VARIABLES.filter((variable) => !COMMON.includes(variable));
  return known.find((variable) => variable.startsWith(`${name}_`) && name.includes('_')) ?? nearest(name, known);
}

/** Settings that have no effect beside the others, in words. */
function idleIn(env: Environment, config: Config): readonly string[] {
  return namesIn(env).flatMap((name) => {
    const why = isSetting(name) ? (whyIdle(name, config) ?? whyNotRecorded(name, config)) : null;
    return why === null ? [] : [`${name} has no effect, because ${why}.`];
  });
}

function whyIdle(variable: string, { auth, marketData, live, others }: Config): string | null {
  const { kind } = marketData;
  const source = kind === 'venue' ? marketData.venue : kind;
  switch (variable) {
    case 'TAPE_SPEED':
    case 'TAPE_START':
      return kind === 'tape' ? null : `MARKET_DATA is ${source}, not a tape`;
    case 'PAPER_LATENCY_MS':
      return kind === 'none' ? 'MARKET_DATA is none: without books an order fills at once' : null;
    case 'JWT_ISSUER':
    case 'JWT_AUDIENCE':
    case 'JWT_JWKS_URL':
      return 'trusted' in auth ? null : `AUTH_MODE is ${auth.mode}, without jwt`;
    case 'KEY_PEPPER':
      return 'pepper' in auth ? null : `AUTH_MODE is ${auth.mode}, without keys`;
    default:
      return isLiveVariable(variable) && live === null
        ? 'LIVE_TRADING is off'
        : otherSource(variable, [source, ...others.map((other) => other.marketData.venue)]);
  }
}

function whyNotRecorded(variable: string, { marketData: { kind }, recording }: Config): string | null {
  if (variable === 'RECORD' && kind !== 'venue') return `MARKET_DATA is ${kind}, not a venue`;
  return variable === 'RECORD_MAX_MB' && recording.folder === null ? 'RECORD is not set' : null;
}

/** Why a variable of a venue has no effect: market data comes from elsewhere. */
function otherSource(variable: string, chosen: readonly string[]): string | null {
  const venue = VENUE_ADAPTERS.find(({ marketDataSettings }) => Object.hasOwn(marketDataSettings, variable));
  return venue === undefined || chosen.some((name) => realVenue(name) === venue.name)
    ? null
    : `MARKET_DATA is ${chosen.join(',')}, not ${venue.name}`;
}

/** The names of the variables that are set; a blank one counts as unset. */
const namesIn = (env: Environment): readonly string[] =>
  Object.keys(env).filter((name) => (env[name]?.trim() ?? '') !== '');
