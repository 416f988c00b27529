import type { Setting, Settings, SettingValues, ValuesOf } from '../../ports/setting.js';
import type { VenueAdapter } from '../../ports/venue-adapter.js';
import { sensitive, setting } from '../../settings/setting.js';
import { atLeast, oneOf, textSetting, usdcAboveZero, usdcSetting } from '../../settings/values.js';
import { VENUE_ADAPTERS } from '../venues.js';
import {
  accounts,
  count,
  database,
  host,
  hosts,
  interval,
  jwksUrl,
  largeCount,
  marketData,
  milliseconds,
  networks,
  origins,
  port,
  portRanges,
  secretsKey,
  speed,
  TAPE_STARTS,
  telegramUrl,
  venue,
  zone,
} from './values.js';

/** The ways to authenticate callers; `dev` trusts them. */
export const AUTH_MODES = ['dev', 'keys', 'jwt', 'keys+jwt'] as const;

/** One of the ways to authenticate callers. */
export type AuthMode = (typeof AUTH_MODES)[number];

/** Levels of the log, from the fewest lines to the most, and none at all. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How lines of the log are written: for people, or for programs. */
export const LOG_FORMATS = ['text', 'json'] as const;

/** How the log is written. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The least severe line that is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const NAMES = VENUE_ADAPTERS.map(({ name }) => name);

const GENERAL = {
  HOST: setting(host, '127.0.0.1', 'Where to listen.'),
  PORT: setting(port, '8080', 'The port to listen on; 0 takes any free one.'),
  DATABASE_URL: sensitive(
    database,
    'sqlite:data/stakeport.db',
    'Where all data is kept. A PATH is relative to the working directory; of missing folders only data is created.',
  ),
  AUTH_MODE: setting(
    oneOf(AUTH_MODES),
    null,
    'How callers are known; dev trusts every caller. Unset: dev, on a loopback HOST outside production.',
  ),
  KEY_PEPPER: sensitive(
    atLeast(16),
    null,
    'A secret to hash API keys with; required with keys. Changing it invalidates every key.',
  ),
  JWT_ISSUER: setting(textSetting('the exact iss'), null, 'Whose access tokens are accepted; required with jwt.'),
  JWT_AUDIENCE: setting(textSetting('the exact aud'), null, 'For whom access tokens must be meant; required with jwt.'),
  JWT_JWKS_URL: setting(jwksUrl, null, 'Where the public keys of the issuer are; required with jwt.'),
  CORS_ORIGINS: setting(origins, null, 'Pages of other origins that may use the API. Unset: none.'),
  ALLOWED_HOSTS: setting(
    hosts,
    null,
    'Names by which clients may call the server besides localhost, loopback addresses and HOST. Unset: any, or in dev mode only those.',
  ),
  PAPER_BALANCE_USDC: setting(usdcSetting, '100000', 'What every new paper account starts with.'),
  PAPER_LATENCY_MS: setting(
    milliseconds,
    '150',
    'How long a paper order takes to reach its book, where there is market data.',
  ),
  EQUITY_EVERY: setting(interval, '300s', 'How often the equity of every account is recorded for its history.'),
  DAY_ZONE: setting(
    zone,
    'UTC',
    'Whose midnight begins a day, for every limit per day; the same on all servers of a database.',
  ),
  EVENTS_KEEP: setting(
    interval,
    '90d',
    'For how long the event log is kept, with what webhooks did not take. Histories of orders are always kept.',
  ),
  ALARM_ACCOUNTS: setting(
    accounts,
    null,
    'Accounts whose event logs also have the alarms of the service, beside those that trade with real money. Unset: dev in dev mode, none otherwise.',
  ),
  STREAMS_PER_KEY: setting(
    count,
    '8',
    'How many streams of events one key, or one token (by its `jti`, else its `sub`), may have open.',
  ),
  STREAMS_PER_ACCOUNT: setting(
    count,
    '64',
    'How many streams of events one account may have open, whatever keys and tokens it has.',
  ),
  STREAMS_MAX: setting(
    count,
    '1000',
    'How many streams of events may be open in all; never more than half of the connections.',
  ),
  WRITES_PER_MINUTE: setting(
    count,
    '600',
    'How many things one key may change in a minute. Orders, cancellations, approvals, halts and pauses are not counted.',
  ),
  AUTOMATED_PER_ACCOUNT: setting(
    count,
    '200',
    'How many strategies of one account may trade by themselves or ask for approval.',
  ),
  WATCHED_PER_ACCOUNT: setting(
    largeCount,
    '50000',
    'How many outcomes of markets the strategies of one account may watch, each counted for each strategy.',
  ),
  SECRETS_KEY: sensitive(
    secretsKey,
    null,
    'What secrets of webhooks and tokens of messengers are kept under; the same on all servers of a database. Unset: no webhooks, no messages.',
  ),
  WEBHOOK_ALLOW_HTTP: setting(
    oneOf(['off', 'on']),
    'off',
    'Whether webhooks and messages to ntfy may be sent over http, which anyone on the way can read.',
  ),
  WEBHOOK_ALLOWED_NETWORKS: setting(
    networks,
    null,
    'What webhooks and messages to ntfy may reach beside the public Internet. Unset: nothing.',
  ),
  WEBHOOK_ALLOWED_PORTS: setting(
    portRanges,
    null,
    'What may be used in WEBHOOK_ALLOWED_NETWORKS beside 80 and 443. Unset: nothing.',
  ),
  TELEGRAM_API_URL: setting(
    telegramUrl,
    'https://api.telegram.org',
    'Where messages on Telegram are sent: the Bot API, or a server of yours with the same.',
  ),
  MARKET_DATA: setting(marketData(NAMES), 'none', 'Where markets and their books come from; a tape is a recording.'),
  DEFAULT_VENUE: setting(
    venue,
    null,
    'The venue of a request that names none, if there are several. Unset: that of MARKET_DATA.',
  ),
  TAPE_SPEED: setting(
    speed,
    '1',
    'How fast a tape is played: 1 as recorded, 60 for a minute per second, max as fast as it can be, all with the same result.',
  ),
  TAPE_START: setting(
    oneOf(TAPE_STARTS),
    'now',
    'When a tape begins: now, with the server, or request, with the first request for orders, strategies, a stream of markets or the dashboard.',
  ),
  RECORD: setting(
    textSetting('the path of a folder'),
    null,
    'Where to record what a venue says of the markets that are followed, as a tape for each day; made when missing. Unset: nothing.',
  ),
  RECORD_MAX_MB: setting(
    largeCount,
    '10000',
    'How many megabytes the tapes in RECORD may take. Beyond, and with less than 500 MB of free disk, nothing is recorded until there is room again.',
  ),
};
const LIVE = {
  LIVE_TRADING: setting(
    oneOf(['off', 'on']),
    'off',
    'Whether orders may move real money. The settings up to LIVE_MAX_ORDER_USDC are read only when it is on.',
  ),
};
const LIVE_LIMITS = {
  LIVE_MAX_ORDER_USDC: setting(
    usdcAboveZero,
    '1000',
    'The most that one order with real money may be worth, at every venue; the signer signs none above it.',
  ),
};
const LAST = {
  AUTOMATION: setting(
    oneOf(['off', 'on']),
    'on',
    'Whether this server lets strategies trade by themselves. What they may do is set for each strategy.',
  ),
  UI: setting(oneOf(['off', 'on']), 'on', 'Whether the dashboard is served at /ui.'),
  UI_TRADING: setting(
    oneOf(['off', 'on']),
    'off',
    'Whether sessions of browsers may do what risks real money. Paper and halting are always offered.',
  ),
  LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info', 'The least severe line to log.'),
  LOG_FORMAT: setting(
    oneOf(LOG_FORMATS),
    null,
    'How the log is written: text for people, without a line for each request, or json. Unset: text on a terminal, else json.',
  ),
  STORE_CHECK: setting(
    oneOf(['off', 'on']),
    'off',
    'For finding faults: on compares what the server remembers with a Postgres after every group of writes, which is slow, and stops it where they differ.',
  ),
  NODE_ENV: setting(textSetting('any text'), null, 'With production, AUTH_MODE=dev is refused on every HOST.'),
};

const allOf = (of: (venue: VenueAdapter) => Settings): Settings => Object.assign({}, ...VENUE_ADAPTERS.map(of));
const MARKET_DATA_SETTINGS = allOf(({ marketDataSettings }) => marketDataSettings);
const LIVE_SETTINGS: Settings = { ...allOf(({ tradingSettings }) => tradingSettings), ...LIVE_LIMITS };

/** Every variable that the server reads, including those of the venues. Reading, help and docs/operating.md use this table. */
export const SETTINGS: Settings = { ...GENERAL, ...MARKET_DATA_SETTINGS, ...LIVE, ...LIVE_SETTINGS, ...LAST };

