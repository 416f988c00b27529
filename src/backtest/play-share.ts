import { MemoryLedger } from '../adapters/memory/index.js';
import { areSteady, joinedIndex, type ScannedTape, type TapeIndex } from '../adapters/tape/tape-index.js';
import { playScanned, type TapeMarketData } from '../adapters/tape/tape-market-data.js';
import type { AccountId, MarketId, StrategyId } from '../core/ids.js';
import type { LimitsChange } from '../core/limits/limits.js';
import { formatMicro, parseMicro, type Usdc } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import type { BetRow } from '../core/performance/bet.js';
import type { Probability, SignalName } from '../core/signal/signal.js';
import type { Proposer } from '../core/strategy/conditions/candidate.js';
import type { DecisionRecord } from '../core/strategy/record/decision-record.js';
import type { SkipLimits } from '../core/strategy/record/recent-skips.js';
import type { TradingRules } from '../core/strategy/rules/trading-rules.js';
import type { StrategyDraft } from '../core/strategy/strategy.js';
import { StrategyIndex } from '../core/strategy/watch/automated-strategies.js';
import type { Ledger } from '../ports/ledger.js';
import type { Ids } from '../ports/system.js';
import { assembled, type Stakeport } from '../stakeport/create-stakeport.js';
import type { CashReading, SignalForecast } from './backtest-run.js';
import { type MarketCoverage, MarketRecord, type PlacedForecast } from './market-record.js';
import { RunRecord } from './run-record.js';
import { type BacktestSignal, marketIds, SignalRows } from './signal-rows.js';

/** A strategy that is played, and the account that it trades with. */
export interface SharedStrategy {
  readonly draft: StrategyDraft;
  readonly account: AccountId;
  /** By what it finds its markets. */
  readonly match: TradingRules['match'];
  /** Decides in place of its rules. */
  readonly proposer?: Proposer;
}

/** What every worker of a run plays alike. */
export interface PlayTerms {
  readonly tapes: readonly [ScannedTape, ...ScannedTape[]];
  /** The markets that are played, and that coverage, gaps and forecasts are of. */
  readonly followed: ReadonlySet<MarketId>;
  readonly limits: LimitsChange | null;
  readonly zone: string;
  readonly cash: Usdc;
  readonly latencyMs: number;
  /** Strategies decide from then on. */
  readonly from: Date;
  readonly until: Date;
  readonly together: boolean;
  readonly skipLimits: SkipLimits;
  readonly signals: readonly BacktestSignal[];
}

/** What one worker plays: a share of the strategies, over all of the tapes. */
export interface StrategyShare extends PlayTerms {
  readonly strategies: readonly SharedStrategy[];
  /** The markets that are played for them, and those whose coverage and forecasts are of this share; absent for all that are followed. */
  readonly markets?: { readonly played: ReadonlySet<MarketId>; readonly counted: ReadonlySet<MarketId> };
}

/** What an account did. */
export interface PlayedAccount {
  readonly account: AccountId;
  readonly orders: readonly Order[];
  readonly decisions: readonly DecisionRecord[];
  readonly marks: readonly CashReading[];
  readonly bets: readonly BetRow[];
}

/** What came of a share. */
export interface PlayedShare {
  readonly accounts: readonly PlayedAccount[];
  /** In the order of the share; each skipped for each reason so often. */
  readonly strategies: readonly {
    readonly id: StrategyId;
    readonly name: string;
    readonly skips: ReadonlyMap<string, number>;
  }[];
  readonly markets: readonly PlacedForecast[];
  readonly signalForecasts: readonly SignalForecast[];
  readonly coverage: MarketCoverage;
  readonly faults: readonly string[];
  /** By their numbers: which signals were asked for before they were known, and which were used. */
  readonly signals: SignalRows['outcome'];
  readonly reached: Date;
}

/** Where a share is played, and who ends it. */
export interface PlayPlace {
  readonly ledger?: Ledger | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the tape before it is played. */
  readonly onTape?: (tape: TapeMarketData) => void;
}

/** The markets that these strategies may name, and all others of their sets; all of the tapes where one becomes another one meanwhile. */
export function marketsFor(
  strategies: readonly Pick<SharedStrategy, 'match'>[],
  tapes: PlayTerms['tapes'],
): ReadonlySet<MarketId> {
  const { markets } = joinedIndex(tapes.map(({ index }) => index) as [TapeIndex, ...TapeIndex[]]);
  if (!areSteady(tapes)) return new Set(markets.map(({ id }) => id));
  const index = new StrategyIndex<Pick<SharedStrategy, 'match'>>();
  for (const one of strategies) index.put(one, one.match);
  const named = markets.filter((market) => index.for(market).size > 0);
  const sets = new Set(named.flatMap(({ exclusiveSet }) => exclusiveSet ?? []));
  const mates = markets.filter(({ exclusiveSet }) => exclusiveSet !== null && sets.has(exclusiveSet));
  return new Set([...named, ...mates].map(({ id }) => id));
}

