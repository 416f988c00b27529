import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK, type JWTPayload } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { JwtAuthenticator } from '../../../src/adapters/auth/index.js';
import { authenticatorContract } from '../../contract/authenticator.js';
import {
  AUDIENCE,
  CountingServer,
  claims,
  ISSUER,
  type SigningKey,
  seconds,
  sign,
  signingKey,
  trusting,
} from './issuer.js';

const ACCEPTED = { kind: 'principal' };
const REFUSED = { kind: 'invalid' };

let issuer: CountingServer;
let key: SigningKey;
let rsa: SigningKey;
let authenticate: ReturnType<typeof trusting>;

beforeAll(async () => {
  [key, rsa] = await Promise.all([signingKey('ES256', 'es-1'), signingKey('RS256', 'rsa-1')]);
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2040-01-01T00:00:00Z') });
  issuer = await CountingServer.start();
  issuer.serve(key, rsa);
  authenticate = trusting(issuer.url);
});

afterEach(async () => {
  vi.useRealTimers();
  await issuer.stop();
});

authenticatorContract('JWT', async () => {
  const trusted = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.url };
  return {
    authenticator: new JwtAuthenticator(trusted, { now: () => new Date() }),
    good: { authorization: `Bearer ${await sign(key)}`, devUser: undefined },
    account: 'alice',
    header: 'authorization',
    nobody: 'missing',
  };
});

describe('a good access token', () => {
  it('is its subject, with the scopes that we know of', async () => {
    const token = await sign(key, claims({ scope: 'openid orders:read admin:all orders:live *', jti: 'token-1' }));
    expect(await authenticate(token)).toEqual({
      kind: 'principal',
      principal: {
        account: 'alice',
        credential: 'token-1',
        kind: 'jwt',
        scopes: new Set(['orders:read', 'orders:live']),
      },
    });
  });

  it('without a scope may do nothing', async () => {
    const found = await authenticate(await sign(key, claims({ scope: undefined })));
    expect(found).toMatchObject({ kind: 'principal', principal: { scopes: new Set() } });
  });

  it.each(['ES256', 'ES384', 'ES512', 'EdDSA', 'PS256', 'RS256'])('may be signed with %s', async (alg) => {
    const signer = await signingKey(alg, 'another');
    issuer.serve(signer);
    expect(await authenticate(await sign(signer))).toMatchObject(ACCEPTED);
  });

  it('may name its type in full', async () => {
    expect(await authenticate(await sign(key, claims(), { typ: 'application/at+jwt' }))).toMatchObject(ACCEPTED);
  });

  it('may be meant for others as well', async () => {
    expect(await authenticate(await sign(key, claims({ aud: ['https://other.example.org', AUDIENCE] })))).toMatchObject(
      ACCEPTED,
    );
  });

  it('may live for an hour', async () => {
    expect(await authenticate(await sign(key, claims({ exp: seconds() + 3600 })))).toMatchObject(ACCEPTED);
  });

  it('may come from a clock that is up to 30 seconds off', async () => {
    expect(await authenticate(await sign(key, claims({ iat: seconds() + 29 })))).toMatchObject(ACCEPTED);
    expect(await authenticate(await sign(key, claims({ iat: seconds() - 300, exp: seconds() - 29 })))).toMatchObject(
      ACCEPTED,
    );
  });

  it('is checked by the clock of the server, not of the machine', async () => {
    const trusted = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.url };
    const late = new JwtAuthenticator(trusted, { now: () => new Date(Date.now() + 600_000) });
    const authorization = `Bearer ${await sign(key)}`;
    expect(await late.authenticate({ authorization, devUser: undefined })).toEqual(REFUSED);
  });
});

