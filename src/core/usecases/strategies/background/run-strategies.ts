import { InOrder, inBatches } from '../../../concurrency/concurrency.js';
import { FairQueue } from '../../../concurrency/fair-places.js';
import type { AccountId, StrategyId } from '../../../ids.js';
import { type Market, marketName, refOf } from '../../../market/market.js';
import type { Signal, SignalKey } from '../../../signal/signal.js';
import { AutomatedStrategies } from '../../../strategy/watch/automated-strategies.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import type { Doubt } from '../../trading/background/reduce-for-now.js';
import { ChangedStrategies } from './changed-strategies.js';
import { CountLeftOut } from './count-left-out.js';
import { FeedSilence } from './feed-silence.js';
import { HeldBets, NoticeResets } from './held-bets.js';
import { JudgeMarket } from './judge-market.js';
import { LookBySignals, NoticeSignals } from './look-by-signals.js';
import type { RunnerParts } from './runner-parts.js';
import { ShareWatching } from './share-watching.js';
import { storeSkips } from './store-skips.js';
import { type ChosenMarket, WantedMarkets } from './wanted-markets.js';
import { MarketAlarms, WatchedMarkets } from './watched-markets.js';

/** How many markets begin to be followed at once: their first books are read. */
const FOLLOWED_AT_ONCE = 32;
/** Where accounts trade alone each market is judged before the next one begins, so that no account decides in another order than alone. */
const FOLLOWED_ALONE = 1;
/** So old may be what is known of markets when a strategy is new: nobody waits for a search that another one needs. */
const KNOWN_MS = 10_000;

/**
 * Lets every strategy with `automation: auto` trade: follows the markets that their rules name, judges each change of a
 * market by the strategies that it can matter to, and places what they bet. One server at a time runs it.
 */
export class RunStrategies {
  readonly #strategies: AutomatedStrategies;
  readonly #wanted: WantedMarkets;
  readonly #markets: WatchedMarkets;
  readonly #judge: JudgeMarket;
  readonly #silence = new FeedSilence();
  readonly #alarms: MarketAlarms;
  readonly #changed: ChangedStrategies;
  readonly #refreshing = new InOrder();
  /** A choice that is still to be made, by what is known then. */
  #choosing: Promise<void> | null = null;
  /** The markets that were chosen last, and those of them that are about to be followed. */
  #chosen: ReadonlySet<string> = new Set();
  readonly #awaited = new Map<string, Promise<void>>();
  readonly #follows: FairQueue;
  /** The accounts that watch each market, where each account trades alone. */
  readonly #followers = new Map<string, ReadonlySet<AccountId>>();
  readonly #sharing: ShareWatching;
  readonly #leftOut: CountLeftOut;
  readonly #bySignals: LookBySignals;
  readonly #notice: NoticeSignals | null;
  readonly #held: HeldBets;
  readonly #resets: NoticeResets;
  #isStopped = false;

