import type { PlayedTime } from '../../../../ports/played-time.js';
import { FairPlaces } from '../../../concurrency/fair-places.js';
import { isPlayed } from '../../../concurrency/repeat.js';
import { PaperElsewhere } from '../../../errors.js';
import type { AccountId, DecisionId } from '../../../ids.js';
import type { RefusingState } from '../../../limits/limits.js';
import { hasFills } from '../../../market/event.js';
import { refOf } from '../../../market/market.js';
import { isUnmarked } from '../../../posting/order-checks.js';
import { refusingState } from '../../../refusals/order-refusals.js';
import { type BetDecision, decideBet, NO_FILLS, skipCodeOf, skipOf } from '../../../strategy/decide/decide.js';
import { stateBehind } from '../../../strategy/rules/rule-members.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { JudgedMarket, MarketView, WatchedMarket } from '../../../strategy/watch/watched-market.js';
import {
  type FirstPrice,
  type FirstPriceKey,
  firstPriceKey,
  firstPriceName,
  type Watcher,
} from '../../../strategy/watch/watcher.js';
import {
  bestOffer,
  betInputs,
  boundsWithoutRecord,
  type Estimates,
  type Judgement,
  readEstimates,
  unestimated,
} from '../judgement.js';
import type { Judged } from '../place-bet.js';
import type { OnRunnerFault, RunnerParts } from './runner-parts.js';

/** How many pairs are judged in one turn of the process: a few milliseconds. Those that need a signal ask for it together. */
const LOOKS_AT_ONCE = 64;

/**
 * Judges a market by the strategies that a change can matter to, and places what they bet. Where the market changes meanwhile,
 * the strategies still to judge are remembered: each judges the newest state, once, and accounts are served round-robin.
 */
export class JudgeMarket {
  readonly #rounds = new Map<WatchedMarket, Due>();
  /** Of all accounts together, or one of each account. */
  readonly #places: (account: AccountId) => BetPlaces;
  readonly #preCheck: PreCheckBets;
  readonly #firstPrices: KeepFirstPrices;
  #sincePause = 0;

  constructor(
    private readonly parts: Omit<RunnerParts, 'venues'>,
    /** Called once the outcome of a bet in the market is known. */
    ended: (watched: WatchedMarket) => void,
  ) {
    this.#preCheck = new PreCheckBets(parts);
    this.#firstPrices = new KeepFirstPrices(parts);
    const places = () =>
      new BetPlaces(
        (watcher, judgement) => tried(() => this.#place(watcher, judgement), parts.onFault),
        ({ watcher, judged }) => this.#preCheck.execute(watcher, this.#preCheck.now(judged)),
        ({ watched }) => ended(watched),
      );
    this.#places = parts.accountsAlone === true ? eachOwn(places) : shared(places());
  }

  /**
   * Resolves once these watchers have judged, with the bets that are being placed then. Never throws: what could not be decided
   * is decided at the next change.
   */
  async execute(judged: JudgedMarket, watchers: Iterable<Watcher>): Promise<readonly Promise<void>[]> {
    const { watched } = judged;
    const round = this.#rounds.get(watched);
    const due: Due = round ?? new Map();
    for (const watcher of watchers) add(due, watcher);
    if (round !== undefined || due.size === 0) return [];
    const bets: Promise<void>[] = [];
    this.#rounds.set(watched, due);
    while (due.size > 0) await this.#look(judged, firstOf(due), bets);
    this.#rounds.delete(watched);
    return bets;
  }

  async #look(judged: JudgedMarket, watchers: readonly Watcher[], bets: Promise<void>[]): Promise<void> {
    const keeping = this.#firstPrices.execute(judged, watchers);
    if (keeping !== undefined) await keeping;
    const change = this.#preCheck.now(judged);
    const asked: { readonly watcher: Watcher; readonly found: Promise<Judgement | null> }[] = [];
    for (const watcher of watchers) {
      if (!judged.watched.has(watcher)) continue;
      const found = this.#preCheck.execute(watcher, change);
      if (found instanceof Promise) asked.push({ watcher, found });
      else this.#bet({ watcher, judged: judged }, found, bets);
    }
    // In their order, whichever signal is read first.
    for (const { watcher, found } of asked) this.#bet({ watcher, judged: judged }, await found, bets);
    this.#sincePause += watchers.length;
    if (this.#sincePause < LOOKS_AT_ONCE) return;
    this.#sincePause = 0;
    await this.parts.pause?.();
  }

  #bet(looking: Looking, judgement: Judgement | null, bets: Promise<void>[]): void {
    // The strategy may have stopped watching while its signal was read.
    if (judgement === null || !looking.judged.watched.has(looking.watcher)) return;
    const places = this.#places(looking.watcher.strategy.account);
    if (!places.take(looking)) return;
    const { inBackground = WAITED_FOR } = this.parts;
    bets.push(inBackground(() => places.use(looking, judgement)));
  }

