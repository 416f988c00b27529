import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock, Pause } from '../../../../ports/system.js';
import { type Balance, totalOf } from '../../../account/account.js';
import {
  type EquityPoint,
  equityPoint,
  isStorable,
  lastFullInterval,
  saysTheSame,
  tallyOf,
} from '../../../account/portfolio.js';
import type { Position } from '../../../account/position.js';
import type { AccountId, StrategyId } from '../../../ids.js';
import { type BalanceCursor, type Page, slices, whole } from '../../../ledger/query.js';
import { type QuoteSource, Quotes } from '../read-portfolio.js';

/** An account, on paper or with real money. */
export type Holder = Pick<Balance, 'account' | 'paper'>;

const isSame = (a: Holder | null, b: Holder): boolean => a?.account === b.account && a.paper === b.paper;

/** The result of sampling all accounts once. */
export interface Sampling {
  /** Points that were stored; a point equal to the one before it is not. */
  readonly stored: number;
  /** Points that were left out, because their values could not be known. */
  readonly skipped: number;
  /** Accounts that could not be sampled. */
  readonly failures: readonly (Holder & { readonly error: unknown })[];
}

/**
 * Puts on record what each account is worth, and in it each strategy that holds or held something: open positions at what
 * they could be sold for, as in the portfolio. Cash and positions are of one moment; the prices come after. Archived
 * strategies are left out, since their history cannot be read: what they hold is in the account's points alone.
 *
 * A point is left out when the source of market data does not answer about a market in which shares are held. They would
 * count at cost, and a history would show a loss or a gain that did not happen. A point whose sums cannot be stored is left
 * out too.
 */
export class SampleEquity {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: QuoteSource,
    private readonly clock: Clock,
    private readonly pause?: Pause | undefined,
  ) {}

  /** The moment of the points is the last full interval. An account that fails does not stop the others. */
  async execute(everyMs: number): Promise<Sampling> {
    const at = lastFullInterval(this.clock.now(), everyMs);
    const quotes = new Quotes(this.markets, { pause: this.pause });
    // Real money at several venues is one sum; its balances come one after another.
    let last: Holder | null = null;
    const all = { stored: 0, skipped: 0, failures: [] as Sampling['failures'][number][] };
    const read = (page: Page<BalanceCursor>) => this.ledger.listBalances(page);
    for await (const balances of slices(read, (balance): BalanceCursor => balance)) {
      for (const { account, paper } of balances) {
        if (isSame(last, { account, paper })) continue;
        last = { account, paper };
        try {
          const { stored, skipped } = await this.#sample(last, quotes, at);
          all.stored += stored;
          all.skipped += skipped;
        } catch (error) {
          all.failures.push({ account, paper, error });
        }
      }
    }
    return all;
  }

  async #sample({ account, paper }: Holder, all: Quotes, at: Date): Promise<{ stored: number; skipped: number }> {
    // In the share of the account: its markets, however many, keep no order waiting.
    const quotes = all.for({ account, purpose: 'look' });
    const scope = { account, holdings: paper ? 'paper' : 'live' } as const;
    const { cash, positions } = await this.ledger.read(scope, (now) => ({
      cash: totalOf(now.balances(paper)).cash,
      positions: now.positions(paper),
    }));
    const equity: EquityPoint[] = [];
    let skipped = 0;
    const parts = byStrategy(positions);
    for (const strategyId of [null, ...(await this.#strategies(account))]) {
      const part = parts.get(strategyId) ?? [];
      if (strategyId !== null && part.length === 0) continue;
      const point = equityPoint({ account, paper, cash }, strategyId, tallyOf(part, await quotes.marked(part)), at);
      if (!isStorable(point) || !(await quotes.answeredFor(part))) skipped += 1;
      else if (await this.#isNews(point)) equity.push(point);
    }
    if (equity.length > 0) await this.ledger.write({ account }, () => ({ result: null, equity }));
    return { stored: equity.length, skipped };
  }

  async #strategies(account: AccountId): Promise<readonly StrategyId[]> {
    const read = (page: Page<StrategyId>) => this.ledger.listStrategies(account, {}, page);
    return (await whole(read, ({ id }) => id)).map(({ id }) => id);
  }

  async #isNews(point: EquityPoint): Promise<boolean> {
    const after = new Date(point.at.getTime() + 1);
    const [last] = await this.ledger.listEquity(point.account, point, { limit: 1, after });
    return last === undefined || !saysTheSame(last, point);
  }
}

function byStrategy(positions: readonly Position[]): ReadonlyMap<StrategyId | null, readonly Position[]> {
  const parts = new Map<StrategyId | null, Position[]>();
  for (const position of positions) {
    const part = parts.get(position.strategyId);
    if (part === undefined) parts.set(position.strategyId, [position]);
    else part.push(position);
  }
  return parts;
}
