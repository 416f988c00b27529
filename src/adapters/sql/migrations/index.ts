import type { Dialect } from '../columns.js';
import type { RunStatement } from '../store.js';
import { firstSchema } from './001-first.js';
import { marketsSchema } from './002-markets.js';
import { liveSchema } from './003-live.js';
import { leasesSchema } from './004-leases.js';
import { listsSchema } from './005-lists.js';
import { outstandingSchema } from './006-outstanding.js';
import { arrivalsSchema } from './007-arrivals.js';
import { readsSchema } from './008-reads.js';
import { venuesSchema } from './009-venues.js';
import { eventsSchema } from './010-events.js';
import { orderListsSchema } from './011-order-lists.js';
import { reservedSchema } from './012-reserved.js';
import { versionsSchema } from './013-versions.js';
import { automationSchema } from './014-automation.js';
import { tradingSchema } from './015-trading.js';
import { signalsSchema } from './016-signals.js';
import { limitsSchema } from './017-limits.js';
import { decisionsSchema } from './018-decisions.js';
import { approvalsSchema } from './019-approvals.js';
import { lossesSchema } from './020-losses.js';
import { strategyLimitsSchema } from './022-strategy-limits.js';
import { decisionIdsSchema } from './023-decision-ids.js';
import { wantedSchema } from './024-wanted.js';
import { firstPricesSchema } from './025-first-prices.js';
import { homesSchema } from './026-homes.js';
import { endpointsSchema } from './027-endpoints.js';
import { alarmsSchema } from './028-alarms.js';
import { sessionsSchema } from './030-sessions.js';
import { urgentPassedSchema } from './032-urgent-passed.js';
import { fillHeldFees, heldFeesSchema } from './033-held-fees.js';
import { countWorkingSales } from './034-working-sales.js';
import { paperResetsSchema } from './035-paper-resets.js';
import { takenLevelsSchema } from './036-taken-levels.js';
import { webhookMakersSchema } from './037-webhook-makers.js';
import { countByDay, daysSchema } from './038-days.js';
import { countedBetsSchema } from './039-counted-bets.js';

/** One migration. Its name never changes, nor do its statements once released. */
export interface Migration {
  readonly name: string;
  readonly up: (dialect: Dialect['name']) => readonly string[];
  /** Computes, after its statements, what these cannot of the rows that are there; a new database has none. */
  readonly rows?: (run: RunStatement) => Promise<void>;
}

/** Every step, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001_first', up: firstSchema },
  { name: '002_markets', up: (dialect) => marketsSchema(dialect, new Date()) },
  { name: '003_live', up: liveSchema },
  { name: '004_leases', up: leasesSchema },
  { name: '005_lists', up: listsSchema },
  { name: '006_outstanding', up: outstandingSchema },
  { name: '007_arrivals', up: arrivalsSchema },
  { name: '008_reads', up: readsSchema },
  { name: '009_venues', up: venuesSchema },
  { name: '010_events', up: eventsSchema },
  { name: '011_order_lists', up: orderListsSchema },
  { name: '012_reserved', up: reservedSchema },
  { name: '013_versions', up: versionsSchema },
  { name: '014_automation', up: automationSchema },
  { name: '015_trading', up: tradingSchema },
  { name: '016_signals', up: signalsSchema },
  { name: '017_limits', up: limitsSchema },
  { name: '018_decisions', up: decisionsSchema },
  { name: '019_approvals', up: approvalsSchema },
  { name: '020_losses', up: lossesSchema },
  { name: '022_strategy_limits', up: strategyLimitsSchema },
  { name: '023_decision_ids', up: decisionIdsSchema },
  { name: '024_wanted', up: wantedSchema },
  { name: '025_first_prices', up: firstPricesSchema },
  { name: '026_homes', up: homesSchema },
  { name: '027_endpoints', up: endpointsSchema },
  { name: '028_alarms', up: alarmsSchema },
  { name: '030_sessions', up: sessionsSchema },
  { name: '032_urgent_passed', up: urgentPassedSchema },
  { name: '033_held_fees', up: heldFeesSchema, rows: fillHeldFees },
  { name: '034_working_sales', up: () => [], rows: countWorkingSales },
  { name: '035_paper_resets', up: paperResetsSchema },
  { name: '036_taken_levels', up: takenLevelsSchema },
  { name: '037_webhook_makers', up: webhookMakersSchema },
  { name: '038_days', up: daysSchema, rows: countByDay },
  { name: '039_counted_bets', up: countedBetsSchema },
];
