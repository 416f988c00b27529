import { join } from 'node:path';
import {
  ApiKeyAuthenticator,
  DevAuthenticator,
  RandomKeyMaker,
  RandomSessionSecrets,
  SessionAuthenticator,
  type SessionParts,
} from '../../src/adapters/auth/index.js';
import {
  AccountReadings,
  apiRoutes,
  createApp,
  EventStreams,
  Metrics,
  type Route,
  type StreamParts,
  serve,
  type Tolerance,
} from '../../src/adapters/http/index.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import type { AuthScope } from '../../src/core/access/principal.js';
import type { AccountId } from '../../src/core/ids.js';
import { ManageKeys } from '../../src/core/usecases/accounts/manage-keys.js';
import { ManageSessions } from '../../src/core/usecases/accounts/manage-sessions.js';
import { ReadServers } from '../../src/core/usecases/servers/read-servers.js';
import type { Authenticator } from '../../src/ports/authenticator.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Leasing } from '../../src/ports/leases.js';
import type { Ledger } from '../../src/ports/ledger.js';
import type { SessionKeeping } from '../../src/ports/session-store.js';
import { parseDuration } from '../../src/server/settings/duration.js';
import { afterEachFile } from './after-file.js';
import { type AppWebhooks, appWebhooks } from './app-webhooks.js';
import { ROOT } from './build.js';
import { anOrderContext, usdc } from './builders.js';
import { Client } from './http.js';
import { Trading, type TradingOptions } from './trading.js';

/** What an app under test keeps things in. */
export type AppLedger = Ledger & KeyStore & SessionKeeping & Leasing;

/** The parts of an app under test; each has a plain default. */
export interface AppOptions extends TradingOptions {
  readonly ledger?: AppLedger;
  readonly corsOrigins?: readonly string[];
  /** The sports of the markets; unknown when absent. */
  readonly sports?: readonly string[];
  /** The address that it is configured to listen on; it listens on 127.0.0.1. */
  readonly host?: string;
  readonly allowedHosts?: readonly string[];
  /** The callers: development users, unless these are API keys, or something else entirely. */
  readonly authenticator?: 'keys' | Authenticator;
  readonly writesPerMinute?: number;
  readonly routes?: readonly Route[];
  readonly unready?: () => Promise<readonly string[]>;
  /** How long clients may take. */
  readonly tolerance?: Tolerance;
  /** Serves the dashboard; on a server with real money, or on paper. */
  readonly ui?: 'live' | 'demo' | 'paper';
  /** The time zone of its days; UTC unless it is given. */
  readonly dayZone?: string;
  /** What is unusual about sessions. */
  readonly sessions?: Partial<SessionParts>;
  /** What is unusual about streams; without it each ends at once, as any other answer. */
  readonly streams?: Partial<StreamParts>;
}

/** The HTTP adapter on a real socket, with the core behind it, in this process. */
export interface RunningApp {
  readonly url: string;
  readonly client: Client;
  readonly ledger: AppLedger;
  readonly streams: EventStreams;
  readonly webhooks: AppWebhooks;
  /** The causes of all 500s so far. */
  readonly failures: readonly unknown[];
  /** A client with a fresh API key. */
  keyed(account: string, ...scopes: AuthScope[]): Promise<Client>;
  close(graceMs?: number): Promise<void>;
}

/** What this process is to others on its store. */
export const THIS = { owner: 'this-machine:1:ab', version: '0.0.0', automates: false };
/** A server reads an account every two seconds; no test has to wait that long. */
const READ_EVERY_MS = 100;
const PEPPER = 'a pepper for tests alone';
const SECRETS = new RandomSessionSecrets(PEPPER);
const opened: RunningApp[] = [];

