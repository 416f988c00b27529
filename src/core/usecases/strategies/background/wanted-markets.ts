import type { Pause, Stopwatch } from '../../../../ports/system.js';
import { inBatches } from '../../../concurrency/concurrency.js';
import type { AccountId, StrategyId } from '../../../ids.js';
import { type Market, marketName, refOf } from '../../../market/market.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { AutomatedStrategies, Wanting } from '../../../strategy/watch/automated-strategies.js';
import type { SharedSearch } from '../../../venues/market-searches.js';
import type { Venues } from '../../../venues/venues.js';
import { searchesOf } from '../read-market-views.js';
import type { OnRunnerFault } from './runner-parts.js';

/** How many markets one server follows for strategies. */
const MOST_FOLLOWED = 1000;

/** A market that is to be followed, and for whom. */
export interface ChosenMarket {
  readonly market: Market;
  readonly account: AccountId;
}

/** Markets that a strategy wants to follow, and that have no place among those that are followed. */
export interface NotFollowed {
  readonly strategy: Strategy;
  readonly markets: number;
  readonly first: Market;
}

/** Which markets are followed, and which are not although strategies want them. */
export interface MarketChoice {
  readonly followed: readonly ChosenMarket[];
  readonly notFollowed: readonly NotFollowed[];
  /** How many markets those are together. */
  readonly marketsNotFollowed: number;
  /** For which accounts each is followed; null where those that are followed are so for all. */
  readonly accounts: ReadonlyMap<Market, ReadonlySet<AccountId>> | null;
}

interface Found {
  readonly markets: readonly Market[];
  /** Whether they are those of games of the other phase than strategies bet in: nobody follows them. */
  readonly isLeftOut: boolean;
  isNew: boolean;
}

/** A search for markets, and in whose turn it is made. */
interface WantedSearch {
  readonly account: AccountId;
  readonly search: SharedSearch;
  readonly isLeftOut: boolean;
}

/** A market that an account wants. */
interface Wanted {
  readonly market: Market;
  isOpen: boolean;
}

/** Finds the markets that strategies may bet on now or soon, and shares out those that are followed among accounts. */
export class WantedMarkets {
  #found = new Map<string, Found>();
  /** When the searches that are under way began. */
  readonly #began = new Set<{ readonly at: number }>();
  #tookMs = 0;
  #known: readonly Market[] = [];

  constructor(
    private readonly venues: Pick<Venues, 'search'>,
    private readonly strategies: Pick<AutomatedStrategies, 'searches' | 'wanting'>,
    private readonly parts: {
      readonly onFault: OnRunnerFault;
      readonly pause?: Pause | undefined;
      readonly most?: number;
      readonly accountsAlone?: boolean | undefined;
      readonly countsLeftOut?: boolean | undefined;
      readonly stopwatch: Stopwatch;
    },
  ) {}

  /** The markets among which was chosen the last time, and those that nobody follows since their games are of another phase. */
  get known(): readonly Market[] {
    return this.#known;
  }

