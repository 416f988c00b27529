import type { BetInputs } from './bet-inputs.js';
import type { RuleLog } from './rule-log.js';

const USED = 'slot_used';
const COOLDOWN = 'cooldown';
const TOO_MANY = 'max_bets_exceeded';
const OPEN = 'max_open_exceeded';
const BENCHED = 'benched';

/** Codes of a skip whose conditions were all true: the strategy has bet enough, or was refused. */
export const OFTEN_CODES: readonly string[] = [USED, COOLDOWN, TOO_MANY, OPEN, BENCHED];

/** How often the strategy may bet: per outcome, market, event and day, and at once. */
export function testHowOften(log: RuleLog, { rules, bets, benched, now }: BetInputs): void {
  const { limits } = rules;
  testBelow(log, 'max_bets_per_outcome', bets.onOutcome, limits.maxBetsPerOutcome, USED);
  if (bets.onOutcome > 0) {
    log.test('limits/rearmed', bets.rearmed, true, bets.rearmed, USED);
    testCooldown(log, bets.lastAt, limits.cooldownMs, now);
  }
  testBelow(log, 'max_bets_per_market', bets.onMarket, limits.maxBetsPerMarket, TOO_MANY);
  testBelow(log, 'max_bets_per_event', bets.onEvent, limits.maxBetsPerEvent, TOO_MANY);
  testBelow(log, 'max_bets_per_day', bets.today, limits.maxBetsPerDay, TOO_MANY);
  testBelow(log, 'max_open', bets.open, limits.maxOpen, OPEN);
  log.test('benched', benched, false, !benched, BENCHED);
}

function testBelow(log: RuleLog, limit: string, count: number | null, most: number | null, code: string): void {
  if (most === null) return;
  if (count === null) log.missing(`limits/${limit}`, most, 'event_bets');
  else log.test(`limits/${limit}`, count, most, count < most, code);
}

function testCooldown(log: RuleLog, lastAt: Date | null, cooldownMs: number | null, now: Date): void {
  if (cooldownMs === null) return;
  if (lastAt === null) {
    log.missing('limits/cooldown', null, 'last_bet');
    return;
  }
  const over = new Date(lastAt.getTime() + cooldownMs);
  log.test('limits/cooldown', now, over, now >= over, COOLDOWN);
}
