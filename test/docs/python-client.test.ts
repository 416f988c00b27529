import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pythonClient } from '../../scripts/python/client.js';
import type { Document } from '../../scripts/python/schema.js';
import { PROBLEMS } from '../../src/adapters/http/problem.js';
import { startApp } from '../support/app.js';
import { ROOT } from '../support/build.js';

/** `npm run python:generate` writes the files. Read the difference before it is committed. */
const WRITES = process.env['DOCS'] === 'write';

const { client } = await startApp({ authenticator: 'keys' });
const document = (await client.get('/openapi.json')).json() as unknown as Document;
const help = Object.fromEntries(Object.entries(PROBLEMS).map(([code, [, , words]]) => [code, words]));
const made = pythonClient(document, help);

describe('clients/python', () => {
  it.each(Object.entries(made))('has %s as the OpenAPI document says: npm run python:generate', (name, text) => {
    const path = join(ROOT, 'clients/python/src/stakeport', name);
    if (WRITES) writeFileSync(path, text);
    expect(readFileSync(path, 'utf8') === text, 'run: npm run python:generate').toBe(true);
  });

  it('has a method for every operation, but for the streams and the login of browsers', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const methods = made['operations.py']?.match(/^ {4}def (?!__init__)/gm) ?? [];
    expect(operations.length - methods.length).toBe(4);
  });
});