  constructor(private readonly parts: RunnerParts) {
    const { venues, timeline = null, onFault, ledger } = parts;
    const { inBackground = (work) => work() } = parts;
    const { pause, context, accountsAlone = false } = parts;
    this.#follows = new FairQueue(accountsAlone ? FOLLOWED_ALONE : FOLLOWED_AT_ONCE);
    const isFollowedFor = (account: AccountId, market: Market) =>
      !accountsAlone || this.#followers.get(marketName(refOf(market)))?.has(account) === true;
    this.#strategies = new AutomatedStrategies(parts.watchedPerAccount, isFollowedFor, venues.ofUnnamed);
    const searching = {
      onFault,
      pause,
      stopwatch: context.stopwatch,
      accountsAlone,
      countsLeftOut: parts.countsLeftOut,
    };
    this.#wanted = new WantedMarkets(venues, this.#strategies, searching);
    this.#markets = new WatchedMarkets(parts.followed, {
      changed: (watched, type) => {
        // Its start may have moved.
        if (type === 'market') this.#alarms.set(watched);
        const due = watched.due();
        if (due.length === 0) return undefined;
        const judge = () => this.#judgeAll(watched, due);
        return accountsAlone ? judge() : inBackground(judge);
      },
      renewed: (watched) => this.#watch(watched),
    });
    this.#sharing = new ShareWatching(this.#strategies, this.#markets, parts, (watched) => this.#watch(watched));
    this.#leftOut = new CountLeftOut(this.#strategies, this.#markets, parts);
    this.#changed = new ChangedStrategies(ledger, context.wallClock);
    this.#held = new HeldBets(parts);
    this.#resets = new NoticeResets(parts, (watched) => this.#alarms.set(watched));
    this.#judge = new JudgeMarket(parts, (watched) => this.#alarms.set(watched));
    this.#bySignals = new LookBySignals(parts, (signal) => this.#judgeBy(signal));
    const { signalNews } = parts;
    this.#notice = signalNews ? new NoticeSignals(ledger.signals, signalNews) : null;
    const lookNow = (watched: WatchedMarket, at: number) =>
      this.#judgeAll(watched, accountsAlone ? watched.dueSince(at) : watched.due());
    this.#alarms = new MarketAlarms(timeline, lookNow, accountsAlone);
  }

  /** How many strategies trade by themselves, and how many markets are followed for them. */
  get size(): { readonly strategies: number; readonly markets: number } {
    return { strategies: this.#strategies.size, markets: this.#markets.size };
  }

  /** How many milliseconds the search for markets has taken until now, or took the last time. */
  get searchingMs(): number {
    return this.#wanted.searchingMs;
  }

  /** How many markets are not followed although strategies may bet on them, and how many outcomes are watched, and are not. */
  get shares(): ShareWatching['counts'] {
    return this.#sharing.counts;
  }

  /** Why the prices are not to be trusted, as a whole; null as a rule. Call it every few seconds. */
  get doubt(): Doubt | null {
    return this.#silence.look(this.#markets.all(), this.parts.context.clock.now());
  }

  /** Takes in strategies that were made or changed since the last call, and returns whether there were any. @throws StorageUnavailable */
  async refreshStrategies(): Promise<boolean> {
    const changed = new Set<StrategyId>();
    await this.#changed.read((strategy) => {
      if (this.#strategies.take(strategy)) changed.add(strategy.id);
    });
    if (changed.size > 0)
      await inBatches(this.#markets.all(), this.parts.pause, async (watched) => {
        this.#strategies.watch(watched, changed);
        this.#alarms.set(watched);
      });
    return changed.size > 0;
  }

  /** Follows the markets that strategies may bet on now or soon, and no others, and looks at those that may have become ready for a bet. */
  async refreshMarkets(): Promise<void> {
    await this.#resets.execute(this.#markets.all());
    await this.#search(0);
  }

  /** Begins a refresh of markets, even while a search of an earlier call still runs. Never throws. */
  beginRefresh(): Promise<void> {
    return this.#begin(() => this.refreshMarkets());
  }

  /** Begins the same for strategies that are new: by what is known of markets, and where nothing is, by a search. Never throws. */
  followNew(): Promise<void> {
    return this.#begin(() => this.#search(KNOWN_MS));
  }

  /** Has strategies look by signals that another server put since the last call, and by `also`. @throws StorageUnavailable */
  async noticeSignals(also: readonly SignalKey[] = []): Promise<void> {
    await this.#notice?.execute([...this.#markets.signalKeys(), ...also]);
  }

  /**
   * Judges bets again whose refusing state has ended: a state of trading, too many open bets, or too many bets in a day. Call it
   * every second; without `reads` the record is as it was at the last call. Never throws.
   */
  async endHolds(reads = true): Promise<void> {
    const ended = await this.#held.ended(this.#markets.all(), reads);
    for (const [watched, watchers] of ended) await this.#judgeAll(watched, watchers);
  }

  /** Adds the skips since the last call to those on record. */
  async storeCounts(): Promise<void> {
    await storeSkips(this.parts);
  }

  /** Follows nothing, and decides nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#bySignals.end();
    this.#notice?.end();
    for (const watched of this.#markets.all()) this.#leave(watched.market);
  }

  #begin(look: () => Promise<void>): Promise<void> {
    const { inBackground = (work) => work(), onFault } = this.parts;
    return inBackground(() => look().catch((error: unknown) => onFault('could not look for markets', error)));
  }

  async #search(maxAgeMs: number): Promise<void> {
    await this.#wanted.search(this.parts.context.clock.now(), maxAgeMs, () => this.#choose());
    await Promise.all(this.#awaited.values());
  }

  /** One choice after another; what becomes known before the next one begins is taken in by that one. */
  #choose(): Promise<void> {
    this.#choosing ??= this.#refreshing.run('markets', () => {
      this.#choosing = null;
      return this.#takeChosen();
    });
    return this.#choosing;
  }

  async #takeChosen(): Promise<void> {
    const chosen = await this.#wanted.choose(this.#markets.followed, this.parts.context.clock.now());
    const markets = chosen.followed.map(({ market }) => market);
    this.#chosen = new Set(markets.map((market) => marketName(refOf(market))));
    for (const market of this.#markets.besides(markets)) {
      const watched = this.#markets.get(market);
      if (watched !== undefined) this.#leftOut.left(watched);
      this.#leave(market);
    }
    await this.#sharing.execute(chosen);
    for (const [market, accounts] of chosen.accounts ?? []) this.#part(market, accounts);
    const bets: Promise<void>[] = [];
    await inBatches(chosen.followed, this.parts.pause, async (one) => {
      const watched = this.#markets.get(one.market);
      if (this.#isStopped) return;
      const accounts = chosen.accounts?.get(one.market);
      if (watched === undefined) this.#await(one, () => this.#follow(one.market, accounts));
      else {
        bets.push(...(await this.#renew(watched, one.market)));
        if (accounts !== undefined) this.#awaitAccounts(one, watched, accounts);
      }
    });
    await Promise.all(bets);
    await this.#leftOut.execute(this.#wanted.known);
  }

  /** Has it watched no more by accounts that do not want it. */
  #part(market: Market, accounts: ReadonlySet<AccountId>): void {
    const name = marketName(refOf(market));
    const [watched, before] = [this.#markets.get(market), this.#followers.get(name)];
    const left = [...(before ?? [])].filter((account) => accounts.has(account));
    if (watched === undefined || before === undefined || left.length === before.size) return;
    this.#followBy(watched, new Set(left));
  }

  /** Has it watched, and judged, in its turn, by those accounts that want it now and did not before. */
  #awaitAccounts(one: ChosenMarket, watched: WatchedMarket, accounts: ReadonlySet<AccountId>): void {
    const name = marketName(refOf(one.market));
    const before = this.#followers.get(name) ?? new Set();
    if (accounts.size === before.size) return;
    this.#await(one, async () => {
      this.#followBy(watched, accounts);
      const isNew = ({ strategy }: Watcher) => accounts.has(strategy.account) && !before.has(strategy.account);
      await this.#judgeAll(watched, watched.due().filter(isNew));
    });
  }

  /** Takes it up in the turn of its account, unless it is not wanted any more then. */
  #await({ market, account }: ChosenMarket, begin: () => Promise<void>): void {
    const name = marketName(refOf(market));
    if (this.#awaited.has(name)) return;
    const work = async () => {
      const end = await this.#follows.take(account);
      const isWanted = !this.#isStopped && this.#chosen.has(name);
      if (isWanted) await begin();
      this.#awaited.delete(name);
      end();
    };
    this.#awaited.set(name, work());
  }

  /** Time, the other markets of its set and what is on record may have changed, though the market did not. */
  async #renew(watched: WatchedMarket, market: Market): Promise<readonly Promise<void>[]> {
    this.#markets.renew(watched, market);
    return this.#judge.execute(this.#markets.judgedOf(watched), watched.dueAgain());
  }

  async #judgeAll(watched: WatchedMarket, watchers: Iterable<Watcher>): Promise<void> {
    if (this.#isStopped) return;
    await Promise.all(await this.#judge.execute(this.#markets.judgedOf(watched), watchers));
  }

  /** Those that decide by the signal, in its market and the others of the set. */
  async #judgeBy(signal: Signal): Promise<void> {
    const decidesBy = ({ strategy, rules }: Watcher) =>
      strategy.account === signal.account && rules.signal?.name === signal.name;
    for (const watched of this.#markets.setOf(signal)) await this.#judgeAll(watched, watched.due().filter(decidesBy));
  }

  #watch(watched: WatchedMarket): void {
    this.#strategies.watch(watched);
    this.#alarms.set(watched);
  }

  /** Has it watched by these accounts and no others; those that watched it before go on. */
  #followBy(watched: WatchedMarket, accounts: ReadonlySet<AccountId>): void {
    const name = marketName(refOf(watched.market));
    const before = this.#followers.get(name) ?? new Set();
    this.#followers.set(name, accounts);
    this.#strategies.watchFor(watched, (account) => accounts.has(account) !== before.has(account));
    this.#alarms.set(watched);
  }

  #leave(market: Market): void {
    const watched = this.#markets.get(market);
    this.#followers.delete(marketName(refOf(market)));
    this.#markets.leave(market);
    if (watched === undefined) return;
    this.#strategies.leave(watched);
    this.#alarms.clear(watched);
  }

  async #follow(market: Market, accounts?: ReadonlySet<AccountId>): Promise<void> {
    if (accounts !== undefined) this.#followers.set(marketName(refOf(market)), accounts);
    const watched = this.#markets.add(market);
    this.#watch(watched);
    try {
      await this.#markets.follow(watched);
    } catch (error) {
      this.#strategies.leave(watched);
      this.#alarms.clear(watched);
      this.parts.onFault('could not follow a market', error);
    }
  }
}
