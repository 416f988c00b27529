import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GUIDE, guidePath } from '../../../src/adapters/http/guide-pages.js';
import { startApp } from '../../support/app.js';
import { ROOT } from '../../support/build.js';

const PAGES = GUIDE.flatMap(({ pages }) => pages);
const app = await startApp({ authenticator: 'keys' });
const shown = new Map<string, string>();
for (const { name } of PAGES) shown.set(guidePath(name), (await app.client.get(guidePath(name))).text);

const linksIn = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);

test('has a page for every file of docs/, and no other', () => {
  const files = readdirSync(`${ROOT}/docs`).filter((name) => name.endsWith('.md'));
  const named = PAGES.map(({ file }) => file).filter((file) => file.startsWith('docs/'));
  expect(named.map((file) => file.slice('docs/'.length)).sort()).toEqual(files.sort());
});

describe.each(PAGES)('$title', ({ name }) => {
  const html = shown.get(guidePath(name)) ?? '';

  test('is shown without credentials, and needs no script and no other host', async () => {
    const page = await app.client.get(guidePath(name));
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self' data:;/,
    );
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<img[^>]+src="http/);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain(`<a href="${guidePath(name)}" aria-current="page">`);
  });

  test('links to no missing page, section or image', async () => {
    const lost: string[] = [];
    for (const link of linksIn(html).filter((link) => !/^(https:|data:)/.test(link))) {
      const [path = '', part] = link.split('#');
      const target = path === '' ? html : shown.get(path);
      if (target === undefined && (await app.client.get(path)).status !== 200) lost.push(link);
      if (target !== undefined && part !== undefined && !target.includes(` id="${part}"`)) lost.push(link);
    }
    expect(lost).toEqual([]);
  });
});

test('shows Markdown as what it means', () => {
  const html = shown.get('/docs/guide') ?? '';
  expect(html).toContain('<a href="/docs/guide/strategies#let-it-trade">docs/strategies.md</a>');
  expect(html).toMatch(/<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\s*<thead>/);
  expect(html).not.toMatch(/<!-- |\]\(/);
});

test.each(['nothing', '..%2fpackage.json', '%2e%2e', '__proto__', 'README.md', ''])('has no page %j', async (name) => {
  expect((await app.client.get(`/docs/guide/${name}`)).status).toBe(404);
  expect((await app.client.get(`/docs/images/${name}`)).status).toBe(404);
});

test('is known by its tag', async () => {
  const { headers } = await app.client.get('/docs/guide/paper');
  const again = await app.client.get('/docs/guide/paper', { 'if-none-match': String(headers.etag) });
  expect([again.status, again.text]).toEqual([304, '']);
});
