import type { AccountId, StrategyId } from '../../ids.js';
import { type Market, marketName, refOf } from '../../market/market.js';
import type { Strategy } from '../strategy.js';

/** How soon a strategy may bet on a market: now, within a minute, or when its window opens after that. */
export type BetUrgency = 0 | 1 | 2;
const URGENCIES: readonly BetUrgency[] = [0, 1, 2];

/** A strategy that names a market, and of how many outcomes it judges each. */
export interface Naming {
  readonly strategy: Strategy;
  readonly urgency: BetUrgency;
  readonly outcomes: number;
}

/** Outcomes that a strategy may bet on now or soon, and that it does not watch because its account watches as many as it may. */
export interface NotWatched {
  readonly strategy: Strategy;
  readonly outcomes: number;
  readonly first: Market;
}

/** What a strategy would watch, and what of that it may, by urgency, in outcomes. */
interface Share {
  readonly strategy: Strategy;
  readonly wanted: [number, number, number];
  readonly left: [number, number, number];
}

/** How many outcomes each strategy may watch, by market. */
type Plan = ReadonlyMap<string, ReadonlyMap<StrategyId, number>>;

/**
 * Bounds what strategies of one account watch: a pair is a strategy and an outcome of a market. It counts what is watched, and shares
 * out the places of an account that wants more than it may have.
 */
export class WatchedPairs {
  readonly #watched = new Map<AccountId, number>();
  /** The plans of accounts that want more than they may have. */
  #plans: ReadonlyMap<AccountId, Plan> = new Map();

  /** @param most how many pairs one account may watch */
  constructor(private readonly most: number) {}

  /** How many pairs are watched, by all accounts. */
  get size(): number {
    let sum = 0;
    for (const watched of this.#watched.values()) sum += watched;
    return sum;
  }

  /** Whether an account would watch more than it may, as of the last sharing. */
  get isCrowded(): boolean {
    return this.#plans.size > 0;
  }

  /** Takes a place for one more pair; false where the account has none left. */
  take(account: AccountId): boolean {
    const watched = this.#watched.get(account) ?? 0;
    if (watched >= this.most) return false;
    this.#watched.set(account, watched + 1);
    return true;
  }

  /** One pair of the account is watched no more. */
  giveBack(account: AccountId): void {
    const watched = (this.#watched.get(account) ?? 1) - 1;
    if (watched === 0) this.#watched.delete(account);
    else this.#watched.set(account, watched);
  }

  /** How many outcomes of the market the strategy may watch. */
  permitted({ account, id }: Strategy, market: Market): number {
    const plan = this.#plans.get(account);
    if (plan === undefined) return Number.POSITIVE_INFINITY;
    return plan.get(marketName(refOf(market)))?.get(id) ?? 0;
  }

  /** Whether so many strategies of an account may want more than it may have of so many markets. */
  mayExceed(strategies: number, markets: number): boolean {
    return 2 * strategies * markets > this.most;
  }

  /**
   * Divides the places of these accounts anew. What can bet now comes first, then what can soon; strategies get places
   * round-robin, for the markets that start first. `name` returns which strategies of these accounts name a market.
   */
  async share(
    markets: readonly Market[],
    each: (work: (market: Market) => void) => Promise<void>,
    name: (market: Market) => Iterable<Naming>,
  ): Promise<readonly NotWatched[]> {
    if (markets.length === 0) return this.#replace(new Map(), []);
    const shares = new Map<StrategyId, Share>();
    await each((market) => {
      for (const { strategy, urgency, outcomes } of name(market)) {
        const share: Share = shares.get(strategy.id) ?? { strategy, wanted: [0, 0, 0], left: [0, 0, 0] };
        share.wanted[urgency] += outcomes;
        shares.set(strategy.id, share);
      }
    });
    const plans = new Map<AccountId, Map<string, Map<StrategyId, number>>>();
    for (const [account, own] of byAccount(shares.values())) if (this.#fill(own)) plans.set(account, new Map());
    const left = new Map<StrategyId, NotWatched>();
    await each((market) => {
      for (const { strategy, urgency, outcomes } of name(market)) {
        const plan = plans.get(strategy.account);
        const share = shares.get(strategy.id);
        if (plan === undefined || share === undefined) continue;
        const taken = Math.min(outcomes, share.left[urgency]);
        share.left[urgency] -= taken;
        if (taken > 0) permit(plan, market, strategy.id, taken);
        if (taken === outcomes || urgency === 2) continue;
        const known = left.get(strategy.id);
        const sum = (known?.outcomes ?? 0) + outcomes - taken;
        left.set(strategy.id, { strategy, outcomes: sum, first: known?.first ?? market });
      }
    });
    return this.#replace(plans, [...left.values()]);
  }

  /** Gives each of an account's strategies as many places as another one, as far as it wants them; false where all have what they want. */
  #fill(shares: readonly Share[]): boolean {
    let places = this.most;
    for (const urgency of URGENCIES) {
      let waiting = shares.filter(({ wanted }) => wanted[urgency] > 0);
      while (waiting.length > 0 && places > 0) {
        for (const { left } of waiting.slice(0, places)) {
          left[urgency] += 1;
          places -= 1;
        }
        waiting = waiting.filter(({ wanted, left }) => left[urgency] < wanted[urgency]);
      }
      if (waiting.length > 0) return true;
    }
    return false;
  }

  #replace(plans: ReadonlyMap<AccountId, Plan>, left: readonly NotWatched[]): readonly NotWatched[] {
    this.#plans = plans;
    return left;
  }
}

function permit(plan: Map<string, Map<StrategyId, number>>, market: Market, id: StrategyId, outcomes: number): void {
  const name = marketName(refOf(market));
  const permitted = plan.get(name) ?? new Map<StrategyId, number>();
  permitted.set(id, outcomes);
  plan.set(name, permitted);
}

function byAccount(shares: Iterable<Share>): ReadonlyMap<AccountId, readonly Share[]> {
  const accounts = new Map<AccountId, Share[]>();
  for (const share of shares) {
    const own = accounts.get(share.strategy.account);
    if (own === undefined) accounts.set(share.strategy.account, [share]);
    else own.push(share);
  }
  return accounts;
}
