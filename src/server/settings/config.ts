import type { TokenIssuer } from '../../adapters/auth/jwt-authenticator.js';
import type { StreamLimits } from '../../adapters/http/index.js';
import type { PortRange } from '../../adapters/transport/address-rule.js';
import { isLoopbackHost } from '../../adapters/transport/loopback.js';
import type { AccountId, VenueName } from '../../core/ids.js';
import type { Usdc } from '../../core/money.js';
import type { VenueAdapter, VenueMarketData, VenueTrading } from '../../ports/venue-adapter.js';
import { complete } from '../../settings/complete.js';
import { adapterNamed, VENUE_ADAPTERS } from '../venues.js';
import { ConfigInvalid } from './config-invalid.js';
import { Review } from './review.js';
import {
  type AuthMode,
  isLiveVariable,
  type LogFormat,
  type LogLevel,
  type OwnVariable,
  settingOf,
  VARIABLES,
  type Values,
} from './settings.js';
import type { DatabaseChoice, TapeStart } from './values.js';

/** How callers are authenticated, with all that this mode needs. */
export type AuthConfig =
  | { readonly mode: 'dev' }
  | { readonly mode: 'keys'; readonly pepper: string }
  | { readonly mode: 'jwt'; readonly trusted: TokenIssuer }
  | { readonly mode: 'keys+jwt'; readonly pepper: string; readonly trusted: TokenIssuer };

/** The whole configuration, read once at start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly database: DatabaseChoice;
  readonly auth: AuthConfig;
  /** Exact origins; an empty list allows no page of another origin. */
  readonly corsOrigins: readonly string[];
  /** Names of the server besides its own; an empty list allows all outside of dev mode. */
  readonly allowedHosts: readonly string[];
  readonly paperBalance: Usdc;
  readonly paperLatencyMs: number;
  /** How often the equity of every account is recorded; null is never. */
  readonly equityEveryMs: number | null;
  /** The time zone in which a day begins, for every limit per day. */
  readonly dayZone: string;
  /** How long the event log is kept; null is for ever. */
  readonly eventsKeepMs: number | null;
  /** Accounts whose logs report what is wrong with the service. */
  readonly alarmAccounts: readonly AccountId[];
  /** How many streams of events may be open. */
  readonly streamLimits: StreamLimits;
  /** How many things one key may change in a minute, orders aside. */
  readonly writesPerMinute: number;
  /** How many strategies of one account may have automation. */
  readonly automatedPerAccount: number;
  /** How many outcomes of markets the strategies of one account may watch, each counted for each strategy. */
  readonly watchedPerAccount: number;
  /** What webhooks need; null where there are none. */
  readonly webhooks: WebhookConfig | null;
  readonly marketData: MarketDataConfig;
  readonly recording: RecordingConfig;
  /** What trading with real money needs; null where it is off. */
  readonly live: LiveConfig | null;
  /** The most that one order with real money may be worth; null where nobody can place one. */
  readonly liveOrderCap: Usdc | null;
  /** Whether strategies trade by themselves on this server. */
  readonly automation: boolean;
  /** The dashboard; null where it is off. */
  readonly ui: UiConfig | null;
  readonly logLevel: LogLevel;
  /** How the log is written; null where that follows from where it goes. */
  readonly logFormat: LogFormat | null;
  /** Whether what is remembered of the database is compared with it after every group of writes. */
  readonly storeCheck: boolean;
  /** The venue of a request that names none; null for the first. */
  readonly defaultVenue: VenueName | null;
  /** Venues beside the one of `marketData` and `live`. */
  readonly others: readonly VenueChoice[];
}

/** How market data is recorded. */
export interface RecordingConfig {
  /** Where a server records it; null where it does not. */
  readonly folder: string | null;
  /** The most bytes of its tapes together. */
  readonly mostBytes: number;
}

/** What the dashboard may do. */
export interface UiConfig {
  /** Whether it offers acts that risk real money. */
  readonly mayTrade: boolean;
}

/** Market data of a venue, by the venue's name. */
export interface VenueDataConfig {
  readonly kind: 'venue';
  readonly venue: VenueName;
  readonly source: VenueMarketData;
  readonly sports: readonly string[];
  readonly netsOutcomes?: boolean;
}

