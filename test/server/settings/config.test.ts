import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { settingOf, settingsHelp, VARIABLES } from '../../../src/server/settings/settings.js';
import { invalid, mistakes } from './mistakes.js';

const KEYS = { AUTH_MODE: 'keys', KEY_PEPPER: 'sixteen letters.' };

describe('without any variable', () => {
  const newcomer = {
    host: '127.0.0.1',
    port: 8080,
    database: { kind: 'sql', url: 'sqlite:data/stakeport.db' },
    auth: { mode: 'dev' },
    corsOrigins: [],
    allowedHosts: [],
    paperBalance: 100_000_000_000n,
    paperLatencyMs: 150,
    equityEveryMs: 300_000,
    dayZone: 'UTC',
    alarmAccounts: ['dev'],
    eventsKeepMs: 90 * 24 * 3_600_000,
    streamLimits: { perKey: 8, perAccount: 64, total: 1000 },
    writesPerMinute: 600,
    automatedPerAccount: 200,
    watchedPerAccount: 50_000,
    webhooks: null,
    marketData: { kind: 'none' },
    recording: { folder: null, mostBytes: 10_000_000_000 },
    live: null,
    liveOrderCap: null,
    ui: { mayTrade: false },
    logLevel: 'info',
    logFormat: null,
    automation: true,
    storeCheck: false,
    defaultVenue: null,
    others: [],
  };

  it('the server is for a newcomer on this machine', () => {
    expect(readConfig({})).toEqual(newcomer);
  });

  it('a blank variable counts as unset, and an unknown one is ignored', () => {
    const blank = Object.fromEntries(VARIABLES.map((variable, i) => [variable, i % 2 === 0 ? '' : '  ']));
    expect(readConfig({ ...blank, PATH: '/bin', PROT: '1' })).toEqual(newcomer);
  });
});

describe('where the server listens', () => {
  it.each(['0.0.0.0', '::', '::1', 'localhost', 'trading.example.org'])('may be %s', (HOST) => {
    expect(readConfig({ ...KEYS, HOST }).host).toBe(HOST);
  });

  it.each(['http://localhost', 'local host', '[::1]', 'a'.repeat(254)])('may not be %s', (HOST) => {
    expect(mistakes({ ...KEYS, HOST })).toEqual(['HOST must be a host name or an IP address']);
  });

  it.each([
    ['0', 0],
    ['8080', 8080],
    ['65535', 65535],
  ])('may be port %s', (PORT, port) => {
    expect(readConfig({ PORT }).port).toBe(port);
  });

  it.each(['65536', '-1', '80.5', '8e3', '0x50', ' 80', 'http'])('may not be port %s', (PORT) => {
    expect(mistakes({ PORT })).toEqual(['PORT must be a whole number from 0 to 65535']);
  });
});

describe('where everything is kept', () => {
  it('may be this process', () => {
    expect(readConfig({ DATABASE_URL: 'memory:' }).database).toEqual({ kind: 'memory' });
  });

  it.each([
    'sqlite:data/stakeport.db',
    'sqlite:/var/lib/stakeport.db',
    'sqlite::memory:',
    'postgres://stakeport:secret@db.example.org:5432/stakeport',
    'postgres:///stakeport?host=/run/postgresql',
    'postgresql://stakeport@db.example.org/stakeport',
  ])('may be %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).database).toEqual({ kind: 'sql', url });
  });

  it.each([
    'sqlite:',
    'stakeport.db',
    'mysql://db.example.org/x',
    'postgres://',
    'postgres:stakeport',
    'memory:x',
    ':memory:',
  ])('may not be %s', (DATABASE_URL) => {
    const words = 'must be sqlite:PATH, sqlite::memory:, memory: or postgres://USER:PASSWORD@HOST:PORT/NAME';
    expect(mistakes({ DATABASE_URL })).toEqual([`DATABASE_URL ${words}`]);
  });

  it.each(['sqlite:data/live.db\r', 'sqlite:data/live.db ', ' sqlite:data/live.db', 'sqlite:data\t/live.db'])(
    'does not name another file through a control character: %j',
    (DATABASE_URL) => {
      expect(mistakes({ DATABASE_URL })).toHaveLength(1);
    },
  );
});

