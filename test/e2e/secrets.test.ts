import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { actsAndHangs, answers } from '../support/fake-venue/faults.js';
import { KNOWN_KEY } from '../support/fake-venue/plain-client.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { enrol, listedMarket } from '../support/live-deployment.js';
import { type LiveServer, startLive } from '../support/live-server.js';

const RAIN = listedMarket('rain');
const ORDER = { market_id: RAIN.conditionId, token: 'YES', price: 0.5, size_usdc: 10, paper: false };
const HEX = KNOWN_KEY.replace(/^0x/, '');

/** The same secret in the forms in which it might be written. */
const KEY_FORMS = [
  HEX.toLowerCase(),
  HEX.toUpperCase(),
  BigInt(`0x${HEX}`).toString(),
  ...(['base64', 'base64url'] as const).map((form) => Buffer.from(HEX, 'hex').toString(form).replace(/=+$/, '')),
];

const [database, other, snapshots] = [freshSqliteFile(), freshSqliteFile(), freshSqliteFile()];
const folder = dirname(snapshots.path);
const answered: string[] = [];
let venue: FakeVenue;
let server: LiveServer;
let secrets: readonly string[];

beforeAll(async () => {
  venue = await FakeVenue.start({ markets: [RAIN] });
  const { apiKey, secret, passphrase } = venue.keyFor(KNOWN_ADDRESS);
  secrets = [secret, passphrase];
  server = await startLive({
    databaseUrl: database.url,
    venue,
    env: {
      LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
      POLYMARKET_API_KEY: apiKey,
      POLYMARKET_API_SECRET: secret,
      POLYMARKET_API_PASSPHRASE: passphrase,
    },
  });
  const send = async (body: object) => {
    const answer = await server.client.post(ORDERS, body);
    answered.push(answer.text, JSON.stringify(answer.headers));
    return answer;
  };
  venue.script('POST /order', actsAndHangs(), answers(400, { error: 'not enough balance / allowance' }));
  await Promise.all([send(ORDER), send(ORDER)]);
  const placed = await send(ORDER);
  const path = placed.headers.location ?? '';
  for (const one of [path, `${path}/events`, '/v1/portfolio', '/metrics', '/readyz']) {
    answered.push((await server.client.get(one)).text);
  }
  answered.push((await server.client.post(`${path}/cancel`, {})).text, (await send({ ...ORDER, price: 'x' })).text);
  answered.push((await send({ ...ORDER, size_usdc: 100_000 })).text);
});

afterAll(async () => {
  await venue.close();
  for (const one of [database, other, snapshots]) one.remove();
});

const found = (text: string, forms: readonly string[]) => forms.filter((form) => text.includes(form));

describe('A server that trades with real money', () => {
  test('logs and answers neither its key nor the trading API secrets', () => {
    expect(server.output()).toContain('"level":');
    expect(found(server.output(), [...KEY_FORMS, ...secrets])).toEqual([]);
    expect(answered.join('\n')).toContain('clob_order_id');
    expect(found(answered.join('\n'), [...KEY_FORMS, ...secrets])).toEqual([]);
  });

  test('keeps none of them in its database', () => {
    const files = ['', '-wal'].map((end) => readFileSync(`${database.path}${end}`, 'latin1')).join('');
    expect(files).toContain(RAIN.conditionId);
    expect(found(files, [...KEY_FORMS, ...secrets])).toEqual([]);
  });

  test('has the key in no string of its memory nor its environment', async () => {
    process.kill(server.pid, 'SIGUSR2');
    const snapshot = () => readdirSync(folder).find((name) => name.endsWith('.heapsnapshot'));
    await expect.poll(() => endsWhole(snapshot()), { interval: 200 }).toBe(true);
    const heap = readFileSync(join(folder, snapshot() ?? ''), 'latin1');
    expect(heap).toContain(KNOWN_ADDRESS);
    expect(found(heap, KEY_FORMS)).toEqual([]);
    const environment = readFileSync(`/proc/${server.pid}/environ`, 'latin1');
    expect(environment).toContain('LIVE_TRADING=on');
    expect(found(environment, KEY_FORMS)).toEqual([]);
  });
});

describe('A key that came in the environment', () => {
  test('is not in what the server writes', async () => {
    await enrol(other.url);
    const own = await server.again({
      DATABASE_URL: other.url,
      POLYMARKET_PRIVATE_KEY_FILE: '',
      POLYMARKET_PRIVATE_KEY: KNOWN_KEY,
    });
    expect(found(own.output(), KEY_FORMS)).toEqual([]);
  });
});

/** The snapshot is written from its beginning to its end: only a whole one is a document. */
function endsWhole(name: string | undefined): boolean {
  if (name === undefined) return false;
  const text = readFileSync(join(folder, name), 'latin1').trimEnd();
  return text.length > 1_000_000 && text.endsWith('}');
}
