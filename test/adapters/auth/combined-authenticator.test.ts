import { beforeEach, describe, expect, it } from 'vitest';
import { CombinedAuthenticator, JwtAuthenticator } from '../../../src/adapters/auth/index.js';
import type { Authentication, Authenticator, Credentials } from '../../../src/ports/authenticator.js';
import { authenticatorContract, type Gate } from '../../contract/authenticator.js';
import { AUDIENCE, CountingServer, ISSUER, sign, signingKey } from './issuer.js';
import { KeyFixture } from './key-fixture.js';

/** Gives one answer, and remembers what it was asked. */
class Witness implements Authenticator {
  readonly asked: Credentials[] = [];
  constructor(readonly answer: Authentication) {}

  async authenticate(credentials: Credentials): Promise<Authentication> {
    this.asked.push(credentials);
    return this.answer;
  }
}

const apiKey = `sp_${'0'.repeat(20)}_${'a_-'.repeat(14)}A`;
const credentials = (authorization?: string): Credentials => ({ authorization, devUser: 'mallory' });

/** Keys and tokens of one account, presented as `choose` decides. */
async function open(choose: (key: string, token: string) => string): Promise<Gate> {
  const [keys, issuer, key] = [new KeyFixture(), await CountingServer.start(), await signingKey('ES256', 'es-1')];
  await keys.store();
  issuer.serve(key);
  const trusted = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.url };
  return {
    authenticator: new CombinedAuthenticator(
      keys.authenticator(),
      new JwtAuthenticator(trusted, { now: () => new Date() }),
    ),
    good: { authorization: `Bearer ${choose(keys.secret.text, await sign(key))}`, devUser: undefined },
    account: 'alice',
    header: 'authorization',
    nobody: 'missing',
    close: () => issuer.stop(),
  };
}

authenticatorContract('keys+jwt, with a key', () => open((key) => key));
authenticatorContract('keys+jwt, with an access token', () => open((_key, token) => token));

describe('CombinedAuthenticator', () => {
  let apiKeys: Witness;
  let accessTokens: Witness;
  let combined: CombinedAuthenticator;

  beforeEach(() => {
    apiKeys = new Witness({ kind: 'invalid' });
    accessTokens = new Witness({ kind: 'unavailable', cause: 'its own' });
    combined = new CombinedAuthenticator(apiKeys, accessTokens);
  });

  it.each([`Bearer ${apiKey}`, `bearer ${apiKey}`, 'Bearer sp_', 'Bearer sp_x.y.z'])(
    'leaves %s to the keys, and lets their refusal stand',
    async (authorization) => {
      expect(await combined.authenticate(credentials(authorization))).toEqual({ kind: 'invalid' });
      expect(apiKeys.asked).toEqual([credentials(authorization)]);
      expect(accessTokens.asked).toEqual([]);
    },
  );

  it.each([
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    `Bearer ${apiKey.toUpperCase()}`,
    'Bearer null',
    `Basic ${apiKey}`,
    apiKey,
    '',
  ])('leaves %s to the access tokens, and lets their answer stand', async (authorization) => {
    expect(await combined.authenticate(credentials(authorization))).toEqual({ kind: 'unavailable', cause: 'its own' });
    expect(accessTokens.asked).toEqual([credentials(authorization)]);
    expect(apiKeys.asked).toEqual([]);
  });
});
