import { inBatches } from '../../../concurrency/concurrency.js';
import type { AccountId } from '../../../ids.js';
import { dayIn } from '../../../limits/counted.js';
import { limitsLosses, NO_LIMITS, type RefusingState } from '../../../limits/limits.js';
import { heldOf } from '../../../posting/own-orders.js';
import { otherSide, stateFor } from '../../../posting/trading-stop.js';
import { heldSlot } from '../../../strategy/record/approval.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import { openBets } from '../judgement.js';
import type { RunnerParts } from './runner-parts.js';

/** The record is read for so many accounts or strategies at once; the others come with the next calls. */
const MOST_READ = 50;

/** A refused bet that waits for a state to end. */
interface HeldBet {
  readonly watcher: Watcher;
  readonly watched: WatchedMarket;
}

/** Finds out which of the states have ended that refused bets at every price. */
export class HeldBets {
  #from = 0;

  constructor(
    private readonly parts: Pick<RunnerParts, 'ledger' | 'marks' | 'context' | 'accountsAlone' | 'onFault'>,
  ) {}

  /**
   * Releases the watchers whose refusing state has ended, and returns those that are due, by market. Without `reads` only states that
   * end with time, or with a price elsewhere, are checked. Never throws: a failed read is repeated at a later call.
   */
  async ended(
    markets: readonly WatchedMarket[],
    reads: boolean,
  ): Promise<ReadonlyMap<WatchedMarket, readonly Watcher[]>> {
    const held = markets.flatMap((watched) =>
      watched.held().flatMap((watcher) => (watcher.heldBy === null ? [] : [{ watcher, watched }])),
    );
    const released = new Set<Watcher>();
    const changed = new Set<WatchedMarket>();
    for (const { watcher, watched } of held.length === 0 ? [] : await this.#over(held, reads)) {
      watcher.release();
      released.add(watcher);
      changed.add(watched);
    }
    return new Map([...changed].map((watched) => [watched, watched.due().filter((one) => released.has(one))]));
  }

  async #over(held: readonly HeldBet[], reads: boolean): Promise<readonly HeldBet[]> {
    const { context, accountsAlone = false } = this.parts;
    const today = dayIn(context, context.clock.now());
    const over = held.filter(
      ({ watcher: { heldBy } }) => heldBy?.state === 'day' && dayIn(context, heldBy.since) !== today,
    );
    // Prices of positions in other markets can return without any change on record.
    const groups = [...groupsOf(held).values()].filter((group) => reads || accountsAlone || stateOf(group) === 'marks');
    const most = accountsAlone ? groups.length : MOST_READ;
    if (this.#from >= groups.length) this.#from = 0;
    for (const group of groups.slice(this.#from, this.#from + most)) over.push(...(await this.#read(group)));
    this.#from += most;
    return over;
  }

  async #read(group: readonly HeldBet[]): Promise<readonly HeldBet[]> {
    try {
      const state = stateOf(group);
      if (state === 'trading') return await this.#trading(group);
      if (state === 'held') return await this.#held(group);
      return state === 'marks' ? await this.#marks(group) : await this.#open(group);
    } catch (error) {
      this.parts.onFault('could not read whether a bet may be asked again', error);
      return [];
    }
  }

  /** All of one account. */
  async #trading(group: readonly HeldBet[]): Promise<readonly HeldBet[]> {
    const [{ watcher }] = group as readonly [HeldBet];
    const wall = this.parts.context.wallClock.now();
    return this.parts.ledger.read({ account: watcher.strategy.account, service: true }, (now) =>
      group.filter(({ watcher: { strategy, heldBy }, watched: { market } }) => {
        const placed = { paper: strategy.automationPaper, strategyId: strategy.id, sport: market.sport };
        const state = stateFor(placed, now, wall)?.state ?? 'active';
        return state === 'active' || (state === 'reducing' && heldBy?.code === 'trading_halted');
      }),
    );
  }

