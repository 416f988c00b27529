import { DomainError } from '../core/errors.js';
import type { Signer } from '../ports/signer.js';
import { EXIT } from '../server/failures/exit-codes.js';
import { type Config, ConfigInvalid, type Environment, readConfig } from '../server/settings/config.js';
import type { LiveConfig } from '../server/settings/live-config.js';
import { unknownIn } from '../server/settings/stray-variables.js';
import { openSigner } from '../server/wiring/live-venue.js';
import { type Check, missing, ok, warning } from './check.js';
import { examineBooks } from './doctor-books.js';
import { examineVenue } from './doctor-venue.js';
import { print, printJson } from './print.js';

/** How the checks are told. */
export interface DoctorOptions {
  /** One JSON document on standard output in place of lines. */
  readonly json?: boolean;
}

/** `stakeport doctor`: prints each check on a line; exits with 1 when something is missing. */
export async function doctor({ json = false }: DoctorOptions): Promise<void> {
  const checks: Check[] = [];
  for await (const check of examine(process.env)) {
    checks.push(check);
    if (!json) print(`${check.level.padEnd(9)}${check.words}`);
  }
  const isMissing = checks.some(({ level }) => level === 'missing');
  if (json) printJson({ ready: !isMissing, checks: checks.map(({ level, words }) => ({ level, message: words })) });
  if (isMissing) process.exitCode = EXIT.no;
}

/**
 * Tells of everything that trading with real money needs how it stands, in this environment. Changes nothing in the
 * database or at the venue, makes no new API credentials and places nothing.
 */
export async function* examine(env: Environment): AsyncGenerator<Check> {
  const config = configOf(env);
  if (!Array.isArray(config)) yield ok('The configuration can be used.');
  for (const words of unknownIn(env)) yield warning(words);
  if (env['LIVE_TRADING'] !== 'on') {
    yield missing(
      'LIVE_TRADING is not on, so that no order moves real money. Set LIVE_TRADING=on when the rest is ok.',
    );
  }
  if (Array.isArray(config)) return yield* config;
  const { live, database } = config;
  const signer = await signerOf(live);
  if ('level' in signer) {
    yield signer;
    yield* (await examineVenue(live, null)).checks;
    return yield* examineBooks(database, null);
  }
  yield* await wallet(live, signer);
  const { checks, collateral } = await examineVenue(live, signer);
  yield* checks;
  yield ok('Fees are read with the data of each market, and kept back with each order.');
  const { chainId, signatureType, funder } = live;
  const pays = { chainId, signatureType, address: await signer.address(), funder: funder ?? undefined };
  yield* examineBooks(database, { ...pays, collateral });
}

/** What it would be with live trading on, whatever it is. */
function configOf(env: Environment): (Config & { live: LiveConfig }) | Check[] {
  try {
    return readConfig({ ...env, LIVE_TRADING: 'on' }) as Config & { live: LiveConfig };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.mistakes.map(({ variable, problem }) => missing(`${variable} ${problem}.`));
  }
}

async function signerOf(live: LiveConfig): Promise<Signer | Check> {
  try {
    return (await openSigner(live)) ?? missing('There is no key.');
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return missing(error.message);
  }
}

async function wallet({ chainId, signatureType, funder }: LiveConfig, signer: Signer): Promise<readonly Check[]> {
  const address = await signer.address();
  const pays = signatureType === 0 ? 'the key itself pays' : `${funder} pays`;
  return [
    ok(`The key can be read. Its address is ${address}: make sure that it is yours.`),
    ok(`The wallet is of type ${signatureType}: ${pays}.`),
    ok(`The chain is ${chainId}${chainId === 137 ? '.' : ', which is for tests.'}`),
  ];
}
