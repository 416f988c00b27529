import { expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { straysIn } from '../../../src/server/settings/stray-variables.js';

const strays = (env: Readonly<Record<string, string>>) => straysIn(env, readConfig(env));

it.each([
  ['PAPER_BALANCE', 'PAPER_BALANCE_USDC'],
  ['PAPER_BALANCE_USD', 'PAPER_BALANCE_USDC'],
  ['PAPER_LATENCY', 'PAPER_LATENCY_MS'],
  ['LIVE_TRADE', 'LIVE_TRADING'],
  ['LIVE_TRADINGS', 'LIVE_TRADING'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['AUTHMODE', 'AUTH_MODE'],
  ['KEY_PEPER', 'KEY_PEPPER'],
  ['MARKETDATA', 'MARKET_DATA'],
  ['POLYMARKET_PRIVATEKEY', 'POLYMARKET_PRIVATE_KEY'],
  ['LOGLEVEL', 'LOG_LEVEL'],
])('%s is not a setting, and %s may be meant', (name, meant) => {
  expect(strays({ [name]: '1' })).toEqual([`${name} is not a setting, and has no effect. Did you mean ${meant}?`]);
});

it.each(['POLYMARKET_PROXY', 'JWT_SECRET', 'TAPE_LOOP', 'KEY_PEPPER_FILE', 'EQUITY_HISTORY'])(
  '%s looks like a setting and is none',
  (name) => {
    expect(strays({ [name]: '1' })).toEqual([`${name} is not a setting, and has no effect.`]);
  },
);

it('variables of other programs, shells and containers are not reported as typos', () => {
  const names = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'HOSTTYPE',
    'CI',
    'LANG',
    'LC_PAPER',
    'LC_ALL',
    'TERM',
    'PWD',
    'OLDPWD',
    'SHLVL',
    'USER',
    '_',
    'NODE_OPTIONS',
    'NODE_ENVIRONMENT',
    'NODE_VERSION',
    'npm_config_port',
    'npm_package_name',
    'INIT_CWD',
    'EDITOR',
    'STAKEPORT_PORT',
    'STAKEPORT_SERVICE_HOST',
    'STAKEPORT_SERVICE_PORT',
    'KUBERNETES_PORT',
    'REDIS_URL',
    'POST',
    'DATABASE_URL_UNPOOLED',
    'POSTGRES_URL',
    'PGHOST',
    'PGPASSWORD',
    'PGDATABASE',
    'CORS',
    'LOG',
    'DATABASE',
    'MARKET',
    'HTTP_PROXY',
    'https_proxy',
    'NO_PROXY',
    'GITHUB_TOKEN',
    'INVOCATION_ID',
    'JOURNAL_STREAM',
    'TZ',
    'PROT',
    'HOSTS',
    'AWS_REGION',
    'VITEST_MODE',
    'DISPLAY',
    'DEBUG',
    'FORCE_COLOR',
    'XDG_RUNTIME_DIR',
    'SSH_AUTH_SOCK',
    'LESSOPEN',
  ];
  expect(strays(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
});

it.each([
  [{ TAPE_SPEED: '60' }, 'TAPE_SPEED has no effect, because MARKET_DATA is none, not a tape.'],
  [{ TAPE_SPEED: '60', MARKET_DATA: 'polymarket' }, 'TAPE_SPEED has no effect, because MARKET_DATA is polymarket'],
  [{ RECORD: 'tapes', MARKET_DATA: 'tape:x' }, 'RECORD has no effect, because MARKET_DATA is tape, not a venue.'],
  [{ RECORD_MAX_MB: '9' }, 'RECORD_MAX_MB has no effect, because RECORD is not set.'],
  [{ PAPER_LATENCY_MS: '9' }, 'PAPER_LATENCY_MS has no effect, because MARKET_DATA is none'],
  [{ POLYMARKET_CLOB_URL: 'https://x.org' }, 'POLYMARKET_CLOB_URL has no effect, because MARKET_DATA is none'],
  [{ POLYMARKET_PRIVATE_KEY: 'canary' }, 'POLYMARKET_PRIVATE_KEY has no effect, because LIVE_TRADING is off.'],
  [{ LIVE_MAX_ORDER_USDC: '5' }, 'LIVE_MAX_ORDER_USDC has no effect, because LIVE_TRADING is off.'],
  [{ JWT_ISSUER: 'https://x.org' }, 'JWT_ISSUER has no effect, because AUTH_MODE is dev, without jwt.'],
  [{ KEY_PEPPER: 'sixteen letters.' }, 'KEY_PEPPER has no effect, because AUTH_MODE is dev, without keys.'],
])('%j: an ineffective setting is named without its value', (env, words) => {
  const found = strays(env);
  expect(found).toEqual([expect.stringContaining(words)]);
  for (const value of ['canary', 'sixteen letters.']) expect(found.join()).not.toContain(value);
});

it('settings that are effective or blank are not reported', () => {
  const keys = { AUTH_MODE: 'keys', KEY_PEPPER: 'sixteen letters.', PAPER_BALANCE: ' ', TAPE_SPEED: '' };
  expect(strays({ ...keys, MARKET_DATA: 'polymarket', PAPER_LATENCY_MS: '9' })).toEqual([]);
  expect(strays({ MARKET_DATA: 'tape:x', TAPE_SPEED: '9', PAPER_LATENCY_MS: '9', PAPER_BALANCE_USDC: '5' })).toEqual(
    [],
  );
});
