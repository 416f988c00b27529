import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { type RunningApp, startApp } from '../support/app.js';
import type { Client } from '../support/http.js';
import { launchChromium } from './chromium.js';

const ORDER = { market_id: 'will-it-rain', token: 'YES', price: '0.5', size_usdc: '10' };
const EVIL = 'evil.example';

let browser: Browser;
let evil: Server;
let keyed: RunningApp;
let dev: RunningApp;
let program: Client;
let context: BrowserContext;

/** A page that tries everything that a page may try against another address. */
const pageFor = (target: string) => `<!doctype html><title>evil</title>
<form id="halt" method="post" action="${target}/ui/halt"><input name="act" value="halt"></form>
<form id="order" method="post" enctype="text/plain" action="${target}/v1/exchange/orders">
<input name='{"market_id":"m","token":"YES","price":"0.5","size_usdc":"10","x":"' value='"}'></form>`;

beforeAll(async () => {
  browser = await launchChromium(`--host-resolver-rules=MAP ${EVIL} 127.0.0.1`);
  keyed = await startApp({ ui: 'paper', streams: {}, authenticator: 'keys' });
  dev = await startApp({ ui: 'paper', streams: {} });
  evil = createServer(({ url = '' }, res) => {
    res.setHeader('content-type', 'text/html').end(pageFor(url === '/dev' ? dev.url : keyed.url));
  });
  await new Promise<void>((resolve) => {
    evil.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await browser.close();
  evil.close();
});

/** A browser with the session of a trader. A page of another port of this machine is of the same site: its cookie goes along. */
beforeEach(async () => {
  await context?.close();
  context = await browser.newContext();
  program = await keyed.keyed(`trader-${Math.random()}`, ...AUTH_SCOPES);
  const page = await context.newPage();
  await page.goto(`${keyed.url}/ui/overview`);
  await page.getByLabel('API key').fill(String(program.headers['authorization']).slice('Bearer '.length));
  await page.keyboard.press('Enter');
  await page.getByText('Live data').waitFor();
});

const evilAt = (path: string) => `http://127.0.0.1:${(evil.address() as AddressInfo).port}${path}`;

/** What became of an account: its state, and how many orders it has. */
async function standing(client: Client): Promise<readonly unknown[]> {
  const { effective } = (await client.get('/v1/trading/state')).json<{ effective: string }>();
  const { data } = (await client.get('/v1/exchange/orders')).json<{ data: unknown[] }>();
  return [effective, data.length];
}

/** What a page reads or changes by a request of its own: the text of an answer, or null where it learns nothing. */
const asks = (target: string, type: string) => `fetch('${target}/v1/exchange/orders', {
  method: 'POST', credentials: 'include', headers: { 'content-type': '${type}' }, body: '${JSON.stringify(ORDER)}',
}).then((answer) => (answer.type === 'opaque' ? null : answer.text()), () => null)`;
const reads = (target: string) =>
  `fetch('${target}/v1/session', { credentials: 'include' }).then((answer) => answer.text(), () => null)`;

describe.each([
  ['with the session of a trader', '/keys', () => [keyed.url, program] as const],
  ['in dev mode, where every caller is trusted', '/dev', () => [dev.url, dev.client] as const],
])('a page of another origin, %s', (_, path, target) => {
  test('reads nothing and orders nothing', async () => {
    const [url, client] = target();
    const page = await context.newPage();
    await page.goto(evilAt(path));
    for (const request of [reads(url), asks(url, 'application/json'), asks(url, 'text/plain')])
      expect(await page.evaluate(request)).toBeNull();
    expect(await standing(client)).toEqual(['active', 0]);
  });

  test.each(['halt', 'order'])('gets nothing done with a form: %s', async (form) => {
    const [, client] = target();
    const page = await context.newPage();
    await page.goto(evilAt(path));
    const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.evaluate(`document.getElementById('${form}').submit()`);
    expect((await answered).status()).toBeOneOf([401, 403, 415]);
    expect(await standing(client)).toEqual(['active', 0]);
  });
});

test('a page rebinding its name to this machine gets and changes nothing', async () => {
  const { port } = new URL(dev.url);
  const page = await context.newPage();
  const answer = await page.goto(`http://${EVIL}:${port}/ui/overview`);
  expect(answer?.status()).toBe(421);
  const rebound = `http://${EVIL}:${port}`;
  for (const request of [reads(rebound), asks(rebound, 'application/json')])
    expect(await page.evaluate(request)).toContain('/problems/misdirected-request');
  expect(await standing(dev.client)).toEqual(['active', 0]);
});

test('a page of another origin can neither frame nor control the dashboard', async () => {
  const page = await context.newPage();
  await page.goto(evilAt('/keys'));
  await page.evaluate(`{
    const frame = document.createElement('iframe');
    frame.src = '${keyed.url}/ui/overview';
    document.body.append(frame);
  }`);
  await page.waitForEvent('framenavigated').catch(() => {});
  const [, frame] = page.frames();
  expect(await frame?.getByText('stakeport').count()).toBe(0);
  const opening = context.waitForEvent('page');
  await page.evaluate(`globalThis.held = open('${keyed.url}/ui/overview')`);
  await (await opening).getByText('Live data').waitFor();
  expect(await page.evaluate<boolean>('held.closed')).toBe(true);
});
