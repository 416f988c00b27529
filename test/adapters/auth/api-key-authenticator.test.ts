import { beforeEach, describe, expect, it } from 'vitest';
import type { IssuedSecret } from '../../../src/ports/key-store.js';
import { authenticatorContract } from '../../contract/authenticator.js';
import { KeyFixture, START } from './key-fixture.js';

authenticatorContract('API keys', async () => {
  const fixture = new KeyFixture();
  await fixture.store();
  return {
    authenticator: fixture.authenticator(),
    good: { authorization: `Bearer ${fixture.secret.text}`, devUser: undefined },
    account: 'alice',
    header: 'authorization',
    nobody: 'missing',
  };
});

describe('ApiKeyAuthenticator', () => {
  let fixture: KeyFixture;

  beforeEach(async () => {
    fixture = new KeyFixture();
    await fixture.store();
  });

  it('finds the account and the scopes that the key was made with', async () => {
    const found = await fixture.authenticate(`Bearer ${fixture.secret.text}`);
    const scopes = new Set(['orders:read', 'orders:paper']);
    const principal = { account: 'alice', credential: fixture.secret.id, kind: 'key', scopes };
    expect(found).toEqual({ kind: 'principal', principal });
  });

  it.each(['bearer', 'BEARER', 'bEaReR'])('reads the scheme %s in any case', async (scheme) => {
    expect(await fixture.authenticate(`${scheme} ${fixture.secret.text}`)).toMatchObject({ kind: 'principal' });
  });

  it('accepts every key that it makes, whichever characters the secret has', async () => {
    for (let i = 0; i < 200; i++) {
      const other = new KeyFixture();
      await other.store();
      expect(await other.authenticate(`Bearer ${other.secret.text}`)).toMatchObject({ kind: 'principal' });
    }
  });

  const [OTHER_ID, OTHER_SECRET] = ['0'.repeat(20), 'A'.repeat(43)];
  it.each<[string, (key: IssuedSecret) => string]>([
    ['another secret', ({ id }) => `Bearer sp_${id}_${OTHER_SECRET}`],
    [
      'a secret changed in its last character',
      ({ text }) => `Bearer ${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`,
    ],
    ['an id that was never made', ({ text }) => `Bearer sp_${OTHER_ID}_${text.slice(-43)}`],
    ['the digest in place of the secret', ({ id, digest }) => `Bearer sp_${id}_${digest.slice(0, 43)}`],
  ])('refuses %s', async (_what, header) => {
    expect(await fixture.authenticate(header(fixture.secret))).toEqual({ kind: 'invalid' });
    expect(fixture.lookUps).toBe(1);
  });

  it.each<[string, (key: IssuedSecret) => string]>([
    ['two spaces', ({ text }) => `Bearer  ${text}`],
    ['a tab for a space', ({ text }) => `Bearer\t${text}`],
    ['no space', ({ text }) => `Bearer${text}`],
    ['a space at its end', ({ text }) => `Bearer ${text} `],
    ['a line break at its end', ({ text }) => `Bearer ${text}\n`],
    ['no scheme', ({ text }) => text],
    ['the scheme Token', ({ text }) => `Token ${text}`],
    ['the scheme Basic', ({ text }) => `Basic ${text}`],
    ['the scheme alone', () => 'Bearer'],
    ['the word null', () => 'Bearer null'],
    ['a character before its prefix', ({ text }) => `Bearer x${text}`],
    ['one character more', ({ text }) => `Bearer ${text}x`],
    ['one character less', ({ text }) => `Bearer ${text.slice(0, -1)}`],
    ['capital letters', ({ text }) => `Bearer ${text.toUpperCase()}`],
    ['the id alone', ({ id }) => `Bearer ${id}`],
    ['the id without a secret', ({ id }) => `Bearer sp_${id}_`],
    ['no id', ({ text }) => `Bearer sp__${text.slice(-43)}`],
    ['an id of 33 characters', ({ text }) => `Bearer sp_${'a'.repeat(33)}_${text.slice(-43)}`],
    ['two tokens', ({ text }) => `Bearer ${text}, Bearer ${text}`],
    ['9000 characters', () => `Bearer ${'a'.repeat(9000)}`],
  ])('refuses what cannot be a key without asking the store: %s', async (_what, header) => {
    expect(await fixture.authenticate(header(fixture.secret))).toEqual({ kind: 'invalid' });
    expect(fixture.lookUps).toBe(0);
  });

  it('refuses a key that was made under another pepper', async () => {
    const credentials = { authorization: `Bearer ${fixture.secret.text}`, devUser: undefined };
    expect(await fixture.authenticator('another pepper').authenticate(credentials)).toEqual({ kind: 'invalid' });
  });

  it('refuses a key from the moment at which it expires', async () => {
    const short = new KeyFixture();
    await short.store({ expiresAt: new Date(START + 30_000) });
    short.now = new Date(START + 29_999);
    expect(await short.authenticate(`Bearer ${short.secret.text}`)).toMatchObject({ kind: 'principal' });
    short.now = new Date(START + 30_000);
    expect(await short.authenticate(`Bearer ${short.secret.text}`)).toEqual({ kind: 'invalid' });
  });

  it('refuses a key from the request after it was revoked', async () => {
    expect(await fixture.authenticate(`Bearer ${fixture.secret.text}`)).toMatchObject({ kind: 'principal' });
    await fixture.revoke();
    expect(await fixture.authenticate(`Bearer ${fixture.secret.text}`)).toEqual({ kind: 'invalid' });
  });

  it('does not know while the store does not answer', async () => {
    fixture.storeIsDown = true;
    expect(await fixture.authenticate(`Bearer ${fixture.secret.text}`)).toMatchObject({
      kind: 'unavailable',
      cause: { message: 'the store does not answer' },
    });
  });

  it('refuses a key with a damaged stored digest like any wrong key', async () => {
    const damaged = new KeyFixture();
    await damaged.store({ digest: damaged.secret.digest.slice(0, 62) });
    expect(await damaged.authenticate(`Bearer ${damaged.secret.text}`)).toEqual({ kind: 'invalid' });
  });
});
