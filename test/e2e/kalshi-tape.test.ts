import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tapesIn } from '../../src/adapters/tape/tape-folder.js';
import { readTape, readTapeHeader } from '../../src/adapters/tape/tape-reader.js';
import { all } from '../adapters/tape/tapes.js';
import { ORDERS } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { ED25519_KEY, keyFileOf } from '../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../support/fake-kalshi/venue.js';
import { Client } from '../support/http.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';

const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD';
const BET = { market_id: TICKER, token: 'YES', price: 0.52, size_usdc: 1.04 };
const folder = mkdtempSync(join(tmpdir(), 'stakeport-kalshi-tapes-'));
const keyFile = keyFileOf(ED25519_KEY);
let venue: FakeKalshi;

beforeEach(async () => {
  venue = await FakeKalshi.start();
  venue.books.set(TICKER, { yes: [['0.4700', '3.00']], no: [['0.4800', '3.00']] });
});
afterEach(() => venue.stop());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = (more: Readonly<Record<string, string>> = {}) => ({
  MARKET_DATA: 'kalshi',
  KALSHI_KEY_ID: ED25519_KEY.id,
  KALSHI_PRIVATE_KEY_FILE: keyFile,
  KALSHI_API_URL: venue.api.href,
  KALSHI_WS_URL: venue.socket.href,
  PAPER_LATENCY_MS: '0',
  ...more,
});
/** What a tape holds so far, in short; readable while it is written. */
const kinds = async (path: string) =>
  (await all(readTape(path)).catch(() => [])).flatMap((line) => (line.type === 'alive' ? [] : [line.change.type]));
const holds = (path: string, ...expected: readonly string[]) =>
  eventually(async () => expect(await kinds(path)).toEqual(expected));

/** What came of paper orders for either outcome. */
async function traded(client: Client) {
  const bought = (await client.post(ORDERS, BET)).json();
  const path = `${ORDERS}/${bought['id']}`;
  await eventually(async () => expect((await client.get(path)).json()['status']).toBe('filled'));
  const { venue: where, fees_usdc, filled_shares, average_price } = (await client.get(path)).json();
  const other = (await client.post(ORDERS, { ...BET, token: 'NO', price: 0.53 })).json();
  return { where, fees_usdc, filled_shares, average_price, other: other['error'] };
}

test('A server with RECORD records Kalshi, and a server that plays the tape fills the same paper order for the same fee', async () => {
  const tapes = join(folder, 'recorded');
  const recorder = await startServer({ env: env({ RECORD: tapes }) });
  const live = await traded(new Client(recorder.url));
  venue.delta(TICKER, 'yes', '0.4700', '1.00');
  await eventually(async () => expect(await kinds((await tapesIn(tapes))[0] ?? '')).toContain('levels'));
  expect(await recorder.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const [path = ''] = await tapesIn(tapes);
  expect(path).toMatch(/\/kalshi_demo-\d{4}-\d{2}-\d{2}-001\.jsonl\.gz$/);
  expect(live).toMatchObject({ where: 'kalshi_demo', fees_usdc: '0.035', filled_shares: '2' });
  expect(live.other).toMatch(/^other_outcome_held: /);

  const player = await startServer({
    env: { MARKET_DATA: `tape:${path}`, TAPE_START: 'request', PAPER_LATENCY_MS: '0', TAPE_SPEED: '1' },
  });
  const client = new Client(player.url);
  await eventually(async () => {
    const { status } = (await client.post(ORDERS, { ...BET, size_usdc: 0.52 })).json();
    expect(status).not.toBe('denied');
  });
  const listed = (await client.get(ORDERS)).json()['data'] as { id: string; status: string }[];
  const own = listed.find(({ status }) => status !== 'denied');
  await eventually(async () =>
    expect((await client.get(`${ORDERS}/${own?.id}`)).json()).toMatchObject({
      status: 'filled',
      venue: 'kalshi_demo',
      filled_shares: '1',
      fees_usdc: '0.0175',
    }),
  );
  const other = (await client.post(ORDERS, { ...BET, token: 'NO', price: 0.53 })).json();
  expect(other['error']).toMatch(/^other_outcome_held: /);
  await player.kill('SIGTERM');
});

test('stakeport record writes what Kalshi sends of a market, with its grid and the fees of both sides', async () => {
  const out = join(folder, 'game.jsonl');
  const program = startProgram(process.execPath, {
    args: [SERVER, 'record', '--market', TICKER, '--out', out],
    env: env(),
  });
  await holds(out, 'market', 'book');
  venue.delta(TICKER, 'no', '0.5200', '-1.00');
  venue.tell('trade', 'trade', {
    market_ticker: TICKER,
    yes_price_dollars: '0.5200',
    count_fp: '1.00',
    taker_book_side: 'bid',
  });
  await holds(out, 'market', 'book', 'levels', 'trade');
  expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(await readTapeHeader(out)).toMatchObject({ venue: 'kalshi_demo' });
  expect((await all(readTape(out)))[0]).toMatchObject({
    change: {
      market: {
        id: TICKER,
        terms: {
          tick: 10_000n,
          fee: { rate: 70_000n, makerRate: 17_500n, rounding: { to: 'up', each: 'fill', balanceStep: 100n } },
          netsOutcomes: true,
          clearsBookAtStart: false,
        },
      },
    },
  });
});
