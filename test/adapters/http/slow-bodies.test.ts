import { beforeEach, describe, expect, test } from 'vitest';
import { JwtAuthenticator } from '../../../src/adapters/auth/index.js';
import { ORDER, ORDERS, type RunningApp, startApp } from '../../support/app.js';
import { ALICE } from '../../support/builders.js';
import { message, statusesIn, Wire } from '../../support/wire.js';
import { AUDIENCE, CountingServer, claims, ISSUER, seconds, sign, signingKey } from '../auth/issuer.js';
import { KeyFixture } from '../auth/key-fixture.js';

const BODY = JSON.stringify(ORDER);
const SIZED = { 'content-length': String(BODY.length) };
const PATIENT = { ...SIZED, expect: '100-continue' };
const MINUTE = 60_000;

let keys: KeyFixture;
let app: RunningApp;

beforeEach(async () => {
  keys = new KeyFixture();
  app = await startApp({ authenticator: keys.authenticator() });
});

const orders = () => app.ledger.listOrders(ALICE, {}, { limit: 5 });

/** The head of an order under the key, and a socket that waits with its body. */
async function begin(authorization: string, headers: Record<string, string> = SIZED): Promise<Wire> {
  const wire = await Wire.to(app.url);
  const fields = { 'content-type': 'application/json', authorization, connection: 'close' };
  return wire.send(message(`POST ${ORDERS}`, { ...fields, ...headers }));
}

const byKey = (headers?: Record<string, string>) => begin(`Bearer ${keys.secret.text}`, headers);

async function refused(wire: Wire): Promise<void> {
  const heard = await wire.closed();
  expect(statusesIn(heard).at(-1)).toBe(401);
  expect(heard).toContain('error="invalid_token"');
  expect(await orders()).toEqual([]);
}

describe('while the body of an order arrives, a key', () => {
  const WAYS: [string, Record<string, string>, (body: string) => string][] = [
    ['of a known length', SIZED, (body) => body],
    ['in chunks', { 'transfer-encoding': 'chunked' }, (body) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ];

  test.each(WAYS)('that is revoked places nothing: a body %s', async (_, headers, framed) => {
    await keys.store();
    const wire = await byKey(headers);
    await expect.poll(() => keys.lookUps).toBe(1);
    await keys.revoke();
    await refused(wire.send(framed(BODY)));
  });

  test('that is revoked after `100 Continue` places nothing', async () => {
    await keys.store();
    const wire = await byKey(PATIENT);
    await wire.hears(/100 Continue/);
    await keys.revoke();
    await refused(wire.send(BODY));
  });

  test('that expires places nothing', async () => {
    await keys.store({ expiresAt: new Date(keys.now.getTime() + MINUTE) });
    const wire = await byKey(PATIENT);
    await wire.hears(/100 Continue/);
    keys.now = new Date(keys.now.getTime() + MINUTE);
    await refused(wire.send(BODY));
  });

  test('that cannot be checked again places nothing: 503', async () => {
    await keys.store();
    const wire = await byKey(PATIENT);
    await wire.hears(/100 Continue/);
    keys.storeIsDown = true;
    expect(statusesIn(await wire.send(BODY).closed()).at(-1)).toBe(503);
    expect(await orders()).toEqual([]);
  });

  test('that stays good places its order', async () => {
    await keys.store();
    const wire = await byKey();
    await expect.poll(() => keys.lookUps).toBe(1);
    expect(statusesIn(await wire.send(BODY).closed())).toEqual([201]);
    expect(await orders()).toHaveLength(1);
  });
});

test('a request that arrives whole needs one key lookup', async () => {
  await keys.store();
  const wire = await Wire.to(app.url);
  const authorization = `Bearer ${keys.secret.text}`;
  const heard = await wire.send(message(`POST ${ORDERS}`, { authorization, connection: 'close' }, BODY)).closed();
  expect([statusesIn(heard), keys.lookUps]).toEqual([[201], 1]);
});

test('an access token that expires during the order’s body places nothing', async () => {
  const [issuer, key] = [await CountingServer.start(), await signingKey('ES256', 'es-1')];
  issuer.serve(key);
  let now = new Date();
  const trusted = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.url };
  app = await startApp({ authenticator: new JwtAuthenticator(trusted, { now: () => now }) });
  const wire = await begin(`Bearer ${await sign(key, claims({ exp: seconds() + 60 }))}`, PATIENT);
  await wire.hears(/100 Continue/);
  now = new Date(now.getTime() + 2 * MINUTE);
  await refused(wire.send(BODY));
  await issuer.stop();
});
