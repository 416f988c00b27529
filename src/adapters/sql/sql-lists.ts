import { SESSION_IDLE_MS, SESSION_LIFE_MS, type Session } from '../../core/access/session.js';
import type { AccountId, ApprovalId, DecisionId, StrategyId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { MarketRef } from '../../core/market/market.js';
import type { Approval } from '../../core/strategy/record/approval.js';
import type { DecisionRecord, SkipCount } from '../../core/strategy/record/decision-record.js';
import { type FirstPrice, type FirstPriceKey, firstPriceName } from '../../core/strategy/watch/watcher.js';
import type { ApprovalFilter, ApprovalStore } from '../../ports/approval-store.js';
import type { DecisionLog } from '../../ports/decision-log.js';
import type { FirstPrices } from '../../ports/first-prices.js';
import type { SessionStore } from '../../ports/session-store.js';
import { APPROVALS, approvalIn } from './approval-table.js';
import { microColumn, momentColumn, postgresDialect, sqliteDialect, stamp, textColumn } from './columns.js';
import { addingSkips, DECISIONS, decisionIn, SKIPS } from './decision-table.js';
import { Lookup } from './lookup.js';
import { comparable, type Narrow, RowReader } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';
import { introducing, type Table, table } from './table.js';

/** Bets that wait for a person, in SQLite or Postgres. */
export class SqlApprovals implements ApprovalStore {
  readonly #rows: RowReader;
  readonly #lookup;

  constructor(
    store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
    this.#lookup = new Lookup(APPROVALS, store, store.reads);
  }

  async find(account: AccountId, id: ApprovalId): Promise<Approval | undefined> {
    const found = await this.access.read(() => this.#lookup.find(account, id));
    return found && approvalIn(found);
  }

  async list(account: AccountId, filter: ApprovalFilter, page: Page<ApprovalId>): Promise<readonly Approval[]> {
    const found = await this.access.read(() =>
      this.#rows.newestFirst(APPROVALS, 'id', page, (q) => {
        q.where({ account });
        narrowed(q, filter);
      }),
    );
    return found.map(approvalIn);
  }

  async listWaiting(limit: number): Promise<readonly Approval[]> {
    const found = await this.access.read(() =>
      this.#rows.all(APPROVALS, (q) => {
        // Spelt as in its index.
        q.whereRaw("state = 'waiting'").orderBy('expires_at').limit(limit);
      }),
    );
    return found.map(approvalIn);
  }
}

function narrowed(q: Parameters<Narrow>[0], { state, at }: ApprovalFilter): void {
  if (state === 'waiting') q.where({ state }).where('expires_at', '>', comparable(at));
  else if (state === 'expired')
    q.where((either: Parameters<Narrow>[0]) => {
      either.where({ state }).orWhere((overdue: Parameters<Narrow>[0]) => {
        overdue.where({ state: 'waiting' }).where('expires_at', '<=', comparable(at));
      });
    });
  else if (state !== undefined) q.where({ state });
}

const SQLITE_ADD = addingSkips(sqliteDialect)('?');
const POSTGRES_ADD = addingSkips(postgresDialect)('?');

/** Decisions of strategies in SQLite or Postgres. */
export class SqlDecisions implements DecisionLog {
  readonly #rows: RowReader;
  readonly #lookup;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
    this.#lookup = new Lookup(DECISIONS, store, store.reads);
  }

  async find(account: AccountId, id: DecisionId): Promise<DecisionRecord | undefined> {
    const found = await this.access.read(() => this.#lookup.find(account, id));
    return found && decisionIn(found);
  }

  async list(
    ...[account, strategy, filter, page]: Parameters<DecisionLog['list']>
  ): Promise<readonly DecisionRecord[]> {
    const { verdict, code, marketId } = filter;
    const found = await this.access.read(() =>
      this.#rows.newestFirst(DECISIONS, 'id', page, (q) => {
        q.where({ account, strategy_id: strategy });
        // Spelt as in their partial index. Bets have no code.
        if (verdict === 'skip' || code !== undefined) q.whereRaw("verdict = 'skip'");
        if (verdict === 'bet') q.where({ verdict });
        if (code !== undefined) q.where({ code });
        if (marketId !== undefined) q.where({ market_id: marketId });
      }),
    );
    return found.map(decisionIn);
  }

  async count(skips: readonly SkipCount[]): Promise<void> {
    if (skips.length === 0) return;
    const { dialect, writer } = this.store;
    const json = JSON.stringify(skips.map(SKIPS.encode));
    await this.access.write(() =>
      dialect.name === 'postgres' ? writer.raw(POSTGRES_ADD, [json]) : writer.raw(SQLITE_ADD, [json]),
    );
  }

  counts(account: AccountId, strategy: StrategyId, since: Date): Promise<readonly SkipCount[]> {
    return this.access.read(() =>
      this.#rows.all(SKIPS, (q) => {
        q.where({ account, strategy_id: strategy }).where('hour', '>=', comparable(since)).orderBy(['hour', 'code']);
      }),
    );
  }
}

