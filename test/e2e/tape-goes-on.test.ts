import { describe, expect, it } from 'vitest';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import type { Market } from '../../src/core/market/market.js';
import { described, level, line, listed, pastNoon, START, tape } from '../adapters/tape/tapes.js';
import { anOpenMarket } from '../core/matching/view.js';
import { ORDERS, PORTFOLIO } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { type RunningServer, startServer } from '../support/processes.js';
import { idOf, until } from './trading.js';

const SPEED = 20;
const market = anOpenMarket();

/** A market in which nothing happens but a new book twice a second. */
function quiet(seconds: number, of: Market = market): string {
  const lines: TapeLine[] = [line(0, described(of), of)];
  const book = { type: 'book', bids: [level('0.4', '9')], asks: [level('0.6', '9')] } as const;
  for (let ms = 1; ms <= seconds * 1000; ms += 500) lines.push(line(ms, book, of));
  return tape(...lines);
}

const envOf = (played: string, more: Readonly<Record<string, string>> = {}) => ({
  MARKET_DATA: `tape:${played}`,
  TAPE_SPEED: `${SPEED}`,
  LOG_LEVEL: 'info',
  EQUITY_EVERY: '1s',
  ...more,
});

/** The moment of the newest book that the server shows, in milliseconds since 1970. */
async function seenAt(server: RunningServer): Promise<number> {
  const reply = await new Client(server.url).get(`/v1/exchange/markets/${market.id}/book`);
  return reply.status === 200 ? Date.parse(reply.json<{ at: string }>().at) : 0;
}

async function goesOnAt(server: RunningServer): Promise<number> {
  const [, at = ''] = await server.says(/the tape goes on at ([0-9TZ:.-]+)/);
  return Date.parse(at);
}

describe('A server on a tape that is started again', () => {
  it('continues where it stopped, so that no past market is traded again', async () => {
    const env = envOf(quiet(200), { DATABASE_URL: freshSqliteFile().url });
    const first = await startServer({ env });
    expect(first.output()).toMatch(/market data tape .+ from 2026-03-01T12:00:00.000Z, speed 20\n/);
    await until(async () => (await seenAt(first)) > START + 2000 * SPEED);
    const seen = await seenAt(first);
    await first.kill('SIGKILL');

    const second = await startServer({ env });
    const resumed = await goesOnAt(second);
    expect(resumed).toBeGreaterThan(seen - 2000 * SPEED);
    await until(async () => (await seenAt(second)) >= resumed);
    const last = await seenAt(second);
    await second.kill('SIGTERM');

    const third = await startServer({ env });
    expect(await goesOnAt(third)).toBeGreaterThan(last);
  });

  it('reports orders resting in missing markets and lets them be cancelled', async () => {
    const DATABASE_URL = freshSqliteFile().url;
    const first = await startServer({ env: envOf(quiet(100), { DATABASE_URL }) });
    await until(async () => (await seenAt(first)) > START);
    const order = { market_id: market.id, token: 'YES', price: 0.41, size_usdc: 8 };
    const placed = await new Client(first.url).post(ORDERS, order);
    expect(placed.json()['status']).toBe('open');
    await first.kill('SIGTERM');

    const other = quiet(100, anOpenMarket({}, { ...listed('another') }));
    for (const env of [envOf(other, { DATABASE_URL }), { DATABASE_URL, LOG_LEVEL: 'info' }]) {
      const server = await startServer({ env });
      await server.says(/1 orders rest in markets that this source does not have; they can be cancelled/);
      if (!('MARKET_DATA' in env)) {
        expect(server.output()).toContain('market data none: paper orders fill completely at their limit, at once');
        const client = new Client(server.url);
        const reply = await client.post(`${ORDERS}/${idOf(placed)}/cancel`);
        expect([reply.status, reply.json()['status']]).toEqual([200, 'cancelled']);
        expect((await client.get(PORTFOLIO)).json()).toMatchObject({ reserved_usdc: '0' });
      }
      await server.kill('SIGTERM');
    }
  });

  it('says that its tape is over, at its end and on restart', async () => {
    const played = quiet(2);
    const env = envOf(played, { DATABASE_URL: freshSqliteFile().url });
    const end = pastNoon(1501).toISOString();
    const first = await startServer({ env });
    await first.says(new RegExp(`the tape has ended at ${end}; nothing fills any more`));
    await first.kill('SIGTERM');
    const second = await startServer({ env });
    await second.says(new RegExp(`is on record, and the tape ends at ${end}: .* give each tape a DATABASE_URL`));
    const hurried = await startServer({ env: envOf(played, { DATABASE_URL: 'memory:', TAPE_SPEED: 'max' }) });
    await hurried.says(/TAPE_SPEED=max plays the whole tape at once/);
    expect(hurried.output()).toContain('data in     memory, gone at exit');
  });
});
