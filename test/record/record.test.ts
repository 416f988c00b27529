import { beforeAll, describe, expect, inject, it } from 'vitest';
import { afterEachFile } from '../support/after-file.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { PLAYS } from './play.js';
import { cleanUp } from './program.js';
import { Transcript } from './transcript.js';

const DATABASES = {
  memory: async () => 'memory:',
  sqlite: async () => freshSqliteFile().url,
  postgres: async () => (await freshPostgres()).url,
};

afterEachFile(cleanUp);

beforeAll(() => {
  expect(inject('buildFailure')).toBe('');
});

describe.each(PLAYS)('The built program, as $name records it', ({ name, stores, play }) => {
  it.each(stores)('answers on %s as it did', { timeout: 240_000 }, async (store) => {
    const told = new Transcript(name);
    await play(told, await DATABASES[store]());
    expect(told.text).toBe(told.recorded());
  });
});
