import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { JwtAuthenticator } from '../../../src/adapters/auth/index.js';
import { AUDIENCE, CountingServer, claims, ISSUER, type SigningKey, sign, signingKey, trusting } from './issuer.js';

const ACCEPTED = { kind: 'principal' };
const REFUSED = { kind: 'invalid' };
const NOT_NOW = { kind: 'unavailable', cause: expect.objectContaining({ cause: expect.any(Error) }) };
const START = Date.parse('2040-01-01T00:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;

let issuer: CountingServer;
let known: SigningKey;
let unknown: SigningKey;
let authenticate: ReturnType<typeof trusting>;

const at = (elapsed: number) => vi.setSystemTime(START + elapsed);
const tokenOf = (key: SigningKey) => sign(key, claims());

beforeAll(async () => {
  [known, unknown] = await Promise.all([signingKey('ES256', 'known'), signingKey('ES256', 'unknown')]);
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  issuer = await CountingServer.start();
  issuer.serve(known);
  authenticate = trusting(issuer.url);
});

afterEach(async () => {
  vi.useRealTimers();
  await issuer.stop();
});

describe('the keys of an issuer', () => {
  it('are fetched once for all the tokens of ten minutes', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, async () => authenticate(await tokenOf(known))));
    at(10 * MINUTE - 1);
    answers.push(await authenticate(await tokenOf(known)));
    for (const answer of answers) expect(answer).toMatchObject(ACCEPTED);
    expect(issuer.requests).toBe(1);
  });

  it('are fetched again after ten minutes, and a withdrawn key is refused', async () => {
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    issuer.serve(unknown);
    at(10 * MINUTE);
    expect(await authenticate(await tokenOf(known))).toEqual(REFUSED);
    expect(issuer.requests).toBe(2);
  });

  it('are fetched for an unknown key at most once in 30 seconds', async () => {
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    for (let second = 0; second < 60; second++) {
      at(second * SECOND);
      expect(await authenticate(await sign(unknown, claims(), { kid: `made-up-${second}` }))).toEqual(REFUSED);
    }
    expect(issuer.requests).toBe(2);
  });

  it('that are new are found as soon as 30 seconds have passed', async () => {
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    issuer.serve(known, unknown);
    at(30 * SECOND - 1);
    expect(await authenticate(await tokenOf(unknown))).toEqual(REFUSED);
    at(30 * SECOND);
    const [first, second] = await Promise.all([
      authenticate(await tokenOf(unknown)),
      authenticate(await tokenOf(unknown)),
    ]);
    expect(first).toMatchObject(ACCEPTED);
    expect(second).toMatchObject(ACCEPTED);
    expect(issuer.requests).toBe(2);
  });
});

describe('while the issuer does not answer', () => {
  it('known keys stay good for an hour, and no longer', async () => {
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    issuer.fail();
    for (const minutes of [11, 30, 59]) {
      at(minutes * MINUTE);
      expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    }
    at(60 * MINUTE);
    expect(await authenticate(await tokenOf(known))).toMatchObject(NOT_NOW);
    expect(issuer.requests).toBe(5);
  });

  it('an unknown key can be neither accepted nor refused', async () => {
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    issuer.fail();
    for (const elapsed of [30 * SECOND, 31 * SECOND, 59 * SECOND]) {
      at(elapsed);
      expect(await authenticate(await tokenOf(unknown))).toMatchObject(NOT_NOW);
      expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    }
    expect(issuer.requests).toBe(2);
  });

  it('it is asked at most once in 30 seconds', async () => {
    issuer.fail();
    for (let second = 0; second < 45; second++) {
      at(second * SECOND);
      expect(await authenticate(await tokenOf(known))).toMatchObject(NOT_NOW);
    }
    expect(issuer.requests).toBe(2);
    issuer.serve(known);
    at(60 * SECOND);
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
  });

  it('a clock set back by hours does not prevent fetching the keys', async () => {
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    at(-5 * 60 * MINUTE);
    expect(await authenticate(await tokenOf(known))).toMatchObject(ACCEPTED);
    expect(issuer.requests).toBe(2);
  });
});

describe('an answer that is not a set of keys', () => {
  it.each<[string, number, string]>([
    ['an error', 500, ''],
    ['an empty page', 200, ''],
    ['a page for people', 200, '<html></html>'],
    ['a list', 200, '[]'],
    ['keys that are not a list', 200, '{"keys":{}}'],
    ['keys with status 203', 203, '{"keys":[]}'],
  ])('leaves every token undecided: %s', async (_what, status, body) => {
    issuer.answer = (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    expect(await authenticate(await tokenOf(known))).toMatchObject(NOT_NOW);
  });

  it('is not followed when it is a redirect', async () => {
    const elsewhere = await CountingServer.start();
    elsewhere.serve(known);
    issuer.answer = (response) => response.writeHead(302, { location: elsewhere.url.href }).end();
    expect(await authenticate(await tokenOf(known))).toMatchObject(NOT_NOW);
    expect(elsewhere.requests).toBe(0);
    await elsewhere.stop();
  });

  it('and a connection that is refused, too, leaves every token undecided', async () => {
    const gone = await CountingServer.start();
    const { url } = gone;
    await gone.stop();
    expect(await trusting(url)(await tokenOf(known))).toMatchObject(NOT_NOW);
  });
});

describe('the place of the keys', () => {
  const construct = (url: string) => () =>
    new JwtAuthenticator({ issuer: ISSUER, audience: AUDIENCE, jwksUrl: new URL(url) }, { now: () => new Date() });

  it.each([
    'https://issuer.example.org/jwks',
    'http://127.0.0.1:8000/jwks',
    'http://127.9.9.9/jwks',
    'http://[::1]/jwks',
    'http://localhost/jwks',
  ])('may be %s', (url) => {
    expect(construct(url)).not.toThrow();
  });

  it.each([
    'http://issuer.example.org/jwks',
    'http://127.0.0.1.example.org/jwks',
    'http://localhost.example.org/jwks',
    'http://10.0.0.1/jwks',
    'http://[::2]/jwks',
    'file:///etc/jwks.json',
    'data:application/json,{}',
  ])('may not be %s', (url) => {
    expect(construct(url)).toThrow(TypeError);
  });
});
