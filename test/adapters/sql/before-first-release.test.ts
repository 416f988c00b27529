import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DatabaseUnusable, openSqlLedger } from '../../../src/adapters/sql/index.js';
import { openExistingStore } from '../../../src/server/wiring/existing-store.js';
import { contentsOfPostgres, oldPostgres, oldSqliteFile } from '../../support/old-databases.js';

const REFUSAL =
  /made before its first release.* commit [0-9a-f]{12}: keep the books with `stakeport backup` of that commit/;

/** The bytes of each file of a folder, but for the lock of a server, which is empty. */
const filesOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.endsWith('.lock'))
    .map((name) => [name, readFileSync(join(folder, name))]);

const EACH_OLD_DATABASE = [
  [
    'SQLite',
    async () => oldSqliteFile().then((file) => ({ ...file, contents: async () => filesOf(dirname(file.path)) })),
  ],
  ['Postgres', async () => oldPostgres().then((made) => ({ ...made, contents: () => contentsOfPostgres(made.url) }))],
] as const;

describe.each(EACH_OLD_DATABASE)('a database on %s from before the first release', (_, make) => {
  it.each([
    ['a server', (url: string) => openSqlLedger(url, { exclusive: true })],
    ['a command that writes', (url: string) => openSqlLedger(url, { create: false })],
    ['a command that reads', (url: string) => openExistingStore(url)],
  ])('is refused by %s in one line, and left unchanged', async (_who, open) => {
    const database = await make();
    const before = await database.contents();
    const error: unknown = await open(database.url).catch((thrown: unknown) => thrown);
    const { cause } = error as Error;
    expect(error instanceof DatabaseUnusable || cause instanceof DatabaseUnusable).toBe(true);
    expect((error as Error).message).toMatch(REFUSAL);
    expect((error as Error).message).not.toContain('\n');
    expect(await database.contents()).toEqual(before);
    await database.remove();
  });
});
