import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { straysIn } from '../../../src/server/settings/stray-variables.js';
import { mistakes } from './mistakes.js';

describe('MARKET_DATA', () => {
  it('polymarket uses the public hosts by default', () => {
    const { marketData } = readConfig({ MARKET_DATA: 'polymarket', POLYMARKET_CLOB_URL: 'http://127.0.0.1:9999' });
    expect(marketData).toMatchObject({
      kind: 'venue',
      venue: 'polymarket',
      source: {
        origin: 'http://127.0.0.1:9999',
        settings: {
          gamma: new URL('https://gamma-api.polymarket.com'),
          clob: new URL('http://127.0.0.1:9999'),
          stream: new URL('wss://ws-subscriptions-clob.polymarket.com'),
        },
      },
    });
  });

  const KALSHI = { MARKET_DATA: 'kalshi', KALSHI_KEY_ID: 'id', KALSHI_PRIVATE_KEY_FILE: '/run/secrets/kalshi.pem' };

  it('kalshi uses the hosts of the demo by default, and those of production when told', () => {
    const sourceOf = (changes = {}) => readConfig({ ...KALSHI, ...changes }).marketData;
    expect(sourceOf()).toMatchObject({
      venue: 'kalshi_demo',
      source: { origin: 'https://external-api.demo.kalshi.co (demo)', settings: { environment: 'demo', keyId: 'id' } },
    });
    expect(sourceOf({ KALSHI_ENV: 'production', KALSHI_SERIES: 'KXSB' })).toMatchObject({
      venue: 'kalshi',
      source: { settings: { socket: new URL('wss://external-api-ws.kalshi.com'), series: ['KXSB'] } },
    });
  });

  it('takes both venues, of which the first is the default one', () => {
    const venuesOf = (MARKET_DATA: string, changes = {}) => {
      const { marketData, others, defaultVenue } = readConfig({ ...KALSHI, MARKET_DATA, ...changes });
      return [marketData, ...others.map((other) => other.marketData)].flatMap((data) =>
        data.kind === 'venue' ? [`${data.venue}${data.venue === defaultVenue ? ' (default)' : ''}`] : [],
      );
    };
    expect(venuesOf('polymarket,kalshi')).toEqual(['polymarket (default)', 'kalshi_demo']);
    // The venue of real money comes first here, whichever is the default one.
    expect(venuesOf('kalshi, polymarket')).toEqual(['polymarket', 'kalshi_demo (default)']);
    expect(venuesOf('kalshi,polymarket', { KALSHI_ENV: 'production', DEFAULT_VENUE: 'polymarket' })).toEqual([
      'polymarket (default)',
      'kalshi',
    ]);
    for (const wrong of ['polymarket,polymarket', 'polymarket,none', 'kalshi,'])
      expect(mistakes({ ...KALSHI, MARKET_DATA: wrong })).toEqual([
        expect.stringContaining('MARKET_DATA must be none'),
      ]);
  });

  it('names no variable of a venue idle that is chosen, in whichever environment', () => {
    const idle = (MARKET_DATA: string) => {
      const env = { ...KALSHI, MARKET_DATA };
      return straysIn(env, readConfig(env)).filter((line) => line.includes('KALSHI')).length;
    };
    expect([idle('kalshi'), idle('polymarket,kalshi'), idle('polymarket')]).toEqual([0, 0, 2]);
  });

  it('kalshi needs a key, and tickers of series', () => {
    expect(mistakes({ MARKET_DATA: 'kalshi' })).toEqual([
      expect.stringContaining('KALSHI_KEY_ID is required with MARKET_DATA=kalshi'),
      expect.stringContaining('KALSHI_PRIVATE_KEY_FILE is required with MARKET_DATA=kalshi'),
    ]);
    expect(mistakes({ ...KALSHI, KALSHI_SERIES: 'nfl games' })).toEqual([
      'KALSHI_SERIES must be up to 50 tickers, such as KXNFLGAME,KXNBAGAME',
    ]);
  });

  it.each([
    ['1', 1],
    ['0.5', 0.5],
    ['max', 'max'],
  ] as const)('a tape is played at the speed %s', (TAPE_SPEED, speed) => {
    expect(readConfig({ MARKET_DATA: 'tape:game.jsonl.gz', TAPE_SPEED }).marketData).toEqual({
      kind: 'tape',
      path: 'game.jsonl.gz',
      speed,
      start: 'now',
    });
  });

  it('is recorded in a folder, in at most ten gigabytes by default', () => {
    expect(readConfig({ RECORD: 'tapes' }).recording).toEqual({ folder: 'tapes', mostBytes: 10_000_000_000 });
    const { recording } = readConfig({ RECORD: 'tapes', RECORD_MAX_MB: '5' });
    expect(recording).toEqual({ folder: 'tapes', mostBytes: 5_000_000 });
    expect(mistakes({ RECORD: 'tapes', RECORD_MAX_MB: '0' })).toEqual([
      'RECORD_MAX_MB must be a whole number from 1 to 1000000',
    ]);
  });

  it.each([
    [{ MARKET_DATA: 'tape:' }, 'MARKET_DATA must be none, polymarket, kalshi, both as polymarket,kalshi, or tape:PATH'],
    [{ TAPE_SPEED: '0' }, 'TAPE_SPEED must be max or a number above 0, such as 1, 0.5 or 60'],
    [{ PAPER_LATENCY_MS: '60001' }, 'PAPER_LATENCY_MS must be a whole number of milliseconds from 0 to 60000'],
    [
      { POLYMARKET_GAMMA_URL: 'http://example.org' },
      'POLYMARKET_GAMMA_URL must be an https URL, or an http URL on a loopback host',
    ],
    [{ POLYMARKET_CLOB_URL: '#' }, 'POLYMARKET_CLOB_URL must be an https URL, or an http URL on a loopback host'],
    [{ POLYMARKET_WS_URL: 'ws://example.org' }, 'POLYMARKET_WS_URL must be a wss URL, or a ws URL on a loopback host'],
  ])('%j is refused in words', (env, words) => {
    expect(mistakes(env)).toEqual([words]);
  });

  it.each([
    ['POLYMARKET_GAMMA_URL', 'https://example.org/?key=1'],
    ['POLYMARKET_CLOB_URL', 'https://example.org/#'],
    ['POLYMARKET_CLOB_URL', 'https://me:word@example.org'],
    ['POLYMARKET_WS_URL', 'wss://example.org/#fragment'],
    ['POLYMARKET_WS_URL', 'wss://me@example.org'],
  ])('%s=%s is refused, for more than an address', (variable, url) => {
    const words = `${variable} must be a bare address: no user name, no password, no ? and no #`;
    expect(mistakes({ [variable]: url })).toEqual([words]);
  });
});