describe('a token with a true signature is refused', () => {
  const without = (claim: string) => () => claims({ [claim]: undefined });
  it.each<[string, () => JWTPayload]>([
    ['without an expiry', without('exp')],
    ['without the time of its issue', without('iat')],
    ['without a subject', without('sub')],
    ['without an issuer', without('iss')],
    ['without an audience', without('aud')],
    ['of another issuer', () => claims({ iss: 'https://issuer.example.org' })],
    ['for another audience', () => claims({ aud: 'https://other.example.org' })],
    ['for an audience that only starts like ours', () => claims({ aud: `${AUDIENCE}/admin` })],
    ['that expired more than 30 seconds ago', () => claims({ iat: seconds() - 300, exp: seconds() - 31 })],
    ['from more than 30 seconds ahead', () => claims({ iat: seconds() + 31 })],
    ['that is not good yet', () => claims({ nbf: seconds() + 31 })],
    ['that lives for more than an hour', () => claims({ exp: seconds() + 3601 })],
    ['that would have lived for more than an hour', () => claims({ iat: seconds() - 3601, exp: seconds() })],
    ['with its expiry as a text', () => claims({ exp: String(seconds() + 300) })],
    ['with a time of issue as a text', () => claims({ iat: String(seconds()) })],
    ['that expires in the year 10 to the 300', () => claims({ exp: 1e308 })],
    ['with a subject that is a number', () => claims({ sub: 7 })],
    ['with a subject that is not an account name', () => claims({ sub: "alice' OR '1'='1" })],
    ['with an empty subject', () => claims({ sub: '' })],
    ['with scopes as a list', () => claims({ scope: ['admin'] })],
  ])('%s', async (_what, payload) => {
    expect(await authenticate(await sign(key, payload()))).toEqual(REFUSED);
  });

  it.each([
    ['an infinite expiry', '{"exp":1e999,"iat":1}'],
    ['an infinite expiry and time of issue', '{"exp":1e999,"iat":1e999}'],
    ['an infinitely early time of issue', `{"iat":-1e999,"exp":3e9}`],
  ])('with %s', async (_what, times) => {
    const { exp: _exp, iat: _iat, ...rest } = claims();
    expect(await authenticate(await signText(key, `${JSON.stringify(rest).slice(0, -1)},${times.slice(1)}`))).toEqual(
      REFUSED,
    );
  });

  it.each(['[]', '["alice"]', 'null', '"alice"', '7', '', '{', '{"sub":'])('whose payload is %s', async (payload) => {
    expect(await authenticate(await signText(key, payload))).toEqual(REFUSED);
  });

  it.each(['JWT', 'id+jwt', 'application/jwt', '', undefined, 7])('of the type %s', async (typ) => {
    expect(await authenticate(await sign(key, claims(), { typ }))).toEqual(REFUSED);
  });

  it.each([
    ['an unknown extension', { crit: ['x-test'], 'x-test': 1 }],
    ['an extension jose knows', { crit: ['b64'], b64: true }],
  ])('with %s marked critical', async (_what, header) => {
    expect(await authenticate(await signText(key, JSON.stringify(claims()), header))).toEqual(REFUSED);
  });
});

describe('a forged token is refused', () => {
  const header = (change: object) => ({ alg: 'ES256', kid: 'es-1', typ: 'at+jwt', ...change });

  it('that is not signed, without a word to the issuer', async () => {
    for (const alg of ['none', 'None', 'nOnE', '', undefined, null]) {
      const token = `${encode(header({ alg }))}.${encode(claims())}.`;
      expect(await authenticate(token)).toEqual(REFUSED);
    }
    expect(issuer.requests).toBe(0);
  });

  it('that uses the public key as a shared secret', async () => {
    const signed = `${encode(header({ alg: 'HS256', kid: 'rsa-1' }))}.${encode(claims())}`;
    const publicKey = await importJWK(rsa.jwk, 'RS256', { extractable: true });
    if (publicKey instanceof Uint8Array) throw new TypeError('not a public key');
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(rsa.jwk), '']) {
      const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      expect(await authenticate(token)).toEqual(REFUSED);
    }
    expect(issuer.requests).toBe(0);
  });

  it('signed by another key, whatever key location its header names', async () => {
    const [forger, trap] = await Promise.all([signingKey('ES256', 'es-1'), CountingServer.start()]);
    trap.serve(forger);
    const places = [{}, { jku: trap.url.href }, { x5u: trap.url.href }, { jwk: forger.jwk }, { x5c: ['MIIB'] }];
    for (const place of [...places, { kid: 'mine', jku: trap.url.href, jwk: forger.jwk }, { kid: trap.url.href }]) {
      expect(await authenticate(await sign(forger, claims(), place))).toEqual(REFUSED);
    }
    expect(trap.requests).toBe(0);
    expect(issuer.requests).toBe(1);
    await trap.stop();
  });

  it('with a key id that is a path or not a string', async () => {
    for (const kid of ['../../dev/null', '/dev/null', '', '__proto__', 7, null, ['es-1']]) {
      expect(await authenticate(await sign(key, claims(), { kid }))).toEqual(REFUSED);
    }
  });

  it('with one bit of its signature changed', async () => {
    const [head, body, signature = ''] = (await sign(key)).split('.');
    const bytes = Buffer.from(signature, 'base64url');
    for (const at of [0, 31, 32, 63]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(await authenticate(`${head}.${body}.${changed.toString('base64url')}`)).toEqual(REFUSED);
    }
  });

  it('with the claims of one token and the signature of another', async () => {
    const [head, , signature] = (await sign(key)).split('.');
    expect(await authenticate(`${head}.${encode(claims({ sub: 'bob' }))}.${signature}`)).toEqual(REFUSED);
  });

  it('under an algorithm that is not the one of its key', async () => {
    expect(await authenticate(await sign({ ...rsa, kid: 'es-1' }))).toEqual(REFUSED);
  });

  it('that is too long or has too many parts', async () => {
    expect(await authenticate(await sign(key, claims({ padding: 'x'.repeat(9000) })))).toEqual(REFUSED);
    expect(await authenticate(`${await sign(key)}.${encode(claims())}`)).toEqual(REFUSED);
    expect(issuer.requests).toBe(0);
  });
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs any bytes at all, which the ordinary signer would refuse to. */
async function signText({ kid, privateKey }: SigningKey, payload: string, header: object = {}): Promise<string> {
  const head = encode({ alg: 'ES256', kid, typ: 'at+jwt', ...header });
  const signed = `${head}.${Buffer.from(payload).toString('base64url')}`;
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(algorithm, privateKey, Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}
