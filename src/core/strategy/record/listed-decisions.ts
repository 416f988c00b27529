import type { MarketId } from '../../ids.js';
import type { DecisionRecord } from './decision-record.js';

/** Which decisions to list; an absent member does not restrict. */
export interface DecisionFilter {
  readonly verdict?: DecisionRecord['verdict'];
  readonly code?: string;
  readonly marketId?: MarketId;
}

/** Whether the filter lets the decision through: its members are named like those of the decision. */
export function isWantedDecision(
  decision: Pick<DecisionRecord, keyof DecisionFilter>,
  { verdict, code, marketId }: DecisionFilter,
): boolean {
  return (
    (verdict === undefined || decision.verdict === verdict) &&
    (code === undefined || decision.code === code) &&
    (marketId === undefined || decision.marketId === marketId)
  );
}

/** A decision as lists show it. */
interface Listed {
  readonly at: string;
  readonly verdict: DecisionRecord['verdict'];
  readonly code: string | null;
  readonly venue: string;
  readonly market_id: string;
  readonly token: string;
  /** Absent of what is only evaluated. */
  readonly approval_id?: string | null;
}

/** A decision with those before it that were the same: how many they are with it, and when the first was made. */
export interface FoldedDecision<Decision> {
  readonly decision: Decision;
  readonly count: number;
  readonly since: string;
}

/**
 * A list, newest first, in which skips of one outcome for one reason, with no other decision on it between them, are one row, at the
 * place of the newest. A bet that was asked for and then decided on is one row too, as it was decided; other bets are never folded.
 */
export function foldedDecisions<Decision extends Listed>(
  decisions: readonly Decision[],
): readonly FoldedDecision<Decision>[] {
  const rows: FoldedDecision<Decision>[] = [];
  const last = new Map<string, number>();
  const decided = new Set<string>();
  for (const decision of decisions) {
    const { approval_id: approval = null } = decision;
    if (approval !== null && decided.has(approval)) continue;
    if (approval !== null) decided.add(approval);
    const outcome = `${decision.venue} ${decision.market_id} ${decision.token}`;
    const at = last.get(outcome);
    const row = at === undefined ? undefined : rows[at];
    if (at !== undefined && row !== undefined && isRepeat(row.decision, decision))
      rows[at] = { ...row, count: row.count + 1, since: decision.at };
    else last.set(outcome, rows.push({ decision, count: 1, since: decision.at }) - 1);
  }
  return rows;
}

const isRepeat = (newer: Listed, older: Listed): boolean =>
  newer.verdict === 'skip' && older.verdict === 'skip' && newer.code === older.code;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** `the same for 4 minutes`, of a row that stands for several decisions; null for one that stands for itself. */
export function repeatText({ decision, count, since }: FoldedDecision<Pick<Listed, 'at'>>): string | null {
  if (count === 1) return null;
  const ms = Date.parse(decision.at) - Date.parse(since);
  if (ms < MINUTE_MS) return `the same ${count} times within a minute`;
  const [unit, name] = ms < 2 * HOUR_MS ? [MINUTE_MS, 'minute'] : [HOUR_MS, 'hour'];
  const units = BigInt(ms) / BigInt(unit);
  return `the same for ${units} ${name}${units === 1n ? '' : 's'}, ${count} times`;
}