  async #place(watcher: Watcher, judgement: Judgement): Promise<void> {
    const judged = await this.parts.placeBet.execute(judgement);
    if (judged === null) return;
    const { decision } = judged;
    watcher.learn(judged.bets);
    if (judged.order !== null) watcher.ordered(decision.code);
    const { view, estimates } = judgement;
    // A bet that waits for approval is not asked for again in the meantime, like a refused one.
    if (judged.approval !== null || decision.verdict === 'skip') {
      const { code, at, strategyVersion } = decision;
      const refused = { code, at, strategyVersion, state: stateThatRefused(judged) };
      watcher.refused(refused, bestOffer(view, watcher.buys), estimates.estimate);
    }
    if (judged.order === null && judged.approval === null) this.#preCheck.skip(judgement.strategy, decision);
    else if (decision.verdict === 'skip') this.parts.skips.count(judgement.strategy.account, decision);
  }
}

const shared = (places: BetPlaces) => () => places;

function eachOwn(make: () => BetPlaces): (account: AccountId) => BetPlaces {
  const own = new Map<AccountId, BetPlaces>();
  return (account) => {
    const places = own.get(account) ?? make();
    own.set(account, places);
    return places;
  };
}

/** What refused a bet at every price; null for what depends on the price. */
function stateThatRefused({ decision: { code, rules }, order, denial }: Judged): RefusingState | null {
  if (isUnmarked(order?.refusal ?? denial ?? null)) return 'marks';
  const failed = rules.find(({ passed }) => passed !== true);
  const state = failed === undefined ? undefined : stateBehind(failed.rule);
  return state === undefined ? refusingState(code) : state;
}

const WAITED_FOR: NonNullable<RunnerParts['inBackground']> = (work) => work();

/** Who is still to look, by account. */
type Due = Map<AccountId, Set<Watcher>>;

function add(due: Due, watcher: Watcher): void {
  const { account } = watcher.strategy;
  const own = due.get(account);
  if (own === undefined) due.set(account, new Set([watcher]));
  else own.add(watcher);
}

/** Takes out one watcher of each account in rotation, those that came first. */
function firstOf(due: Due): readonly Watcher[] {
  const first: Watcher[] = [];
  // An account that is put back comes round again after all others.
  for (const [account, own] of due) {
    if (first.length === LOOKS_AT_ONCE) break;
    const [watcher] = own;
    due.delete(account);
    own.delete(watcher as Watcher);
    if (own.size > 0) due.set(account, own);
    first.push(watcher as Watcher);
  }
  return first;
}

/** A market at one moment. */
export interface JudgedMarketNow extends JudgedMarket {
  readonly view: MarketView;
  readonly at: Date;
  readonly revision: number;
}

/** Decides on bets by market and signal alone, without the record: what is skipped so costs no write. `PlaceBet` decides for good. */
export class PreCheckBets {
  /** Where a tape is played, it may hold no book that an order could meet. */
  readonly #played: PlayedTime | null;

  constructor(private readonly parts: Pick<RunnerParts, 'signals' | 'skips' | 'context' | 'onFault' | 'proposerOf'>) {
    const { clock } = parts.context;
    this.#played = isPlayed(clock) ? clock : null;
  }

  /** The market as it is now. */
  now({ watched, viewNow }: JudgedMarket): JudgedMarketNow {
    const at = this.parts.context.clock.now();
    return { watched, viewNow: viewNow, view: viewNow(), at, revision: watched.revision };
  }