  /** How many milliseconds the search for markets has taken until now, or took the last time where that is longer. */
  get searchingMs(): number {
    const now = this.parts.stopwatch();
    return Math.max(this.#tookMs, ...[...this.#began].map(({ at }) => now - at));
  }

  /**
   * Looks for all markets that strategies name, and calls `found` whenever some of them are known: at once, where an older answer will
   * do and there is one. It may be called again meanwhile. Never throws.
   */
  async search(now: Date, maxAgeMs: number, found: () => Promise<void>): Promise<void> {
    const began = { at: this.parts.stopwatch() };
    this.#began.add(began);
    const wanted = this.#searches();
    const names = new Set(wanted.map(({ search }) => nameOf(search)));
    this.#found = new Map([...this.#found].filter(([name]) => names.has(name)));
    // What is only counted is searched for beside what is searched for anew anyway, which reads the same lists of the venue.
    const made = wanted.filter(({ isLeftOut }) => !isLeftOut || maxAgeMs === 0);
    const searches = made.map(async ({ account, search, isLeftOut }) => {
      try {
        const markets = await this.venues.search(search, { account, now, maxAgeMs });
        const known = this.#found.get(nameOf(search));
        if (known?.markets !== markets || known.isLeftOut !== isLeftOut)
          this.#found.set(nameOf(search), { markets, isLeftOut, isNew: true });
      } catch (error) {
        if (!isLeftOut) this.parts.onFault('could not look for markets', error);
      }
      await found();
    });
    if (searches.length === 0 || (maxAgeMs > 0 && this.#found.size > 0)) searches.push(found());
    await Promise.all(searches);
    this.#began.delete(began);
    this.#tookMs = this.parts.stopwatch() - began.at;
  }

  /** What strategies search by, each once for an account; then the games of the other phase of those that bet in one alone, where they are counted. */
  #searches(): readonly WantedSearch[] {
    const wanted = new Map<string, WantedSearch>();
    // Accounts that trade alone share every turn: what they search by is asked once for all of them.
    const turnOf = (account: AccountId) => (this.parts.accountsAlone === true ? '' : account);
    const all = this.strategies.searches();
    for (const { account, search } of all)
      for (const one of searchesOf(search))
        wanted.set(`${nameOf(one)} ${turnOf(account)}`, { account, search: one, isLeftOut: false });
    if (this.parts.countsLeftOut !== true) return [...wanted.values()];
    const names = new Set([...wanted.values()].map(({ search }) => nameOf(search)));
    for (const { account, search } of all)
      for (const one of searchesOf({ ...search, phase: 'any' }))
        if (!names.has(nameOf(one))) wanted.set(nameOf(one), { account, search: one, isLeftOut: true });
    return [...wanted.values()];
  }

  /**
   * Chooses the markets to follow: the next one of each account in rotation, until there are as many as one server follows. Of
   * the markets of an account those come first that can be bet on now, then those that start first. What `followed` describes
   * is newer than what was found before.
   */
  async choose(followed: readonly Market[], now: Date): Promise<MarketChoice> {
    const found = this.#take(followed);
    const wanted = new Map<AccountId, Wanted[]>();
    const wanting = new Map<Market, readonly Wanting[]>();
    await inBatches(found, this.parts.pause, async (market) => {
      const strategies = this.strategies.wanting(market, now);
      if (strategies.length === 0) return;
      wanting.set(market, strategies);
      for (const [account, isOpen] of accountsOf(strategies)) {
        const own = wanted.get(account) ?? [];
        wanted.set(account, own);
        own.push({ market, isOpen });
      }
    });
    const { most = MOST_FOLLOWED, accountsAlone = false } = this.parts;
    const accounts = accountsAlone ? ownMarkets(wanted, most) : null;
    const chosen = accounts === null ? sharedOut(wanted, most) : inOneTurn(accounts.keys());
    for (const market of chosen.keys()) wanting.delete(market);
    return {
      followed: [...chosen].map(([market, account]) => ({ market, account })),
      notFollowed: notFollowedOf(wanting),
      marketsNotFollowed: wanting.size,
      accounts,
    };
  }

  /** Takes in what was found; returns the markets among which is chosen, each as it is known now. */
  #take(followed: readonly Market[]): readonly Market[] {
    const all = [...this.#found.values()];
    const found = all.filter(({ isLeftOut }) => !isLeftOut);
    const byName = new Map<string, Market>();
    const put = (market: Market) => byName.set(marketName(refOf(market)), market);
    for (const { markets, isNew } of found) if (!isNew) markets.forEach(put);
    for (const market of followed) if (byName.has(marketName(refOf(market)))) put(market);
    for (const { markets, isNew } of found) if (isNew) markets.forEach(put);
    for (const one of all) one.isNew = false;
    const chosenFrom = [...byName.values()];
    for (const { markets, isLeftOut } of all) if (isLeftOut) markets.forEach(put);
    this.#known = [...byName.values()];
    return chosenFrom;
  }
}

const nameOf = ({ sport, kind, status }: SharedSearch): string => JSON.stringify([sport, kind, status]);

/** The accounts of these strategies, and whether one of each may bet now. */
function accountsOf(wanting: readonly Wanting[]): ReadonlyMap<AccountId, boolean> {
  const accounts = new Map<AccountId, boolean>();
  for (const { strategy, isOpen } of wanting)
    accounts.set(strategy.account, isOpen || (accounts.get(strategy.account) ?? false));
  return accounts;
}

/** Markets shared out among accounts, one for each per round; one that is followed already takes no place. */
function sharedOut(wanted: ReadonlyMap<AccountId, Wanted[]>, most: number): ReadonlyMap<Market, AccountId> {
  const chosen = new Map<Market, AccountId>();
  const rest = new Map([...wanted].map(([account, own]) => [account, own.sort(byUrgency).values()]));
  while (rest.size > 0 && chosen.size < most)
    for (const [account, markets] of rest) {
      let next = markets.next();
      while (next.done !== true && chosen.has(next.value.market)) next = markets.next();
      if (next.done === true) rest.delete(account);
      else chosen.set(next.value.market, account);
      if (chosen.size === most) break;
    }
  return chosen;
}

/** What each account would follow if there were no other: those that can be bet on now first, in order of their start. */
function ownMarkets(
  wanted: ReadonlyMap<AccountId, Wanted[]>,
  most: number,
): ReadonlyMap<Market, ReadonlySet<AccountId>> {
  const chosen = new Map<Market, Wanted & { readonly accounts: Set<AccountId> }>();
  for (const [account, own] of wanted)
    for (const { market, isOpen } of own.sort(byUrgency).slice(0, most)) {
      const known = chosen.get(market) ?? { market, isOpen, accounts: new Set<AccountId>() };
      known.isOpen ||= isOpen;
      known.accounts.add(account);
      chosen.set(market, known);
    }
  return new Map([...chosen.values()].sort(byUrgency).map(({ market, accounts }) => [market, accounts]));
}

/** Accounts that trade alone have one turn together, so that markets begin in one order for all. */
const inOneTurn = (markets: Iterable<Market>): ReadonlyMap<Market, AccountId> =>
  new Map([...markets].map((market) => [market, '' as AccountId]));

function notFollowedOf(wanting: ReadonlyMap<Market, readonly Wanting[]>): readonly NotFollowed[] {
  const left = new Map<StrategyId, NotFollowed>();
  for (const [market, strategies] of wanting)
    for (const { strategy } of strategies) {
      const known = left.get(strategy.id);
      left.set(strategy.id, { strategy, markets: (known?.markets ?? 0) + 1, first: known?.first ?? market });
    }
  return [...left.values()];
}

/** A market without a start comes last. */
const startOf = ({ startsAt }: Market): number => startsAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

function byUrgency(a: Wanted, b: Wanted): number {
  if (a.isOpen !== b.isOpen) return a.isOpen ? -1 : 1;
  const later = startOf(a.market) - startOf(b.market);
  if (later !== 0) return later;
  // Of one start, in the order of their names: whoever else searches changes nothing.
  return a.market.id < b.market.id ? -1 : 1;
}