  /** All of one strategy. */
  async #open(group: readonly HeldBet[]): Promise<readonly HeldBet[]> {
    const [{ watcher, watched }] = group as readonly [HeldBet];
    const { strategy, rules } = watcher;
    const { account, id, automationPaper: paper } = strategy;
    const { venue, id: marketId } = watched.market;
    const scope = {
      account,
      strategies: [id],
      holdings: paper ? ('paper' as const) : ('live' as const),
      approvals: { strategyId: id, venue, marketId },
    };
    const open = await this.parts.ledger.read(scope, (now) => {
      const waiting = now.approvals().flatMap((one) => heldSlot(one, this.parts.context.clock.now()) ?? []);
      return openBets(
        now,
        strategy,
        paper,
        waiting.filter((one) => one.paper === paper),
      );
    });
    const { maxOpen } = rules.limits;
    return maxOpen === null || open < maxOpen ? group : [];
  }

  /** All of one strategy: each is asked again once its account holds nothing of the other outcome. */
  async #held(group: readonly HeldBet[]): Promise<readonly HeldBet[]> {
    const [{ watcher }] = group as readonly [HeldBet];
    const { account } = watcher.strategy;
    const beside = ({ watcher: { strategy, buys }, watched: { market } }: HeldBet) => {
      const { automationPaper: paper } = strategy;
      return otherSide(account, { paper, venue: market.venue, marketId: market.id, outcome: buys });
    };
    return this.parts.ledger.read({ account, positions: group.map(beside) }, (now) =>
      group.filter((one) => heldOf(now, beside(one)) === 0n),
    );
  }

  /** All of one strategy: they are asked again once all is marked by which their orders are measured. */
  async #marks(group: readonly HeldBet[]): Promise<readonly HeldBet[]> {
    const [{ watcher, watched }] = group as readonly [HeldBet];
    const { strategy, rules } = watcher;
    const { account, id: strategyId, automationPaper: paper } = strategy;
    const limits = await this.parts.ledger.read({ account }, (now) => now.account.limits ?? NO_LIMITS);
    const marks = await Promise.all([
      limitsLosses(limits) ? this.parts.marks.recent({ account, paper }, watched.market) : undefined,
      rules.limits.dailyLoss !== null
        ? this.parts.marks.recent({ account, paper, strategyId }, watched.market)
        : undefined,
    ]);
    return marks.includes(null) ? [] : group;
  }
}

const stateOf = ([held]: readonly HeldBet[]): RefusingState | undefined => held?.watcher.heldBy?.state;

/** By what has to be read to know: the state of trading of an account, or the open bets of a strategy. */
function groupsOf(held: readonly HeldBet[]): ReadonlyMap<string, readonly HeldBet[]> {
  const groups = new Map<string, HeldBet[]>();
  for (const one of held) {
    const { heldBy, strategy } = one.watcher;
    if (heldBy === null || heldBy.state === 'day') continue;
    const name = heldBy.state === 'trading' ? strategy.account : `${heldBy.state} ${strategy.id}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

/** What a strategy remembers of its bets on an outcome. */
interface Remembered {
  readonly watched: WatchedMarket;
  readonly watcher: Watcher;
}

/** Lets strategies bet anew on paper whose account was reset since they last bet, or were refused. */
export class NoticeResets {
  constructor(
    private readonly parts: Pick<RunnerParts, 'ledger' | 'pause' | 'onFault'>,
    /** Called with a market on which a strategy may bet anew. */
    private readonly begun: (watched: WatchedMarket) => void,
  ) {}

  /** Reads each account once that has bet in these markets. Never throws: what could not be read is, the next time. */
  async execute(markets: readonly WatchedMarket[]): Promise<void> {
    const byAccount = new Map<AccountId, Remembered[]>();
    for (const watched of markets)
      for (const watcher of watched.watchers()) {
        const { account, automationPaper } = watcher.strategy;
        if (!automationPaper || (watcher.made.onOutcome === 0 && !watcher.isHeld)) continue;
        const known = byAccount.get(account);
        if (known === undefined) byAccount.set(account, [{ watched, watcher }]);
        else known.push({ watched, watcher });
      }
    await inBatches(byAccount, this.parts.pause, async ([account, remembered]) => {
      const paperResets = await this.#paperResets(account);
      if (paperResets === null) return;
      for (const one of remembered) if (one.watcher.made.paperResets !== paperResets) this.#begin(one, paperResets);
    });
  }

  #begin({ watched, watcher }: Remembered, paperResets: number): void {
    watcher.beginAnew(paperResets);
    // A strategy that was taken away meanwhile stays away.
    if (watched.has(watcher)) watched.put(watcher);
    this.begun(watched);
  }

  /** Null where it cannot be read now. */
  async #paperResets(account: AccountId): Promise<number | null> {
    try {
      return await this.parts.ledger.read({ account }, (now) => now.account.paperResets ?? 0);
    } catch (error) {
      this.parts.onFault('could not read whether a paper account was reset', error);
      return null;
    }
  }
}