  /** What the strategy would bet by market and signal alone; null for a skip. At once where its rules name no signal. */
  execute(watcher: Watcher, change: JudgedMarketNow): Judgement | null | Promise<Judgement | null> {
    if (watcher.rules.signal === null) return this.#judgeNow(watcher, change);
    return tried(async () => {
      const estimates = await readEstimates(this.parts.signals, watcher.strategy, change.view);
      const { watched, view } = change;
      // The book may have changed meanwhile, and no bet is made by an older one.
      const newest = watched.revision === change.revision ? view : { ...view, ...watched.view() };
      return this.#judge(watcher, { ...change, view: newest, revision: watched.revision }, estimates);
    }, this.parts.onFault);
  }

  #judgeNow(watcher: Watcher, change: JudgedMarketNow): Judgement | null {
    try {
      return this.#judge(watcher, change, unestimated(change.view));
    } catch (error) {
      this.parts.onFault('could not decide on a bet', error);
      return null;
    }
  }

  #judge(watcher: Watcher, { watched, view, at, revision }: JudgedMarketNow, estimates: Estimates): Judgement | null {
    const { strategy, outcome, isArmed: rearmed } = watcher;
    const offer = bestOffer(view, watcher.buys);
    if (view.book?.fresh === true) watcher.see(offer);
    const benched = watcher.isBenched(offer, at, estimates.estimate);
    const { firstPrice, movedAt, denied } = watcher;
    const knownBets = watcher.made.onOutcome;
    const proposer = this.parts.proposerOf?.(strategy);
    const judgement = {
      strategy,
      view,
      outcome,
      estimates,
      firstPrice,
      rearmed,
      knownBets,
      benched,
      movedAt,
      denied,
      proposer,
    };
    const inputs = betInputs(judgement, boundsWithoutRecord(watcher), at);
    // A function may answer otherwise later.
    const decision = proposer === undefined ? null : decideBet(inputs);
    const code = decision === null ? skipCodeOf(inputs) : decision.code;
    watcher.judged(code, revision);
    const isBlind = code === null && this.#played !== null && !hasFills(this.#played.evidenceOf(refOf(view.market)));
    if (code === null && !isBlind) return judgement;
    if (isBlind) {
      watcher.wouldBet(at);
      watched.put(watcher);
    }
    const { skips, context } = this.parts;
    skips.count(strategy.account, { strategyId: strategy.id, code: code ?? NO_FILLS, at });
    const decided = () => decision ?? decideBet(inputs);
    const skipped = () => (isBlind ? skipOf(decided(), NO_FILLS) : decided());
    skips.addLater(strategy.account, context.ids.next() as DecisionId, strategy.id, skipped);
    return null;
  }

  /** Counts and remembers the skip. */
  skip({ account }: Strategy, decision: BetDecision): void {
    this.parts.skips.count(account, decision);
    this.parts.skips.add(account, this.parts.context.ids.next() as DecisionId, decision);
  }
}

/** The result of the work, or null where it failed. Never throws. */
async function tried<T>(work: () => Promise<T>, onFault: OnRunnerFault): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    // Another server may act for the paper venue by now: it decides then.
    if (!(error instanceof PaperElsewhere)) onFault('could not decide on a bet', error);
    return null;
  }
}

/**
 * Puts on record at which price a strategy first saw what it would buy, where its rules bound the drift from there: a restart, or
 * another server, goes on from that price. Until it is on record the strategy does not bet there.
 */
class KeepFirstPrices {
  constructor(private readonly parts: Pick<RunnerParts, 'ledger' | 'context' | 'onFault'>) {}

  /** One call of the store for all of them, and none where all is known. Never throws: what could not be stored is, at the next look. */
  execute(judged: JudgedMarket, watchers: readonly Watcher[]): Promise<void> | undefined {
    const unkept = watchers.filter((watcher) => watcher.keepsFirstPrice && judged.watched.has(watcher));
    const view = unkept.length === 0 ? null : judged.viewNow();
    return view?.book?.fresh === true ? this.#keep(view, unkept) : undefined;
  }

