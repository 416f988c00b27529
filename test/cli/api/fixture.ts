import { beforeAll, beforeEach, expect } from 'vitest';
import { RandomKeyMaker } from '../../../src/adapters/auth/index.js';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { systemClock } from '../../../src/adapters/system/system.js';
import { AUTH_SCOPES, type AuthScope } from '../../../src/core/access/principal.js';
import type { AccountId } from '../../../src/core/ids.js';
import { keyUseCases } from '../../../src/core/usecases/compose.js';
import { tape } from '../../adapters/tape/tapes.js';
import { allOrders, until } from '../../e2e/trading.js';
import { ORDERS } from '../../support/app.js';
import { freshSqliteFile } from '../../support/databases.js';
import { Client } from '../../support/http.js';
import { aMatch, inTime, says, shows } from '../../support/match-day.js';
import { startServer } from '../../support/processes.js';
import { against } from './remote.js';

const PEPPER = 'a pepper for tests alone';

/** A game whose book says 0.49 to 0.50 for Home again and again, for half an hour. */
export const GAME = aMatch('derby', { question: 'Who wins the derby?' }, '0.05');

/** A server in a process of its own that plays a game, and callers with keys. */
export interface Fixture {
  readonly url: string;
  /** A key of this account with these scopes, all of them when none is named. */
  key(account: string, ...scopes: readonly AuthScope[]): Promise<string>;
  /** A caller with this key, other than the command line. */
  client(key: string): Client;
  /** Ends the server. */
  kill(): Promise<unknown>;
}

/** Starts one; it is gone with the test file. */
export async function aFixture(): Promise<Fixture> {
  const looks = Array.from({ length: 360 }, (_, nth) => shows(GAME, nth * 5, '0.49', '0.50'));
  const { url: database } = freshSqliteFile();
  const server = await startServer({
    env: {
      DATABASE_URL: database,
      AUTH_MODE: 'keys',
      KEY_PEPPER: PEPPER,
      LOG_LEVEL: 'warn',
      MARKET_DATA: `tape:${tape(...inTime([says(GAME, 0), ...looks], 1810))}`,
      TAPE_SPEED: '10',
      PAPER_LATENCY_MS: '0',
    },
  });
  const key: Fixture['key'] = async (account, ...scopes) => {
    const ledger = await openSqlLedger(database);
    const keys = keyUseCases(
      { ledger, wallClock: systemClock },
      { keys: ledger, keyMaker: new RandomKeyMaker(PEPPER) },
    );
    const all = scopes.length === 0 ? AUTH_SCOPES : scopes;
    const { text } = await keys.create({
      by: 'test' as AccountId,
      account: account as AccountId,
      scopes: all,
      lifetimeMs: null,
      idempotencyKey: null,
    });
    await ledger.close();
    return `${text}`;
  };
  const client = (of: string) => new Client(server.url, { authorization: `Bearer ${of}` });
  return { url: server.url, key, client, kill: () => server.kill('SIGKILL') };
}

/** Fourteen dollars on Home, which the book fills at once. */
export const BUY = ['buy', 'derby-slug', 'Home', '--usdc', '14', '--price', '0.6'] as const;

/** Who trades in one test. */
export interface Trader {
  readonly fixture: Fixture;
  readonly account: string;
  readonly key: string;
  readonly client: Client;
  /** The only order of the account. */
  onlyOrder(): Promise<Record<string, unknown>>;
}

/** A stage for all tests of a file, on which each has an account of its own, with the command line set to it. */
export function aTraderEach(): { readonly now: Trader } {
  let [fixture, accounts]: [Fixture | null, number] = [null, 0];
  const here: { now: Trader } = { now: null as never };
  beforeAll(async () => {
    fixture = await aFixture();
    const anybody = fixture.client(await fixture.key('anybody'));
    await until(async () => (await anybody.get('/v1/exchange/markets/derby-slug/book')).json()['fresh'] === true);
  });
  beforeEach(async () => {
    if (fixture === null) throw new Error('the stage is there before the first test');
    accounts += 1;
    const account = `alice-${accounts}`;
    const key = await fixture.key(account);
    const client = fixture.client(key);
    against({ STAKEPORT_URL: fixture.url, STAKEPORT_KEY: key });
    const onlyOrder = async () => {
      const ids = await allOrders(client);
      expect(ids).toHaveLength(1);
      return (await client.get(`${ORDERS}/${ids[0]}`)).json<Record<string, unknown>>();
    };
    here.now = { fixture: fixture, account, key, client, onlyOrder };
  });
  return here;
}
