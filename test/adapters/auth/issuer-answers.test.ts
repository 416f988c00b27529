import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IssuerKeys, IssuerKeysUnavailable } from '../../../src/adapters/auth/issuer-keys.js';
import { CountingServer, claims, type SigningKey, sign, signingKey, trusting } from './issuer.js';

const MIB = 1024 * 1024;
const ACCEPTED = { kind: 'principal' };
const NOT_NOW = { kind: 'unavailable', cause: expect.objectContaining({ cause: expect.any(Error) }) };

let issuer: CountingServer;
let key: SigningKey;

beforeAll(async () => {
  key = await signingKey('ES256', 'known');
});

beforeEach(async () => {
  issuer = await CountingServer.start();
});

afterEach(() => issuer.stop());

/** Good keys in a document of so many bytes: what is too much is blank. */
function keysOf(bytes: number): string {
  const keys = JSON.stringify({ keys: [key.jwk] });
  return keys + ' '.repeat(bytes - keys.length);
}

const plain = (body: string) => (response: ServerResponse) => response.writeHead(200).end(body);
const packed = (body: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));

describe('the answer of an issuer', () => {
  it.each([
    ['as it is', plain],
    ['compressed', packed],
  ])('is read up to 1 MiB and not a byte more, %s', async (_how, answer) => {
    const token = await sign(key, claims());
    issuer.answer = answer(keysOf(MIB));
    expect(await trusting(issuer.url)(token)).toMatchObject(ACCEPTED);
    issuer.answer = answer(keysOf(MIB + 1));
    expect(await trusting(issuer.url)(token)).toMatchObject(NOT_NOW);
  });

  it.each([200, 500])('that never ends is hung up on, with status %d', async (status) => {
    let sent = 0;
    let hungUp = false;
    const chunk = Buffer.alloc(64 * 1024, ' ');
    issuer.answer = (response) => {
      response.writeHead(status);
      const more = () => {
        while (!hungUp && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more);
      response.on('close', () => {
        hungUp = true;
      });
      more();
    };
    expect(await trusting(issuer.url)(await sign(key, claims()))).toMatchObject(NOT_NOW);
    await expect.poll(() => hungUp).toBe(true);
    // What the sockets hold on the way is sent, but not read.
    expect(sent).toBeLessThan(32 * MIB);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['sends no headers', () => {}],
    ['stops in its body', (response) => response.writeHead(200).write('{"keys":')],
    ['sends its body drop by drop', (response) => void drip(response)],
  ])('is waited for once, all in all, where it %s', async (_what, answer) => {
    issuer.answer = answer;
    const keys = new IssuerKeys(issuer.url, { now: () => new Date() }, { fetchMs: 250 });
    const header = { alg: key.alg, kid: key.kid };
    const asked = keys.find(header, { payload: '', signature: '' });
    await expect(asked).rejects.toThrow(IssuerKeysUnavailable);
  });
});

/** Blanks for as long as there is a reader: each comes in good time, the last one never. */
function drip(response: ServerResponse): void {
  response.writeHead(200).write('{"keys":[');
  const drops = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(drops));
}
