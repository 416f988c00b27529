import type { Ledger } from '../../ports/ledger.js';
import type { MarketData } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';
import type { Balance } from '../account/account.js';
import { type EquityPoint, equityPoint, lastFullInterval, saysTheSame } from '../account/equity.js';
import { tallyOf } from '../account/portfolio.js';
import type { Position } from '../account/position.js';
import type { StrategyId } from '../ids.js';
import { type BalanceCursor, type Page, type PositionCursor, slices, whole } from '../ledger/query.js';
import { Quotes } from './quotes.js';

/** What one look at all accounts came to. */
export interface Sampling {
  /** Points that were stored; one that says the same as the one before it is not. */
  readonly stored: number;
  /** Points that were left out, because what they would have said could not be known. */
  readonly skipped: number;
  /** Accounts that could not be looked at. */
  readonly failures: readonly (BalanceCursor & { readonly error: unknown })[];
}

/** What the account, or one of its strategies, holds or held. */
interface Part {
  readonly strategyId: StrategyId | null;
  readonly positions: readonly Position[];
}

/** An account whose money moves while it is read is read so often, and then left for the next time. */
const ATTEMPTS = 3;

/**
 * Puts on record what each account is worth, and in it each strategy that holds or held something: open positions at what
 * they could be sold for, as in the portfolio. Archived strategies are left out: nobody can read their history.
 *
 * A point is left out when the source of market data does not answer about a market of which shares are held. They
 * would count at cost, and in a history that is a loss or a gain that nobody had.
 */
export class SampleEquity {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: MarketData,
    private readonly clock: Clock,
  ) {}

  /** The moment of the points is the last full interval. An account that fails stops no other. */
  async execute(everyMs: number): Promise<Sampling> {
    const at = lastFullInterval(this.clock.now(), everyMs);
    const quotes = new Quotes(this.markets);
    const all = { stored: 0, skipped: 0, failures: [] as Sampling['failures'][number][] };
    const read = (page: Page<BalanceCursor>) => this.ledger.listBalances(page);
    for await (const balances of slices(read, (balance): BalanceCursor => balance)) {
      for (const { account, paper } of balances) {
        try {
          const { stored, skipped } = await this.#sample({ account, paper }, quotes, at);
          all.stored += stored;
          all.skipped += skipped;
        } catch (error) {
          all.failures.push({ account, paper, error });
        }
      }
    }
    return all;
  }

  async #sample(holder: BalanceCursor, quotes: Quotes, at: Date): Promise<{ stored: number; skipped: number }> {
    const found = await this.#settledParts(holder);
    if (found === undefined) return { stored: 0, skipped: 1 };
    const { balance, parts } = found;
    const equity: EquityPoint[] = [];
    let skipped = 0;
    for (const { strategyId, positions } of parts) {
      const tally = tallyOf(positions, await quotes.marked(positions));
      const point = equityPoint(balance, strategyId, tally, at);
      if (!(await quotes.answeredFor(positions))) skipped += 1;
      else if (await this.#isNews(point)) equity.push(point);
    }
    if (equity.length > 0) await this.ledger.write({ account: holder.account }, () => ({ result: null, equity }));
    return { stored: equity.length, skipped };
  }

  /** Cash and positions that belong together: every fill moves cash, so that none came in between where it is the same. */
  async #settledParts(holder: BalanceCursor): Promise<{ balance: Balance; parts: readonly Part[] } | undefined> {
    const { account, paper } = holder;
    let before = await this.ledger.findBalance(account, paper);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const parts = await this.#parts(holder);
      const balance = await this.ledger.findBalance(account, paper);
      if (balance !== undefined && balance.cash === before?.cash) return { balance, parts };
      before = balance;
    }
    return undefined;
  }

  async #parts({ account, paper }: BalanceCursor): Promise<readonly Part[]> {
    const part = async (strategyId: StrategyId | null): Promise<Part> => {
      const read = (page: Page<PositionCursor>) => this.ledger.listPositions(account, { paper, strategyId }, page);
      return { strategyId, positions: await whole(read, (position): PositionCursor => position) };
    };
    const parts = [await part(null)];
    const read = (page: Page<StrategyId>) => this.ledger.listStrategies(account, {}, page);
    for (const { id } of await whole(read, (strategy) => strategy.id)) parts.push(await part(id));
    return parts.filter(({ strategyId, positions }) => strategyId === null || positions.length > 0);
  }

  async #isNews(point: EquityPoint): Promise<boolean> {
    const after = new Date(point.at.getTime() + 1);
    const [last] = await this.ledger.listEquity(point.account, point, { limit: 1, after });
    return last === undefined || !saysTheSame(last, point);
  }
}
