import type { Ledger } from '../../../../ports/ledger.js';
import { PAPER_CASH } from '../../../account/account.js';
import { alarmsOf } from '../../../account/account-alarms.js';
import type { AccountId } from '../../../ids.js';
import { EventsGone } from '../../../ledger/event-log.js';
import {
  COUNTED_TYPES,
  counting,
  type DayCounts,
  type MoneyState,
  NOTHING_HAPPENED,
  summaryLines,
} from '../../../message/day-summary.js';
import { minus, plus, type Usdc } from '../../../money.js';
import type { ReadEvents } from '../../accounts/read-events.js';
import type { ReadPortfolio } from '../../accounts/read-portfolio.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many of the newest events are read at most. */
const MOST_EVENTS = 20_000;
const PAGE = 500;

/** Summarises what happened within a day, and what an account is worth. */
export class SummariseDay {
  constructor(
    private readonly ledger: Pick<Ledger, 'findBalance' | 'listEquity' | 'read'>,
    private readonly events: ReadEvents,
    private readonly portfolio: ReadPortfolio,
  ) {}

  /** Line by line. @throws StorageUnavailable */
  async execute(account: AccountId, day: string, at: Date): Promise<readonly string[]> {
    const since = new Date(at.getTime() - DAY_MS);
    const hasPaper = (await this.ledger.findBalance(account, PAPER_CASH)) !== undefined;
    const holder = await this.ledger.read({ account }, (now) => ({
      hasLive: now.balances(false).length > 0,
      alarms: alarmsOf(now.account),
    }));
    const [counts, paper, live] = await Promise.all([
      this.#counts(account, since),
      hasPaper ? this.#money(account, true, since) : null,
      holder.hasLive ? this.#money(account, false, since) : null,
    ]);
    return summaryLines({ day, counts, paper, live, alarms: holder.alarms });
  }

  async #money(account: AccountId, paper: boolean, since: Date): Promise<MoneyState> {
    const filter = { account, paper, strategyId: null };
    const { money, equity, holdings, exposure, ...now } = await this.portfolio.now(account, filter);
    const [before] = await this.ledger.listEquity(account, filter, { limit: 1, after: since });
    const profit = minus(made(now), before === undefined ? (0n as Usdc) : made(before));
    const positions = holdings.filter(({ position }) => position.shares > 0n).length;
    return { money, equity: equity ?? (0n as Usdc), positions, exposure, profit };
  }

  async #counts(account: AccountId, since: Date): Promise<DayCounts> {
    const { first, last } = await this.events.range(account);
    let counts = NOTHING_HAPPENED;
    for (let after = Math.max(first - 1, last - MOST_EVENTS); after < last; ) {
      const page = await this.events.page(account, COUNTED_TYPES, { limit: PAGE, after }).catch(ifGone);
      if (page === null) break;
      for (const event of page.items) if (event.at >= since) counts = counting(counts, event);
      after = page.next;
    }
    return counts;
  }
}

/** Realised and not realised, after fees. */
const made = ({ realised, unrealised, fees }: { realised: Usdc; unrealised: Usdc; fees: Usdc }): Usdc =>
  minus(plus(realised, unrealised), fees);

function ifGone(error: unknown): null {
  if (error instanceof EventsGone) return null;
  throw error;
}
