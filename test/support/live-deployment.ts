import { writeFileSync } from 'node:fs';
import { RandomKeyMaker } from '../../src/adapters/auth/index.js';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import type { AccountId } from '../../src/core/ids.js';
import type { Usdc } from '../../src/core/money.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { ManageKeys } from '../../src/core/usecases/accounts/manage-keys.js';
import { openStore } from '../../src/server/wiring/store.js';
import { aMarket, type MarketTerms } from './fake-venue/markets.js';
import { KNOWN_KEY } from './fake-venue/plain-client.js';
import type { FakeVenue } from './fake-venue/venue.js';

type Variables = Readonly<Record<string, string>>;

/** The account that trades with real money in these tests. */
export const TRADER = 'alice' as AccountId;

/** The trader's recorded balance, and the wallet's balance at the venue. */
export const DEPOSIT = { micro: 1_000_000_000n as Usdc, dollars: '1000' };

export const PEPPER = 'a pepper for tests alone';
/** What a deployment that trades with real money needs. */
export interface LiveStart {
  /** An empty durable database. */
  readonly databaseUrl: string;
  /** One that lists its markets with Gamma: `FakeVenue.start({ markets: [listedMarket()] })`. */
  readonly venue: FakeVenue;
  /** Added to the environment, or in place of what is there. */
  readonly env?: Variables;
}

/** A market without fees or an end, which Gamma lists too; another one for each name. */
export function listedMarket(name = 'rain', changes: Partial<MarketTerms> = {}): MarketTerms {
  const terms = aMarket(name, changes);
  const { conditionId, tokens, outcomes, tick, minSize, negRisk } = terms;
  const gamma = {
    id: `${BigInt(conditionId) % 1_000_000_000n}`,
    question: `Will it be ${name}?`,
    slug: name,
    conditionId,
    outcomes: JSON.stringify(outcomes),
    clobTokenIds: JSON.stringify(tokens),
    outcomePrices: '["0.5", "0.5"]',
    active: true,
    closed: false,
    archived: false,
    acceptingOrders: true,
    enableOrderBook: true,
    orderPriceMinTickSize: Number(tick),
    orderMinSize: Number(minSize),
    negRisk,
    feesEnabled: false,
  };
  return { ...terms, record: { gamma, ...terms.record } };
}

/** The environment of a server that trades with real money at this venue with the publicly known key. */
export function deploymentOf({ databaseUrl, venue, env = {} }: LiveStart, keyFile: string): Variables {
  return {
    DATABASE_URL: databaseUrl,
    AUTH_MODE: 'keys',
    KEY_PEPPER: PEPPER,
    EQUITY_EVERY: 'off',
    MARKET_DATA: 'polymarket',
    POLYMARKET_GAMMA_URL: venue.gamma.href,
    POLYMARKET_CLOB_URL: venue.clob.href,
    POLYMARKET_WS_URL: venue.stream.href,
    POLYMARKET_GEOBLOCK_URL: venue.geoblock.href,
    LIVE_TRADING: 'on',
    POLYMARKET_PRIVATE_KEY_FILE: keyFile,
    ...env,
  };
}

/** Records an account with money at a venue and a key for every scope, as an operator would, and returns the key. */
export async function enrol(databaseUrl: string, venue = POLYMARKET, deposit = DEPOSIT.micro): Promise<string> {
  const store = await openStore({ database: { kind: 'sql', url: databaseUrl } }, false);
  const accounts = new ManageAccounts(store.ledger, { clock: systemClock, ids: uuidV7 });
  const keys = new ManageKeys(store.ledger, store.ledger, new RandomKeyMaker(PEPPER), systemClock);
  await accounts.allowLive(TRADER, true);
  await accounts.deposit(TRADER, venue, deposit);
  const whose = { by: TRADER, account: TRADER, scopes: AUTH_SCOPES, lifetimeMs: null, idempotencyKey: null };
  const { text } = await keys.create(whose);
  await store.close();
  if (text === null) throw new Error('The key was not made.');
  return text;
}

/** Writes the publicly known key to a new file that only its owner may read. */
export function writeKey(path: string, key: string = KNOWN_KEY): string {
  writeFileSync(path, key, { mode: 0o400 });
  return path;
}
