import type { Portfolio } from '../../core/account/portfolio.js';
import type { AccountId } from '../../core/ids.js';
import { marketName } from '../../core/market/market.js';
import type { ReadPortfolio } from '../../core/usecases/accounts/read-portfolio.js';
import type { Pause } from '../../ports/system.js';
import { presentPortfolio } from './portfolio-wire.js';
import { sentEvent } from './sent-event.js';

const EVERY_MS = 2000;

/** Goes on with the next turn of the event loop. */
export const nextPiece: Pause = () => new Promise((resolve) => setImmediate(resolve));

/** A subscription to the readings of an account. */
export interface Followed {
  /** The newest readings, by name. */
  latest(): ReadonlyMap<string, string>;
  end(): void;
}

interface Following {
  latest: ReadonlyMap<string, string>;
  readers: number;
  readonly timer: NodeJS.Timeout;
}

/** The worth of accounts, read every two seconds (`everyMs`) while a client follows it, and once for all followers of an account. */
export class AccountReadings {
  readonly #followed = new Map<AccountId, Following>();

  constructor(
    private readonly portfolio: Pick<ReadPortfolio, 'now'>,
    private readonly pause: Pause = nextPiece,
    private readonly everyMs = EVERY_MS,
  ) {}

  /** The readings change until it is ended. */
  follow(account: AccountId): Followed {
    const followed = this.#followed.get(account) ?? this.#begin(account);
    followed.readers += 1;
    return {
      latest: () => followed.latest,
      end: () => {
        followed.readers -= 1;
        if (followed.readers > 0) return;
        clearInterval(followed.timer);
        this.#followed.delete(account);
      },
    };
  }

  #begin(account: AccountId): Following {
    let isReading = false;
    const read = async () => {
      if (isReading) return;
      isReading = true;
      // What cannot be read now is read at the next turn; the event stream itself reports a store that does not answer.
      followed.latest = await this.#read(account).catch(() => followed.latest);
      isReading = false;
    };
    const timer = setInterval(() => void read(), this.everyMs).unref();
    const followed: Following = { latest: new Map(), readers: 0, timer };
    this.#followed.set(account, followed);
    void read();
    return followed;
  }

  async #read(account: AccountId): Promise<ReadonlyMap<string, string>> {
    const both = await Promise.all(
      [true, false].map((paper) => this.portfolio.now(account, { paper, strategyId: null })),
    );
    const readings = await Promise.all(both.filter(hasAny).map((portfolio) => readingsOf(portfolio, this.pause)));
    return new Map(readings.flat());
  }
}

/** Most accounts have no real money. */
const hasAny = ({ filter, cash, holdings }: Portfolio): boolean => filter.paper || cash !== 0n || holdings.length > 0;

async function readingsOf(portfolio: Portfolio, pause: Pause): Promise<[string, string][]> {
  // Without the moment, so that what stays the same is not sent again.
  const { positions, at: _, strategy_id: __, ...worth } = await presentPortfolio(portfolio, pause);
  const marks = positions.map(({ market_id, token, venue, shares, mark_price, value_usdc }) => {
    return { market_id, token, venue, shares, mark_price, value_usdc };
  });
  const { paper } = worth;
  return [
    [`equity ${paper}`, sentEvent('equity', worth)],
    [`marks ${paper}`, sentEvent('marks', { paper, marks })],
    [`feed ${paper}`, sentEvent('feed', { paper, markets: feedOf(portfolio) })],
  ];
}

/** How old the books are in which the account holds shares. */
function feedOf({ holdings, at }: Portfolio) {
  const held = new Map(holdings.map(({ position, book }) => [marketName(position), { position, book }]));
  return [...held.values()].map(({ position: { marketId, venue }, book }) => {
    const age_ms = book === null ? null : Math.max(0, at.getTime() - book.at.getTime());
    return { market_id: marketId, venue, age_ms, fresh: book?.fresh ?? false };
  });
}
