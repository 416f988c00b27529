import type { Ledger } from '../../ports/ledger.js';
import type { OrderContext } from '../posting/trading-stop.js';
import type { Venues } from '../venues/venues.js';
import { WatchLosses } from './limits/background/watch-losses.js';
import { ChangeLimits } from './limits/change-limits.js';
import { type MarkEquity, MeasureLosses } from './limits/mark-equity.js';
import { ReadLimits } from './limits/read-limits.js';
import type { CancelInScope } from './trading/cancel-in-scope.js';

/** What the use cases of limits need. */
interface LimitPorts extends OrderContext {
  readonly ledger: Ledger;
  readonly venues: Venues;
}

/** Makes the use cases that read and change what an account may risk, and watch what it loses. */
export function limitUseCases(ports: LimitPorts, marks: MarkEquity, cancelInScope: CancelInScope) {
  const { ledger, venues, wallClock } = ports;
  const measure = new MeasureLosses(ledger, marks, ports);
  return {
    read: new ReadLimits(ledger, marks, ports),
    change: new ChangeLimits(ledger, venues, measure, ports),
    watch: new WatchLosses(ledger, measure, cancelInScope, wallClock),
  };
}
