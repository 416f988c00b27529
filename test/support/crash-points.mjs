/**
 * The program of the server (see bundle-programs.mjs) that ends its process at one point of the path of an order with real
 * money. `CRASH_AT` names the point, `CRASH_AFTER` how many orders have to reach it first (none goes past it before), and
 * `CRASH_MARKET` the only market that counts when the point knows it. `CRASH_BY=SIGSTOP` freezes the process there instead,
 * once; `CRASH_CLOCK_BACK` is how many milliseconds its wall clock is set back when it continues.
 *
 * In the order of a POST: request-read, before-intent, in-intent, before-signing, before-claim, in-claim, before-sending,
 * half-sent, answered, in-result, before-answer, half-answered. `step` counts the calls of a start to the store and the
 * venue, before and after each, and before a commit.
 */
import { writeSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { KalshiExchange } from '../../dist/adapters/kalshi/execution/kalshi-exchange.js';
import { PolymarketExchange } from '../../dist/adapters/polymarket/execution/polymarket-exchange.js';
import { PostgresGuarded } from '../../dist/adapters/sql/postgres-guarded.js';
import { PostgresTransaction } from '../../dist/adapters/sql/postgres-transaction.js';
import { SqlLedger } from '../../dist/adapters/sql/sql-ledger.js';
import { SqliteTransaction, UnlockedTransaction } from '../../dist/adapters/sql/sqlite-connection.js';
import { HttpClient } from '../../dist/adapters/transport/http-client.js';
import { PlaceOrder } from '../../dist/core/usecases/orders/place-order.js';
import { SubmitOrder } from '../../dist/core/usecases/orders/submit-order.js';

export * from './program-modules.mjs';

const { CRASH_AT = '', CRASH_AFTER = '1', CRASH_MARKET, CRASH_BY = 'SIGKILL', CRASH_CLOCK_BACK = '0' } = process.env;
const STORE_STEPS = ['write', 'claimJobs', 'setBookmark', 'recordExternalOrders'];
const VENUE_STEPS = ['send', 'read'];
/** Where orders are sent to, by venue, and the whole path of it. */
const ORDER_PATHS = ['/order', '/portfolio/events/orders'];
const ORDER_LINE = /^POST (\/order|\/trade-api\/v2\/portfolio\/events\/orders) HTTP/;

const sent = new Set();
let standing = 0;
let allStand = () => {};
const gathered = new Promise((resolve) => {
  allStand = resolve;
});
let isInside = false;
let isOver = false;
let clockBackMs = 0;

const counts = (market) => CRASH_MARKET === undefined || market === undefined || market === CRASH_MARKET;

function die() {
  if (isOver) return;
  isOver = true;
  writeSync(2, `${CRASH_BY} at ${CRASH_AT}\n`);
  process.kill(process.pid, CRASH_BY);
  clockBackMs = Number(CRASH_CLOCK_BACK);
}

/** Where a clock is to be set back, every moment is asked of this one from the start. */
if (CRASH_CLOCK_BACK !== '0') {
  const TrueDate = Date;
  globalThis.Date = class extends TrueDate {
    constructor(...given) {
      super(...(given.length === 0 ? [TrueDate.now() - clockBackMs] : given));
    }

    static now() {
      return TrueDate.now() - clockBackMs;
    }
  };
}

/** True for the last of the awaited requests, false for later ones and those that do not count here. */
async function gather(place, market) {
  if (place !== CRASH_AT || isOver || !counts(market)) return false;
  standing += 1;
  if (standing === Number(CRASH_AFTER)) allStand();
  await gathered;
  return true;
}

async function reach(place, market) {
  if (await gather(place, market)) die();
}

function step() {
  if (CRASH_AT !== 'step') return;
  standing += 1;
  if (standing === Number(CRASH_AFTER)) die();
}

/** Puts `around(original, this)` in place of a method. */
function wrap({ prototype }, name, around) {
  const original = prototype[name];
  prototype[name] = function wrapped(...given) {
    return around.call(this, (...changed) => original.apply(this, changed), ...given);
  };
}

wrap(PlaceOrder, 'execute', async (original, command) => {
  const isLive = !command.draft.paper;
  if (isLive) await reach('request-read', command.draft.marketId);
  return original(command);
});

wrap(SubmitOrder, 'execute', async (original, order, job) => {
  const { paper, marketId } = order.intent;
  if (!paper) await reach('before-signing', marketId);
  const answer = await original(order, job);
  if (!paper) await reach('before-answer', marketId);
  return answer;
});

for (const Exchange of [PolymarketExchange, KalshiExchange]) {
  wrap(Exchange, 'place', (original, order, ...asked) => {
    sent.add(order.id);
    return original(order, ...asked);
  });
}

/** The part of the path that a write belongs to: the order's intent, its claim, or its outcome. */
function partOf({ request, positions = [], jobs = [] }) {
  if (request?.route === 'orders.place') return positions[0]?.paper === false ? 'intent' : null;
  if (jobs.length === 0) return null;
  return sent.has(jobs[0]) ? 'result' : 'claim';
}

wrap(SqlLedger, 'write', async (original, scope, decide) => {
  const [part, market] = [partOf(scope), scope.positions?.[0]?.marketId];
  if (part === null) return original(scope, decide);
  await reach(`before-${part}`, market);
  const isMeant = await gather(`in-${part}`, market);
  return original(scope, (now) => {
    const decision = decide(now);
    for (const { venueOrderId } of decision.orders ?? []) {
      if (isMeant && part === 'claim') writeSync(2, `signed ${venueOrderId}\n`);
    }
    isInside ||= isMeant;
    return decision;
  });
});

for (const Transaction of [SqliteTransaction, PostgresTransaction]) {
  wrap(Transaction, 'store', async (original, changes) => {
    await original(changes);
    if (isInside) die();
    step();
  });
}

/** A group that is one statement: the transaction around it is as the statement's own is, before it is committed. */
const isWatched = (changes) => changes.length > 0 && (isInside || CRASH_AT === 'step');

wrap(PostgresGuarded, 'store', function store(original, changes, versions) {
  if (!isWatched(changes)) return original(changes, versions);
  const isMeant = isInside;
  const { connected } = this;
  this.connected = (use) =>
    connected(async (client) => {
      await client.query('begin');
      try {
        const answer = await use(client);
        if (isMeant) die();
        step();
        await client.query('commit');
        return answer;
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    });
  const storing = original(changes, versions);
  // Others read meanwhile, and only this statement is meant.
  this.connected = connected;
  return storing;
});

const watched = new WeakSet();
wrap(UnlockedTransaction, 'store', function store(original, changes) {
  if (isWatched(changes)) watched.add(this);
  return original(changes);
});
wrap(UnlockedTransaction, 'commit', async function commit(original) {
  if (!watched.has(this)) return original();
  const isMeant = isInside;
  const { connection } = this;
  await connection.all('begin immediate');
  try {
    await original();
    if (isMeant) die();
    step();
    await connection.all('commit');
  } catch (error) {
    await connection.all('rollback');
    throw error;
  }
});

wrap(HttpClient, 'send', async (original, lane, call, options) => {
  const isOrder = call.method === 'POST' && ORDER_PATHS.includes(call.path);
  if (isOrder) await reach('before-sending');
  const delivery = await original(lane, call, options);
  if (isOrder) await reach('answered');
  return delivery;
});

for (const [Class, names] of [
  [SqlLedger, STORE_STEPS],
  [HttpClient, VENUE_STEPS],
]) {
  for (const name of names) {
    wrap(Class, name, async (original, ...given) => {
      step();
      const answer = await original(...given);
      step();
      return answer;
    });
  }
}

/** Half of the body of an order leaves, to the kernel, and the rest never does. */
const halved = new WeakSet();
wrap(Socket, 'write', function write(original, chunk, ...rest) {
  if (CRASH_AT !== 'half-sent') return original(chunk, ...rest);
  if (typeof chunk === 'string' && ORDER_LINE.test(chunk)) halved.add(this);
  else if (halved.delete(this)) {
    const half = chunk.subarray(0, chunk.length / 2);
    return original(half, () => void reach('half-sent'));
  }
  return original(chunk, ...rest);
});

wrap(ServerResponse, 'end', function end(original, body, ...rest) {
  const { method, url } = this.req;
  const isOrder = method === 'POST' && url === '/v1/exchange/orders' && this.statusCode === 201;
  if (CRASH_AT !== 'half-answered' || !isOrder) return original(body, ...rest);
  const bytes = Buffer.from(body);
  this.write(bytes.subarray(0, bytes.length / 2), () => void reach('half-answered'));
  return this;
});
