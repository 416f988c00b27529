import { NO_USDC } from '../core/money.js';
import { createLogger } from './http/log.js';
import { openServer } from './http/server.js';
import { dataOf, type OwnVenue, tradingOf } from './own-venues.js';
import { type Config, ConfigInvalid, type Environment, readConfig } from './settings/config.js';

/** What a server from a program is given. */
export interface ServerOptions {
  /** The settings, as `stakeport --help` has them: those of the process unless told. */
  readonly env?: Environment;
  /** A venue of your own under its name, in place of MARKET_DATA; one at a time. */
  readonly venues?: Readonly<Record<string, OwnVenue>>;
}

/** A server that runs in this process. */
export interface StartedServer {
  /** Where it answers, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Resolves with the reason once nothing more can be put on record: it is to be closed then, and started anew. */
  readonly lost: Promise<unknown>;
  /** Answers what was asked, then closes everything, the venue too. */
  close(): Promise<void>;
}

const NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/**
 * Starts a server in this process: the same as `stakeport serve`, with the same settings, and with a venue of your own where
 * one is given. Resolves once it is ready. It logs to standard error, and listens to no signal.
 * @throws ConfigInvalid with all mistakes at once; whatever keeps a server from starting
 *
 * @example
 * ```ts
 * const server = await startServer({
 *   env: { DATABASE_URL: 'sqlite:mine.db', PORT: '8080' },
 *   venues: { own: { marketData: new OwnMarkets(), exchange: new OwnExchange() } },
 * });
 * console.log(server.url);
 * ```
 */
export async function startServer({ env = process.env, venues = {} }: ServerOptions = {}): Promise<StartedServer> {
  const config = configOf(env, venues);
  const server = await openServer(config, createLogger(config.logLevel), new AbortController().signal);
  return { url: server.url, lost: server.lost, close: () => server.stop() };
}

function configOf(env: Environment, venues: Readonly<Record<string, OwnVenue>>): Config {
  const [first, ...others] = Object.entries(venues);
  if (first === undefined) return readConfig(env);
  const [name, own] = first;
  if (others.length > 0 || !NAME.test(name)) {
    const problem = 'must be one, under a name of lower-case letters, digits, - and _, such as own';
    throw new ConfigInvalid([{ variable: 'venues', problem: `${problem}; got ${Object.keys(venues).join(', ')}` }]);
  }
  const config = readConfig({ ...env, MARKET_DATA: 'none', LIVE_TRADING: 'off' });
  const withData = { ...config, marketData: dataOf(name, own) };
  if (env['LIVE_TRADING'] !== 'on') return withData;
  const { exchange } = own;
  const mistakes = [
    ...(config.auth.mode === 'dev'
      ? [mistake('AUTH_MODE', 'keys, jwt or keys+jwt, because dev believes whoever calls')]
      : []),
    ...(lasts(config) ? [] : [mistake('DATABASE_URL', 'a database that lasts: sqlite:PATH or postgres://…')]),
    ...(exchange === undefined ? [mistake(`venues.${name}.exchange`, 'given')] : []),
  ];
  if (mistakes.length > 0 || exchange === undefined) throw new ConfigInvalid(mistakes);
  // What one order may be worth is the exchange's own to hold.
  const live = { venue: name, trading: tradingOf(name, { ...own, exchange }), orderCap: NO_USDC };
  return { ...withData, live };
}

const mistake = (variable: string, what: string) => ({ variable, problem: `must be ${what}, with LIVE_TRADING=on` });

const lasts = ({ database }: Config): boolean => database.kind !== 'memory' && database.url !== 'sqlite::memory:';