type Own = typeof GENERAL & typeof LIVE & typeof LIVE_LIMITS & typeof LAST;

/** The name of an environment variable of the server itself, independent of the venue. */
export type OwnVariable = keyof Own;

/** What was read from each variable; undefined where it is unset without a default, or malformed. */
export type Values = ValuesOf<Own> & SettingValues;

/** Every variable in the order of the table. */
export const VARIABLES: readonly string[] = Object.keys(SETTINGS);

/** The variables that choose and reach market data. */
export const MARKET_DATA_VARIABLES: readonly string[] = [
  'MARKET_DATA',
  'TAPE_SPEED',
  'TAPE_START',
  ...Object.keys(MARKET_DATA_SETTINGS),
];

/** True for a variable that has no effect without LIVE_TRADING=on. */
export const isLiveVariable = (variable: string): boolean => Object.hasOwn(LIVE_SETTINGS, variable);

/** The setting of this name. @throws TypeError where there is none */
export function settingOf(variable: string): Setting {
  const found = SETTINGS[variable];
  if (found === undefined) throw new TypeError(`${variable} is not a setting`);
  return found;
}

/** Where the descriptions begin: two blanks after the longest name. */
const COLUMN = Math.max(...VARIABLES.map(({ length }) => length)) + 2;

/** The table for `--help`: a name, a description and a default each, in lines of at most 100 characters. */
export function settingsHelp(): string {
  return VARIABLES.map(helpOn).join('\n');
}

function helpOn(variable: string): string {
  const { description, takes, secret, default: fallback } = settingOf(variable);
  const words = [
    description,
    `Takes ${takes}.`,
    ...(secret ? ['Never printed.'] : []),
    ...(fallback === null ? [] : [`Default: ${fallback}`]),
  ];
  return wrapped(words.join(' '), 98 - COLUMN)
    .map((line, i) => `  ${(i === 0 ? variable : '').padEnd(COLUMN)}${line}`)
    .join('\n');
}

function wrapped(words: string, width: number): string[] {
  const lines = [''];
  for (const word of words.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
