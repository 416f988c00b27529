import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { mistakes } from './mistakes.js';

const PEPPER = 'sixteen letters.';
const KEYS = { AUTH_MODE: 'keys', KEY_PEPPER: PEPPER };
const JWT = {
  AUTH_MODE: 'jwt',
  JWT_ISSUER: 'https://issuer.example.org/',
  JWT_AUDIENCE: 'stakeport',
  JWT_JWKS_URL: 'https://issuer.example.org/jwks',
};
const TRUSTED = {
  issuer: JWT.JWT_ISSUER,
  audience: JWT.JWT_AUDIENCE,
  jwksUrl: new URL(JWT.JWT_JWKS_URL),
};

describe('dev mode', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST'])(
    'is the default on %s, and may be asked for there',
    (HOST) => {
      expect(readConfig({ HOST }).auth).toEqual({ mode: 'dev' });
      expect(readConfig({ HOST, AUTH_MODE: 'dev', NODE_ENV: 'development' }).auth).toEqual({ mode: 'dev' });
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', 'trading.example.org', '127.0.0.1.example.org', 'localhost.example.org'])(
    'is never the default on %s, and is refused there',
    (HOST) => {
      const [because, instead] = ['because HOST is not a loopback address', 'use keys, jwt or keys+jwt'];
      expect(mistakes({ HOST })).toEqual([`AUTH_MODE must be set, ${because}: ${instead}`]);
      expect(mistakes({ HOST, AUTH_MODE: 'dev' })).toEqual([
        `AUTH_MODE cannot be dev, which trusts every caller, ${because}: ${instead}`,
      ]);
    },
  );

  it('is never the default in production, and is refused there', () => {
    const [because, instead] = ['because NODE_ENV is production', 'use keys, jwt or keys+jwt'];
    const NODE_ENV = 'production';
    expect(mistakes({ NODE_ENV })).toEqual([`AUTH_MODE must be set, ${because}: ${instead}`]);
    expect(mistakes({ NODE_ENV, AUTH_MODE: 'dev' })).toEqual([
      `AUTH_MODE cannot be dev, which trusts every caller, ${because}: ${instead}`,
    ]);
  });

  it('is refused with both reasons where there are two', () => {
    const [mistake] = mistakes({ HOST: '0.0.0.0', NODE_ENV: 'production', AUTH_MODE: 'dev' });
    expect(mistake).toContain('because HOST is not a loopback address and NODE_ENV is production');
  });
});

describe('the other modes', () => {
  it.each(['127.0.0.1', '0.0.0.0'])('carry all that they need, and nothing else, on %s', (HOST) => {
    const env = { ...JWT, ...KEYS, HOST, NODE_ENV: 'production' };
    expect(readConfig(env).auth).toEqual({ mode: 'keys', pepper: PEPPER });
    expect(readConfig({ ...env, AUTH_MODE: 'jwt' }).auth).toEqual({ mode: 'jwt', trusted: TRUSTED });
    const both = { mode: 'keys+jwt', pepper: PEPPER, trusted: TRUSTED };
    expect(readConfig({ ...env, AUTH_MODE: 'keys+jwt' }).auth).toEqual(both);
  });

  it('report all missing variables at once', () => {
    const because = 'is required, because AUTH_MODE is';
    const jwt = ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'];
    expect(mistakes({ AUTH_MODE: 'keys' })).toEqual([`KEY_PEPPER ${because} keys`]);
    expect(mistakes({ AUTH_MODE: 'jwt' })).toEqual(jwt.map((variable) => `${variable} ${because} jwt`));
    expect(mistakes({ AUTH_MODE: 'keys+jwt' })).toEqual(
      ['KEY_PEPPER', ...jwt].map((variable) => `${variable} ${because} keys+jwt`),
    );
  });

  it('are these and no others', () => {
    expect(mistakes({ AUTH_MODE: 'none' })).toEqual(['AUTH_MODE must be one of dev, keys, jwt, keys+jwt']);
    expect(mistakes({ AUTH_MODE: 'none', HOST: '0.0.0.0' })).toEqual([
      'AUTH_MODE must be one of dev, keys, jwt, keys+jwt',
    ]);
  });

  it('take no pepper of 15 characters', () => {
    const KEY_PEPPER = PEPPER.slice(1);
    expect(mistakes({ ...KEYS, KEY_PEPPER })).toEqual(['KEY_PEPPER must have at least 16 characters']);
  });

  it.each([
    'https://issuer.example.org/jwks',
    'http://127.0.0.1:9000/jwks',
    'http://[::1]/jwks',
    'http://localhost/jwks',
  ])('fetch keys from %s', (JWT_JWKS_URL) => {
    expect(readConfig({ ...JWT, JWT_JWKS_URL }).auth).toMatchObject({ trusted: { jwksUrl: new URL(JWT_JWKS_URL) } });
  });

  it.each([
    'http://issuer.example.org/jwks',
    'issuer.example.org',
    'file:///jwks',
    'http://127.0.0.1.example.org/jwks',
  ])('fetch no keys from %s', (JWT_JWKS_URL) => {
    const words = 'must be an https URL, or an http URL on a loopback host';
    expect(mistakes({ ...JWT, JWT_JWKS_URL })).toEqual([expect.stringContaining(`JWT_JWKS_URL ${words}`)]);
  });
});
