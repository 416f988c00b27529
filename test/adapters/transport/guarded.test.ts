import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AddressRule, EVERY_PORT, isNetwork } from '../../../src/adapters/transport/address-rule.js';
import type { Resolve } from '../../../src/adapters/transport/guarded-connect.js';
import { GuardedHttp, type GuardedLimits } from '../../../src/adapters/transport/guarded-http.js';
import { urlProblem } from '../../../src/adapters/transport/guarded-url.js';

/** What a user may try in order to reach this machine, its network, or the keys that a cloud gives its machines. */
const FORBIDDEN = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  '0.1.2.3',
  '127.255.255.254',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '0xc0a80001',
  '169.254.169.254',
  '0xA9FEA9FE',
  '2852039166',
  '0251.0376.0251.0376',
  '169.254.170.2',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001:db8::1]',
  '[100::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[3fff::1]',
  '[5f00::1]',
];

const ALLOWED = ['8.8.8.8', '1.1.1.1', '134744072', '[2606:4700:4700::1111]', '[2a00:1450:4001::1]'];

const NO_NETWORKS = { allowHttp: true, addresses: new AddressRule([]) };
const HERE = { allowHttp: true, addresses: new AddressRule(['127.0.0.1/32'], [EVERY_PORT]) };

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function guarded(terms = HERE, limits: Partial<GuardedLimits> = {}, resolve?: Resolve): GuardedHttp {
  const http = new GuardedHttp(terms, limits, resolve);
  ends.push(() => http.close());
  return http;
}

