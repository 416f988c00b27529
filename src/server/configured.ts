import { type Config, readConfig } from './config.js';
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
  const blank = VARIABLES.filter((variable) => !used.includes(variable)).map((variable) => [variable, '']);
  return configured(Object.fromEntries(blank));
}
