import { InvariantBroken } from '../../core/errors.js';
import { type Config, readConfig } from './config.js';
import type { LiveConfig } from './live-config.js';
import { isLiveVariable } from './live-settings.js';
import { VARIABLES, type Variable } from './settings.js';

/** The configuration of this process's environment, with what is put in its place. @throws ConfigInvalid */
export function configured(overrides: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...process.env, ...overrides });
}

/** Where market data comes from: all that `openMarketSource` is made from. */
export const SOURCE_VARIABLES = [
  'MARKET_DATA',
  'TAPE_SPEED',
  'POLYMARKET_GAMMA_URL',
  'POLYMARKET_CLOB_URL',
  'POLYMARKET_WS_URL',
] as const satisfies readonly Variable[];

/**
 * The same of these variables alone, for commands that work beside a server or without one: what else is wrong with the
 * environment must not keep an operator from stopping an account. @throws ConfigInvalid
 */
export function configuredAlone(...used: readonly Variable[]): Config {
  return configured(blankBut((variable) => used.includes(variable)));
}

/** What a server with LIVE_TRADING=on has, in place of what reaching the wallet's orders does not need. */
const SURROUNDINGS = {
  LIVE_TRADING: 'on',
  AUTH_MODE: 'keys',
  KEY_PEPPER: 'not used by this',
  MARKET_DATA: 'polymarket',
};
const EXCHANGE: readonly Variable[] = ['POLYMARKET_CLOB_URL', 'POLYMARKET_WS_URL'];

/**
 * The wallet and its exchange alone, whatever else is missing or wrong: that must not keep an operator from cancelling.
 * @throws ConfigInvalid
 */
export function configuredWallet(): LiveConfig {
  const { live } = configured({
    ...blankBut((variable) => EXCHANGE.includes(variable) || (isLiveVariable(variable) && !UNUSED.includes(variable))),
    ...SURROUNDINGS,
  });
  if (live === null) throw new InvariantBroken('with LIVE_TRADING=on there is a wallet');
  return live;
}

/** Nothing is bought, and nobody asks where this machine is. */
const UNUSED: readonly Variable[] = ['LIVE_MAX_ORDER_USDC', 'POLYMARKET_GEOBLOCK_URL'];

function blankBut(isUsed: (variable: Variable) => boolean): Readonly<Record<string, string>> {
  return Object.fromEntries(VARIABLES.filter((variable) => !isUsed(variable)).map((variable) => [variable, '']));
}