/** A venue beside the first, and what trading with real money there needs; null where it is off. */
export interface VenueChoice {
  readonly marketData: VenueDataConfig;
  readonly live: LiveConfig | null;
}

/** Where market data comes from, with all that this source needs. */
export type MarketDataConfig =
  | { readonly kind: 'none' }
  | VenueDataConfig
  | { readonly kind: 'tape'; readonly path: string; readonly speed: number | 'max'; readonly start: TapeStart };

/** The account of a caller that names none in dev mode. */
const DEV_ACCOUNT = 'dev' as AccountId;

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables; one that is blank counts as unset.
 * @throws ConfigInvalid with all mistakes at once.
 */
export function readConfig(env: Environment): Config {
  const review = new Review();
  const values = readValues(env, review);
  const mode = modeOf(values, review);
  const config = complete<Config>({
    host: values.HOST,
    port: values.PORT,
    database: values.DATABASE_URL,
    auth: authOf(mode, values, review),
    corsOrigins: values.CORS_ORIGINS ?? [],
    allowedHosts: values.ALLOWED_HOSTS ?? [],
    paperBalance: values.PAPER_BALANCE_USDC,
    paperLatencyMs: values.PAPER_LATENCY_MS,
    equityEveryMs: values.EQUITY_EVERY,
    dayZone: values.DAY_ZONE,
    eventsKeepMs: values.EVENTS_KEEP,
    alarmAccounts: values.ALARM_ACCOUNTS ?? (mode === 'dev' ? [DEV_ACCOUNT] : []),
    streamLimits: complete<StreamLimits>({
      perKey: values.STREAMS_PER_KEY,
      perAccount: values.STREAMS_PER_ACCOUNT,
      total: values.STREAMS_MAX,
    }),
    writesPerMinute: values.WRITES_PER_MINUTE,
    automatedPerAccount: values.AUTOMATED_PER_ACCOUNT,
    watchedPerAccount: values.WATCHED_PER_ACCOUNT,
    webhooks: webhooksOf(values),
    marketData: marketDataOf(values, review),
    recording: recordingOf(values),
    live: liveOf(mode, values, review),
    liveOrderCap: values.LIVE_MAX_ORDER_USDC ?? null,
    automation: values.AUTOMATION === undefined ? undefined : values.AUTOMATION === 'on',
    ui: values.UI === 'off' ? null : { mayTrade: values.UI_TRADING === 'on' },
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? null,
    storeCheck: values.STORE_CHECK === undefined ? undefined : values.STORE_CHECK === 'on',
    defaultVenue: values.DEFAULT_VENUE ?? firstOf(values),
    others: othersOf(values, review),
  });
  if (config === undefined || review.mistakes.length > 0) throw new ConfigInvalid(review.mistakes);
  return config;
}

/** The most that one order with real money may be worth, at any venue. @throws ConfigInvalid */
export function readLiveOrderCap(env: Environment): Usdc {
  const review = new Review();
  const cap = readValue(env, 'LIVE_MAX_ORDER_USDC', review);
  if (review.mistakes.length > 0) throw new ConfigInvalid(review.mistakes);
  return cap as Usdc;
}

/** Without live trading, its settings are neither read nor checked. */
function readValues(env: Environment, review: Review): Values {
  const isRead = (variable: string) => env['LIVE_TRADING'] === 'on' || !isLiveVariable(variable);
  const read = (variable: string) => (isRead(variable) ? readValue(env, variable, review) : undefined);
  return Object.fromEntries(VARIABLES.map((variable) => [variable, read(variable)])) as Values;
}

function readValue(env: Environment, variable: string, review: Review): unknown {
  const { default: fallback, ...setting } = settingOf(variable);
  const given = env[variable]?.trim() === '' ? undefined : env[variable];
  const text = given ?? fallback;
  if (text === null) return undefined;
  const reading = setting.read(text);
  if ('value' in reading) return reading.value;
  review.report(variable, reading.problem);
  return undefined;
}