describe('the rest', () => {
  it('allows the pages of the origins that are named', () => {
    const CORS_ORIGINS = 'https://app.example.org, http://localhost:5173';
    expect(readConfig({ CORS_ORIGINS }).corsOrigins).toEqual(['https://app.example.org', 'http://localhost:5173']);
  });

  it.each(['*', 'https://app.example.org,*', 'https://*.example.org'])(
    'does not open the API to every web page: %s',
    (CORS_ORIGINS) => {
      expect(mistakes({ CORS_ORIGINS })).toEqual([expect.stringContaining('CORS_ORIGINS must name each origin')]);
    },
  );

  it.each([
    'https://app.example.org/',
    'https://app.example.org/path',
    'app.example.org',
    'null',
    'https://a.example.org,',
    'https://user@a.example.org',
    'https://A.example.org',
    'file:///',
    'https://a.example.org:443',
  ])('takes nothing for an origin that no browser would send: %s', (CORS_ORIGINS) => {
    expect(mistakes({ CORS_ORIGINS })).toEqual([expect.stringContaining('CORS_ORIGINS must be origins')]);
  });

  it('reads the names of the server, which have no port', () => {
    const named = (ALLOWED_HOSTS: string) => readConfig({ ALLOWED_HOSTS }).allowedHosts;
    expect(named('api.example.org, 192.0.2.1,[fd00::1]')).toEqual(['api.example.org', '192.0.2.1', 'fd00::1']);
    for (const ALLOWED_HOSTS of ['*', 'https://a', 'a:80', 'a,,b', 'a b', '[x]', '.', '.example.org']) {
      expect(mistakes({ ALLOWED_HOSTS })).toEqual([expect.stringContaining('ALLOWED_HOSTS must be host names')]);
    }
  });

  it('reads the paper balance exactly', () => {
    expect(readConfig({ PAPER_BALANCE_USDC: '999999999.999999' }).paperBalance).toBe(999_999_999_999_999n);
    expect(readConfig({ PAPER_BALANCE_USDC: '0.1' }).paperBalance).toBe(100_000n);
  });

  it.each(['1e5', '-1', '1000000000', '0.0000001', '1,000', '100 000', 'NaN'])(
    'takes no balance of %s',
    (PAPER_BALANCE_USDC) => {
      const words = 'must be a plain decimal below 1000000000 with at most 6 decimals, such as 100000';
      expect(mistakes({ PAPER_BALANCE_USDC })).toEqual([`PAPER_BALANCE_USDC ${words}`]);
    },
  );

  it.each([
    ['1s', 1000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['off', null],
  ])('records account equity every %s', (EQUITY_EVERY, equityEveryMs) => {
    expect(readConfig({ EQUITY_EVERY }).equityEveryMs).toBe(equityEveryMs);
  });

  it.each(['0', '0s', '5M', '500ms', '1.5h', 'never', '3651d'])(
    'puts it on record at no interval of %s',
    (EQUITY_EVERY) => {
      const words =
        'must be off, or a whole number of seconds, minutes, hours or days such as 30s, 5m or 1h, at most 3650d';
      expect(mistakes({ EQUITY_EVERY })).toEqual([`EQUITY_EVERY ${words}`]);
    },
  );

  it('knows the levels of the log', () => {
    for (const LOG_LEVEL of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) {
      expect(readConfig({ LOG_LEVEL }).logLevel).toBe(LOG_LEVEL);
    }
    expect(mistakes({ LOG_LEVEL: 'loud' })).toEqual([
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });
});

describe('mistakes', () => {
  const all = {
    HOST: 'not a host',
    PORT: '99999',
    DATABASE_URL: 'mysql://u:hunter2@db/x',
    AUTH_MODE: 'sesame',
    KEY_PEPPER: 'hunter2',
    JWT_JWKS_URL: 'http://issuer.example.org',
    CORS_ORIGINS: '*',
    PAPER_BALANCE_USDC: 'plenty',
    LIVE_TRADING: 'perhaps',
    LOG_LEVEL: 'loud',
  };

  it('are reported together, one line each, in the order of the table', () => {
    const error = invalid(all);
    expect(error?.mistakes.map(({ variable }) => variable)).toEqual(VARIABLES.filter((variable) => variable in all));
    expect(error?.message.split('\n')).toHaveLength(1 + Object.keys(all).length);
    expect(error?.message).toContain('\n  PORT must be a whole number from 0 to 65535.\n');
  });

  it('keep that order when one follows from two variables', () => {
    const reported = invalid({ HOST: '0.0.0.0', LOG_LEVEL: 'loud', LIVE_TRADING: 'on' })?.mistakes;
    expect(reported?.map(({ variable }) => variable)).toEqual([
      'AUTH_MODE',
      'MARKET_DATA',
      'POLYMARKET_PRIVATE_KEY_FILE',
      'LOG_LEVEL',
    ]);
  });

  it('never repeat what a secret variable holds', () => {
    expect(VARIABLES.filter((variable) => settingOf(variable).secret)).toEqual([
      'DATABASE_URL',
      'KEY_PEPPER',
      'SECRETS_KEY',
      'POLYMARKET_PRIVATE_KEY',
      'POLYMARKET_API_KEY',
      'POLYMARKET_API_SECRET',
      'POLYMARKET_API_PASSPHRASE',
    ]);
    const error = invalid(all);
    for (const text of [error?.message, error?.stack, JSON.stringify(error), String(error)]) {
      expect(text).not.toContain('hunter2');
    }
  });
});

describe('the help', () => {
  it('describes every variable, with its bounds and its default, in short lines', () => {
    const help = settingsHelp();
    for (const variable of VARIABLES) {
      const { description, takes, default: fallback } = settingOf(variable);
      const words = [variable, description, takes, ...(fallback === null ? [] : [`Default: ${fallback}`])];
      for (const text of words) expect(help.replace(/\s+/g, ' ')).toContain(text);
    }
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('leaves out no variable of the interface', () => {
    expect(VARIABLES).toEqual([
      'HOST',
      'PORT',
      'DATABASE_URL',
      'AUTH_MODE',
      'KEY_PEPPER',
      'JWT_ISSUER',
      'JWT_AUDIENCE',
      'JWT_JWKS_URL',
      'CORS_ORIGINS',
      'ALLOWED_HOSTS',
      'PAPER_BALANCE_USDC',
      'PAPER_LATENCY_MS',
      'EQUITY_EVERY',
      'DAY_ZONE',
      'EVENTS_KEEP',
      'ALARM_ACCOUNTS',
      'STREAMS_PER_KEY',
      'STREAMS_PER_ACCOUNT',
      'STREAMS_MAX',
      'WRITES_PER_MINUTE',
      'AUTOMATED_PER_ACCOUNT',
      'WATCHED_PER_ACCOUNT',
      'SECRETS_KEY',
      'WEBHOOK_ALLOW_HTTP',
      'WEBHOOK_ALLOWED_NETWORKS',
      'WEBHOOK_ALLOWED_PORTS',
      'TELEGRAM_API_URL',
      'MARKET_DATA',
      'DEFAULT_VENUE',
      'TAPE_SPEED',
      'TAPE_START',
      'RECORD',
      'RECORD_MAX_MB',
      'POLYMARKET_GAMMA_URL',
      'POLYMARKET_CLOB_URL',
      'POLYMARKET_WS_URL',
      'KALSHI_ENV',
      'KALSHI_KEY_ID',
      'KALSHI_PRIVATE_KEY_FILE',
      'KALSHI_SERIES',
      'KALSHI_API_URL',
      'KALSHI_WS_URL',
      'LIVE_TRADING',
      'POLYMARKET_CHAIN_ID',
      'POLYMARKET_PRIVATE_KEY_FILE',
      'POLYMARKET_PRIVATE_KEY',
      'POLYMARKET_SIGNATURE_TYPE',
      'POLYMARKET_FUNDER',
      'POLYMARKET_API_KEY',
      'POLYMARKET_API_SECRET',
      'POLYMARKET_API_PASSPHRASE',
      'POLYMARKET_GEOBLOCK_URL',
      'LIVE_MAX_ORDER_USDC',
      'AUTOMATION',
      'UI',
      'UI_TRADING',
      'LOG_LEVEL',
      'LOG_FORMAT',
      'STORE_CHECK',
      'NODE_ENV',
    ]);
  });
});
