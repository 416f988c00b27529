import { expect, test } from 'vitest';
import { shownSettings } from '../../../src/server/settings/shown-settings.js';

test('the first log line shows each setting or default, without secrets', () => {
  const shown = shownSettings({
    PORT: ' 9090 ',
    AUTH_MODE: '',
    KEY_PEPPER: 'pepper-of-the-test',
    POLYMARKET_API_SECRET: 'secret-of-the-test',
    DATABASE_URL: 'postgres://trader:password-of-the-test@db.example:5432/books?password=password-of-the-test',
    JWT_JWKS_URL: 'https://user:password-of-the-test@issuer.example/keys',
    HOME: '/root',
  });
  expect(shown).toMatchObject({
    PORT: '9090',
    HOST: '127.0.0.1',
    LIVE_TRADING: 'off',
    DATABASE_URL: 'postgres://db.example:5432/books',
  });
  expect(shown).toMatchObject({
    KEY_PEPPER: 'set',
    POLYMARKET_API_SECRET: 'set',
    JWT_JWKS_URL: 'https://issuer.example/keys',
  });
  expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['AUTH_MODE']));
  expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['HOME']));
  expect(JSON.stringify(shown)).not.toMatch(/-of-the-test/);
});

test.each([
  ['sqlite:data/stakeport.db', 'sqlite:data/stakeport.db'],
  ['memory:', 'memory:'],
])('the database %s is shown as it is', (given, shown) => {
  expect(shownSettings({ DATABASE_URL: given })).toHaveProperty('DATABASE_URL', shown);
});
