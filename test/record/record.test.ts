import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { EVENT_TYPES } from '../../src/core/ledger/event-log.js';
import { afterEachFile } from '../support/after-file.js';
import { ROOT } from '../support/build.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { PLAYS } from './play.js';
import { cleanUp } from './program.js';
import { Transcript } from './transcript.js';

// Nothing is killed here, so nothing is lost by not waiting for a disk.
const { MEMORY_FOLDER: memory } = process.env;
if (memory !== undefined) process.env['TMPDIR'] = memory;

/** What only a venue with real money brings about. */
const UNSEEN: readonly string[] = [
  'order.submitting',
  'order.unknown',
  'order.fill_confirmed',
  'order.fill_voided',
  'order.cancel_refused',
  'cash.redeemed',
];
const DATABASES = {
  memory: async () => 'memory:',
  sqlite: async () => freshSqliteFile().url,
  postgres: async () => (await freshPostgres()).url,
};

afterEachFile(cleanUp);

beforeAll(() => {
  expect(inject('buildFailure')).toBe('');
});

describe.concurrent.each(PLAYS)('The built program, as $name records it', ({ name, stores, play }) => {
  it.each(stores)('answers on %s as it did', async (store) => {
    const transcript = new Transcript(name);
    const others = await play(transcript, await DATABASES[store]());
    for (const one of [transcript, ...others]) expect(one.text).toBe(one.recorded());
  });
});

describe('The record', () => {
  const folder = join(ROOT, 'test/record/transcripts');
  const all = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const calls = [...all.matchAll(/^> ([A-Z]+) (\/.*)$/gm)].map(([, method = '', path = '']) => {
    return `${method} ${path.replace(/\?.*/, '').replaceAll(/<[^>]*>/g, 'x')}`;
  });

  it('calls every operation of the OpenAPI document', () => {
    const document = readFileSync(join(folder, 'openapi.txt'), 'utf8');
    const operations = [...document.matchAll(/^([A-Z]+ \/\S*) .*"operationId"/gm)].map(
      ([, operation = '']) => operation,
    );
    const isCalled = (operation: string) => {
      const pattern = new RegExp(`^${operation.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
      return calls.some((call) => pattern.test(call));
    };
    expect(operations.length).toBeGreaterThan(40);
    expect(operations.filter((operation) => !isCalled(operation))).toEqual([]);
  });

  it('holds every type of event but those of real money', () => {
    const seen = new Set([...all.matchAll(/"type": ?"([a-z]+\.[a-z_]+)"/g)].map(([, type]) => type));
    expect(EVENT_TYPES.filter((type) => !seen.has(type))).toEqual(UNSEEN);
  });
});
