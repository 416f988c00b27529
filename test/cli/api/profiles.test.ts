import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandFailed, EXIT } from '../../../src/server/failures/exit.js';
import { against, asked, person, stakeport } from './remote.js';
import { REMOTE_CALLS } from './remote-calls.js';

const home = mkdtempSync(join(tmpdir(), 'stakeport-profiles-'));
const file = join(home, 'stakeport', 'profile.json');
const NOWHERE = 'http://127.0.0.1:1';
const KEY = 'sp_0123456789abcdef_secret';
/** What the server below was sent as a credential. */
const received: (string | undefined)[] = [];

/** A server that takes one key. */
const server = createServer(({ headers: { authorization } }, answer) => {
  received.push(authorization);
  const isRight = authorization === `Bearer ${KEY}`;
  answer.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
  answer.end(
    JSON.stringify(
      isRight ? { data: [], next_cursor: null } : { type: '/problems/unauthenticated', status: 401, detail: 'No.' },
    ),
  );
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true });
});
beforeEach(() => {
  rmSync(join(home, 'stakeport'), { recursive: true, force: true });
  received.length = 0;
  against({ XDG_CONFIG_HOME: home });
});

describe('login', () => {
  it('stores a typed key for its owner alone, for later commands', async () => {
    const typist = person(KEY);
    const said = await asked(typist, 'login', url, '--profile', 'home');
    expect(said).toMatchObject({ code: 0, out: `Stored profile home in ${file}.\n` });
    expect(typist.questions).toEqual([`The key for ${url} (empty for none): `]);
    expect([statSync(file).mode & 0o777, statSync(join(home, 'stakeport')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await stakeport('orders')).toMatchObject({ code: 0, out: 'No orders.\n' });
    expect(received.at(-1)).toBe(`Bearer ${KEY}`);
    const listed = await stakeport('profiles');
    expect(listed.out).toMatch(/^home +http:\/\/127\.0\.0\.1:\d+\/ +stored +yes$/m);
    expect(listed.out).not.toContain(KEY);
    expect(JSON.parse((await stakeport('profiles', '--json')).out)).toEqual([
      { name: 'home', url: `${url}/`, has_key: true, is_default: true },
    ]);
  });

  it('stores nothing when the server rejects the key or is unreachable', async () => {
    expect(await asked(person('wrong'), 'login', url)).toMatchObject({
      code: 78,
      err: expect.stringMatching(/does not take this key\. Nothing was stored\.\n$/),
    });
    expect(await asked(person(KEY), 'login', NOWHERE)).toMatchObject({
      code: 69,
      err: expect.stringMatching(/ Is the server running, and is the address right\? Nothing was sent\.\n$/),
    });
    expect(await asked(person(KEY), 'login', 'nowhere')).toMatchObject({
      code: 78,
      err: expect.stringMatching(/^The address must be /),
    });
    expect(await asked(person(KEY), 'login', url, '--profile', 'my home')).toMatchObject({ code: 64 });
    expect(existsSync(file)).toBe(false);
  });

  it('is what a key error asks for, naming the profile', async () => {
    await asked(person(KEY), 'login', url, '--profile', 'home');
    writeFileSync(file, readFileSync(file, 'utf8').replace(KEY, 'revoked'));
    const words = `${url} does not take the key of profile home. Run, with a valid one: stakeport login ${url} --profile home`;
    expect(await stakeport('orders')).toMatchObject({ code: 78, err: `${words}\n` });
    expect(await asked(person(KEY), 'login', url, '--profile', 'home')).toMatchObject({ code: 0 });
    expect(await stakeport('orders')).toMatchObject({ code: 0 });
  });

  it('keeps what was stored when a person leaves the question', async () => {
    await asked(person(KEY), 'login', url);
    const before = readFileSync(file, 'utf8');
    const askHidden = () => Promise.reject(new CommandFailed('Nothing was done.', EXIT.no));
    expect(await asked({ ...person('y'), askHidden }, 'login', NOWHERE)).toMatchObject({ code: 1, out: '' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('keeps several profiles with a default, and logout forgets one', async () => {
    await asked(person(KEY), 'login', url, '--profile', 'home');
    const two = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...two, profiles: { ...two.profiles, away: { url: NOWHERE, key: null } } }), {
      mode: 0o600,
    });
    expect((await stakeport('orders')).code).toBe(0);
    expect((await stakeport('orders', '--profile', 'away')).code).toBe(69);
    expect(await stakeport('orders', '--profile', 'awya')).toMatchObject({
      code: 78,
      err: expect.stringMatching(/no profile awya \(it has home, away\)/),
    });
    await asked(person(KEY), 'login', url, '--profile', 'third', '--default');
    expect(JSON.parse(readFileSync(file, 'utf8')).default).toBe('third');
    expect((await stakeport('logout', '--profile', 'third')).code).toBe(0);
    expect(await stakeport('logout', '--profile', 'third')).toMatchObject({ code: 1 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ default: 'home', profiles: { home: { key: KEY } } });
  });
});

describe('a key', () => {
  it('is not read from a file that others may read', async () => {
    await asked(person(KEY), 'login', url);
    chmodSync(file, 0o640);
    const said = await stakeport('orders');
    expect(said).toMatchObject({
      code: 78,
      err: `${file} holds keys, and others may read it (mode 640). Run: chmod 600 ${file}\n`,
    });
    expect(await asked(person(KEY), 'login', url)).toMatchObject({ code: 78 });
    writeFileSync(file, '{"default":');
    chmodSync(file, 0o600);
    expect(await stakeport('orders')).toMatchObject({
      code: 78,
      err: expect.stringMatching(/is not a file of profiles\./),
    });
  });

  it('is sent only to its own server, and never unencrypted', async () => {
    await asked(person(KEY), 'login', url);
    received.length = 0;
    against({ XDG_CONFIG_HOME: home, STAKEPORT_URL: url });
    expect(await stakeport('orders')).toMatchObject({ code: 78 });
    expect(received).toEqual([undefined]);
    against({ XDG_CONFIG_HOME: home, STAKEPORT_KEY: KEY });
    expect(await stakeport('orders')).toMatchObject({
      code: 78,
      err: expect.stringMatching(/^STAKEPORT_KEY is set without STAKEPORT_URL/),
    });
    against({ STAKEPORT_URL: 'http://trade.example.org', STAKEPORT_KEY: KEY });
    expect(await stakeport('orders')).toMatchObject({
      code: 78,
      err: expect.stringMatching(/unencrypted\. Use https/),
    });
    expect(received).toEqual([undefined]);
  });
});

it.each(Object.entries(REMOTE_CALLS))(
  '%s reports an unreachable server, and that nothing was sent',
  async (name, args) => {
    against(name === 'stakeport login' ? {} : { STAKEPORT_URL: NOWHERE });
    const { code, out, err } = await asked(person('typed'), ...args);
    expect({ code, out }).toEqual({ code: 69, out: '' });
    expect(err).toMatch(/^http:\/\/127\.0\.0\.1:1 is not reached \(ECONNREFUSED\)\. .* Nothing was sent\.\n$/);
  },
);

it('foreign text in a question cannot control the terminal', async () => {
  const evil = createServer((_, answer) => {
    const order = {
      id: 'x',
      placed_at: '2026-03-01T12:00:00.000Z',
      paper: false,
      side: 'BUY',
      token: 'YES',
      price: '0.5',
    };
    const label = 'Home\u001b[2J\u202e\r\nLIVE';
    answer.end(
      JSON.stringify({
        data: [{ ...order, name: label, shares: '1', filled_shares: '1', status: 'filled' }],
        next_cursor: null,
      }),
    );
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  against({ STAKEPORT_URL: `http://127.0.0.1:${(evil.address() as AddressInfo).port}` });
  const { out } = await stakeport('orders');
  evil.close();
  expect(out).toContain('Home [2J LIVE  ');
  expect(out.split('\n')).toHaveLength(3);
});
