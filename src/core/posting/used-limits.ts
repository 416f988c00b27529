import type { Balance } from '../account/account.js';
import { NOTHING_COUNTED, ordersWithinMinute } from '../limits/counted.js';
import type { HeldRisks } from '../limits/held-risks.js';
import { type Limits, NO_LIMITS } from '../limits/limits.js';
import { NO_USDC, type Usdc } from '../money.js';
import { stakeOf } from './account-limits.js';

/**
 * How much of each limit is in use: of a limit of one market, event, league or sport, the most in any of them. Null for a
 * limit of one order.
 */
export function usedLimits(risks: HeldRisks, balances: readonly Balance[], at: Date, today: string): Limits {
  const { markets, events, leagues, sports, exposure } = risks.losses;
  return {
    ...NO_LIMITS,
    marketLossUsdc: mostOf(markets),
    eventLossUsdc: mostOf(events),
    leagueLossUsdc: mostOf(leagues),
    sportLossUsdc: mostOf(sports),
    exposureUsdc: exposure,
    openOrders: risks.openOrders,
    dailyStakeUsdc: stakeOf(balances, today),
    ordersPerMinute: balances.reduce((sum, { counted = NOTHING_COUNTED }) => sum + ordersWithinMinute(counted, at), 0),
  };
}

const mostOf = (losses: ReadonlyMap<string, Usdc>): Usdc =>
  [...losses.values()].reduce((most, loss) => (loss > most ? loss : most), NO_USDC);
