import type { Ledger } from '../../../../ports/ledger.js';
import type { Pause, Timeline } from '../../../../ports/system.js';
import { InOrder, inBatches } from '../../../concurrency/concurrency.js';
import { PaperElsewhere } from '../../../errors.js';
import type { StrategyId } from '../../../ids.js';
import { refOf } from '../../../market/market.js';
import type { Order } from '../../../order/order.js';
import type { Signal, SignalKey, SignalName } from '../../../signal/signal.js';
import { tradingRules } from '../../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Venues } from '../../../venues/venues.js';
import type { HeldPart } from '../exit-orders.js';
import { ReadHoldings } from '../read-holdings.js';
import { ExitEntries, type ExitEntry, ExitMarkets, isPlanned, nextLook, partName } from './exit-entries.js';
import type { HeldBackExits } from './held-back-exits.js';
import type { JudgeExit } from './judge-exit.js';
import { LookBySignals, type SignalParts } from './look-by-signals.js';
import type { OnRunnerFault } from './runner-parts.js';
import type { FollowedMarkets } from './watched-markets.js';

/** What exits work with. */
export interface ExitParts extends SignalParts {
  readonly timeline: Timeline;
  readonly ledger: Ledger;
  readonly venues: Venues;
  /** Where markets are followed. */
  readonly followed: FollowedMarkets;
  readonly judge: JudgeExit;
  readonly heldBack: HeldBackExits;
  /** Between markets; absent, they are one piece of work. */
  readonly pause?: Pause | undefined;
  readonly onFault: OnRunnerFault;
}

/**
 * Lets strategies leave their bets by the rules of `exit`: knows what they hold, follows those markets, and judges a position at
 * each change of its market, and at the moments that its rules name. Positions of before a restart are read from the record.
 */
export class RunExits {
  readonly #entries = new ExitEntries();
  readonly #strategies = new Map<StrategyId, Strategy>();
  readonly #versions = new Map<StrategyId, number>();
  readonly #markets: ExitMarkets;
  readonly #holdings: ReadHoldings;
  readonly #reading = new InOrder();
  readonly #bySignals: LookBySignals;
  #isStopped = false;

  constructor(private readonly parts: ExitParts) {
    this.#markets = new ExitMarkets(parts.venues, parts.followed, async (watched) => this.#judgeAll(watched));
    this.#holdings = new ReadHoldings(parts.ledger);
    this.#bySignals = new LookBySignals(parts, (signal) => this.#judgeBy(signal));
  }

  /** How many markets are followed for exits. */
  get size(): number {
    return this.#markets.size;
  }

