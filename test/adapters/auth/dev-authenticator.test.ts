import { describe, expect, it } from 'vitest';
import { DevAuthenticator } from '../../../src/adapters/auth/index.js';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { authenticatorContract } from '../../contract/authenticator.js';

const authenticator = new DevAuthenticator();
const authenticate = (devUser: string | undefined) => authenticator.authenticate({ authorization: undefined, devUser });

authenticatorContract('dev', async () => ({
  authenticator,
  good: { authorization: undefined, devUser: 'alice' },
  account: 'alice',
  header: 'devUser',
  nobody: 'principal',
}));

describe('DevAuthenticator', () => {
  it('authenticates a caller without a name as user dev with every scope', async () => {
    const found = await authenticate(undefined);
    const principal = { account: 'dev', credential: 'dev', kind: 'dev', scopes: new Set(AUTH_SCOPES) };
    expect(found).toEqual({ kind: 'principal', principal });
  });

  it.each(['a', '7', 'Alice', 'a.b_c-d@e+f:g', 'alice@example.org', 'a'.repeat(128)])(
    'believes the name %s',
    async (name) => {
      expect(await authenticate(name)).toMatchObject({ kind: 'principal', principal: { account: name } });
    },
  );

  it.each([
    ['that is empty', ''],
    ['of 129 characters', 'a'.repeat(129)],
    ['that starts with a dot', '.alice'],
    ['that starts with a sign', '+alice'],
    ['with a space', 'alice bob'],
    ['with a tab', 'alice\tbob'],
    ['with a line break at its end', 'alice\n'],
    ['with a quote', "alice' OR '1'='1"],
    ['with a comma, as two headers joined have', 'alice, bob'],
    ['with a slash', '../admin'],
    ['with a letter outside ASCII', 'zoë'],
  ])('refuses a name %s', async (_what, name) => {
    expect(await authenticate(name)).toEqual({ kind: 'invalid' });
  });
});