afterEachFile(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

/** Starts an app on a free port; it closes with the test file. */
export async function startApp(options: AppOptions = {}): Promise<RunningApp> {
  const { ledger = new MemoryLedger(), authenticator, corsOrigins = [], unready = async () => [] } = options;
  const context = options.context ?? anOrderContext({ clock: systemClock, ids: uuidV7, openingCash: usdc('1000000') });
  const use = new Trading(ledger, { ...options, context });
  const keys = new ManageKeys(ledger, ledger, new RandomKeyMaker(PEPPER), systemClock);
  const sessions = new ManageSessions({
    sessions: ledger.sessions,
    keys: ledger,
    secrets: SECRETS,
    clock: systemClock,
  });
  const failures: unknown[] = [];
  const metrics = new Metrics();
  const streams = streamsOf(use, ledger, options, failures);
  const webhooks = appWebhooks(use, () => options.sports ?? null);
  const http = await serve(
    createApp({
      routes:
        options.routes ??
        apiRoutes({
          use: use.use,
          streams,
          knownSports: () => options.sports ?? null,
          hasMarketData: options.markets !== undefined,
          webhooks: webhooks.use,
          servers: new ReadServers(ledger.leases, THIS),
          keys: authenticator === 'keys' ? keys : null,
          lifetime: parseDuration,
          sessions: authenticator === 'keys' ? sessions : null,
          host: options.host ?? '127.0.0.1',
          allowedHosts: options.allowedHosts ?? [],
        }),
      authenticator: authenticatorOf(options, ledger),
      ...(options.writesPerMinute !== undefined && { writesPerMinute: options.writesPerMinute }),
      observer: { answered: (request) => metrics.answered(request), failed: (_, error) => failures.push(error) },
      metrics,
      unready,
      corsOrigins,
      host: options.host ?? '127.0.0.1',
      allowedHosts: options.allowedHosts ?? [],
      version: '0.0.0',
      dev: authenticator === undefined,
      swaggerUi: join(ROOT, 'dist/swagger-ui'),
      guide: ROOT,
      ...(options.ui !== undefined && { ui: uiOf(use, options.ui, options.dayZone) }),
    }),
    '127.0.0.1',
    0,
    options.tolerance,
  );
  const client = new Client(http.url);
  const keyed = async (name: string, ...scopes: AuthScope[]) => {
    const account = name as AccountId;
    const { text } = await keys.create({ by: account, account, scopes, lifetimeMs: null, idempotencyKey: null });
    return client.as({ authorization: `Bearer ${text}` });
  };
  const close = async (graceMs = 0) => {
    await http.close(graceMs);
    await webhooks.close();
  };
  const app = { url: http.url, client, ledger, streams, webhooks, failures, keyed, close };
  opened.push(app);
  return app;
}

const uiOf = ({ use: { accounts, trading } }: Trading, money: 'live' | 'demo' | 'paper', dayZone = 'UTC') => ({
  folder: join(ROOT, 'dist/ui'),
  isLive: money !== 'paper',
  isPlayMoney: money === 'demo',
  mayTrade: false,
  dayZone,
  portfolio: accounts.portfolio,
  trading,
});

function streamsOf({ use }: Trading, ledger: AppLedger, options: AppOptions, failures: unknown[]): EventStreams {
  const streams = new EventStreams({
    readEvents: use.accounts.events,
    log: ledger.log,
    markets: use.markets.subscriptions,
    knownSports: () => options.sports ?? null,
    readings: new AccountReadings(use.accounts.portfolio, undefined, READ_EVERY_MS),
    authenticator: authenticatorOf(options, ledger),
    limits: { perKey: 8, perAccount: 64, total: 1000 },
    reasons: () => [],
    failed: (error) => failures.push(error),
    ...options.streams,
  });
  if (options.streams === undefined) streams.end();
  return streams;
}

function authenticatorOf({ authenticator: wanted, sessions = {} }: AppOptions, ledger: AppLedger): Authenticator {
  if (wanted === undefined) return new DevAuthenticator();
  if (wanted !== 'keys') return wanted;
  const parts = { sessions: ledger.sessions, keys: ledger, secrets: SECRETS, clock: systemClock, ...sessions };
  return new SessionAuthenticator(parts, new ApiKeyAuthenticator(ledger, PEPPER, systemClock));
}

/** A strategy as the given document shows one. */
export const STRATEGY = {
  name: 'Home favourites',
  sport: 'soccer',
  rules: {
    match: { sport: 'soccer', market: 'moneyline', league: 'EPL' },
    filter: { min_odds: 1.5, max_odds: 3, side: 'BACK' },
    sizing: { method: 'fixed_fraction', value: 0.02 },
  },
  bankroll_cap: 1000,
  stake_cap: 50,
} as const;

/** An order with only its required members. */
export const ORDER = { market_id: 'will-it-rain', token: 'YES', price: 0.5, size_usdc: 10 } as const;

export const STRATEGIES = '/v1/strategies';
export const ORDERS = '/v1/exchange/orders';
export const MARKETS = '/v1/exchange/markets';
export const PORTFOLIO = '/v1/portfolio';
export const EVENTS = '/v1/events';
export const STREAM = '/v1/events/stream';
export const SIGNALS = '/v1/signals';
export const DECISIONS = '/v1/decisions';
export const WEBHOOKS = '/v1/webhooks';
export const APPROVALS = '/v1/approvals';

/** What a model says of a market whose outcomes are Yes and No. */
export const SIGNAL = { probabilities: { Yes: 0.57 }, expires_at: new Date(Date.now() + 86_400_000).toISOString() };