  async #keep({ market, book }: MarketView, watchers: readonly Watcher[]): Promise<void> {
    const at = this.parts.context.clock.now();
    const prices = watchers.flatMap((watcher): FirstPrice[] => {
      const price = watcher.see(bestOffer({ book }, watcher.buys));
      return price === null ? [] : [{ ...keyOf(watcher, market), price, at }];
    });
    try {
      const kept = await this.parts.ledger.firstPrices.keep(prices);
      const byName = new Map(kept.map((one) => [firstPriceName(one), one.price]));
      for (const watcher of watchers) {
        // Its rules may name the other outcome by now.
        const price = byName.get(firstPriceName(keyOf(watcher, market)));
        if (price !== undefined) watcher.recall(price);
      }
    } catch (error) {
      this.parts.onFault('could not keep the first price of a market', error);
    }
  }
}

const keyOf = ({ strategy, buys }: Watcher, market: MarketView['market']): FirstPriceKey =>
  firstPriceKey(strategy, market, buys);

/** Bets that are put on record and sent at once, over all markets, 64 of one account: few enough for the connections of a slow store. */
const MOST_AT_ONCE = 85;

/** A strategy that looks at an outcome of a market. */
export interface Looking {
  readonly watcher: Watcher;
  readonly judged: JudgedMarket;
}

/**
 * The places for bets that are placed at once. A bet that finds none waits, once, without holding up a feed, or a tape, which
 * has to go on for a place to become free: a bet that ends passes its place to one of the next account in rotation, which is
 * judged by the market of then.
 */
export class BetPlaces {
  /** Watchers that were placing a bet when a later change would have made them bet. */
  readonly #again = new Set<Watcher>();
  readonly #waiting = new Map<Watcher, Looking>();
  readonly #places = new FairPlaces<Watcher>(MOST_AT_ONCE);

  constructor(
    /** Never throws. */
    private readonly place: (watcher: Watcher, judgement: Judgement) => Promise<unknown>,
    /** What the watcher would bet now; null for nothing. Never throws. */
    private readonly look: (looking: Looking) => Judgement | null | Promise<Judgement | null>,
    /** Called once the outcome of a bet in the market is known. */
    private readonly ended: (judged: JudgedMarket) => void = () => {},
  ) {}

  /** True where the watcher may place its bet now, in a place that `use` gives back. Else it is judged again later. */
  take(looking: Looking): boolean {
    const { watcher, judged } = looking;
    const { account } = watcher.strategy;
    const isTaken = !watcher.isPlacing && this.#places.take(account);
    if (watcher.isPlacing) this.#again.add(watcher);
    else if (!isTaken) this.#wait(looking);
    if (!isTaken) return false;
    this.#waiting.delete(watcher);
    this.#places.forget(account, watcher);
    watcher.begin();
    judged.watched.put(watcher);
    return true;
  }

  /** Places the bet, and after it those for which its place becomes free. */
  async use(looking: Looking, judgement: Judgement): Promise<void> {
    let next: readonly [Looking, Judgement] | null = [looking, judgement];
    while (next !== null) {
      await this.place(next[0].watcher, next[1]);
      next = await this.#after(next[0]);
    }
  }

  async #after(ended: Looking): Promise<readonly [Looking, Judgement] | null> {
    const { watcher, judged } = ended;
    watcher.end();
    this.#places.giveBack(watcher.strategy.account);
    const wouldBetAgain = this.#again.delete(watcher);
    // A strategy that was taken away meanwhile stays away.
    if (judged.watched.has(watcher)) judged.watched.put(watcher);
    this.ended(judged);
    if (wouldBetAgain && !watcher.isDone) this.#wait(ended);
    let next = this.#nextInTurn();
    while (next !== undefined) {
      const judgement = next.judged.watched.has(next.watcher) ? await this.look(next) : null;
      if (judgement !== null && this.take(next)) return [next, judgement];
      next = this.#nextInTurn();
    }
    return null;
  }

  #wait(looking: Looking): void {
    this.#waiting.set(looking.watcher, looking);
    this.#places.wait(looking.watcher.strategy.account, looking.watcher);
  }

  /** Undefined where none may have a place now. */
  #nextInTurn(): Looking | undefined {
    const watcher = this.#places.next();
    const looking = watcher && this.#waiting.get(watcher);
    if (looking !== undefined) this.#waiting.delete(looking.watcher);
    return looking;
  }
}
