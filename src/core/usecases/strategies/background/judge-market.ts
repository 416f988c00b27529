import type { AccountId } from '../../../ids.js';
import { isUnmarked } from '../../../posting/order-checks.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import { bestOffer, type Judgement } from '../judgement.js';
import { BetPlaces, type Looking, type Stage } from './bet-places.js';
import { KeepFirstPrices } from './keep-first-prices.js';
import { LookAtOutcomes, tried } from './look-at-outcomes.js';
import type { RunnerParts } from './runner-parts.js';

/** Looks in one turn of the process: a few milliseconds. Those that need a signal ask for it together. */
const LOOKS_AT_ONCE = 64;

/**
 * Judges a market by the strategies that a change can matter to, and places what they bet. Of a market that changes while they look
 * is remembered who is still to look: each judges the newest state, once, and accounts look in turn.
 */
export class JudgeMarket {
  readonly #rounds = new Map<WatchedMarket, Due>();
  readonly #places: BetPlaces;
  readonly #looks: LookAtOutcomes;
  readonly #firstPrices: KeepFirstPrices;
  #sincePause = 0;

  constructor(
    private readonly parts: Omit<RunnerParts, 'venues'>,
    /** Told once it is known what became of a bet in the market. */
    ended: (watched: WatchedMarket) => void,
  ) {
    this.#looks = new LookAtOutcomes(parts);
    this.#firstPrices = new KeepFirstPrices(parts);
    this.#places = new BetPlaces(
      (watcher, judgement) => tried(() => this.#place(watcher, judgement), parts.onFault),
      ({ watcher, stage }) => this.#looks.judgement(watcher, this.#looks.now(stage)),
      ({ watched }) => ended(watched),
    );
  }

  /**
   * Resolves once these watchers have looked, with the bets that are being placed then. Never throws: what could not be decided
   * is decided at the next change.
   */
  async execute(stage: Stage, watchers: Iterable<Watcher>): Promise<readonly Promise<void>[]> {
    const { watched } = stage;
    const round = this.#rounds.get(watched);
    const due: Due = round ?? new Map();
    for (const watcher of watchers) add(due, watcher);
    if (round !== undefined || due.size === 0) return [];
    const bets: Promise<void>[] = [];
    this.#rounds.set(watched, due);
    while (due.size > 0) await this.#look(stage, firstOf(due), bets);
    this.#rounds.delete(watched);
    return bets;
  }

  async #look(stage: Stage, watchers: readonly Watcher[], bets: Promise<void>[]): Promise<void> {
    const keeping = this.#firstPrices.execute(stage, watchers);
    if (keeping !== undefined) await keeping;
    const change = this.#looks.now(stage);
    const asked: { readonly watcher: Watcher; readonly found: Promise<Judgement | null> }[] = [];
    for (const watcher of watchers) {
      if (!stage.watched.has(watcher)) continue;
      const found = this.#looks.judgement(watcher, change);
      if (found instanceof Promise) asked.push({ watcher, found });
      else this.#bet({ watcher, stage }, found, bets);
    }
    // In their order, whichever signal is read first.
    for (const { watcher, found } of asked) this.#bet({ watcher, stage }, await found, bets);
    this.#sincePause += watchers.length;
    if (this.#sincePause < LOOKS_AT_ONCE) return;
    this.#sincePause = 0;
    await this.parts.pause?.();
  }

  #bet(looking: Looking, judgement: Judgement | null, bets: Promise<void>[]): void {
    // It may have been taken away while its signal was read.
    if (judgement === null || !looking.stage.watched.has(looking.watcher)) return;
    if (!this.#places.take(looking)) return;
    const { apart = WAITED_FOR } = this.parts;
    bets.push(apart(() => this.#places.use(looking, judgement)));
  }

  async #place(watcher: Watcher, judgement: Judgement): Promise<void> {
    const judged = await this.parts.placeBet.execute(judgement);
    if (judged === null) return;
    const { decision } = judged;
    watcher.learn(judged.bets);
    if (judged.order !== null) watcher.ordered(decision.code);
    const { scene, estimates } = judgement;
    // What waits for approval is not asked for again meanwhile, as what was refused.
    if (judged.approval !== null || decision.verdict === 'skip') {
      const refused = { ...decision, isUnmarked: isUnmarked(judged.order?.refusal ?? judged.denial ?? null) };
      watcher.refused(refused, bestOffer(scene, watcher.buys), estimates.estimate);
    }
    if (judged.order === null && judged.approval === null) this.#looks.skip(judgement.strategy, decision);
    else if (decision.verdict === 'skip') this.parts.skips.count(judgement.strategy.account, decision);
  }
}

const WAITED_FOR: NonNullable<RunnerParts['apart']> = (work) => work();

/** Who is still to look, by account. */
type Due = Map<AccountId, Set<Watcher>>;

function add(due: Due, watcher: Watcher): void {
  const { account } = watcher.strategy;
  const own = due.get(account);
  if (own === undefined) due.set(account, new Set([watcher]));
  else own.add(watcher);
}

/** Takes out one of each account in turn, those that came first. */
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
