import type { Logger } from 'pino';
import { DatabaseGone } from '../../adapters/sql/database-gone.js';
import { VERSION } from '../../adapters/system/version.js';
import { isDemo } from '../../core/market/market.js';
import { EXIT } from '../failures/exit.js';
import { failureOf } from '../failures/failure.js';
import type { Config, MarketDataConfig } from '../settings/config.js';
import { configured } from '../settings/configured.js';
import { shownSettings } from '../settings/shown-settings.js';
import { straysIn } from '../settings/stray-variables.js';
import { createLogger, logOutput } from './log.js';
import { openServer, type RunningServer } from './server.js';

const HARD_STOP_MS = 25_000;
const LAST_LINES_MS = 1000;

const GUARDS = {
  dev: 'nothing: every caller is trusted (AUTH_MODE=dev), paper only',
  keys: 'API keys (AUTH_MODE=keys)',
  jwt: 'access tokens (AUTH_MODE=jwt)',
  'keys+jwt': 'API keys and access tokens (AUTH_MODE=keys+jwt)',
} as const;

/** Settings that take the place of those of the process, and what is said once the server listens. */
export interface ServerTerms {
  readonly settings?: Readonly<Record<string, string>>;
  readonly note?: (url: string) => readonly string[];
}

/** Runs the server until a signal ends it: the first drains it, a second exits at once. */
export async function runServer({ settings = {}, note = () => [] }: ServerTerms = {}): Promise<void> {
  const env = { ...process.env, ...settings };
  const config = configured(settings);
  const logger = createLogger(config.logLevel, logOutput(config.logFormat));
  for (const stray of straysIn(env, config)) logger.warn(stray);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.once(event, (error: unknown) => {
      logger.fatal({ err: error }, 'this must not happen; exiting');
      exit(logger, 1);
    });
  }
  const interrupt = new AbortController();
  const starting = openServer(config, logger, interrupt.signal);
  stopOnSignal(starting, interrupt, logger);
  try {
    const server = await starting;
    announce(server, config, note(server.url));
    logger.info({ version: VERSION, node: process.version, settings: shownSettings(env) }, 'started');
    void server.lost.then((why) => giveUp(server, why, logger));
  } catch (error) {
    if (interrupt.signal.aborted) return;
    const failure = failureOf(error);
    if (failure === null) logger.fatal({ err: error }, 'this must not happen; exiting');
    const known = failure ?? error;
    process.stderr.write(`stakeport cannot start: ${known instanceof Error ? known.message : known}\n`);
    exit(logger, failure?.exit ?? EXIT.config);
  }
}

/** What cannot be recorded must not be done. The exit code says whether a restart may help. */
function giveUp(server: RunningServer, why: unknown, logger: Logger): void {
  const code = why instanceof DatabaseGone ? EXIT.config : EXIT.unavailable;
  logger.fatal({ err: why }, 'nothing can be recorded any more; stopping');
  process.stderr.write(`stakeport stops: ${why instanceof Error ? why.message : why}\n`);
  setTimeout(() => exit(logger, code), HARD_STOP_MS).unref();
  const end = () => exit(logger, code);
  server.stop().then(end, end);
}

function announce({ url, playedFrom, wallet }: RunningServer, config: Config, notes: readonly string[]): void {
  const { database, auth, marketData, others, live, ui } = config;
  const data = database.kind === 'memory' ? 'memory, gone at exit' : withoutPassword(database.url);
  const lines = [
    `stakeport ${VERSION} listening on ${url}`,
    ...(ui === null ? [] : [`  dashboard   ${url}/ui`]),
    `  reference   ${url}/docs`,
    `  guarded by  ${GUARDS[auth.mode]}`,
    `  data in     ${data}`,
    `  market data ${[marketData, ...others.map((other) => other.marketData)].map((data) => described(data, playedFrom)).join('; ')}`,
    ...(live === null
      ? []
      : [`  ${isDemo(live.venue) ? 'play' : 'real'} money  ${live.venue} ${live.trading.origin}, key of ${wallet}`]),
    ...notes,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const HELD = {
  now: '',
  request: ', held until the first request for orders, strategies, a stream or the dashboard',
} as const;

function described(marketData: MarketDataConfig, playedFrom: Date | null): string {
  switch (marketData.kind) {
    case 'none':
      return 'none: paper orders fill completely at their limit, at once';
    case 'venue':
      return `${marketData.venue} ${marketData.source.origin}`;
    case 'tape':
      if (playedFrom === null) return `tape ${marketData.path}, played by another server until it stops`;
      return `tape ${marketData.path} from ${playedFrom.toISOString()}, speed ${marketData.speed}${HELD[marketData.start]}`;
  }
}

function withoutPassword(url: string): string {
  if (url.startsWith('sqlite:')) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** A start that is still in progress is aborted. */
function stopOnSignal(starting: Promise<RunningServer>, interrupt: AbortController, logger: Logger): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return exit(logger, 1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => exit(logger, 1), HARD_STOP_MS).unref();
    interrupt.abort();
    const nothing = { stop: async () => {} };
    const server = starting.catch(() => nothing);
    server
      .then((running) => running.stop())
      .then(
        () => exit(logger, 0),
        (error: unknown) => {
          logger.error({ err: error }, 'could not stop cleanly');
          exit(logger, 1);
        },
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** The reader of the log may have stopped reading: the exit does not wait for it. */
function exit(logger: Logger, code: number): void {
  const end = () => process.exit(code);
  setTimeout(end, LAST_LINES_MS);
  logger.flush(end);
}
