import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ORDERS, type RunningApp, startApp } from '../../support/app.js';

const PAGES = [
  'overview',
  'positions',
  'orders',
  'strategies',
  'markets',
  'signals',
  'approvals',
  'results',
  'system',
  'login',
];
const TRADING = '/v1/trading/state';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let app: RunningApp;

beforeAll(async () => {
  app = await startApp({ ui: 'paper' });
});

const assetsOf = async (path = '/ui/overview') =>
  [...(await app.client.get(path)).text.matchAll(/"(\/ui\/assets\/[^"]+)"/g)].map(([, name = '']) => name);

/** An answer as it is on the wire. */
function bytesOf(url: string, accepted: string): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': accepted };
    get(url, { headers }, (answer) => {
      buffer(answer).then((bytes) => resolve({ headers: answer.headers, bytes }), reject);
    }).on('error', reject);
  });
}

describe('the dashboard', () => {
  test.each(PAGES)('/ui/%s is its document', async (name) => {
    const { status, headers, text } = await app.client.get(`/ui/${name}`);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(text).toContain('<div id="app">');
    expect(headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/ui/unknown',
    '/ui/overview/',
    '/ui/assets/index.html',
    '/ui/assets/files.json',
    '/ui/assets/unknown.js',
    '/ui/assets/..%2f..%2fpackage.json',
    '/ui/assets/%2e%2e/main.js',
    '/ui/assets/',
    '/ui/index.html',
  ])('has nothing at %s', async (path) => {
    expect((await app.client.get(path)).status).toBe(404);
  });

  test.each(['orders/1', 'strategies/new', 'strategies/1/edit', 'markets/example/home-away', 'approvals/1'])(
    '/ui/%s, the address of one thing, is its document',
    async (address) => {
      const { status, text } = await app.client.get(`/ui/${address}`);
      expect([status, text.includes('<div id="app">')]).toEqual([200, true]);
    },
  );

  test('an unknown address is a page for browsers, and still not found', async () => {
    const { status, headers, text } = await app.client.get('/ui/unknown/place', { accept: 'text/html,*/*' });
    expect([status, headers['cache-control'], text.includes('<div id="app">')]).toEqual([404, 'no-store', true]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('/ leads a browser here, and a program to the reference', async () => {
    const leads = async (accept: string) => (await app.client.get('/', { accept })).headers['location'];
    expect([await leads('text/html,*/*'), await leads('*/*')]).toEqual(['/ui', '/docs']);
    const without = await startApp();
    expect((await without.client.get('/', { accept: 'text/html' })).headers['location']).toBe('/docs');
  });

  test('/ui leads to its first page', async () => {
    const { status, headers } = await app.client.get('/ui');
    expect([status, headers['location']]).toEqual([302, '/ui/overview']);
  });

  test('allows no other origin, inline code, or text interpreted as markup', async () => {
    const { headers } = await app.client.get('/ui/overview');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
  });

  test('its document is reused only after revalidation', async () => {
    const { headers, text } = await app.client.get('/ui/orders');
    expect(text).not.toMatch(/<script>|<style|style=|onclick|http:|https:/);
    const again = await app.client.get('/ui/orders', { 'if-none-match': headers['etag'] });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers['cache-control']).toBe('no-cache');
  });

  test('its assets have content-based names and are cached forever', async () => {
    const names = await assetsOf();
    expect(names.map((name) => name.split('.').at(-1)).sort()).toEqual(['css', 'js', 'svg']);
    for (const name of names) {
      const { status, headers } = await app.client.get(name);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    const { status, text } = await app.client.get('/ui/assets/LICENSES.txt');
    expect([status, /preact/.test(text)]).toEqual([200, true]);
  });

  test('sends the smallest form that a client takes', async () => {
    const script = (await assetsOf()).find((name) => name.endsWith('.js')) ?? '';
    const plain = (await app.client.get(script)).text;
    const sent = (accepted: string) => bytesOf(`${app.url}${script}`, accepted);
    const [br, gzip, none] = [await sent('gzip, br'), await sent('br;q=0, gzip'), await sent('identity')];
    expect([br, gzip, none].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain);
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain);
    expect(new Set([br, gzip, none].map(({ headers }) => headers['etag'])).size).toBe(3);
    for (const { headers } of [br, gzip, none]) expect(headers['vary']).toBe('accept-encoding');
  });

  test('gets server settings without credentials and without secrets', async () => {
    const keyed = await startApp({ ui: 'live', authenticator: 'keys' });
    expect((await app.client.get('/ui/settings.json')).json()).toEqual({
      version: '0.0.0',
      needs_login: false,
      live: false,
      play_money: false,
      ui_trading: false,
      has_keys: false,
      has_webhooks: true,
      has_sessions: false,
      day_zone: 'UTC',
      is_known: true,
    });
    const live = (await keyed.client.get('/ui/settings.json')).json();
    expect(live).toMatchObject({ needs_login: true, live: true, ui_trading: false, has_keys: true });
    expect(live).toMatchObject({ has_sessions: true, is_known: false });
  });

  test('is not there where it is off', async () => {
    const without = await startApp();
    for (const path of ['/ui', '/ui/overview', '/ui/halt', '/ui/settings.json', ...(await assetsOf())])
      expect((await without.client.get(path)).status).toBe(404);
  });
});

describe('/ui/halt', () => {
  const own = () => ({ ...FORM, origin: app.url });
  const stateOf = async (client = app.client) => (await client.get(TRADING)).json<{ effective: string }>().effective;
  const keyIn = (text: string) => /name="idempotency_key" value="([^"]+)"/.exec(text)?.[1] ?? '';

  test('halts by a form without script that posts to this server alone', async () => {
    const client = app.client.as({ 'x-dev-user': 'formal' });
    const page = await client.get('/ui/halt');
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.headers['referrer-policy']).toBe('same-origin');
    expect(page.text).not.toContain('<script');
    const done = await client.post('/ui/halt', `act=halt&idempotency_key=${keyIn(page.text)}`, own());
    expect(done.status).toBe(200);
    expect(done.text).toContain('no new bets. Resting orders still rest.');
    expect(await stateOf(client)).toBe('halted');
  });

  test('also cancels what rests, and says how much', async () => {
    const client = app.client.as({ 'x-dev-user': 'resting' });
    const done = await client.post('/ui/halt', 'act=halt-and-cancel', own());
    expect(done.text).toContain('Orders cancelled: 0. Orders that still work: 0.');
    expect(await stateOf(client)).toBe('halted');
  });

  test('does nothing for foreign or unstated origins, or without an action', async () => {
    const client = app.client.as({ 'x-dev-user': 'careful' });
    const tries = [
      { headers: { ...FORM, origin: 'http://evil.example' }, body: 'act=halt', status: 403 },
      { headers: { ...FORM, origin: 'null' }, body: 'act=halt', status: 403 },
      { headers: { ...FORM, 'sec-fetch-site': 'cross-site' }, body: 'act=halt', status: 403 },
      { headers: FORM, body: 'act=halt', status: 403 },
      { headers: own(), body: 'act=resume', status: 400 },
      { headers: { ...own(), 'content-type': 'text/plain' }, body: 'act=halt', status: 415 },
      { headers: own(), body: `act=halt&more=${'x'.repeat(5000)}`, status: 413 },
    ];
    for (const { headers, body, status } of tries)
      expect((await client.post('/ui/halt', body, headers)).status).toBe(status);
    expect(await stateOf(client)).toBe('active');
  });

  test('takes a key where callers need one, and needs its scope', async () => {
    const keyed = await startApp({ ui: 'paper', authenticator: 'keys' });
    const may = await keyed.keyed('alice', 'orders:cancel', 'orders:read');
    const mayNot = await keyed.keyed('bob', 'orders:read');
    const keyOf = (client: typeof may) => String(client.headers['authorization']).slice('Bearer '.length);
    const post = (key: string) =>
      keyed.client.post('/ui/halt', `act=halt&key=${encodeURIComponent(key)}`, { ...FORM, origin: keyed.url });
    expect((await keyed.client.get('/ui/halt')).text).toContain('name="key"');
    expect((await post('wrong')).status).toBe(401);
    expect((await post(keyOf(mayNot))).status).toBe(403);
    expect((await post(keyOf(may))).status).toBe(200);
    expect(await stateOf(may)).toBe('halted');
    expect(await stateOf(mayNot)).toBe('active');
  });

  test('shows stakes and reasons only to a credential that may read orders', async () => {
    const keyed = await startApp({ ui: 'paper', authenticator: 'keys' });
    const reader = await keyed.keyed('alice', 'orders:cancel', 'orders:read');
    const blind = await keyed.keyed('alice', 'orders:cancel');
    await reader.post(TRADING, { scope: 'account', state: 'halted', reason: 'a private reason' });
    const keyOf = (client: typeof reader) => String(client.headers['authorization']).slice('Bearer '.length);
    const halted = (client: typeof reader) =>
      keyed.client.post('/ui/halt', `act=halt&key=${keyOf(client)}`, { ...FORM, origin: keyed.url });
    const pages = [await blind.get('/ui/halt'), await halted(blind)];
    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(text).toContain('<b>alice</b>');
      expect(text).not.toContain('At risk');
      expect(text).not.toContain('reason');
    }
    for (const { text } of [await reader.get('/ui/halt'), await halted(reader)]) expect(text).toContain('At risk');
    expect((await reader.get('/ui/halt')).text).toContain('Halted from the page');
  });

  test('writes what others chose as text, never as markup', async () => {
    const client = app.client.as({ 'x-dev-user': 'marked' });
    await client.post(TRADING, { scope: 'account', state: 'reducing', reason: '<img src=x onerror=alert(1)>' });
    const { text } = await client.get('/ui/halt');
    expect(text).toMatch(/This account: only bets that lower a worst case, by \S+ since [\d-]+ [\d:]+ UTC: &#60;img/);
    expect(text).toContain('0.00 USDC');
    expect(text).not.toContain('<img');
    expect(text).toContain('&#60;img');
  });
});

test('every other route takes no form', async () => {
  const reply = await app.client.post(ORDERS, 'market_id=x', { ...FORM, origin: app.url });
  expect(reply.status).toBe(415);
});