function authOf(mode: AuthMode | undefined, values: Values, review: Review): AuthConfig | undefined {
  const required = <V extends OwnVariable>(variable: V): Values[V] => {
    if (values[variable] === undefined) review.report(variable, `is required, because AUTH_MODE is ${mode}`);
    return values[variable];
  };
  const pepper = () => required('KEY_PEPPER');
  const trusted = () =>
    complete<TokenIssuer>({
      issuer: required('JWT_ISSUER'),
      audience: required('JWT_AUDIENCE'),
      jwksUrl: required('JWT_JWKS_URL'),
    });
  switch (mode) {
    case undefined:
      return undefined;
    case 'dev':
      return { mode };
    case 'keys':
      checkKeysLast(values, review);
      return complete<AuthConfig>({ mode, pepper: pepper() });
    case 'jwt':
      return complete<AuthConfig>({ mode, trusted: trusted() });
    case 'keys+jwt':
      return complete<AuthConfig>({ mode, pepper: pepper(), trusted: trusted() });
  }
}

/** With jwt beside keys, an administrator's token can create keys while the server runs. */
function checkKeysLast({ DATABASE_URL, LIVE_TRADING }: Values, review: Review): void {
  // LIVE_TRADING requires the same, and reports it.
  if (LIVE_TRADING === 'on') return;
  if (DATABASE_URL?.kind !== 'memory' && DATABASE_URL?.url !== 'sqlite::memory:') return;
  const how = 'stakeport keys create stores them there: sqlite:PATH or postgres://…';
  review.report('DATABASE_URL', `must name a persistent database, because AUTH_MODE is keys, and ${how}`);
}

function modeOf({ AUTH_MODE, HOST, NODE_ENV }: Values, review: Review): AuthMode | undefined {
  const exposed = [
    ...(HOST === undefined || isLoopbackHost(HOST) ? [] : ['HOST is not a loopback address']),
    ...(NODE_ENV === 'production' ? ['NODE_ENV is production'] : []),
  ].join(' and ');
  if (exposed === '') return AUTH_MODE ?? 'dev';
  const instead = 'use keys, jwt or keys+jwt';
  if (AUTH_MODE === undefined) review.report('AUTH_MODE', `must be set, because ${exposed}: ${instead}`);
  if (AUTH_MODE === 'dev') {
    review.report('AUTH_MODE', `cannot be dev, which trusts every caller, because ${exposed}: ${instead}`);
  }
  return AUTH_MODE;
}

function marketDataOf(values: Values, review: Review): MarketDataConfig | undefined {
  const choice = values.MARKET_DATA;
  switch (choice?.kind) {
    case undefined:
      return undefined;
    case 'none':
      return { kind: 'none' };
    case 'venue':
      return venueDataOf(venueOf(values).name, values, review);
    case 'tape':
      return complete<Extract<MarketDataConfig, { kind: 'tape' }>>({
        kind: 'tape',
        path: choice.path,
        speed: values.TAPE_SPEED,
        start: values.TAPE_START,
      });
  }
}

function venueDataOf(name: string, values: Values, review: Review): VenueDataConfig | undefined {
  const venue = adapterNamed(name);
  if (venue === undefined) return undefined;
  return complete<VenueDataConfig>({
    kind: 'venue',
    venue: venueNamed(venue, values),
    sports: venue.sports,
    ...(venue.netsOutcomes === true && { netsOutcomes: true }),
    source: venue.marketData(values, (variable, problem) => review.report(variable, problem)),
  });
}

/** The venue of the markets and orders of an adapter. */
const venueNamed = (adapter: VenueAdapter, values: Values): VenueName => adapter.venueOf?.(values) ?? adapter.name;

/** The venues of MARKET_DATA beside the one that comes first here. */
function othersOf(values: Values, review: Review): readonly VenueChoice[] | undefined {
  const { name: first } = venueOf(values);
  const names = chosenVenues(values).filter((name) => name !== first);
  const others = names.map((name) => venueDataOf(name, values, review));
  return others.every((venue) => venue !== undefined)
    ? others.map((marketData) => ({ marketData, live: null }))
    : undefined;
}

/** The venues that MARKET_DATA names, in its order. */
const chosenVenues = ({ MARKET_DATA: choice }: Values): readonly string[] =>
  choice?.kind === 'venue' ? [choice.name, ...choice.others] : [];