  /** The signals by which positions are judged. */
  signalKeys(): readonly SignalKey[] {
    return this.#entries
      .markets()
      .flatMap((ref) => this.#entries.in(ref))
      .flatMap((entry) => signalOf(entry) ?? []);
  }

  /** Takes in a version of a strategy: from now on it decides, or no exit does. @throws StorageUnavailable */
  async takeStrategy(strategy: Strategy): Promise<void> {
    const { id, automation, archivedAt, version } = strategy;
    if (version <= (this.#versions.get(id) ?? 0)) return;
    const leaves = automation !== 'off' && archivedAt === null && tradingRules(strategy).exit !== null;
    const parts = new Map(this.#entries.of(id).map(({ held }) => [partName(held), held as HeldPart]));
    if (leaves) for (const part of await this.#holdings.all(strategy)) parts.set(partName(part), part);
    if (leaves) this.#strategies.set(id, strategy);
    else this.#strategies.delete(id);
    for (const part of parts.values()) await this.#look({ ...part, strategy });
    this.#versions.set(id, version);
  }

  /** Takes in that an order changed: what its strategy holds is read again. @throws StorageUnavailable */
  async takeOrder({ intent }: Order): Promise<void> {
    const strategy = intent.strategy === null ? undefined : this.#strategies.get(intent.strategy.id);
    if (strategy === undefined) return;
    const { paper, venue, marketId, outcome } = intent;
    await this.#look({ strategy, paper, venue, marketId, outcome });
  }

  /** Takes in the metadata of the markets anew, such as a start that moved, and follows those that could not be followed. */
  async refreshMarkets(): Promise<void> {
    await inBatches(this.#entries.markets(), this.parts.pause, (ref) => this.#follow(ref));
  }

  /** Follows nothing, and decides nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#bySignals.end();
    this.#markets.stop();
    for (const ref of this.#entries.markets()) for (const { callOff } of this.#entries.in(ref)) callOff();
  }

  /** Reads what is held and judges it. */
  async #look(part: HeldPart): Promise<void> {
    await this.#read(part);
    const entry = this.#entries.get(part);
    const watched = this.#markets.get(part);
    if (entry === undefined) return;
    if (watched === undefined) await this.#follow(part);
    else await this.#judge(entry, watched);
  }

  #read(part: HeldPart): Promise<void> {
    return this.#reading.run(partName(part), () => this.#store(part));
  }

  async #store(part: HeldPart): Promise<void> {
    const strategy = this.#strategies.get(part.strategy.id);
    const held = strategy === undefined ? null : await this.#holdings.one({ ...part, strategy });
    const { heldBack } = this.parts;
    if (held !== null) return this.#plan(this.#entries.put(held, () => heldBack.take(part)));
    const entry = this.#entries.remove(part);
    if (this.#entries.in(part).length === 0) this.#markets.leave(part);
    if (entry !== undefined) await heldBack.ended(entry);
  }

  async #follow(part: Pick<HeldPart, 'venue' | 'marketId'>): Promise<void> {
    if (this.#isStopped) return;
    await this.#markets.refresh(part).catch((error: unknown) => this.parts.onFault('could not follow a market', error));
  }

  async #judgeAll(watched: WatchedMarket): Promise<void> {
    const { inBackground = (work) => work() } = this.parts;
    const entries = this.#entries.in(refOf(watched.market));
    await Promise.all(entries.map((entry) => inBackground(() => this.#judge(entry, watched))));
  }

  async #judgeBy(signal: Signal): Promise<void> {
    for (const entry of this.#entries.in(signal)) {
      const key = signalOf(entry);
      if (key?.account === signal.account && key.name === signal.name) await this.#judge(entry);
    }
  }

  async #judge(entry: ExitEntry, watched = this.#markets.get(entry.held)): Promise<void> {
    if (this.#isStopped || watched === undefined) return;
    try {
      const outcome = await this.parts.judge.execute(entry, watched.view());
      if (outcome === 'changed') return await this.#read(entry.held);
      // What was judged is out of date now.
      if (entry.isChanged && !entry.isJudged) return await this.#judge(entry, watched);
    } catch (error) {
      // Another server may act for the paper venue by now: it decides then.
      if (!(error instanceof PaperElsewhere)) this.parts.onFault('could not decide on an exit', error);
    }
    if (!isPlanned(entry, watched.market.startsAt)) this.#plan(entry);
  }

  /** Looks at the position again when time alone may change what is decided. */
  #plan(entry: ExitEntry): void {
    const { timeline, onFault } = this.parts;
    const startsAt = this.#markets.get(entry.held)?.market.startsAt ?? null;
    const at = nextLook(entry, startsAt, timeline.now());
    entry.callOff();
    entry.callOff = () => {};
    entry.planned = { startsAt, lastRefusalAt: entry.lastRefusalAt };
    if (at === null || this.#isStopped) return;
    const look = () => this.#look(entry.held).catch((error: unknown) => onFault('could not look at a position', error));
    entry.callOff = timeline.at(at, look);
  }
}

/** The signal by which the position is sold, by `edge_below`; null where none decides. */
function signalOf({ held: { strategy, venue, marketId } }: ExitEntry): SignalKey | null {
  const { signal, exit } = strategy.rules;
  if (signal === undefined || exit?.edgeBelow === undefined) return null;
  return { account: strategy.account, name: signal.name as SignalName, venue, marketId };
}
