import pg from 'pg';
import { MARKETS, ORDERS } from '../support/app.js';
import { booksWrong } from '../support/audited.js';
import { type FreshPostgres, freshPostgres } from '../support/databases.js';
import type { MarketTerms } from '../support/fake-venue/markets.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { Client, type Reply } from '../support/http.js';
import { listedMarket } from '../support/live-deployment.js';
import { type RunningServer, startServer } from '../support/processes.js';

/** A server, and a client of it. */
export interface PaperServer extends RunningServer {
  readonly client: Client;
}

/** What an order shows of itself. */
export interface PaperOrder {
  readonly id: string;
  readonly status: string;
  readonly filled_shares: string;
  readonly clob_order_id: string | null;
  readonly placed_at: string;
}

const GAME = listedMarket('rain');
const [YES] = GAME.tokens;

/** A game of a league that has a sport, of which nothing is on sale yet. */
export function aGame(name: string): MarketTerms {
  const listed = listedMarket(name);
  const events = [{ id: `7${name.slice(5)}`, slug: `event-${name}`, title: name, seriesSlug: 'nba-2026' }];
  return {
    ...listed,
    record: { ...listed.record, gamma: { ...listed.record.gamma, events, gameStartTime: '2099-01-10 12:00:00+00' } },
  };
}

/** Twenty of the first outcome are on sale at one half, on a fresh database of a real Postgres; no server yet. */
export class PaperFixture {
  readonly #operator: pg.Pool;

  private constructor(
    readonly venue: FakeVenue,
    readonly database: FreshPostgres,
  ) {
    this.#operator = new pg.Pool({ connectionString: database.url, max: 2 });
  }

  /** @param others markets beside that one, of which nothing is on sale yet */
  static async open(others: readonly MarketTerms[] = []): Promise<PaperFixture> {
    const venue = await FakeVenue.start({ markets: [GAME, ...others] });
    venue.offer(YES, 'SELL', '0.5', '20');
    return new PaperFixture(venue, await freshPostgres());
  }

  /** Starts a server and waits until it is ready. */
  async server(env: Readonly<Record<string, string>> = {}): Promise<PaperServer> {
    const { gamma, clob, stream } = this.venue;
    const polymarket = {
      POLYMARKET_GAMMA_URL: gamma.href,
      POLYMARKET_CLOB_URL: clob.href,
      POLYMARKET_WS_URL: stream.href,
      MARKET_DATA: 'polymarket',
      PAPER_LATENCY_MS: '0',
      EQUITY_EVERY: 'off',
    };
    const server = await startServer({
      env: { DATABASE_URL: this.database.url, LOG_LEVEL: 'info', ...polymarket, ...env },
    });
    const client = new Client(server.url);
    await until(async () => (await client.get('/readyz')).status === 200);
    return { ...server, client };
  }

  /** A trader at the venue sells this many at 0.4, which fills a purchase that rests there. */
  sellAtForty(shares: string): void {
    this.venue.offer(YES, 'SELL', '0.4', shares);
  }

  /** So many more are on sale at one half. */
  offerAtHalf(shares: string): void {
    this.venue.offer(YES, 'SELL', '0.5', shares);
  }

  /** Lets the lease run out at once, by the clock of the database; its owner's own stopwatch goes on. */
  async passLease(): Promise<void> {
    await this.rows('update leases set expires_at = 0');
  }

  /** Ends the transactions of servers that stand still, as the database does by itself after a while. */
  async endIdleTransactions(): Promise<void> {
    const idle = "datname = current_database() and state like 'idle in transaction%'";
    await this.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where ${idle} and now() - state_change > interval '0.3 s'`,
    );
  }

  /** Rows of the database. */
  async rows<T extends pg.QueryResultRow>(statement: string): Promise<readonly T[]> {
    return (await this.#operator.query<T>(statement)).rows;
  }

  /** Nothing, or what the audit finds wrong in the books. */
  audit(): Promise<string> {
    return booksWrong(this.database.url);
  }

  async close(): Promise<void> {
    await this.venue.close();
    await this.#operator.end();
    await this.database.drop();
  }
}

/** A purchase on paper: of all that is on sale at one half, by default. */
export function buy({ client }: PaperServer, key: string, more: object = {}): Promise<Reply> {
  const order = { market_id: GAME.conditionId, token: 'YES', price: 0.5, size_usdc: 10, time_in_force: 'FAK', ...more };
  return client.post(ORDERS, order, { 'idempotency-key': key });
}

/** A purchase of ten at 0.4, which rests. */
export const rest = (server: PaperServer, key: string): Promise<Reply> =>
  buy(server, key, { price: 0.4, size_usdc: 4, time_in_force: 'GTC' });

/** Every order on record, newest first. */
export const ordersOf = async ({ client }: PaperServer): Promise<readonly PaperOrder[]> =>
  (await client.get(ORDERS)).json<{ data: PaperOrder[] }>().data;

export const bookOf = ({ client }: PaperServer): Promise<Reply> => client.get(`${MARKETS}/${GAME.conditionId}/book`);

/** Whether the server takes paper orders. */
export async function takes({ client }: PaperServer): Promise<boolean> {
  return (await client.get('/readyz')).json<{ paper?: string }>().paper === 'here';
}

/** Whether the server has the lease on them, by its metrics. */
export async function owns({ client }: PaperServer): Promise<boolean> {
  const { text } = await client.get('/metrics');
  return /^stakeport_paper_lease_owned 1$/m.test(text);
}

/** Asks until the answer is as wanted; the test's own time limit ends a wait in vain. */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await new Promise((resume) => setTimeout(resume, 100));
}
