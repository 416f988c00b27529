import type * as v from 'valibot';
import { LIVE_SETTINGS } from './live-settings.js';
import { sensitive, setting } from './setting.js';
import {
  atLeast,
  database,
  host,
  hosts,
  interval,
  jwksUrl,
  marketData,
  milliseconds,
  oneOf,
  origins,
  port,
  serviceUrl,
  socketUrl,
  speed,
  text,
  usdc,
} from './values.js';

/** The ways to tell callers apart; `dev` believes them. */
export const AUTH_MODES = ['dev', 'keys', 'jwt', 'keys+jwt'] as const;

/** One of the ways to tell callers apart. */
export type AuthMode = (typeof AUTH_MODES)[number];

/** From the fewest log lines to the most, and none at all. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The least severe line that is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every variable that the server looks at. Parsing and help both come from this table. */
export const SETTINGS = {
  HOST: setting(host, '127.0.0.1', 'Host name or IP address to listen on.'),
  PORT: setting(port, '8080', 'Port to listen on; 0 takes any that is free.'),
  DATABASE_URL: sensitive(
    database,
    'sqlite:data/stakeport.db',
    'Where all is kept: sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/NAME, sqlite::memory: or memory:.',
  ),
  AUTH_MODE: setting(
    oneOf(AUTH_MODES),
    null,
    `${AUTH_MODES.join(', ')}; dev believes whoever calls. Unset: dev, on a loopback HOST outside production.`,
  ),
  KEY_PEPPER: sensitive(
    atLeast(16),
    null,
    'At least 16 characters that API keys are hashed with; required with keys. Changing it makes every key invalid.',
  ),
  JWT_ISSUER: setting(text, null, 'The exact iss of the access tokens to accept; required with jwt.'),
  JWT_AUDIENCE: setting(text, null, 'The aud that access tokens must be meant for; required with jwt.'),
  JWT_JWKS_URL: setting(
    jwksUrl,
    null,
    "The issuer's public keys: https, or http on a loopback host; required with jwt.",
  ),
  CORS_ORIGINS: setting(
    origins,
    null,
    'Web origins whose pages may use the API, separated by commas; none when unset.',
  ),
  ALLOWED_HOSTS: setting(
    hosts,
    null,
    'Names by which clients may call the server besides localhost and HOST, separated by commas; unset: any name, but in dev mode none besides those.',
  ),
  PAPER_BALANCE_USDC: setting(usdc, '100000', 'What every new paper account starts with.'),
  PAPER_LATENCY_MS: setting(
    milliseconds,
    '150',
    'How long a paper order takes to the exchange and its book, where there is market data.',
  ),
  EQUITY_EVERY: setting(
    interval,
    '300s',
    'How often the worth of every account is put on record, for its history: a duration such as 30s, 5m or 1h, or off.',
  ),
  MARKET_DATA: setting(
    marketData,
    'none',
    'Where markets and their books come from: none, polymarket, or tape:PATH to play a recording.',
  ),
  TAPE_SPEED: setting(
    speed,
    '1',
    'How fast a tape is played: 1 as it was recorded, 60 for a minute a second, or max, which leaves a server nothing to trade.',
  ),
  POLYMARKET_GAMMA_URL: setting(serviceUrl, 'https://gamma-api.polymarket.com', "Polymarket's market metadata."),
  POLYMARKET_CLOB_URL: setting(serviceUrl, 'https://clob.polymarket.com', "Polymarket's order books."),
  POLYMARKET_WS_URL: setting(
    socketUrl,
    'wss://ws-subscriptions-clob.polymarket.com',
    "Polymarket's streams: the base to which /ws/market and /ws/user are added.",
  ),
  LIVE_TRADING: setting(
    oneOf(['off', 'on']),
    'off',
    'Whether orders may move real money: on or off. What follows up to LIVE_MAX_ORDER_USDC is read only when it is on.',
  ),
  ...LIVE_SETTINGS,
  LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info', `The least severe line to log: ${LOG_LEVELS.join(', ')}.`),
  NODE_ENV: setting(text, null, 'With production, AUTH_MODE=dev is refused wherever the server listens.'),
};

/** The name of an environment variable that means something here. */
export type Variable = keyof typeof SETTINGS;

/** What was read from each variable; undefined where it is unset without a default, or malformed. */
export type Values = { readonly [V in Variable]: v.InferOutput<(typeof SETTINGS)[V]['schema']> | undefined };

/** Every variable in the order of the table. */
export const VARIABLES = Object.keys(SETTINGS) as readonly Variable[];

/** Where the descriptions begin: two blanks after the longest name. */
const COLUMN = Math.max(...VARIABLES.map(({ length }) => length)) + 2;

/** The table for `--help`: a name, a description and a default each, in lines of at most 100 characters. */
export function settingsHelp(): string {
  return VARIABLES.map(helpOn).join('\n');
}

function helpOn(variable: Variable): string {
  const { description, secret, default: fallback } = SETTINGS[variable];
  const words = [
    description,
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
