import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HttpClient } from '../../../src/adapters/transport/http-client.js';
import type { HttpLimits } from '../../../src/adapters/transport/http-limits.js';
import type { Call } from '../../../src/adapters/transport/send-once.js';
import { selfSigned } from '../polymarket/execution/self-signed.js';
import { LANES, Loopback } from './loopback.js';

const QUICK: Partial<HttpLimits> = { connectMs: 5000, headersMs: 5000, bodyMs: 5000, overallMs: 1500 };
const MARK = 'one-copy-only';
const ORDER: Call = { method: 'POST', path: '/order', body: `{"mark":"${MARK}"}` };

const here = new Loopback();
afterEach(() => here.end());

function http(url: URL, limits: Partial<HttpLimits> = {}): HttpClient<'order' | 'cancel'> {
  const made = new HttpClient(url, LANES, { ...QUICK, ...limits });
  here.onEnd(() => made.close());
  return made;
}

async function closedPort(): Promise<URL> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return new URL(`http://127.0.0.1:${port}`);
}

describe('is proved not sent', () => {
  test('row 18: when the connection is refused', async () => {
    expect(await http(await closedPort()).send('order', ORDER)).toMatchObject({
      kind: 'not_sent',
      reason: 'unreachable',
    });
  });

  test('row 18: when the name of the venue leads nowhere', async () => {
    const sent = http(new URL('http://venue.invalid'), { overallMs: 5000 }).send('order', ORDER);
    expect(await sent).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  });

  test('row 18: when the connection is not made in time', async () => {
    const wire = await here.wire(() => {});
    const sent = await http(wire.url('https'), { connectMs: 100, overallMs: 5000 }).send('order', ORDER);
    expect(sent).toMatchObject({ kind: 'not_sent', reason: 'connect_timeout' });
    expect(wire.count(MARK)).toBe(0);
  });

  test('row 18: when the whole time is over before the connection is made', async () => {
    const wire = await here.wire(() => {});
    const sent = await http(wire.url('https'), { connectMs: 5000, overallMs: 100 }).send('order', ORDER);
    expect(sent).toMatchObject({ kind: 'not_sent', reason: 'late' });
  });

  test('row 19: when the certificate is untrusted, even with the check disabled', async () => {
    const wire = await here.wire(() => {}, selfSigned());
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    here.onEnd(() => vi.unstubAllEnvs());
    const sent = await http(wire.url('https'), { overallMs: 5000 }).send('order', ORDER);
    expect(sent).toMatchObject({ kind: 'not_sent', reason: 'tls_failed' });
    expect(wire.bytes).toBe(0);
  });

  test('row 19: when the other side speaks no TLS', async () => {
    const wire = await here.wire((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const sent = await http(wire.url('https'), { overallMs: 5000 }).send('order', ORDER);
    expect(sent).toMatchObject({ kind: 'not_sent', reason: 'tls_failed' });
  });

  test('when it was called off while others had the connections', async () => {
    const wire = await here.wire(() => {});
    const one = http(wire.url(), { connections: 1, overallMs: 5000 });
    const first = one.send('order', ORDER);
    await expect.poll(() => wire.count(MARK)).toBe(1);
    const caller = new AbortController();
    const second = one.send('order', ORDER, { signal: caller.signal });
    setImmediate(() => caller.abort());
    expect(await second).toMatchObject({ kind: 'not_sent', reason: 'aborted' });
    await one.close();
    expect(await first).toMatchObject({ kind: 'silence', reason: 'aborted' });
    expect(wire.count(MARK)).toBe(1);
  });

  test('when it was aborted before sending', async () => {
    const wire = await here.wire(() => {});
    const sent = http(wire.url()).send('order', ORDER, { signal: AbortSignal.abort() });
    expect(await sent).toMatchObject({ kind: 'not_sent', reason: 'aborted' });
    expect(wire.received).toHaveLength(0);
  });

  test('when its headers cannot be made', async () => {
    const wire = await here.wire(() => {});
    const headers = () => {
      throw new Error('no key');
    };
    expect(await http(wire.url()).send('order', { ...ORDER, headers })).toMatchObject({
      kind: 'not_sent',
      reason: 'malformed',
    });
    expect(wire.received).toHaveLength(0);
  });

  test('only when the venue received nothing before an immediate reset', async () => {
    const wire = await here.wire((socket) => socket.resetAndDestroy());
    const one = http(wire.url());
    for (let i = 0; i < 40; i++) {
      const { kind } = await one.send('order', ORDER);
      expect(kind === 'silence' || (kind === 'not_sent' && wire.bytes === 0)).toBe(true);
    }
  });
});
