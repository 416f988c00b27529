import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENTS, PORTFOLIO } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { freePort } from '../support/free-port.js';
import type { Client } from '../support/http.js';
import { type Running, type RunningServer, startProgram, startServer } from '../support/processes.js';

const CLIENT = join(ROOT, 'test/support/log-client.mjs');

/** The paper cash of each account before its first order, in USDC. */
export const OPENING = 1_000_000;

/** One event of a log, as the API shows it. */
export interface Logged {
  readonly seq: string;
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly event: { readonly data: { readonly shares: string; readonly size_usdc: string } };
    readonly order: Readonly<Record<'id' | 'side' | 'market_id' | 'token', string>>;
  };
}

/** A server that can be killed and comes back at its address; `kept` where its database outlives it. */
export async function logServer(database: string, kept: boolean, markets: Readonly<Record<string, string>> = {}) {
  const own = { DATABASE_URL: database, PORT: `${await freePort()}`, PAPER_BALANCE_USDC: `${OPENING}` };
  const env = { LOG_LEVEL: 'warn', STREAMS_PER_KEY: '100', ...own, ...markets };
  let running: RunningServer = await startServer({ env });
  return {
    url: running.url,
    kept,
    async dies(): Promise<void> {
      await running.kill('SIGKILL');
      running = await startServer({ env });
    },
  };
}

/** A client that can be killed and comes back with nothing but its file. */
export async function logClient(
  role: 'read' | 'follow' | 'write',
  url: string,
  account: string,
  markets: readonly string[],
) {
  const file = join(mkdtempSync(join(tmpdir(), 'stakeport-log-')), 'seen');
  const start = async (): Promise<Running> => {
    const program = startProgram(process.execPath, { args: [CLIENT, role, url, account, file, ...markets] });
    await program.says(/running/);
    return program;
  };
  let running = await start();
  return {
    account,
    /** A line for each event: its number, its id and its type. */
    seen: (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    ends: () => running.kill('SIGKILL'),
    async dies(): Promise<void> {
      await running.kill('SIGKILL');
      running = await start();
    },
  };
}

/** The whole log of an account and its portfolio, as of one moment at which nothing is on its way any more. */
export async function atRest(api: Client, isRead: (last: string) => boolean) {
  const log: Logged[] = [];
  for (let [last, portfolio] = ['0', await portfolioOf(api)]; ; ) {
    const page = (await api.get(`${EVENTS}?limit=100&after=${last}`)).json<Record<'next_after' | 'head', string>>();
    const { data } = page as typeof page & { data: Logged[] };
    log.push(...data);
    if (data.length === 0 && page.next_after === page.head && isRead(last)) return { log, ...portfolio };
    last = page.next_after;
    if (data.length > 0) portfolio = await portfolioOf(api);
  }
}

/** The shares of each outcome that the account holds, and its cash. */
async function portfolioOf(api: Client) {
  const { positions, cash_usdc } = (await api.get(PORTFOLIO)).json<{
    positions: { market_id: string; token: string; shares: string }[];
    cash_usdc: string;
  }>();
  const held = new Map(positions.map(({ market_id, token, shares }) => [`${market_id} ${token}`, Number(shares)]));
  return { held, cash: Number(cash_usdc) };
}

/**
 * The same by the fills in a log, and by the results, which pay for the first outcome. Each order is settled together with all
 * shares of its outcome. In the order of the log: a server that was killed plays its tape from a moment before, so a market may
 * be traded again after a result was booked.
 */
export function portfolioBy(log: readonly Logged[]) {
  const held = new Map<string, number>();
  let cash = OPENING;
  for (const { type, data } of log) {
    if (type !== 'order.fill' && type !== 'order.settled') continue;
    const { market_id, token, side } = data.order;
    const name = `${market_id} ${token}`;
    const before = held.get(name) ?? 0;
    if (type === 'order.fill') {
      const sign = side === 'BUY' ? 1 : -1;
      held.set(name, before + sign * Number(data.event.data.shares));
      cash -= sign * Number(data.event.data.size_usdc);
    } else {
      if (token === 'YES') cash += before;
      held.delete(name);
    }
  }
  return { held, cash };
}
