import { emptyPosition, type Position } from '../account/position.js';
import type { Snapshot } from '../ledger/decision.js';
import { setName } from '../limits/losses.js';
import { NO_GROUP, type RiskGroup } from '../limits/risk.js';
import { marketName } from '../market/venue.js';
import { NO_SHARES } from '../money.js';
import type { Intent } from '../order/intent.js';
import type { HeldMarket } from './reducing.js';

/** What the market of an order belongs to, and each other market in which its account holds something, by name. */
export interface MarketSet {
  readonly group: RiskGroup;
  readonly groups: ReadonlyMap<string, RiskGroup>;
}

/** Of a market that is an event of its own, as far as is known. */
export const NO_SET: MarketSet = { group: NO_GROUP, groups: new Map() };

/** A market is among the holdings of which nothing was read. */
export class HoldingUnseen extends Error {}

/**
 * What the account holds in the other markets of the set of an order. The scope has to name all that it holds, unless the
 * market is of no set. @throws HoldingUnseen
 */
export function othersOfSet(intent: Intent, now: Snapshot, { group, groups }: MarketSet): readonly HeldMarket[] {
  if (group.exclusiveSet === null) return [];
  const name = marketName(intent);
  const set = setName(name, group);
  const found = new Map<string, HeldMarket>();
  for (const position of now.positions(intent.paper).filter(isHeld)) {
    const other = marketName(position);
    if (other === name) continue;
    const known = groups.get(other) ?? position.risk?.group;
    if (known === undefined) throw new HoldingUnseen();
    if (setName(other, known) !== set) continue;
    const { role } = known;
    const none = (outcome: Position['outcome']) => emptyPosition({ ...position, outcome });
    const market = found.get(other) ?? { role, YES: none('YES'), NO: none('NO') };
    found.set(other, { ...market, [position.outcome]: position });
  }
  return [...found.values()];
}

/** Whether a result may change what comes back from it. */
export const isHeld = ({ strategyId, shares, wanted = NO_SHARES }: Position): boolean =>
  strategyId === null && (shares > 0n || wanted > 0n);
