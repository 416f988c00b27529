import { HeldRisks } from './held-risks.js';
import type { Losses } from './losses.js';
import type { RiskyPosition } from './market-results.js';

/** The worst case of these positions, and of their working orders where they hurt. */
export const worstCase = (positions: Iterable<RiskyPosition>): Losses => new HeldRisks(positions).losses;
