import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import type { Snapshot } from '../../ledger/decision.js';
import { NO_GROUP, type RiskGroup } from '../../limits/risk.js';
import { marketName } from '../../market/venue.js';
import type { OrderDraft } from '../../order/draft.js';
import type { Order } from '../../order/order.js';
import { isHeld, type MarketSet, stateOf } from '../../posting/trading-stop.js';
import { marketGroup } from '../limits/read-limits.js';

/** Reads what the markets belong to in which an account holds something, for orders that have to lower a worst case. */
export class ReadSet {
  constructor(
    private readonly ledger: Pick<Ledger, 'read'>,
    private readonly markets: Pick<MarketDirectory, 'find'>,
  ) {}

  /** By the names of the markets; one that cannot be looked up is an event of its own. */
  async groups({ account, paper }: Pick<OrderDraft, 'account' | 'paper'>): Promise<ReadonlyMap<string, RiskGroup>> {
    const held = await this.ledger.read({ account, holdings: paper ? 'paper' : 'live' }, (now) =>
      now.positions(paper).filter(isHeld),
    );
    const groups = new Map<string, RiskGroup>();
    for (const { risk, venue, marketId } of held) {
      const name = marketName({ venue, marketId });
      if (groups.has(name)) continue;
      groups.set(name, risk?.group ?? (await marketGroup(this.markets, { venue, marketId })) ?? NO_GROUP);
    }
    return groups;
  }

  /** For an order on record; null while nothing makes it lower a worst case, or its market is of no set. */
  async beside({ account, intent }: Order, at: Date): Promise<MarketSet | null> {
    const isReducing = (now: Snapshot) => stateOf(intent, now, at)?.state === 'reducing';
    if (!(await this.ledger.read({ account, service: true }, isReducing))) return null;
    const group = await marketGroup(this.markets, intent);
    if (group === null || group.exclusiveSet === null) return null;
    return { group, groups: await this.groups({ account, paper: intent.paper }) };
  }
}
