import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { MARKETS } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { EventReader } from '../support/event-reader.js';
import { freePort } from '../support/free-port.js';
import { Client, type Headers } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { PYTHON_CLIENT } from '../support/python.js';

const TAPE = { MARKET_DATA: `tape:${join(ROOT, 'examples/two-markets.jsonl')}`, DATABASE_URL: 'memory:' };
const SOONER = { ...TAPE, TAPE_START: 'request', TAPE_SPEED: '20' };

const readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

function follow(client: Client, market: string, headers: Headers = {}): EventReader {
  const reader = new EventReader(client, `${MARKETS}/stream?market=${market}&depth=3`, headers);
  readers.push(reader);
  return reader;
}

const caughtUp = (reader: EventReader) => reader.of('caught_up').length > 0;
const idIn = ({ text }: EventReader): string => [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '';

test('a reader comes back to a server that was killed: a gap, and whole books', async () => {
  const PORT = `${await freePort()}`;
  const server = await startServer({ env: { ...TAPE, PORT } });
  const client = new Client(server.url);
  const [stands, dies, reads] = ['home-away', 'home-away', 'home-away,bucks-thunder'].map((market) =>
    follow(client, market),
  ) as [EventReader, EventReader, EventReader];
  await Promise.all([stands, dies, reads].map((one) => one.until((reader) => reader.of('book').length > 0)));
  stands.stall();
  dies.close();
  await reads.until(caughtUp);
  const id = idIn(reads);
  expect((await client.get('/metrics')).text).toMatch(/^stakeport_market_streams [23]$/m);
  await server.kill('SIGKILL');
  await reads.until((one) => one.hasEnded);
  await startServer({ env: { ...TAPE, PORT } });
  const again = await follow(client, 'home-away,bucks-thunder', { 'last-event-id': id }).until(
    (one) => one.of('book').length >= 2,
  );
  expect(again.of('gap').map(({ data }) => data['reason'])).toContain('restarted');
  const shown = await client.get(`${MARKETS}/home-away/book`);
  expect(again.of('book')[0]?.data['bids']).toEqual(shown.json()['bids']);
});

test('a strategy in Python buys once, and hears the result', async () => {
  const { url } = await startServer({ env: SOONER });
  const program = [join(ROOT, 'examples/strategy_in_code.py'), 'home-away', '0.57'];
  const { stdout } = await promisify(execFile)('python3', program, {
    env: { ...process.env, ...PYTHON_CLIENT, BASE: url },
  });
  expect(stdout.trim().split('\n').slice(1)).toEqual(['bought 28.57 for 15.9992: filled', 'result: YES pays 1']);
});
