import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandsOf, createProgram } from '../../src/cli/cli.js';
import { failureOf } from '../../src/server/failures/failure.js';
import { stakeport } from '../e2e/command-line.js';
import { FAILING_DATABASES } from '../server/failures/failing-databases.js';
import { keyFile } from '../support/live-server.js';
import { LOCAL_CALLS, REMOTE_CALLS } from './api/remote-calls.js';

/** What a command does with the database of DATABASE_URL; a number is its exit code when it does not look there. */
type Use = 'reads' | 'writes' | number;

/** No server answers at this port. */
const NOWHERE = 'http://127.0.0.1:1';
const CONFIGURED = { AUTH_MODE: 'keys', KEY_PEPPER: 'a pepper for tests alone', MARKET_DATA: 'polymarket' };
const LIVE = { ...CONFIGURED, LIVE_TRADING: 'on', POLYMARKET_GAMMA_URL: NOWHERE, POLYMARKET_CLOB_URL: NOWHERE };

const SERVE = 'stakeport serve';
/** Every command that does not talk to a server, how it is called, and what it does with the database. */
const COMMANDS: Readonly<Record<string, readonly [Use, ...string[]]>> = {
  [SERVE]: ['writes', 'serve'],
  'stakeport record': [78, 'record', '--market', 'x', '--out', 'x.jsonl'],
  'stakeport audit': ['reads', 'audit'],
  // A Postgres database is refused before it is reached; cli/backup.test.ts has the others.
  'stakeport backup': [78, 'backup', 'copy.db'],
  'stakeport migrate': ['writes', 'migrate'],
  'stakeport external': ['reads', 'external'],
  'stakeport doctor': [1, 'doctor'],
  'stakeport keys create': ['writes', 'keys', 'create', '--account', 'alice', '--scopes', 'orders:read'],
  'stakeport keys list': ['reads', 'keys', 'list'],
  'stakeport keys revoke': ['writes', 'keys', 'revoke', 'x'],
  'stakeport accounts enable-live': ['writes', 'accounts', 'enable-live', 'alice'],
  'stakeport accounts disable-live': ['writes', 'accounts', 'disable-live', 'alice'],
  'stakeport accounts deposit': ['writes', 'accounts', 'deposit', 'alice', '1'],
  'stakeport accounts withdraw': ['writes', 'accounts', 'withdraw', 'alice', '1'],
  'stakeport accounts show': ['reads', 'accounts', 'show', 'alice'],
  'stakeport accounts list': ['reads', 'accounts', 'list'],
  'stakeport accounts halt': ['writes', 'accounts', 'halt', 'alice'],
  'stakeport accounts halt-all': ['writes', 'accounts', 'halt-all'],
  'stakeport accounts release': ['writes', 'accounts', 'release', 'alice'],
  'stakeport redeemable': ['reads', 'redeemable'],
  'stakeport cancel-all': [69, 'cancel-all'],
};

const write = process.stdout.write;
let hurrying: NodeJS.Timeout | undefined;
afterEach(() => {
  clearInterval(hurrying);
  vi.useRealTimers();
  process.stdout.write = write;
  process.exitCode = undefined;
  vi.unstubAllEnvs();
});

/** Time-outs end in a tenth of their time. */
function hurry(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  hurrying = setInterval(() => vi.advanceTimersByTime(100), 10);
}

function inEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

/** Runs a command in this process; its errors are printed as `main.ts` prints them. */
async function run(args: readonly string[]): Promise<{ code: number; words: string }> {
  try {
    await (await createProgram()).parseAsync(args, { from: 'user' });
    return { code: 0, words: '' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { code: failure.exit, words: failure.message };
  }
}

it('every command has a row', async () => {
  const leaves = commandsOf(await createProgram()).filter(({ commands }) => commands.length === 0);
  const path = (command: (typeof leaves)[number] | null): string =>
    command === null ? '' : `${path(command.parent)} ${command.name()}`.trim();
  const others = [...Object.keys(REMOTE_CALLS), ...LOCAL_CALLS];
  expect(leaves.map(path).sort()).toEqual([...Object.keys(COMMANDS), ...others].sort());
});

describe.each(FAILING_DATABASES)('With a database that is $what', ({ what, open, words, ...expected }) => {
  it('every command fails in one line with the documented exit code', async () => {
    const DATABASE_URL = await open();
    inEnvironment({ ...CONFIGURED, DATABASE_URL });
    if (what === 'silent') hurry();
    process.stdout.write = () => true;
    const rows = Object.entries(COMMANDS).flatMap(([name, [use, ...args]]) =>
      typeof use === 'number' || name === SERVE ? [] : [{ name, args, code: expected[use], changes: use === 'writes' }],
    );
    const results = await Promise.all(rows.map(async ({ args, ...row }) => ({ row, ...(await run(args)) })));
    expect(results.map(({ row, code }) => ({ name: row.name, code }))).toEqual(
      rows.map(({ name, code }) => ({ name, code })),
    );
    for (const { row, words: said } of results.filter(({ code }) => code !== 0)) {
      expect(said, row.name).toMatch(words);
      if (row.changes) expect(said, row.name).toMatch(/ Nothing was done\.$/);
      expect(said.split('\n'), row.name).toHaveLength(1);
    }
  });

  it('a server does not start, and says so in the same way', async () => {
    const { code, output } = await stakeport({ env: { DATABASE_URL: await open(), PORT: '0' } }, 'serve');
    expect({ code, output }).toEqual({
      code: expected.writes,
      output: expect.stringMatching(/^stakeport cannot start: .*\n$/),
    });
  });

  it('the doctor reports it as one of its checks', async () => {
    let output = '';
    process.stdout.write = (text: string | Uint8Array) => {
      output += text;
      return true;
    };
    inEnvironment({ ...LIVE, DATABASE_URL: await open(), POLYMARKET_PRIVATE_KEY_FILE: keyFile() });
    if (what === 'silent') hurry();
    expect(await run(['doctor'])).toEqual({ code: 0, words: '' });
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
    if (expected.reads !== 0) expect(output).toMatch(/^missing {2}The accounts cannot be read\. .+$/m);
    expect(output).not.toMatch(/\n\s+at /);
  });
});

it('a command that does not use the database reports its other obstacle', async () => {
  inEnvironment({
    ...LIVE,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    POLYMARKET_PRIVATE_KEY_FILE: keyFile(),
  });
  expect(await run(['cancel-all'])).toEqual({ code: 69, words: expect.stringContaining(`${NOWHERE} does not answer`) });
  inEnvironment({ MARKET_DATA: 'none' });
  expect(await run(['record', '--market', 'x', '--out', 'x'])).toMatchObject({ code: 78 });
});
