import type { Ledger } from '../../../../ports/ledger.js';
import type { Asker } from '../../../../ports/market-data.js';
import type { Clock } from '../../../../ports/system.js';
import type { MarketDirectory } from '../../../../ports/venue.js';
import { DomainError } from '../../../errors.js';
import { type Page, slices } from '../../../ledger/query.js';
import { type Payout, samePayout } from '../../../market/lifecycle.js';
import { type MarketRef, marketName } from '../../../market/market.js';
import { marketWords } from '../../../order/order-words.js';
import type { SettleMarket } from './settle-market.js';

/** How often the results of markets in use are looked for. */
export const SETTLE_EVERY_MS = 30_000;
/** How long after its booking a result is checked again: it may be amended. */
const AMENDABLE_MS = 7 * 24 * 60 * 60 * 1000;

/** How often the orders of a market are read again once all is booked, for fills that are reported late. */
const READ_AGAIN_MS = 10 * 60 * 1000;

/** Uses the share of no account. */
const FOR_RESULTS: Asker = { account: null, purpose: 'result' };

/** Later than any settlement: asks for the markets in which something is left to do. */
const NEVER = new Date(8.64e15);

/** A result, and when it was found to be booked completely. */
interface Booked {
  readonly payout: Payout;
  readonly at: number;
}

/** What was booked, and the markets whose results could not be. */
export interface SettledResults {
  /** Orders that were settled or amended. */
  readonly orders: number;
  readonly failures: readonly { readonly market: MarketRef; readonly error: unknown }[];
}

/** Looks for results of all markets in which something is held or works, and books those that are confirmed. */
export class SettleResults {
  readonly #booked = new Map<string, Booked>();

  constructor(
    private readonly ledger: Ledger,
    private readonly markets: Pick<MarketDirectory, 'find'>,
    private readonly settleMarket: SettleMarket,
    private readonly clock: Clock,
    /** On a tape every fill is on record before a result is. */
    private readonly areFillsLate = true,
  ) {}

  /**
   * Those in which something is left to do come first. A market that does not answer, or cannot be settled, is a failure and waits for
   * the next time; no other waits for it. @throws StorageUnavailable
   */
  async execute(): Promise<SettledResults> {
    const from = new Date(this.clock.now().getTime() - AMENDABLE_MS);
    const asked = new Set<string>();
    const all = { orders: 0, failures: [] as SettledResults['failures'][number][] };
    for (const isOpen of [true, false])
      for await (const markets of this.#inUse(isOpen ? NEVER : from)) {
        const others = markets.filter((market) => !asked.has(marketName(market)));
        for (const market of others) asked.add(marketName(market));
        const { orders, failures } = await this.#settleEach(others, isOpen);
        all.orders += orders;
        all.failures.push(...failures);
      }
    for (const name of this.#booked.keys()) if (!asked.has(name)) this.#booked.delete(name);
    return all;
  }

  /** A market by its game and what it asks, where its source says; else by the end of its id. */
  async nameOf(market: MarketRef): Promise<string> {
    const found = await this.markets.find(market, FOR_RESULTS).catch(() => null);
    const { event = null, question = null, slug = null } = found ?? {};
    return marketWords({ event: event?.title ?? null, question, marketSlug: slug, marketId: market.marketId }, false);
  }

  /** Asks for the results of all at once, so that a source may read many together, and then books one after another. */
  async #settleEach(markets: readonly MarketRef[], isOpen: boolean): Promise<SettledResults> {
    const asked = markets.map((market) => ({ market, payout: this.#payout(market, isOpen) }));
    await Promise.allSettled(asked.map(({ payout }) => payout));
    const failures: SettledResults['failures'][number][] = [];
    let orders = 0;
    for (const { market, payout } of asked)
      try {
        orders += await this.#settle(market, await payout, isOpen);
      } catch (error) {
        failures.push({ market, error });
      }
    return { orders, failures };
  }

  #inUse(settledFrom: Date): AsyncGenerator<readonly MarketRef[]> {
    return slices(
      (page: Page<MarketRef>) => this.ledger.listMarketsInUse(settledFrom, page),
      (market) => market,
    );
  }

  async #settle(market: MarketRef, payout: Payout | null, isOpen: boolean): Promise<number> {
    const name = marketName(market);
    if (payout === null || (!isOpen && this.#isBooked(name, payout))) return 0;
    const settled = await this.settleMarket.execute(market, payout);
    // What was still open may have left something for the next time.
    if (isOpen) this.#booked.delete(name);
    else this.#booked.set(name, { payout, at: this.clock.now().getTime() });
    return settled;
  }

  #isBooked(name: string, payout: Payout): boolean {
    const booked = this.#booked.get(name);
    if (booked === undefined || !samePayout(booked.payout, payout)) return false;
    if (!this.areFillsLate) return true;
    const age = this.clock.now().getTime() - booked.at;
    return age >= 0 && age < READ_AGAIN_MS;
  }

  /** What a market pays; one that does not answer is a fault only where something is not settled. */
  async #payout(market: MarketRef, isOpen: boolean): Promise<Payout | null> {
    try {
      return (await this.markets.find(market, FOR_RESULTS))?.payout ?? null;
    } catch (error) {
      if (error instanceof DomainError && !isOpen) return null;
      throw error;
    }
  }
}
