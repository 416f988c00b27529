import type { AccountId, StrategyId } from '../../core/ids.js';
import type { AutomatedCursor, Page, StrategyFilter } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { is } from './filters.js';
import { inOrder, newestFirst } from './pages.js';

/** A page of an account's strategies that are not archived. */
export function strategiesIn(
  { strategies }: Pick<WorkingSet, 'strategies'>,
  account: AccountId,
  { sport, isPaused }: StrategyFilter,
  page: Page<StrategyId>,
): readonly Strategy[] {
  const own = strategies.all().filter((one) => one.account === account && one.archivedAt === null);
  const wanted = own.filter((one) => is(sport, one.sport) && is(isPaused, one.isPaused));
  return newestFirst(wanted, ({ id }) => id, page);
}

/** A page of the versions of a strategy. */
export function versionsIn(
  { versions }: Pick<WorkingSet, 'versions'>,
  account: AccountId,
  id: StrategyId,
  page: Page<number>,
): readonly Strategy[] {
  const own = versions.filter((one) => one.id === id && one.account === account);
  return newestFirst(own, ({ version }) => version, page);
}

/** A page of the strategies of all accounts that trade by themselves, or that changed since. */
export function automatedIn(
  { strategies }: Pick<WorkingSet, 'strategies'>,
  since: Date | null,
  { limit, after }: Page<AutomatedCursor>,
): readonly Strategy[] {
  const nameOf = ({ account, id }: AutomatedCursor) => `${account}\n${id}`;
  const wanted = strategies.all().filter((strategy) => isWanted(strategy, since));
  return inOrder(wanted, nameOf, { limit, ...(after && { after: nameOf(after) }) });
}

function isWanted({ automation, archivedAt, updatedAt }: Strategy, since: Date | null): boolean {
  return since === null ? automation !== 'off' && archivedAt === null : updatedAt >= since;
}
