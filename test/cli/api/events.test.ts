import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../../../src/cli/api/client/api-client.js';
import { EventFollower } from '../../../src/cli/api/client/event-follower.js';
import { logServer } from '../../e2e/log-clients.js';
import { ORDER, ORDERS } from '../../support/app.js';
import { freshSqliteFile } from '../../support/databases.js';
import { Client } from '../../support/http.js';
import { SERVER, startProgram } from '../../support/processes.js';
import { aFixture, type Fixture } from './fixture.js';
import { against, stakeport } from './remote.js';

let [fixture, alice, key]: [Fixture, Client, string] = [] as never;

beforeAll(async () => {
  fixture = await aFixture();
  key = await fixture.key('alice');
  alice = fixture.client(key);
});

beforeEach(() => against({ STAKEPORT_URL: fixture.url, STAKEPORT_KEY: key }));

const placed = async () => (await alice.post(ORDERS, { ...ORDER, market_id: 'derby-slug' })).json()['id'];

describe('events', () => {
  it('are a table for people, and the API’s page with --json', async () => {
    await placed();
    const table = await stakeport('events');
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).toMatch(/^SEQ +AT +TYPE +WHAT$/m);
    expect(table.out).toMatch(
      /^ *\d+ {2}2026-03-01 12:\d\d:\d\dZ {2}order\.requested +BUY \S+ derby: Home at \S+ requested, paper/m,
    );
    const page = await alice.get('/v1/events?after=1&limit=2');
    expect((await stakeport('events', '--after', '1', '--limit', '2', '--json')).out).toBe(`${page.text}\n`);
    expect((await stakeport('events', '--after', '0', '--limit', '1')).err).toMatch(/^There are more: --after 1$/m);
    expect((await stakeport('events', '--limit', '1')).out.trimEnd().split('\n')).toHaveLength(2);
  });

  it.each<[string[], number, RegExp]>([
    [['--types', 'order.filed'], 64, /^types must be types of events.* See --help\n$/],
    [['--after', '999999', '--follow'], 1, /./],
  ])('refuse %j, also before they are followed', async (args, code, words) => {
    expect(await stakeport('events', ...args)).toMatchObject({ code, err: expect.stringMatching(words) });
  });

  it('--follow prints new events as JSON lines until ^C', async () => {
    const env = { STAKEPORT_URL: fixture.url, STAKEPORT_KEY: key };
    const args = [SERVER, 'events', '--follow', '--json', '--types', 'order.requested'];
    const program = startProgram(process.execPath, { args, env });
    await program.says(/"type":"order\.requested".*\n/);
    const id = await placed();
    await program.says(new RegExp(`"order":\\{"id":"${id}".*\\n`));
    expect(await program.kill('SIGINT')).toEqual({ code: 0, signal: null });
    const seqs = program
      .output()
      .trimEnd()
      .split('\n')
      .map((line) => Number(JSON.parse(line).seq));
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });
});

it('--follow reads a stream, and resumes after its server was killed', async () => {
  const server = await logServer(freshSqliteFile().url, true);
  const caller = new Client(server.url);
  const streams = async () => (await caller.get('/metrics')).text.match(/^stakeport_event_streams (\d+)$/m)?.[1];
  const placedThere = async () => (await caller.post(ORDERS, ORDER)).json<{ id: string }>().id;
  await placedThere();
  const args = [SERVER, 'events', '--follow', '--json', '--after', '0'];
  const program = startProgram(process.execPath, { args, env: { STAKEPORT_URL: server.url, STAKEPORT_KEY: '' } });
  await program.says(/"type":"order\.fill".*\n/);
  expect(await streams()).toBe('1');
  await server.dies();
  await program.says(new RegExp(`"type":"order\\.fill".*${await placedThere()}.*\n`));
  expect(await streams()).toBe('1');
  expect(await program.kill('SIGINT')).toEqual({ code: 0, signal: null });
  const page = (await caller.get('/v1/events')).json<{ data: { seq: string }[] }>();
  const lines = program.output().trimEnd().split('\n');
  const seqs = lines.filter((one) => one.startsWith('{')).map((one) => JSON.parse(one).seq);
  expect(seqs).toEqual(page.data.map(({ seq }) => seq));
});

describe('following', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  const clients: ApiClient[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const server of servers.splice(0)) server.close();
  });

  /** A log of nine events; `stream` answers `/v1/events/stream`. Resolves with the seqs that came, and what was told. */
  async function followed(
    stream: (seqs: (after: number) => number[], answer: ServerResponse, request: IncomingMessage) => void,
    count: number,
  ) {
    const seqs = (after: number) => Array.from({ length: 9 - after }, (_, n) => after + n + 1);
    const server = createServer((request, answer) => {
      const url = new URL(request.url ?? '', 'http://local');
      if (url.pathname.endsWith('/stream')) return stream(seqs, answer, request);
      const after = Number(url.searchParams.get('after'));
      const data = seqs(after)
        .slice(0, 4)
        .map((seq) => ({ seq: `${seq}` }));
      answer.end(JSON.stringify({ data, next_after: data.at(-1)?.seq ?? `${after}`, head: '9' }));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const api = new ApiClient({ url, key: null, from: 'a test', profile: null });
    clients.push(api);
    const [got, told]: [string[], string[]] = [[], []];
    for await (const { event } of new EventFollower(api, { after: '2', types: undefined }, (words) =>
      told.push(words),
    ).events()) {
      got.push(event.seq);
      if (got.length === count) break;
    }
    return { got, told };
  }

  const line = (seq: number) => `id: ${seq}\nevent: order.fill\ndata: {"seq":"${seq}"}\n\n`;
  const afterOf = ({ url = '' }: IncomingMessage) => Number(new URL(url, 'http://local').searchParams.get('after'));

  it('resumes where a stream broke, missing and repeating nothing', async () => {
    const { got, told } = await followed((seqs, answer, request) => {
      const [first = 0, second = 0, ...rest] = seqs(afterOf(request));
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write('event: hello\ndata: {"head":"9"}\n\n:\n\n');
      answer.write(line(first));
      if (rest.length === 0) return answer.write(line(second));
      answer.write(line(second).slice(0, 20));
      return setImmediate(() => answer.destroy());
    }, 7);
    expect(got).toEqual(['3', '4', '5', '6', '7', '8', '9']);
    expect(told[0]).toMatch(/^The connection to http:\/\/127\.0\.0\.1:\d+ broke\. Trying again until it answers\.$/);
  });

  it('asks page by page where the server has no streams', async () => {
    const { got, told } = await followed((_, answer) => answer.writeHead(404).end('{}'), 7);
    expect({ got, told }).toEqual({ got: ['3', '4', '5', '6', '7', '8', '9'], told: [] });
  });

  it('says that events are gone, and goes on with what is kept', async () => {
    const { got, told } = await followed((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(`event: reset\ndata: {"floor":"8","head":"9"}\n\n${line(8)}${line(9)}`);
    }, 2);
    expect({ got, told }).toEqual({ got: ['8', '9'], told: [expect.stringMatching(/not kept any more/)] });
  });
});

afterAll(() => fixture.kill());
