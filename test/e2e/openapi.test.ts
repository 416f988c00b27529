import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/adapters/http/problem.js';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { type RunningApp, STRATEGIES, startApp } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { type GeneratedClient, generateClient } from '../support/generated-client.js';
import { type Json, type Operation, operationsOf } from './operations.js';

let app: RunningApp;
let guarded: Json;
let open: Json;

beforeAll(async () => {
  app = await startApp();
  open = (await app.client.get('/openapi.json')).json();
  guarded = (await (await startApp({ authenticator: 'keys' })).client.get('/openapi.json')).json();
});

/** The document with one thing changed. */
function changed(change: (document: Record<string, Record<string, Record<string, unknown>>>) => void): object {
  const copy = structuredClone(guarded);
  change(copy as Record<string, Record<string, Record<string, unknown>>>);
  return copy;
}

const isValid = async (document: object) => (await new Validator().validate({ ...document })).valid;

describe('the document', () => {
  test('is OpenAPI 3.1, with credentials and without', async () => {
    expect([open['openapi'], await isValid(open), await isValid(guarded)]).toEqual(['3.1.0', true, true]);
  });

  test('would not pass if it were broken', async () => {
    expect(await isValid(changed((document) => Reflect.deleteProperty(document, 'info')))).toBe(false);
    expect(
      await isValid(changed(({ paths }) => Object.assign(paths?.[STRATEGIES]?.['post'] ?? {}, { responses: 'none' }))),
    ).toBe(false);
    expect(
      await isValid(changed(({ components }) => Object.assign(components?.['securitySchemes'] ?? {}, { bearer: {} }))),
    ).toBe(false);
  });

  test('shows every schema: none is empty, which would allow anything', () => {
    expect(emptySchemas(guarded, '')).toEqual([]);
    expect(emptySchemas({ properties: { a: {} }, additionalProperties: {} }, '')).toHaveLength(2);
  });

  test('refers to nothing that it does not hold', () => {
    const names = [...JSON.stringify(guarded).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    const { schemas } = guarded['components'] as { schemas: object };
    expect([...new Set(names)].sort()).toEqual(Object.keys(schemas).sort());
  });

  test('names the key routes only with keys, and operator routes always', () => {
    expect(JSON.stringify(open)).not.toContain('/v1/admin/keys');
    expect(JSON.stringify(guarded)).toContain('/v1/admin/keys');
    for (const document of [open, guarded]) expect(JSON.stringify(document)).toContain('/v1/admin/accounts/{account}/');
  });
});

function emptySchemas(value: unknown, path: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  const entries = Object.entries(value);
  if (entries.length === 0 && !Array.isArray(value)) return [path];
  return entries.flatMap(([name, member]) => emptySchemas(member, `${path}/${name}`));
}

describe('every operation', () => {
  const each = (check: (operation: Operation) => void) => operationsOf(guarded).forEach(check);

  test('has a name of its own, and the scopes that it needs', () => {
    const names = operationsOf(guarded).map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    each(({ scopes, operationId }) => {
      expect(scopes.length, operationId).toBeGreaterThan(0);
      expect(
        scopes.filter((scope) => !AUTH_SCOPES.includes(scope)),
        operationId,
      ).toEqual([]);
    });
  });

  test('declares the problems that it may answer with, as problems that exist', () => {
    each(({ operationId, path, body, responses }) => {
      const shown = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      const statuses = shown.map(([status]) => status);
      expect(statuses, operationId).toEqual(expect.arrayContaining(['400', '401', '403', '408', '500', '503']));
      if (path.includes('{')) expect(statuses, operationId).toContain('404');
      if (body !== undefined) expect(statuses, operationId).toEqual(expect.arrayContaining(['413', '415', '422']));
      for (const [status, { description, content }] of shown as [string, { description: string; content: object }][]) {
        expect(Object.keys(content)).toEqual(['application/problem+json']);
        for (const name of description.split(', '))
          expect(PROBLEMS[name as keyof typeof PROBLEMS][0]).toBe(Number(status));
      }
    });
  });

  test('says more than its summary, under a tag that is described', () => {
    const { tags, info } = guarded as { tags: { name: string; description?: string }[]; info: Json };
    for (const { name, description = '' } of tags) expect(description.length, name).toBeGreaterThan(10);
    expect(info).toMatchObject({ contact: { url: expect.stringMatching(/^https:/) } });
    each(({ operationId, description }) => expect(`${description ?? ''}`.length, operationId).toBeGreaterThan(10));
  });

  test('declares each parameter of its path', () => {
    each(({ path, parameters }) => {
      const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(named);
    });
  });
});

const CLIENT = `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

export async function trade(baseUrl: string) {
  const client = createClient<paths>({ baseUrl });
  const rules = { match: { market: 'moneyline' as const }, sizing: { method: 'fixed_fraction' as const, value: 0 } };
  const body = { name: 'Generated', sport: 'soccer', rules, bankroll_cap: 100, stake_cap: '10' };
  const created = await client.POST('/v1/strategies', { body });
  const sid: string = created.data?.id ?? '';
  const updated = await client.PATCH('/v1/strategies/{sid}', { params: { path: { sid } }, body: { name: null, stake_cap: 5 } });
  const cap: string | undefined = updated.data?.stake_cap;
  const order = { market_id: 'm', token: 'YES' as const, price: 0.5, size_usdc: 5, strategy_id: sid };
  const placed = await client.POST('/v1/exchange/orders', { body: order, params: { header: { 'idempotency-key': 'k' } } });
  const settled: string | null | undefined = placed.data?.settled_at;
  const refused = await client.POST('/v1/exchange/orders', { body: { ...order, price: 1 } });
  const type: string | undefined = refused.error?.type;
  const list = await client.GET('/v1/exchange/orders', { params: { query: { limit: 1, paper: true } } });
  return { cap, settled, status: placed.data?.status, type, listed: list.data?.data.length };
}
`;

describe('a client that is generated from the document', () => {
  let generated: GeneratedClient;
  beforeAll(async () => {
    generated = await generateClient(open);
  });
  afterAll(() => generated.remove());

  test('type-checks, and does all three operations on the running server', async () => {
    expect(generated.compile(CLIENT)).toEqual([]);
    const { trade } = await import(pathToFileURL(generated.program).href);
    expect(await trade(app.url)).toEqual({
      cap: '5',
      settled: null,
      status: 'filled',
      type: '/problems/validation-failed',
      listed: 1,
    });
  });

  test.each([
    ["token: 'YES' as const", "token: 'MAYBE' as const"],
    ['bankroll_cap: 100,', ''],
  ])('does not type-check with %s as %s', (right, wrong) => {
    expect(CLIENT).toContain(right);
    expect(generated.compile(CLIENT.replace(right, wrong))).not.toEqual([]);
  });
});

describe('the reference at /docs', () => {
  test('loads files of this server only, as its policy demands', async () => {
    const page = await app.client.get('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).not.toMatch(/https?:|<script(?! src)|\son\w+=/);
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'.*script-src 'self'(;|$).*connect-src 'self'/,
    );
    const links = [...page.text.matchAll(/ (?:src|href)="(?!data:)([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(links).toEqual(['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/start.js']);
    for (const path of links) {
      const asset = await app.client.get(path);
      expect([asset.status, asset.headers['content-type']]).toEqual([
        200,
        path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      ]);
      expect(asset.text.length).toBeGreaterThan(100);
    }
  });

  test('reads the document of this server and asks no validator elsewhere', async () => {
    const start = (await app.client.get('/docs/start.js')).text;
    expect(start).toContain("url: '/openapi.json'");
    expect(start).toContain('validatorUrl: null');
    expect(start).not.toMatch(/https?:/);
  });

  test('is part of what is built', () => {
    for (const [file, least] of [
      ['swagger-ui-bundle.js.gz', 400_000],
      ['swagger-ui.css', 100_000],
    ] as const) {
      expect(statSync(join(ROOT, 'dist/swagger-ui', file)).size).toBeGreaterThan(least);
    }
  });
});
