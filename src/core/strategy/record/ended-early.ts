import type { ApiKey } from '../../access/api-key.js';
import type { DecisionId } from '../../ids.js';
import { isTradingOver, type Market } from '../../market/market.js';
import { phaseOf } from '../conditions/rule-tests.js';
import type { SkipCode } from '../rules/skip-reasons.js';
import { automationIsLive, tradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';
import { type Approval, withdrawn } from './approval.js';

/** What a bet that waits is compared with: its strategy, its market and the key that lets the strategy use real money, where they are known. */
interface AskedWith {
  readonly strategy: Strategy | undefined;
  readonly market: Market | undefined;
  readonly key: ApiKey | undefined;
}

/**
 * Why a bet that waits can be approved no longer, although its time is not over; null where it still can: its game has begun or is
 * over, its window has closed as the start is known now, or its key may not use real money any more.
 */
export function whyEndedEarly(
  { paper }: Pick<Approval, 'paper'>,
  { strategy, market, key }: AskedWith,
  { at, wall }: { readonly at: Date; readonly wall: Date },
): SkipCode | null {
  if (strategy === undefined) return null;
  if (!paper && !automationIsLive(strategy, key, wall)) return REVOKED;
  if (market === undefined) return null;
  if (isTradingOver(market)) return 'not_matched:status';
  const { phase, window } = tradingRules(strategy);
  if (phase === 'pre' && phaseOf({ market, now: at }) === 'in_play') return 'in_play_not_allowed';
  const closes = market.startsAt === null || window.toMs === null ? null : market.startsAt.getTime() + window.toMs;
  return closes !== null && closes <= at.getTime() ? 'too_close_to_start' : null;
}

const REVOKED = 'automation_key_revoked';

/** The approval once it can be approved no longer: expired, or, where its key was revoked, refused, with a decision of its own that says why. */
export function endedEarly(approval: Approval, code: SkipCode, id: DecisionId, at: Date): Approval {
  const state = code === REVOKED ? 'refused' : 'expired';
  return { ...withdrawn(approval, id, at, code), state };
}
