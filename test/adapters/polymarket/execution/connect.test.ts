import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ConnectOptions,
  type OpenConnection,
  openConnection,
} from '../../../../src/adapters/polymarket/execution/connect.js';
import { EnvironmentSigner } from '../../../../src/adapters/polymarket/signing/signers/index.js';
import type { Order } from '../../../../src/core/order/order.js';
import { VenueUnusable } from '../../../../src/core/venues/venues.js';
import type { OrderStatusReport } from '../../../../src/ports/exchange.js';
import { shares, usdc } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { answers, forgets, misnames, refuses } from '../../../support/fake-venue/faults.js';
import { KNOWN_KEY } from '../../../support/fake-venue/plain-client.js';
import { REFUSALS } from '../../../support/fake-venue/refusals.js';
import { FakeVenue } from '../../../support/fake-venue/venue.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';
import { GAME, listed, liveIntent, step, YES } from './exchange-fixture.js';

const TERMS = { chainId: 137, signatureType: 0 } as const;
let venue: FakeVenue;
let reports: string[];
let connections: OpenConnection[];
let skewMs: number;
beforeEach(async () => {
  venue = await FakeVenue.start({ markets: [GAME] });
  venue.fund(KNOWN_ADDRESS, '100');
  [reports, connections, skewMs] = [[], [], 0];
});
afterEach(async () => {
  for (const one of connections) await one.close();
  await venue.close();
});

async function connects(changes: Partial<ConnectOptions> = {}): Promise<OpenConnection> {
  const connection = await openConnection({
    clob: venue.clob,
    stream: venue.stream,
    ...TERMS,
    credentials: null,
    signer: EnvironmentSigner.take({ KEY: KNOWN_KEY }, 'KEY', { ...TERMS, notionalCap: usdc('50') }),
    clock: { now: () => new Date(Date.now() + skewMs) },
    stopwatch: () => performance.now(),
    alarm() {},
    report: (reason) => reports.push(reason),
    limits: { overallMs: 8000 },
    ...changes,
  });
  connections.push(connection);
  return connection;
}

async function order({ exchange }: OpenConnection): Promise<Order> {
  const envelope = exchange.signing.envelope(liveIntent(), listed());
  if ('code' in envelope) throw new Error(envelope.code);
  const begun = step(undefined, { type: 'requested', intent: liveIntent({}, listed(), envelope) });
  return step(begun, { type: 'submitting', venueOrderId: await exchange.signing.identify(begun) });
}

/** Listens, and records what it receives. */
function listens(connection: OpenConnection) {
  const heard = { ids: [] as string[], gaps: 0, reports: [] as Promise<OrderStatusReport>[] };
  let sought: Order | null = null;
  connection.listen({
    received: (massStatus) => {
      heard.ids.push(...massStatus.named.map(({ venueOrderId }) => venueOrderId));
      if (sought !== null) heard.reports.push(massStatus.reportOf(sought));
    },
    gap: () => {
      heard.gaps += 1;
    },
  });
  return {
    heard,
    seeks: (one: Order) => {
      sought = one;
    },
  };
}

/** The requests before anything is signed, and the read that proves the credentials. */
const LOOKS = ['GET /time', 'GET /version'];
const TRIED = 'GET /auth/ban-status/closed-only';

const paths = () => venue.log.requests.map(({ method, path }) => `${method} ${path}`);

/** Sends it, as long as nothing speaks against it. */
const place = ({ exchange }: OpenConnection, placed: Order) =>
  exchange.place(
    placed,
    () => true,
    async () => true,
  );

describe('connecting', () => {
  test('measures the clock and checks the version before signing anything', async () => {
    const connection = await connects();
    expect(paths()).toEqual([...LOOKS, 'GET /auth/derive-api-key', 'POST /auth/api-key', TRIED]);
    expect(connection.address.toLowerCase()).toBe(KNOWN_ADDRESS.toLowerCase());
    expect(await place(connection, await order(connection))).toMatchObject({ rest: 'open' });
    expect(await connection.clob.closedOnly()).toEqual({ kind: 'ok', value: false });
  });

  test('takes credentials that it is given, and asks for none', async () => {
    const { apiKey, secret, passphrase } = venue.keyFor(KNOWN_ADDRESS, '7');
    const connection = await connects({ credentials: { apiKey, secret, passphrase } });
    expect(paths()).toEqual([...LOOKS, TRIED]);
    expect(await connection.clob.openOrders()).toMatchObject({ kind: 'ok', items: [] });
  });

  test('refuses credentials the venue rejects, and says what to do', async () => {
    const credentials = { apiKey: 'abc', secret: 'c2VjcmV0', passphrase: 'p' };
    await expect(connects({ credentials })).rejects.toMatchObject({
      code: 'credentials_refused',
      message: expect.stringContaining('Unset POLYMARKET_API_KEY'),
    });
  });

  test('signs by the venue’s time, and says how far ours is off', async () => {
    skewMs = -300_000;
    const connection = await connects();
    expect(await place(connection, await order(connection))).toMatchObject({ rest: 'open' });
    expect(venue.log.statuses('POST /order')).toEqual([200]);
    expect(reports).toEqual([expect.stringMatching(/^our clock is \d{6} ms behind$/)]);
  });
});

