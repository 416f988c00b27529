import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tapesIn } from '../../src/adapters/tape/tape-folder.js';
import type { TapeLine } from '../../src/adapters/tape/tape-line.js';
import { readTape } from '../../src/adapters/tape/tape-reader.js';
import { all } from '../adapters/tape/tapes.js';
import { afterEachFile } from '../support/after-file.js';
import { ORDERS } from '../support/app.js';
import { SERVER, startProgram } from '../support/processes.js';
import { aGame, owns, PaperFixture, type PaperServer, takes, until } from './paper-servers.js';

const GAME = aGame('game-1');
const folders: string[] = [];

afterEachFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-recording-'));
  folders.push(folder);
  return folder;
}

/** Makes the server follow the game: a paper order rests there. */
async function follows({ client }: PaperServer): Promise<void> {
  const order = { market_id: GAME.conditionId, token: 'YES', price: 0.1, size_usdc: 1, time_in_force: 'GTC' };
  expect((await client.post(ORDERS, order)).json()).toMatchObject({ status: 'open' });
}

/** What a tape of the folder holds, in short; readable while it is written. */
async function lines(folder: string, at: number): Promise<readonly string[]> {
  const path = (await tapesIn(folder)).at(at);
  if (path === undefined) return [];
  const found: TapeLine[] = await all(readTape(path)).catch(() => []);
  return found.flatMap((line) => (line.type === 'alive' ? [] : [line.change.type]));
}

test('a server records what it follows, survives a kill, and begins a new tape', async () => {
  const fixture = await PaperFixture.open([GAME]);
  const folder = freshFolder();
  const first = await fixture.server({ RECORD: folder });
  await follows(first);
  fixture.venue.offer(GAME.tokens[0], 'SELL', '0.5', '7');
  await until(async () => (await lines(folder, 0)).lastIndexOf('book') > 2);
  await first.kill('SIGKILL');
  const killed = readFileSync((await tapesIn(folder))[0] ?? '');
  expect((await lines(folder, 0)).slice(0, 3)).toEqual(['market', 'gap', 'book']);
  const second = await fixture.server({ RECORD: folder });
  await until(async () => (await lines(folder, 1)).includes('book'));
  expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const [before = '', after = '', ...more] = await tapesIn(folder);
  expect(more).toEqual([]);
  expect(readFileSync(before)).toEqual(killed);
  expect(gunzipSync(readFileSync(after)).toString()).toMatch(
    /^\{"stakeport_tape":2,.*"venue":"polymarket","source":\{"evidence":"l2",.*\}\}\n.*"gap"/s,
  );
  await fixture.close();
});

test('of two servers the one with the lease alone records', async () => {
  const fixture = await PaperFixture.open([GAME]);
  const [one, another] = [freshFolder(), freshFolder()];
  const owner = await fixture.server({ RECORD: one });
  const other = await fixture.server({ RECORD: another });
  expect([await owns(owner), await owns(other)]).toEqual([true, false]);
  await follows(owner);
  await until(async () => (await lines(one, 0)).includes('book'));
  expect(await tapesIn(another)).toEqual([]);
  process.kill(owner.pid, 'SIGSTOP');
  await fixture.passLease();
  await until(() => takes(other));
  await until(async () => (await lines(another, 0)).includes('book'));
  process.kill(owner.pid, 'SIGCONT');
  await owner.says(/another server has taken over the lease/);
  const written = (await lines(one, 0)).length;
  fixture.venue.offer(GAME.tokens[0], 'SELL', '0.5', '7');
  await until(async () => (await lines(another, 0)).lastIndexOf('book') > 2);
  expect(await lines(one, 0)).toHaveLength(written);
  expect(await tapesIn(one)).toHaveLength(1);
  for (const server of [owner, other]) await server.kill('SIGTERM');
  await fixture.close();
});

test('a folder that cannot be made prevents the start, in one line', async () => {
  const file = join(freshFolder(), 'letter');
  writeFileSync(file, 'Dear Sir');
  // The file system of /proc takes no folders, and says that there is no such file.
  for (const folder of [join(file, 'tapes'), file, '/proc/none']) {
    const env = { MARKET_DATA: 'polymarket', LOG_LEVEL: 'error', PORT: '0', RECORD: folder };
    const server = startProgram(process.execPath, { args: [SERVER], env });
    expect(await server.ended).toEqual({ code: 78, signal: null });
    expect(server.output()).toMatch(
      /^stakeport cannot start: RECORD=\S+: the folder cannot be made \(E[A-Z]+\)\. .*\n$/,
    );
  }
});

test('an alarm says that the tapes take all that they may', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'polymarket-2026-03-01-001.jsonl.gz'), Buffer.alloc(1_000_000));
  const fixture = await PaperFixture.open([GAME]);
  const { client } = await fixture.server({ RECORD: folder, RECORD_MAX_MB: '1' });
  const alarms = async () => (await client.get('/v1/alarms')).json<{ data: readonly unknown[] }>().data;
  await until(async () => (await alarms()).length > 0);
  expect(await alarms()).toMatchObject([
    {
      kind: 'disk_low',
      subject: 'tapes',
      detail: `Recording has stopped: the recordings in ${folder} take 1 MB, of 1 MB that they may take.`,
    },
  ]);
  await fixture.close();
});