/** First prices in SQLite or Postgres. */
export class SqlFirstPrices implements FirstPrices {
  readonly #lookup: Lookup<FirstPrice>;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#lookup = new Lookup(FIRST_PRICES, store, store.reads);
  }

  /** What is on record, as after every restart, costs no write. */
  async keep(prices: readonly FirstPrice[]): Promise<readonly FirstPrice[]> {
    const known = byName(await this.find(prices));
    const news = prices.filter((one) => !known.has(firstPriceName(one)));
    if (news.length > 0) await this.#store(news);
    // Another server may have been first.
    const stored = byName(await this.find(news));
    return prices.map((one) => known.get(firstPriceName(one)) ?? stored.get(firstPriceName(one)) ?? one);
  }

  async find(keys: readonly FirstPriceKey[]): Promise<readonly FirstPrice[]> {
    const find = ({ account, strategyId, venue, marketId, outcome }: FirstPriceKey) =>
      this.#lookup.find(account, strategyId, venue, marketId, outcome);
    const found = await this.access.read(() => Promise.all(keys.map(find)));
    return found.filter((one) => one !== undefined);
  }

  async listMarkets(before: Date, { limit, after }: Page<MarketRef>): Promise<readonly MarketRef[]> {
    const { reader } = this.store;
    const q = reader(FIRST_PRICES.name).where('at', '<', comparable(before));
    if (after !== undefined) q.whereRaw('(venue, market_id) > (?, ?)', [after.venue, after.marketId]);
    const markets = q.distinct<MarketRef[]>('venue', 'market_id as marketId').orderBy(['venue', 'market_id']);
    return this.access.read(() => markets.limit(limit));
  }

  forget({ venue, marketId }: MarketRef): Promise<number> {
    const { writer } = this.store;
    return this.access.write(() => writer(FIRST_PRICES.name).where({ venue, market_id: marketId }).delete());
  }

  /** In order, so that processes that store the same ones never deadlock. */
  async #store(news: readonly FirstPrice[]): Promise<void> {
    const sorted = [...byName(news)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => FIRST_PRICES.encode(one));
    const { writer, dialect } = this.store;
    const json = JSON.stringify(sorted);
    await this.access.write(async () => {
      if (dialect.name === 'postgres') await writer.raw(POSTGRES_KEEP, [json]);
      else await writer.raw(SQLITE_KEEP, [json]);
      // A write to a file that was taken away is not stored.
      this.store.check();
    });
  }
}

const byName = (prices: readonly FirstPrice[]): ReadonlyMap<string, FirstPrice> =>
  new Map(prices.map((one) => [firstPriceName(one), one]));

/** At which price strategies first saw what they would buy, a row each. */
const FIRST_PRICES: Table<FirstPrice> = table<FirstPrice>(
  'first_prices',
  {
    account: textColumn(),
    strategyId: textColumn(),
    venue: textColumn(),
    marketId: textColumn(),
    outcome: textColumn(),
    price: microColumn(),
    at: momentColumn(),
  },
  { key: ['account', 'strategy_id', 'venue', 'market_id', 'outcome'], replaces: 'nothing' },
);

/** The statement that stores those of a JSON array that are not on record yet, on SQLite. */
const SQLITE_KEEP = introducing(FIRST_PRICES, sqliteDialect)('?');
/** The statement that stores those that are not on record yet, on Postgres. */
const POSTGRES_KEEP = introducing(FIRST_PRICES, postgresDialect)('?');

/** Sessions in SQLite or Postgres. They are found as keys are: never behind a list or a write, many with one statement. */
export class SqlSessions implements SessionStore {
  readonly #lookup: Lookup<Session>;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#lookup = new Lookup(SESSIONS, store, store.credentialReads);
  }

  find(digest: string): Promise<Session | undefined> {
    return this.access.read(() => this.#lookup.find(digest));
  }

  async start({ digest, keyId, startedAt, usedAt }: Session): Promise<void> {
    const row = { digest, key_id: keyId, started_at: stamp(startedAt), used_at: stamp(usedAt) };
    await this.access.write(() => this.#table.insert(row));
  }

  async use(digest: string, at: Date): Promise<void> {
    const used = stamp(at);
    await this.access.write(() => this.#table.where({ digest }).where('used_at', '<', used).update({ used_at: used }));
  }

  async end(digest: string): Promise<void> {
    await this.access.write(() => this.#table.where({ digest }).delete());
  }

  forgetEnded(now: Date): Promise<number> {
    const ago = (ms: number) => stamp(new Date(now.getTime() - ms));
    const idle = ago(SESSION_IDLE_MS);
    const old = ago(SESSION_LIFE_MS);
    return this.access.write(() => this.#table.where('used_at', '<=', idle).orWhere('started_at', '<=', old).delete());
  }

  get #table() {
    return this.store.writer(SESSIONS.name);
  }
}

/** Logins of people, of all accounts. */
const SESSIONS: Table<Session> = table<Session>(
  'sessions',
  { digest: textColumn(), keyId: textColumn(), startedAt: momentColumn(), usedAt: momentColumn() },
  { key: ['digest'] },
);
