import type { Timeline } from '../../ports/system.js';
import { RecentSkips } from '../strategy/recent-skips.js';
import { SubmitOrder } from './orders/submit-order.js';
import { RunStrategies } from './strategies/background/run-strategies.js';
import type { OnRunnerFault } from './strategies/background/runner-parts.js';
import { ArchiveStrategy, ChangeStrategy } from './strategies/change-strategy.js';
import { CreateStrategy } from './strategies/create-strategy.js';
import { EvaluateStrategy } from './strategies/evaluate-strategy.js';
import { PlaceBet } from './strategies/place-bet.js';
import { ReadDecisions } from './strategies/read-decisions.js';
import { ReadStrategies } from './strategies/read-strategies.js';
import type { UseCasePorts } from './use-case-ports.js';

/** Makes the use cases that act upon strategies, and tell what they decide. */
export function strategyUseCases(ports: UseCasePorts) {
  const { ledger, venues, wallClock, ids, signals = ledger.signals } = ports;
  const skips = new RecentSkips();
  return {
    create: new CreateStrategy(ledger, wallClock, ids),
    change: new ChangeStrategy(ledger, wallClock),
    archive: new ArchiveStrategy(ledger, wallClock),
    read: new ReadStrategies(ledger),
    evaluate: new EvaluateStrategy(ledger, venues, signals, ports),
    decisions: new ReadDecisions(ledger, skips, ports.clock),
    skips,
  };
}

/** Makes the use case that lets strategies trade by themselves; `skips` are those of the use cases that read them. */
export function runnerUseCase(
  ports: UseCasePorts & { readonly timeline?: Timeline },
  skips: RecentSkips,
  onFault: OnRunnerFault = () => {},
): RunStrategies {
  const { ledger, venues, timeline, signals = ledger.signals } = ports;
  const submit = new SubmitOrder(ledger, venues, ports);
  const placeBet = new PlaceBet(ledger, venues, submit, ports);
  return new RunStrategies({
    ledger,
    venues,
    placeBet,
    signals,
    skips,
    context: ports,
    onFault,
    ...(timeline && { timeline }),
  });
}
