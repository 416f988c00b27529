import type { StrategyId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import { type Payout, payoutFor } from '../market/resolution.js';
import { minus, NO_USDC, plus, type Usdc } from '../money.js';
import type { Desk } from '../order/posting.js';
import type { Exposure } from '../strategy/strategy.js';
import { balanced, type JournalCause, type JournalEntry, type JournalLine, line } from './journal.js';
import { type Position, settled } from './position.js';

/** What a market's result does to one position: how it is afterwards, the cash that comes, and the entries that book it. */
export interface PositionResult {
  readonly position: Position;
  /** Negative where an amended result takes back. */
  readonly cash: Usdc;
  readonly entries: readonly JournalEntry[];
}

/** The result of a market for one position; null when it is booked already. */
export function settlePosition(
  position: Position,
  payout: Payout,
  desk: Pick<Desk, 'ids'>,
  at: Date,
): PositionResult | null {
  const perShare = payout[position.token === 'YES' ? 0 : 1];
  const after = settled(position, perShare);
  const amends = payoutFor(position.settled, perShare) !== position.returned;
  if (position.shares === 0n && !amends) return null;
  const cash = minus(after.returned, position.returned);
  if (position.strategyId !== null) return { position: after, cash: NO_USDC, entries: [] };
  const make = (cause: JournalCause, lines: readonly JournalLine[]) =>
    entryOf(position, cause, lines, desk.ids.next(), at);
  const back = position.returned;
  const reversal = make('reversal', [line('cash', -back as Usdc), line('realised', back)]);
  const paid = amends ? after.returned : cash;
  const booked = make('settlement', [
    line('cash', paid),
    holding(position),
    line('realised', minus(position.cost, paid)),
  ]);
  return {
    position: after,
    cash,
    entries: (amends ? [reversal, booked] : [booked]).filter(({ lines }) => lines.length > 0),
  };
}

/** The cash that all results together bring. */
export const cashOf = (results: readonly PositionResult[]): Usdc =>
  results.reduce((sum, { cash }) => plus(sum, cash), NO_USDC);

/** What a strategy had at work in the market is free again. */
export function freedExposures(now: Snapshot, results: readonly PositionResult[]): readonly Exposure[] {
  const costs = new Map<StrategyId, Usdc>();
  for (const { position } of results) {
    const { strategyId } = position;
    const before = strategyId === null ? undefined : now.position(position);
    if (strategyId === null || before === undefined) continue;
    costs.set(strategyId, plus(costs.get(strategyId) ?? NO_USDC, before.cost));
  }
  return [...costs].flatMap(([id, cost]) => {
    const exposure = now.exposure(id, true);
    return exposure === undefined ? [] : [{ ...exposure, committed: minus(exposure.committed, cost) }];
  });
}

function holding({ marketId, token, cost }: Position): JournalLine {
  return { ledger: 'position', held: { marketId, token }, amount: -cost as Usdc };
}

function entryOf(
  { account, paper }: Position,
  cause: JournalCause,
  lines: readonly JournalLine[],
  id: string,
  at: Date,
): JournalEntry {
  return balanced({ id, account, paper, at, cause, orderId: null, lines });
}
