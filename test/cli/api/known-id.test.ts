import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient, ApiRequest } from '../../../src/cli/api/client/api-client.js';
import { type IdentifiedThing, knownId } from '../../../src/cli/api/known-id.js';
import { against, stakeport } from './remote.js';
import { REMOTE_CALLS } from './remote-calls.js';

interface Row {
  readonly id: string;
  readonly state?: string;
}

const THING: IdentifiedThing<Row> = {
  noun: 'thing',
  path: '/v1/things',
  missing: 'There is no such thing. Yours are in: stakeport things',
  isPaged: true,
  first: [{ state: 'waiting' }],
  words: ({ id }) => `thing ${id.slice(0, 4)}`,
};

const idOf = (n: number, ending = `${n}`.padStart(8, '0')) => `${`${n}`.padStart(8, '0')}-0000-7000-8000-0000${ending}`;

/** A server that lists these, newest first, a hundred at a time. */
function listing(rows: readonly Row[]): ApiClient {
  const request = async ({ query = {} }: ApiRequest) => {
    const [from, { state }] = [Number(query['cursor'] ?? 0), query];
    const found = rows.filter((row) => state === undefined || row.state === state);
    const next = from + 100 < found.length ? `${from + 100}` : null;
    return { body: { data: found.slice(from, from + 100), next_cursor: next } };
  };
  return { request } as unknown as ApiClient;
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ id: idOf(n) }));

describe('The end of an id names a thing', () => {
  it('among the newest thousand', async () => {
    expect(await knownId(listing(numbered(1001)), THING, '00000999')).toBe(idOf(999));
    await expect(knownId(listing(numbered(1001)), THING, '00001000')).rejects.toThrow(
      'No thing ends in 00001000, of the newest 1000: an older one is found by its whole id. Yours are in: stakeport things',
    );
  });

  it('however old it is where it still waits', async () => {
    const rows = [...numbered(1001), { id: idOf(7000), state: 'waiting' }];
    expect(await knownId(listing(rows), THING, '00007000')).toBe(idOf(7000));
  });

  it('in any case, and by more characters than eight', async () => {
    const rows = [{ id: idOf(1, 'ABCDEF12'.toLowerCase()) }];
    expect(await knownId(listing(rows), THING, 'ABCDEF12')).toBe(rows[0]?.id);
    expect(await knownId(listing(rows), THING, '8000-0000abcdef12')).toBe(rows[0]?.id);
  });

  it('never where several end so: they are listed', async () => {
    const rows = [{ id: idOf(1, 'abcdef12') }, { id: idOf(2, 'abcdef12') }];
    await expect(knownId(listing(rows), THING, 'abcdef12')).rejects.toThrow(
      `Several end in abcdef12: ${rows[0]?.id} (thing 0000), ${rows[1]?.id} (thing 0000). Say the whole id. Nothing was done.`,
    );
  });

  it('or its name, or the start of it, where it has one', async () => {
    const named = { ...THING, nameOf: ({ state = '' }: Row) => state };
    const rows = ['Home', 'Home twice', 'Away, cheap'].map((state, n) => ({ id: idOf(n), state }));
    for (const [text, nth] of [
      ['home', 0],
      ['HOME T', 1],
      ['away', 2],
      [idOf(1).slice(-8), 1],
    ] as const)
      expect(await knownId(listing(rows), { ...named, first: [] }, text)).toBe(rows[nth]?.id);
    await expect(knownId(listing(rows), { ...named, first: [] }, 'ho')).rejects.toThrow(
      'Several names begin with ho: 00000000 (Home), 00000001 (Home twice). Say one of these ids. Nothing was done.',
    );
    await expect(knownId(listing(rows), { ...named, first: [] }, 'draw')).rejects.toThrow(
      'No thing has a name that begins with draw, of the newest 1000',
    );
  });

  it('and a whole id is asked of the server as it is', async () => {
    for (const text of [idOf(5), 'short', 'not an id']) expect(await knownId(listing([]), THING, text)).toBe(text);
  });
});

const WHOLE = '00000000-0000-4000-8000-000000000000';
/** Commands that name a thing by an option. */
const BY_OPTION: readonly (readonly string[])[] = [
  ['orders', '--strategy', WHOLE],
  ['portfolio', '--strategy', WHOLE],
  ['positions', '--strategy', WHOLE],
  ['history', '--strategy', WHOLE],
  ['history', '--equity', '--strategy', WHOLE],
  ['results', '--strategy', WHOLE],
  ['buy', 'derby-slug', 'YES', '--usdc', '1', '--price', '0.5', '--strategy', WHOLE, '--yes'],
  ['halt', '--scope', `strategy:${WHOLE}`, '--yes'],
];
const BY_ID = [...Object.values(REMOTE_CALLS).filter((args) => args.includes(WHOLE)), ...BY_OPTION];

describe('Every command that takes an id', () => {
  /** Every list of it has the same two things. */
  const rows = [1, 2].map((n) => ({ id: idOf(n, 'abcdef12'), name: `thing ${n}`, decision: { name: 'x' }, url: '' }));
  const changes: string[] = [];
  const server = createServer(({ method, url }, answer) => {
    if (method !== 'GET') changes.push(`${method} ${url}`);
    answer.end(JSON.stringify({ data: rows, next_cursor: null }));
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => server.close());
  beforeEach(() => against({ STAKEPORT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));

  it.each(BY_ID.map((args) => [args]))('takes its last 8 characters, and lists several: %j', async (args) => {
    const said = await stakeport(...args.map((arg) => arg.replace(WHOLE, 'abcdef12')));
    expect(said).toMatchObject({
      code: 64,
      out: '',
      err: expect.stringMatching(/^Several end in abcdef12: .+, .+\. /),
    });
    expect(changes).toEqual([]);
  });

  it('is among them', () => {
    expect(BY_ID.length).toBeGreaterThan(25);
  });
});
