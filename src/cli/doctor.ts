import { DomainError } from '../core/errors.js';
import type { Check, VenueWallet } from '../ports/venue-adapter.js';
import { EXIT } from '../server/failures/failure.js';
import type { LiveConfig } from '../server/settings/config.js';
import { type Config, ConfigInvalid, type Environment, readConfig } from '../server/settings/config.js';
import { unknownIn } from '../server/settings/stray-variables.js';
import { openWallet } from '../server/wiring/live-venue.js';
import { missing, ok, warning } from '../settings/check.js';
import { examineBooks } from './doctor-books.js';
import { print, printJson } from './print.js';

/** How the checks are printed. */
export interface DoctorOptions {
  /** One JSON document on standard output in place of lines. */
  readonly json?: boolean;
}

/** `stakeport doctor`: prints each check on a line; exits with 1 when something is missing. */
export async function doctor({ json = false }: DoctorOptions): Promise<void> {
  const checks: Check[] = [];
  const config = configOf(process.env);
  for await (const check of examine(process.env, config)) {
    checks.push(check);
    if (!json) print(`${check.level.padEnd(9)}${check.words}`);
  }
  const isMissing = checks.some(({ level }) => level === 'missing');
  const venue = Array.isArray(config) ? null : config.live.venue;
  const rows = checks.map(({ level, words }) => ({ level, message: words }));
  if (json) printJson({ ready: !isMissing, venue, checks: rows });
  if (isMissing) process.exitCode = EXIT.no;
}

/**
 * Checks everything that trading with real money needs, in this environment. Changes nothing in the database or at the
 * venue, creates no API credentials and places nothing.
 */
export async function* examine(env: Environment, config = configOf(env)): AsyncGenerator<Check> {
  if (!Array.isArray(config)) {
    yield ok(`The configuration is valid. The venue examined is ${config.live.venue}.`);
  }
  for (const words of unknownIn(env)) yield warning(words);
  if (env['LIVE_TRADING'] !== 'on') {
    yield missing('LIVE_TRADING is not on, so no order moves real money. Set LIVE_TRADING=on when the rest is ok.');
  }
  if (Array.isArray(config)) return yield* config;
  const { live, database } = config;
  const { venue } = live;
  const wallet = await walletOf(live);
  if ('level' in wallet) {
    yield wallet;
    yield* (await live.trading.examine()).checks;
    return yield* examineBooks(database, { venue, wallet: null, collateral: null });
  }
  yield* wallet.checks;
  const { checks, collateral } = await wallet.examine();
  yield* checks;
  yield ok('Fees are read with the data of each market, and reserved with each order.');
  yield* examineBooks(database, { venue, wallet, collateral });
}

/** The configuration as if live trading were on. */
function configOf(env: Environment): (Config & { live: LiveConfig }) | Check[] {
  try {
    return readConfig({ ...env, LIVE_TRADING: 'on' }) as Config & { live: LiveConfig };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.mistakes.map(({ variable, problem }) => missing(`${variable} ${problem}.`));
  }
}

async function walletOf(live: LiveConfig): Promise<VenueWallet | Check> {
  try {
    return (await openWallet(live)) ?? missing('No key is configured.');
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return missing(error.message);
  }
}
