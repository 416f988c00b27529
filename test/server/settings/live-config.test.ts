import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { KNOWN_KEY } from '../../support/fake-venue/plain-client.js';
import { invalid, mistakes } from './mistakes.js';

const FUNDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const LIVE = {
  LIVE_TRADING: 'on',
  AUTH_MODE: 'keys',
  KEY_PEPPER: 'sixteen letters.',
  MARKET_DATA: 'polymarket',
  POLYMARKET_PRIVATE_KEY_FILE: '/run/secrets/key',
};
const CREDENTIALS = {
  POLYMARKET_API_KEY: 'a-key',
  POLYMARKET_API_SECRET: 'a-secret',
  POLYMARKET_API_PASSPHRASE: 'a-phrase',
};

describe('LIVE_TRADING=on', () => {
  it('needs a key, and uses the real exchange by default', () => {
    const { live } = readConfig(LIVE);
    expect(live).toMatchObject({ venue: 'polymarket', orderCap: 1_000_000_000n });
    expect(live?.trading.settings).toEqual({
      clob: new URL('https://clob.polymarket.com'),
      stream: new URL('wss://ws-subscriptions-clob.polymarket.com'),
      geoblock: new URL('https://polymarket.com/api/geoblock'),
      chainId: 137,
      signatureType: 0,
      funder: null,
      credentials: null,
      key: { kind: 'file', path: '/run/secrets/key' },
    });
  });

  it('accepts every wallet setting', () => {
    const { live } = readConfig({
      ...LIVE,
      ...CREDENTIALS,
      POLYMARKET_CHAIN_ID: '80002',
      POLYMARKET_SIGNATURE_TYPE: '2',
      POLYMARKET_FUNDER: FUNDER,
      LIVE_MAX_ORDER_USDC: '25.5',
    });
    expect(live?.orderCap).toBe(25_500_000n);
    expect(live?.trading.settings).toMatchObject({
      chainId: 80_002,
      signatureType: 2,
      funder: FUNDER,
      credentials: { apiKey: 'a-key', secret: 'a-secret', passphrase: 'a-phrase' },
    });
  });

  it.each([
    [{ AUTH_MODE: 'dev' }, 'AUTH_MODE must be keys, jwt or keys+jwt with LIVE_TRADING=on, because dev trusts'],
    [{ AUTH_MODE: '' }, 'AUTH_MODE must be keys, jwt or keys+jwt with LIVE_TRADING=on, because dev trusts'],
    [{ MARKET_DATA: 'none' }, 'MARKET_DATA must be polymarket or kalshi with LIVE_TRADING=on'],
    [{ MARKET_DATA: 'tape:game.jsonl' }, 'MARKET_DATA must be polymarket or kalshi with LIVE_TRADING=on'],
    [{ DATABASE_URL: 'memory:' }, 'DATABASE_URL must name a persistent database with LIVE_TRADING=on'],
    [{ DATABASE_URL: 'sqlite::memory:' }, 'DATABASE_URL must name a persistent database with LIVE_TRADING=on'],
    [
      { POLYMARKET_PRIVATE_KEY_FILE: '' },
      'POLYMARKET_PRIVATE_KEY_FILE is required with LIVE_TRADING=on, or POLYMARKET_PRIVATE_KEY',
    ],
    [
      { POLYMARKET_PRIVATE_KEY: KNOWN_KEY },
      'POLYMARKET_PRIVATE_KEY cannot be set together with POLYMARKET_PRIVATE_KEY_FILE',
    ],
    [{ POLYMARKET_SIGNATURE_TYPE: '1' }, 'POLYMARKET_FUNDER is required, because POLYMARKET_SIGNATURE_TYPE is 1'],
    [{ POLYMARKET_SIGNATURE_TYPE: '4' }, 'POLYMARKET_SIGNATURE_TYPE must be one of 0, 1, 2, 3'],
    [{ POLYMARKET_CHAIN_ID: '1' }, 'POLYMARKET_CHAIN_ID must be one of 137, 80002'],
    [{ POLYMARKET_FUNDER: '0x12' }, 'POLYMARKET_FUNDER must be an address: 0x and 40 hexadecimal digits'],
    [{ LIVE_MAX_ORDER_USDC: 'all' }, 'LIVE_MAX_ORDER_USDC must be a plain decimal'],
    [{ POLYMARKET_GEOBLOCK_URL: 'http://example.org' }, 'POLYMARKET_GEOBLOCK_URL must be an https URL'],
    [{ ...CREDENTIALS, POLYMARKET_API_SECRET: '' }, 'POLYMARKET_API_SECRET is missing: POLYMARKET_API_KEY, '],
  ])('is refused with %j, in words', (env, words) => {
    expect(mistakes({ ...LIVE, ...env })).toEqual([expect.stringContaining(words)]);
  });

  it('reports every unmet condition at once', () => {
    const reported = invalid({ LIVE_TRADING: 'on', DATABASE_URL: 'memory:' })?.mistakes.map(({ variable }) => variable);
    expect(reported).toEqual(['DATABASE_URL', 'AUTH_MODE', 'MARKET_DATA', 'POLYMARKET_PRIVATE_KEY_FILE']);
  });

  it('says where the key is, and keeps nothing of it', () => {
    const config = readConfig({ ...LIVE, POLYMARKET_PRIVATE_KEY_FILE: '', POLYMARKET_PRIVATE_KEY: KNOWN_KEY });
    expect(config.live?.trading.settings).toMatchObject({
      key: { kind: 'environment', variable: 'POLYMARKET_PRIVATE_KEY' },
    });
    const shown = JSON.stringify(config, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
    expect(shown).not.toContain(KNOWN_KEY.slice(2, 12));
  });

  it('is spelt exactly', () => {
    expect(mistakes({ ...LIVE, LIVE_TRADING: 'yes' })).toEqual(['LIVE_TRADING must be one of off, on']);
  });
});

describe('without it', () => {
  it.each([{}, { LIVE_TRADING: 'off' }, { LIVE_TRADING: ' ' }])('%j, nothing live is read', (env) => {
    const nonsense = { POLYMARKET_CHAIN_ID: 'x', POLYMARKET_FUNDER: 'x', POLYMARKET_API_KEY: 'alone' };
    const { live } = readConfig({ ...LIVE, ...nonsense, POLYMARKET_SIGNATURE_TYPE: '9', LIVE_TRADING: '', ...env });
    expect(live).toBeNull();
  });
});
