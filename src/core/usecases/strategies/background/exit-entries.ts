import type { StrategyId } from '../../../ids.js';
import { type MarketRef, marketName, marketNamed } from '../../../market/venue.js';
import { type HeldPart, type HeldPosition, partKey } from '../held-position.js';

/** A position that a strategy may leave, and what is remembered of it between two looks. */
export interface ExitEntry {
  held: HeldPosition;
  /** Attempts in a row that were refused before they became an order. */
  refusals: number;
  lastRefusalAt: Date | null;
  /** Since when limits hold its exit back, and whether that is an alarm; null while they do not. */
  heldBack: { readonly since: Date; readonly isRaised: boolean } | null;
  /** True while it is judged: it is not judged twice at once. */
  isJudged: boolean;
  /** True once something changed while it was judged: then it is judged anew. */
  isChanged: boolean;
  /** What the next look was planned for; null before that. */
  planned: { readonly startsAt: Date | null; readonly lastRefusalAt: Date | null } | null;
  /** Calls off the next look at it that time brings. */
  callOff(): void;
}

/** The positions that strategies may leave, by market and by strategy. */
export class ExitEntries {
  readonly #byMarket = new Map<string, Map<string, ExitEntry>>();
  readonly #byStrategy = new Map<StrategyId, Set<ExitEntry>>();

  /** Each market in which something is held. */
  markets(): readonly MarketRef[] {
    return [...this.#byMarket.keys()].map(marketNamed);
  }

  in(market: MarketRef): readonly ExitEntry[] {
    return [...(this.#byMarket.get(marketName(market))?.values() ?? [])];
  }

  of(strategy: StrategyId): readonly ExitEntry[] {
    return [...(this.#byStrategy.get(strategy) ?? [])];
  }

  get(part: HeldPart): ExitEntry | undefined {
    return this.#byMarket.get(marketName(part))?.get(partName(part));
  }

  /** Takes in what is held now, and returns its entry; what was remembered of the position stays, of a new one there is `heldBack`. */
  put(held: HeldPosition, heldBack: () => ExitEntry['heldBack']): ExitEntry {
    const entries = this.#byMarket.get(marketName(held)) ?? new Map<string, ExitEntry>();
    this.#byMarket.set(marketName(held), entries);
    const known = entries.get(partName(held));
    if (known !== undefined) {
      known.held = held;
      return known;
    }
    const entry = {
      held,
      refusals: 0,
      lastRefusalAt: null,
      heldBack: heldBack(),
      isJudged: false,
      isChanged: false,
      planned: null,
      callOff: () => {},
    };
    entries.set(partName(held), entry);
    const { id } = held.strategy;
    this.#byStrategy.set(id, (this.#byStrategy.get(id) ?? new Set()).add(entry));
    return entry;
  }

  /** Forgets the position, and returns what was known of it. */
  remove(part: HeldPart): ExitEntry | undefined {
    const entries = this.#byMarket.get(marketName(part));
    const entry = entries?.get(partName(part));
    if (entry === undefined) return undefined;
    entry.callOff();
    const own = this.#byStrategy.get(part.strategy.id);
    own?.delete(entry);
    if (own?.size === 0) this.#byStrategy.delete(part.strategy.id);
    entries?.delete(partName(part));
    if (entries?.size === 0) this.#byMarket.delete(marketName(part));
    return entry;
  }
}

/** One text for what is the same part on record. */
export const partName = (part: HeldPart): string => JSON.stringify(partKey(part));
