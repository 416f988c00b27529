import { VENUE_NAME } from '../core/market/market.js';
import { createLogger, logOutput } from './http/log.js';
import { openServer } from './http/server.js';
import { dataOf, type OwnVenue, ownTradingOf } from './own-venues.js';
import { type Config, type Environment, readConfig, readLiveOrderCap, type VenueChoice } from './settings/config.js';
import { ConfigInvalid } from './settings/config-invalid.js';

/** Options of a server started from a program. */
export interface ServerOptions {
  /** The settings, as `stakeport --help` lists them: those of the process by default. */
  readonly env?: Environment;
  /** Your own venues by name: beside the venue of MARKET_DATA where that is set, else in its place. */
  readonly venues?: Readonly<Record<string, OwnVenue>>;
}

/** A server that runs in this process. */
export interface StartedServer {
  /** Its address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Resolves with the reason once nothing more can be recorded: close the server then, and start a new one. */
  readonly lost: Promise<unknown>;
  /** Answers pending requests, then closes everything, including the venues. */
  close(): Promise<void>;
}

/**
 * Starts a server in this process: the same as `stakeport serve`, with the same settings, and with your own venues if any.
 * Resolves once it is ready. It logs to standard error, and handles no signals.
 * @throws ConfigInvalid with all mistakes at once; any other error that prevents the start
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
  const server = await openServer(
    config,
    createLogger(config.logLevel, logOutput(config.logFormat)),
    new AbortController().signal,
  );
  return { url: server.url, lost: server.lost, close: () => server.stop() };
}

function configOf(env: Environment, venues: Readonly<Record<string, OwnVenue>>): Config {
  const wrong = Object.keys(venues).filter((name) => !VENUE_NAME.test(name));
  if (wrong.length > 0) {
    const problem = 'must have names of lower-case letters, digits, - and _, a letter first, such as own';
    throw new ConfigInvalid([{ variable: 'venues', problem: `${problem}; got ${wrong.join(', ')}` }]);
  }
  const [first, ...more] = Object.entries(venues);
  if (first === undefined) return readConfig(env);
  if (env['MARKET_DATA'] !== undefined) {
    const config = readConfig(env);
    const own = [first, ...more].map((venue) => choiceOf(env, config, venue, false));
    return { ...config, others: [...config.others, ...own] };
  }
  const config = readConfig({ ...env, MARKET_DATA: 'none', LIVE_TRADING: 'off' });
  const choice = choiceOf(env, config, first, true);
  return {
    ...config,
    ...choice,
    liveOrderCap: choice.live?.orderCap ?? null,
    others: more.map((own) => choiceOf(env, config, own, false)),
  };
}

function choiceOf(env: Environment, config: Config, [name, own]: [string, OwnVenue], isAlone: boolean): VenueChoice {
  const marketData = dataOf(name, own);
  const { exchange } = own;
  if (env['LIVE_TRADING'] !== 'on' || (exchange === undefined && !isAlone)) return { marketData, live: null };
  const mistakes = [
    ...(config.auth.mode === 'dev'
      ? [mistake('AUTH_MODE', 'keys, jwt or keys+jwt, because dev trusts every caller')]
      : []),
    ...(lasts(config) ? [] : [mistake('DATABASE_URL', 'a persistent database: sqlite:PATH or postgres://…')]),
    ...(exchange === undefined ? [mistake(`venues.${name}.exchange`, 'given')] : []),
  ];
  if (mistakes.length > 0 || exchange === undefined) throw new ConfigInvalid(mistakes);
  const trading = ownTradingOf(name, { ...own, exchange });
  return { marketData, live: { venue: marketData.venue, trading, orderCap: readLiveOrderCap(env) } };
}

const mistake = (variable: string, what: string) => ({ variable, problem: `must be ${what}, with LIVE_TRADING=on` });

const lasts = ({ database }: Config): boolean => database.kind !== 'memory' && database.url !== 'sqlite::memory:';