/** The venue of requests that name none, where there are several: the one that MARKET_DATA names first. */
function firstOf(values: Values): VenueName | null {
  const [first, ...others] = chosenVenues(values);
  const adapter = first === undefined || others.length === 0 ? undefined : adapterNamed(first);
  return adapter === undefined ? null : venueNamed(adapter, values);
}

const BYTES_PER_MB = 1_000_000;

function recordingOf({ RECORD: folder, RECORD_MAX_MB: most }: Values): RecordingConfig | undefined {
  return most === undefined ? undefined : { folder: folder ?? null, mostBytes: most * BYTES_PER_MB };
}

/** All that trading with real money needs. */
export interface LiveConfig {
  /** The name of the venue. */
  readonly venue: VenueName;
  readonly trading: VenueTrading;
  /** The most that one order may be worth: the signer refuses any above it. */
  readonly orderCap: Usdc;
}

/** Holds for LIVE_TRADING=on, and for commands that check it in advance. */
const WHERE = 'with LIVE_TRADING=on';

/**
 * What live trading needs; null without LIVE_TRADING=on, undefined when something is missing. Reports every unmet
 * condition.
 */
function liveOf(mode: AuthMode | undefined, values: Values, review: Review): LiveConfig | null | undefined {
  if (values.LIVE_TRADING !== 'on') return values.LIVE_TRADING === undefined ? undefined : null;
  checkSurroundings(mode, values, review);
  const venue = venueOf(values);
  return complete<LiveConfig>({
    venue: venueNamed(venue, values),
    trading: venue.trading(values, (variable, problem) => review.report(variable, problem)),
    orderCap: values.LIVE_MAX_ORDER_USDC,
  });
}

/** The chosen venue that comes first here: one that can trade with real money, where there is one. The default one until a venue is chosen. */
function venueOf(values: Values): VenueAdapter {
  const chosen = chosenVenues(values).map(adapterNamed);
  const [first] = chosen;
  return chosen.find((venue) => venue !== undefined && tradesWithMoney(venue)) ?? first ?? VENUE_ADAPTERS[0];
}

const tradesWithMoney = ({ tradingSettings }: VenueAdapter): boolean => Object.keys(tradingSettings).length > 0;

function checkSurroundings(mode: AuthMode | undefined, { MARKET_DATA, DATABASE_URL }: Values, review: Review): void {
  if (mode === 'dev') {
    review.report('AUTH_MODE', `must be keys, jwt or keys+jwt ${WHERE}, because dev trusts every caller`);
  }
  if (MARKET_DATA !== undefined && MARKET_DATA.kind !== 'venue') {
    review.report('MARKET_DATA', `must be ${VENUE_ADAPTERS.map(({ name }) => name).join(' or ')} ${WHERE}`);
  }
  if (DATABASE_URL?.kind === 'memory' || DATABASE_URL?.url === 'sqlite::memory:') {
    review.report('DATABASE_URL', `must name a persistent database ${WHERE}: sqlite:PATH or postgres://…`);
  }
}

/** How webhooks keep their secrets, and where they and messages to people may be sent. */
export interface WebhookConfig {
  readonly key: Uint8Array;
  readonly allowHttp: boolean;
  readonly networks: readonly string[];
  /** Which may be used in these networks beside 80 and 443. */
  readonly ports: readonly PortRange[];
  /** The address of Telegram's Bot API. */
  readonly telegramApi: URL;
  /** The time zone of people who name none. */
  readonly zone: string;
}

/** Null without a key to keep their secrets under; undefined where something is malformed. */
function webhooksOf(values: Values): WebhookConfig | null | undefined {
  const { SECRETS_KEY: key, WEBHOOK_ALLOW_HTTP: http, WEBHOOK_ALLOWED_NETWORKS: networks = [] } = values;
  const { WEBHOOK_ALLOWED_PORTS: ports = [] } = values;
  if (key === undefined) return null;
  return complete<WebhookConfig>({
    key,
    allowHttp: http === 'on',
    networks,
    ports,
    telegramApi: values.TELEGRAM_API_URL,
    zone: values.DAY_ZONE,
  });
}

/** Whether orders may move real money, at any venue. */
export const movesMoney = ({ live, others }: Pick<Config, 'live' | 'others'>): boolean =>
  live !== null || others.some((venue) => venue.live !== null);