/** Plays a share from the beginning of its tapes to their end. @throws TapeUnreadable, RulesInvalid, and what the ledger throws */
export async function playShare(share: StrategyShare, place: PlayPlace = {}): Promise<PlayedShare> {
  const { tapes, from, until, strategies } = share;
  const { played, counted } = share.markets ?? { played: share.followed, counted: share.followed };
  const markets = new MarketRecord(from, until, counted);
  // Strategies decide nothing after the last moment; what they have sent by then is still answered.
  const span = { until, watch: markets.take, atEnd: () => endTrading(), isAlone: true };
  const tape = playScanned(tapes, { ...span, markets: played });
  place.onTape?.(tape);
  const record = new RunRecord(tape, markets, share.cash, until);
  const faults: string[] = [];
  const signals = new SignalRows(share.signals, marketIds(tape.index.markets), () => tape.now());
  const failures: unknown[] = [];
  const { stakeport, use, endTrading } = stakeportOn(tape, record, share, {
    ledger: place.ledger,
    faults,
    signals,
    failures,
  });
  announce(share, tape, stakeport);
  const accounts = [...new Set(strategies.map(({ account }) => account))];
  const ids: StrategyId[] = [];
  const begin = async () => {
    for (const account of share.limits === null ? [] : accounts)
      await use.limits.change.execute({ account, change: share.limits ?? {}, mayLoosen: true });
    for (const { account, draft } of strategies)
      ids.push((await use.strategies.create.execute({ account, draft, idempotencyKey: null })).record.id);
    record.begin(accounts);
  };
  if (from > tape.began) tape.at(from, begin);
  else await begin();
  const abort = () => tape.stop();
  place.signal?.addEventListener('abort', abort);
  if (place.signal?.aborted === true) abort();
  await tape.play();
  place.signal?.removeEventListener('abort', abort);
  const reached = tape.now() < until ? tape.now() : until;
  await stakeport.close();
  if (failures.length > 0) throw failures[0];
  const recordOf = record.end(reached);
  const records = new Map(accounts.map((account) => [account, recordOf(account)]));
  const skipsOf = (id: StrategyId, account: AccountId) => records.get(account)?.skips.get(id) ?? new Map();
  return {
    accounts: [...records].map(([account, { orders, decisions, marks, bets }]) => {
      const own = ids.filter((_, at) => strategies[at]?.account === account);
      const skipped = own.flatMap((id) => use.strategies.skips.of(account, id));
      return { account, orders, decisions: [...decisions, ...skipped].sort(byId), marks, bets };
    }),
    strategies: strategies.map(({ account, draft: { name } }, at) => {
      const id = ids[at] ?? ('' as StrategyId);
      return { id, name, skips: skipsOf(id, account) };
    }),
    markets: markets.forecasts(),
    signalForecasts: signals.forecasts((id) => markets.judged(id)),
    coverage: markets.coverage(reached),
    faults,
    signals: signals.outcome,
    reached,
  };
}

function stakeportOn(
  tape: TapeMarketData,
  record: RunRecord,
  { cash, latencyMs, zone, together, skipLimits, strategies }: StrategyShare,
  {
    ledger = new MemoryLedger(tape),
    faults,
    signals,
    failures,
  }: {
    readonly ledger: Ledger | undefined;
    readonly faults: string[];
    readonly signals: SignalRows;
    /** What functions threw that decide. */
    readonly failures: unknown[];
  },
) {
  const fail = (error: unknown) => {
    failures.push(error);
    tape.stop();
  };
  const proposers = new Map(
    strategies.flatMap(({ draft, proposer }) => (proposer ? [[draft.name, reporting(proposer, fail)]] : [])),
  );
  const proposerOf = ({ name }: { readonly name: string }) => proposers.get(name);
  return assembled(
    {
      ledger: record.of(ledger),
      marketData: tape,
      clock: tape,
      wallClock: tape,
      ids: counting(),
      openingCash: formatMicro(cash),
      dayZone: zone,
      latencyMs,
      automation: true,
      signals: signals.model,
      onWarning: (warning) => void faults.push(warning),
      onFault: (error, { id }) => void faults.push(`order ${id}: ${error instanceof Error ? error.message : error}`),
    },
    {
      accountsAlone: !together,
      skipLimits,
      changes: record.changes,
      ...(proposers.size > 0 && { proposerOf }),
    },
  );
}

/** The function, which reports what it throws. */
const reporting =
  (propose: Proposer, fail: (error: unknown) => void): Proposer =>
  (seen) => {
    try {
      return propose(seen);
    } catch (error) {
      fail(error);
      throw error;
    }
  };

/** Has strategies look again when a signal becomes known that their rules name. */
function announce({ signals, strategies, until }: StrategyShare, tape: TapeMarketData, { ports }: Stakeport): void {
  const idOf = marketIds(tape.index.markets);
  for (const { name, market, knownAt, outcome, probability } of signals) {
    const id = idOf(market);
    const named = strategies.filter(({ draft }) => draft.rules.signal?.name === name);
    if (id === null || named.length === 0 || knownAt < tape.began || knownAt > until) continue;
    const accounts = [...new Set(named.map(({ account }) => account))];
    const said = { label: outcome, probability: parseMicro(String(probability)) as Probability };
    const known = { first: said, second: said, expiresAt: knownAt, source: null, updatedAt: knownAt };
    tape.at(knownAt, () => {
      const keys = accounts.map((account) => ({ account, name: name as SignalName, venue: tape.venue, marketId: id }));
      ports.signalNews?.publish(keys.map((key) => ({ ...key, ...known })));
    });
  }
}

/** How the ids of a run begin, which are in the form of UUIDv7 and count. */
export const COUNTED_ID = '00000000-0000-7000-8000-';
/** How those of decisions begin once all shares are one. */
export const COUNTED_DECISION_ID = '00000000-0000-7000-8001-';

/** The id with this number. */
export const countedId = (number: number, beginning = COUNTED_ID): string =>
  `${beginning}${number.toString(16).padStart(12, '0')}`;

function counting(): Ids {
  let made = 0;
  return {
    next: () => {
      made += 1;
      return countedId(made);
    },
  };
}

const byId = (a: DecisionRecord, b: DecisionRecord): number => (a.id < b.id ? -1 : 1);
