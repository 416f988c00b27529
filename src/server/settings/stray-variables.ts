import { nearest } from '../../core/nearest.js';
import type { Config, Environment } from './config.js';
import { isLiveVariable } from './live-settings.js';
import { VARIABLES, type Variable } from './settings.js';

/** How variables begin that only this program has; other programs on a machine name theirs otherwise. */
const OWN = ['POLYMARKET_', 'PAPER_', 'LIVE_', 'TAPE_', 'JWT_', 'EQUITY_', 'MARKET_DATA_', 'KEY_PEPPER_'];
/** Too short, or too common, for a name that is near one of them to be a slip of the hand. */
const COMMON: readonly Variable[] = ['HOST', 'PORT', 'NODE_ENV'];

/** What an operator set in vain: variables that look like settings and are none, and settings that have no effect here. */
export function straysIn(env: Environment, config: Config): readonly string[] {
  return [...unknownIn(env), ...idleIn(env, config)];
}

/** Names that are set and are no settings, where this setting was most likely meant by them. */
export function slipsOf(variable: Variable, env: Environment): readonly string[] {
  return namesIn(env).filter((name) => !isSetting(name) && meantBy(name) === variable);
}

/** Variables that look like settings and are none, in words. */
export function unknownIn(env: Environment): readonly string[] {
  return namesIn(env).flatMap((name) => {
    if (isSetting(name)) return [];
    const meant = meantBy(name);
    const isOurs = OWN.some((beginning) => name.startsWith(beginning));
    if (meant === undefined) return isOurs ? [`${name} is not a setting, and has no effect.`] : [];
    return [`${name} is not a setting, and has no effect. Is ${meant} meant?`];
  });
}

const isSetting = (name: string): boolean => VARIABLES.some((variable) => variable === name);

function meantBy(name: string): Variable | undefined {
  const known = VARIABLES.filter((variable) => !COMMON.includes(variable));
  return known.find((variable) => variable.startsWith(`${name}_`) && name.includes('_')) ?? nearest(name, known);
}

/** Settings that are given and have no effect beside the others, in words. */
function idleIn(env: Environment, config: Config): readonly string[] {
  return namesIn(env).flatMap((name) => {
    const why = isSetting(name) ? whyIdle(name as Variable, config) : null;
    return why === null ? [] : [`${name} has no effect, because ${why}.`];
  });
}

function whyIdle(variable: Variable, { auth, marketData, live }: Config): string | null {
  const { kind } = marketData;
  switch (variable) {
    case 'TAPE_SPEED':
      return kind === 'tape' ? null : `MARKET_DATA is ${kind}, not a tape`;
    case 'PAPER_LATENCY_MS':
      return kind === 'none' ? 'MARKET_DATA is none: without books an order fills at once' : null;
    case 'POLYMARKET_GAMMA_URL':
    case 'POLYMARKET_CLOB_URL':
    case 'POLYMARKET_WS_URL':
      return kind === 'polymarket' ? null : `MARKET_DATA is ${kind}, not polymarket`;
    case 'JWT_ISSUER':
    case 'JWT_AUDIENCE':
    case 'JWT_JWKS_URL':
      return 'trusted' in auth ? null : `AUTH_MODE is ${auth.mode}, without jwt`;
    case 'KEY_PEPPER':
      return 'pepper' in auth ? null : `AUTH_MODE is ${auth.mode}, without keys`;
    default:
      return isLiveVariable(variable) && live === null ? 'LIVE_TRADING is off' : null;
  }
}

/** One that is blank counts as unset. */
const namesIn = (env: Environment): readonly string[] =>
  Object.keys(env).filter((name) => (env[name]?.trim() ?? '') !== '');