/** A receiver on this machine, and what it received. */
async function receiver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const got: { host: string | undefined; body: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    got.push({ host: request.headers.host, body: Buffer.concat(chunks).toString() });
    answer(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return { got, port, url: new URL(`http://127.0.0.1:${port}/hook`) };
}

const post = (http: GuardedHttp, url: URL | string) => http.post({ url: new URL(url), headers: {}, body: '{}' });

describe('requests to addresses that users give', () => {
  it('reach a host however many requests to it are pending', async () => {
    const { got, url } = await receiver(({ url: path }, response) => {
      if (path === '/quick') response.end();
    });
    const http = guarded();
    for (let n = 0; n < 48; n += 1) void post(http, url);
    await expect.poll(() => got.length).toBe(48);
    expect(await post(http, new URL('/quick', url))).toMatchObject({ kind: 'answered', status: 200 });
  });

  it.each(FORBIDDEN)('never go to %s, and it cannot be registered', async (host) => {
    const http = guarded(NO_NETWORKS);
    for (const scheme of ['https', 'http']) {
      const url = `${scheme}://${host}/`;
      expect(urlProblem(url, NO_NETWORKS)).toMatch(/^must /);
      expect(await post(http, url)).toMatchObject({ kind: 'refused' });
    }
  });

  it.each(ALLOWED)('may go to %s, of the public Internet', (host) => {
    expect(urlProblem(`https://${host}/`, NO_NETWORKS)).toBeNull();
    expect(urlProblem(`https://${host}:8443/`, NO_NETWORKS)).toMatch('port 443');
    expect(urlProblem(`https://${host}:8443/`, HERE)).toMatch('port 443');
  });

  it('never go to a name with one address that is not allowed', async () => {
    const { got, port } = await receiver((_, response) => response.end());
    const found =
      (...addresses: string[]) =>
      async () =>
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    for (const addresses of [['127.0.0.2'], ['127.0.0.1', '10.0.0.1'], ['::1', '127.0.0.1'], ['fe80::1%eth0'], []]) {
      const http = guarded(HERE, {}, found(...addresses));
      expect(await post(http, `http://hooks.example:${port}/`)).toMatchObject({ kind: 'refused' });
    }
    expect(got).toEqual([]);
  });

  it('go only to the address that was checked', async () => {
    const { got, port } = await receiver((_, response) => response.setHeader('connection', 'close').end());
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.2'];
    let asked = 0;
    const http = guarded(HERE, {}, async () => [{ address: addresses[asked++] ?? '', family: 4 }]);
    const url = `http://hooks.example:${port}/`;
    expect(await post(http, url)).toMatchObject({ kind: 'answered', status: 200 });
    // Looked up once: had it been looked up again for the connection, it would have led elsewhere.
    expect([asked, got.map(({ host }) => host)]).toEqual([1, [`hooks.example:${port}`]]);
    expect(await post(http, url)).toEqual({ kind: 'refused', reason: 'cannot be reached' });
    expect([asked, got.length]).toEqual([2, 1]);
  });

  it('go to allowed other ports in named networks only', async () => {
    const { port } = await receiver((_, response) => response.end());
    const open = { allowHttp: true, addresses: new AddressRule(['127.0.0.2/32'], [EVERY_PORT]) };
    const http = guarded(open, {}, async () => [{ address: '8.8.8.8', family: 4 }]);
    expect(await post(http, `http://hooks.example:${port}/`)).toMatchObject({ kind: 'refused' });
    expect(urlProblem('https://127.0.0.2:8443/', open)).toBeNull();
  });

  it('go only to ports 80 and 443 of allowed networks by default', async () => {
    const { got, port, url } = await receiver((_, response) => response.end());
    const named = (...ports: (readonly [number, number])[]) => ({
      allowHttp: true,
      addresses: new AddressRule(['127.0.0.1/32'], ports),
    });
    const shut = [named(), named([1, port - 1], [port + 1, 65_535])];
    for (const terms of shut) {
      expect(urlProblem(url.href, terms)).toMatch('(WEBHOOK_ALLOWED_PORTS)');
      expect(urlProblem(`http://hooks.example:${port}/`, terms)).toMatch('(WEBHOOK_ALLOWED_PORTS)');
      expect(await post(guarded(terms), url)).toMatchObject({ kind: 'refused' });
      const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
      expect(await post(guarded(terms, {}, lookup), `http://hooks.example:${port}/`)).toMatchObject({
        kind: 'refused',
      });
    }
    expect(got).toEqual([]);
    const open = named([port, port]);
    expect(urlProblem(url.href, open)).toBeNull();
    expect(await post(guarded(open), url)).toMatchObject({ kind: 'answered' });
  });

  it('are https, unless the operator allows http', async () => {
    const { got, url } = await receiver((_, response) => response.end());
    const strict = { ...HERE, allowHttp: false };
    expect(urlProblem(url.href, strict)).toBe('must be an https URL: this server allows no http (WEBHOOK_ALLOW_HTTP)');
    expect(await post(guarded(strict), url)).toEqual({ kind: 'refused', reason: 'is not an https URL' });
    expect(got).toEqual([]);
    expect(urlProblem(url.href, HERE)).toBeNull();
    expect(await post(guarded(), url)).toMatchObject({ kind: 'answered', status: 200 });
  });

  it.each([
    ['nothing', 'must be an https URL of'],
    ['ftp://8.8.8.8/', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['https://user:word@8.8.8.8/', 'must not hold a user name or a password'],
    ['https://user@8.8.8.8/', 'must not hold a user name or a password'],
    [`https://8.8.8.8/${'a'.repeat(2000)}`, 'of at most 2000 characters'],
  ])('cannot be registered for %s', (url, words) => {
    expect(urlProblem(url, { allowHttp: false, addresses: new AddressRule([]) })).toMatch(words);
  });

  it('do not follow a redirect', async () => {
    const { got, url } = await receiver((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    expect(await post(guarded(), url)).toMatchObject({ kind: 'answered', status: 302 });
    expect(got).toHaveLength(1);
  });

  it('read no more than 4 KiB of an answer', async () => {
    const { url } = await receiver((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(1000)));
        response.once('drain', more);
      };
      more();
    });
    const answer = await post(guarded(), url);
    expect(answer).toEqual({ kind: 'answered', status: 200, retryAfterMs: null, text: 'x'.repeat(4096) });
  });

  it('end in time when the receiver stalls, keeping its partial answer', async () => {
    const silent = await receiver(() => {});
    const stalled = await receiver((_, response) => response.writeHead(200).write('beginning'));
    const http = guarded(HERE, { overallMs: 300 });
    expect(await post(http, silent.url)).toEqual({ kind: 'failed', reason: 'did not answer in time' });
    expect(await post(http, stalled.url)).toMatchObject({ kind: 'answered', status: 200, text: 'beginning' });
  });

  it('say how long the receiver asks to wait, a day at most', async () => {
    const waits = ['7', '999999', 'soon'];
    const { url } = await receiver((_, response) =>
      response.writeHead(429, { 'retry-after': waits.shift() ?? '' }).end('slow down'),
    );
    const http = guarded();
    const asked = [await post(http, url), await post(http, url), await post(http, url)];
    expect(asked.map((answer) => answer.kind === 'answered' && answer.retryAfterMs)).toEqual([7000, 86_400_000, null]);
  });

  it('report a broken connection', async () => {
    const { url } = await receiver((request) => request.socket.destroy());
    const http = guarded();
    expect(await post(http, url)).toEqual({ kind: 'failed', reason: 'broke the connection off' });
  });

  it('answer the same whatever kept them from a connection', async () => {
    const failing = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));
    const leading = (address: string) => async () => [{ address, family: 4 }];
    const name = 'http://hooks.example/';
    const tries: (readonly [GuardedHttp, string])[] = [
      [guarded(), 'http://127.0.0.1:1/'],
      [guarded(HERE, {}, failing('ENOTFOUND')), name],
      [guarded(HERE, {}, failing('EAI_AGAIN')), name],
      [guarded(HERE, {}, leading('10.0.0.1')), name],
      [guarded(HERE, { connectMs: 100 }, () => new Promise(() => {})), name],
    ];
    for (const [http, url] of tries) expect(await post(http, url)).toMatchObject({ reason: 'cannot be reached' });
  });
});

it('networks are addresses with a length, of either family', () => {
  expect(['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32', '10.0.0.0', '10.0.0.0/33', 'hooks.example'].map(isNetwork)).toEqual(
    [true, true, true, false, false, false],
  );
});