describe('trading cannot begin', () => {
  const time = () => venue.always('GET /time', answers(200, 'noon'));
  const version = (body: unknown) => () => venue.always('GET /version', answers(200, body));
  const login = (status: number) => () => venue.always('GET /auth/derive-api-key', answers(status, { error: 'no' }));

  test.each<[string, string, () => unknown]>([
    ['clock_untold', 'the venue does not return its time', time],
    ['venue_unreachable', 'the venue does not answer', () => venue.always('GET /time', forgets())],
    ['version_mismatch', 'the venue takes other orders', version({ version: 3 })],
    ['venue_unreachable', 'the venue does not report the order version it accepts', version({})],
    ['credentials_refused', 'the venue does not know the wallet', login(401)],
    ['venue_unreachable', 'the venue has an internal error', login(502)],
    ['venue_unreachable', 'the venue has just begun', login(425)],
    ['venue_unreachable', 'the venue is not there', () => venue.refuseConnections()],
  ])('%s: %s', async (code, _why, prepare) => {
    await prepare();
    const failure = await connects({ limits: { overallMs: 400 } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(VenueUnusable);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(/\.$|It said: no$/) });
    expect(venue.log.statuses('POST /order')).toEqual([]);
  });

  test('with a key that signs for another chain', async () => {
    await expect(connects({ chainId: 80_002 })).rejects.toMatchObject({ code: 'credentials_refused' });
  });
});

describe('listening', () => {
  test('reports the account’s orders, after a gap at each connection', async () => {
    const connection = await connects();
    const { heard, seeks } = listens(connection);
    await eventually(() => expect(venue.user.listeners).toHaveLength(1));
    expect(heard.gaps).toBe(1);
    const one = await order(connection);
    seeks(one);
    await place(connection, one);
    venue.offer(YES, 'SELL', '0.5', '8');
    await eventually(() => expect(heard.ids).toEqual(Array(3).fill(one.venueOrderId)));
    expect(await heard.reports[2]).toMatchObject({ executions: [{ shares: shares('8') }], rest: 'open' });
    venue.user.drop();
    await eventually(() => expect([heard.gaps, venue.user.listeners.length]).toEqual([2, 1]));
  });

  test('treats an unreadable message as a gap', async () => {
    const { heard } = listens(await connects());
    await eventually(() => expect(venue.user.listeners).toHaveLength(1));
    venue.user.sendRaw('{"event_type":"novelty"}');
    await eventually(() => expect(heard.gaps).toBe(2));
  });
});

describe('closing', () => {
  test('lets an order in flight get its answer, and places nothing more', async () => {
    const connection = await connects();
    const [first, second] = [await order(connection), await order(connection)];
    const held = venue.hold('POST /order', 'answer');
    const placed = place(connection, first);
    await held.arrived;
    const closed = connection.close();
    expect(await place(connection, second)).toMatchObject({ refusal: { code: 'not_sent' } });
    held.release();
    expect(await placed).toMatchObject({ kind: 'accepted', rest: 'open' });
    await closed;
    expect(venue.log.statuses('POST /order')).toEqual([200]);
    expect(await connection.clob.openOrders()).toMatchObject({ kind: 'no_answer' });
  });

  test('ends a wait to send again at once', async () => {
    const connection = await connects();
    venue.always('POST /order', refuses(REFUSALS.restarting()));
    const placed = place(connection, await order(connection));
    await eventually(() => expect(venue.log.statuses('POST /order')).toEqual([425]));
    await connection.close();
    expect(await placed).toMatchObject({ kind: 'rejected', refusal: { code: 'engine_restarting' } });
    expect(venue.log.statuses('POST /order')).toHaveLength(1);
  });

  test('does not wait longer than a call may take', async () => {
    const { apiKey, secret, passphrase } = venue.keyFor(KNOWN_ADDRESS);
    const connection = await connects({ credentials: { apiKey, secret, passphrase }, limits: { overallMs: 500 } });
    venue.always('POST /order', forgets());
    const placed = place(connection, await order(connection));
    await eventually(() => expect(venue.log.statuses('POST /order')).toHaveLength(1));
    await connection.close();
    expect(await placed).toMatchObject({ kind: 'unknown' });
  });

  test('ends the stream, and begins no other', async () => {
    const connection = await connects();
    listens(connection);
    await eventually(() => expect(venue.user.listeners).toHaveLength(1));
    await connection.close();
    listens(connection);
    listens(await connects());
    await eventually(() => expect(venue.user.listeners).toHaveLength(1));
    expect(venue.user.clients).toHaveLength(2);
  });
});

test('an order answered under another identity stops placing on the connection', async () => {
  const connection = await connects();
  venue.script('POST /order', misnames(`0x${'ab'.repeat(32)}`));
  expect(await place(connection, await order(connection))).toMatchObject({
    kind: 'unknown',
    halt: { code: 'identity_mismatch' },
  });
  expect(await place(connection, await order(connection))).toMatchObject({ kind: 'rejected' });
  expect(venue.log.statuses('POST /order')).toHaveLength(1);
});
