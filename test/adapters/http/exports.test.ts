import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { BET_MEMBERS } from '../../../src/adapters/http/bet-wire.js';
import { csvLine, csvRows } from '../../../src/adapters/http/csv.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import type { RunningApp } from '../../support/app.js';
import { type BettingApp, bettingApp } from '../../support/betting-app.js';
import { eventually } from '../../support/eventually.js';
import type { Client } from '../../support/http.js';

const EXPORT = '/v1/export';

let app: RunningApp;
let alice: Client;
let ledger: BettingApp['ledger'];
let buy: BettingApp['buy'];
let settle: BettingApp['settle'];

beforeEach(async () => {
  ({ app, alice, ledger, buy, settle } = await bettingApp());
});

async function tableAt(path: string, client = alice) {
  const { status, headers, text } = await client.get(`${EXPORT}/${path}`);
  const [columns = [], ...rows] = csvRows(text);
  const named = rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
  return { status, headers, columns, rows: named };
}

describe('/v1/export', () => {
  it('gives the bets that ended, in the columns of the list', async () => {
    const id = await buy('YES');
    await settle();
    await buy('YES');
    const { status, headers, columns, rows } = await tableAt('bets.csv?from=2020-01-01T00:00:00Z');
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toBe('attachment; filename="stakeport-bets-2020-01-01.csv"');
    expect(columns).toEqual(BET_MEMBERS);
    expect(rows).toMatchObject([{ id, paper: 'true', result: 'won', proceeds_usdc: '20', outcome_label: 'Bucks' }]);
  });

  it('gives orders, with the name of their game', async () => {
    const id = await buy('YES');
    const { rows } = await tableAt('orders.csv?paper=true');
    expect(rows).toMatchObject([{ id, paper: 'true', question_snapshot: 'Bucks vs. Thunder', status: 'filled' }]);
    expect(Object.keys(rows[0] ?? {}).at(-1)).toBe('event');
    expect((await tableAt('orders.csv?paper=false')).rows).toEqual([]);
  });

  it('gives a journal whose profit is what the portfolio realised', async () => {
    await buy('YES');
    await buy('NO');
    await settle();
    const { rows } = await tableAt('journal.csv');
    expect(rows.map(({ cause }) => cause)).toEqual(['opening', 'fill', 'fill', 'settlement', 'settlement']);
    const micro = (text = '') => BigInt(Math.round(Number(text) * 1e6));
    const { profit_usdc: profit } = (await alice.get('/v1/portfolio')).json();
    expect(rows.reduce((sum, row) => sum + micro(row['profit_usdc']), 0n)).toBe(micro(`${profit}`));
  });

  it('is closed to keys without the scope, and has nothing of others', async () => {
    await buy('YES');
    const blind = await app.keyed('alice', 'orders:paper');
    expect((await tableAt('bets.csv', blind)).status).toBe(403);
    const bob = await app.keyed('bob', 'orders:read');
    expect((await tableAt('journal.csv', bob)).rows).toEqual([]);
  });

  it('refuses a moment without a zone', async () => {
    expect((await alice.get(`${EXPORT}/bets.csv?from=2026-01-01`)).status).toBe(422);
  });

  it('answers a store that does not answer with a problem', async () => {
    ledger.listOrders = () => Promise.reject(new StorageUnavailable());
    expect((await alice.get(`${EXPORT}/orders.csv`)).status).toBe(503);
  });

  it('breaks off where the store fails in the middle', async () => {
    await buy('YES');
    const [order] = await ledger.listOrders('alice' as never, {}, { limit: 1 });
    let asked = 0;
    ledger.listOrders = async (...[, , { limit }]) => {
      asked += 1;
      if (asked > 1) throw new StorageUnavailable();
      return Array.from({ length: limit }, () => order as NonNullable<typeof order>);
    };
    await expect(alice.get(`${EXPORT}/orders.csv`)).rejects.toThrow();
  });

  it('reads no further once the client is gone, and lets an account have two at once', async () => {
    await buy('YES');
    const [order] = await ledger.listOrders('alice' as never, {}, { limit: 1 });
    let asked = 0;
    ledger.listOrders = async (...[, , { limit }]) => {
      asked += 1;
      return Array.from({ length: limit }, () => order as NonNullable<typeof order>);
    };
    const gone = [endless(), endless()];
    await Promise.all(gone.map(({ begun }) => begun));
    await eventually(async () => expect((await alice.get(`${EXPORT}/orders.csv`)).status).toBe(429));
    const stalled = await unchanged(() => asked);
    expect(stalled).toBeLessThan(1000);
    for (const { end } of gone) end();
    await eventually(async () => {
      ledger.listOrders = async () => [];
      expect((await alice.get(`${EXPORT}/orders.csv`)).status).toBe(200);
    });
  });
});

/** An export of which nothing is read. */
function endless() {
  const sent = request(`${app.url}${EXPORT}/orders.csv`, { headers: { ...alice.headers } });
  const begun = new Promise((resolve) => sent.once('response', resolve));
  sent.once('error', () => {});
  sent.end();
  return { begun, end: () => sent.destroy() };
}

/** A count once it grows no more. */
async function unchanged(count: () => number): Promise<number> {
  let before = -1;
  await eventually(async () => {
    const now = count();
    const isSame = now === before;
    before = now;
    expect(isSame).toBe(true);
  });
  return count();
}

describe('A line of CSV', () => {
  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '=1'])('never runs %j as a formula', (text) => {
    expect(csvRows(csvLine([text, 'b']))).toEqual([[`'${text}`, 'b']]);
  });

  it.each(['-1', '-0.5', 'a=1', '1-1', "'quoted"])('leaves %j as it is', (text) => {
    expect(csvRows(csvLine([text, 'b']))).toEqual([[text, 'b']]);
  });
});
