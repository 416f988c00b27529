import type { Timeline } from '../../ports/system.js';
import { InOrder } from '../concurrency/concurrency.js';
import { backgroundOf, isPlayed } from '../concurrency/repeat.js';
import { RecentSkips } from '../strategy/record/recent-skips.js';
import { ApproveBet } from './approvals/approve-bet.js';
import { ExpireApprovals } from './approvals/background/expire-approvals.js';
import { ReadApprovals } from './approvals/read-approvals.js';
import { RejectBet } from './approvals/reject-bet.js';
import { orderParts } from './compose-orders.js';
import { MarketFilters } from './markets/market-filters.js';
import { AutomatedTrading, type AutomatedTradingTerms } from './strategies/background/automated-trading.js';
import { ForgetFirstPrices } from './strategies/background/forget-first-prices.js';
import { GiveUpOrders } from './strategies/background/give-up-orders.js';
import { HeldBackExits } from './strategies/background/held-back-exits.js';
import { JudgeExit } from './strategies/background/judge-exit.js';
import { FollowedBets, LookAfterBets } from './strategies/background/look-after-bets.js';
import { RunExits } from './strategies/background/run-exits.js';
import { RunStrategies } from './strategies/background/run-strategies.js';
import type { OnRunnerFault } from './strategies/background/runner-parts.js';
import type { BetPorts } from './strategies/bet-orders.js';
import { ArchiveStrategy, ChangeStrategy } from './strategies/change-strategy.js';
import { ClosePosition } from './strategies/close-position.js';
import { CreateStrategy } from './strategies/create-strategy.js';
import { EvaluateStrategy } from './strategies/evaluate-strategy.js';
import { PlaceBet } from './strategies/place-bet.js';
import { ReadDecisions } from './strategies/read-decisions.js';
import { ReadStrategies } from './strategies/read-strategies.js';
import type { UseCasePorts } from './use-case-ports.js';

/** Makes the use cases that act upon strategies, and those that report what they decide. */
export function strategyUseCases(ports: UseCasePorts) {
  const { ledger, venues, wallClock, ids, automatedPerAccount, signals = ledger.signals } = ports;
  const skips = new RecentSkips(ports.skipLimits);
  return {
    create: new CreateStrategy(ledger, wallClock, ids, automatedPerAccount),
    change: new ChangeStrategy(ledger, ports, automatedPerAccount),
    archive: new ArchiveStrategy(ledger, ports),
    read: new ReadStrategies(ledger),
    evaluate: new EvaluateStrategy(ledger, venues, signals, ports),
    decisions: new ReadDecisions(ledger, skips, ports.clock, new MarketFilters(ledger, venues)),
    forgetFirstPrices: new ForgetFirstPrices(ledger.firstPrices, venues, ports.clock),
    skips,
  };
}

/** Makes the use cases of bets that wait for a person. */
export function approvalUseCases(ports: UseCasePorts) {
  const { ledger, venues, clock, wallClock, signals = ledger.signals } = ports;
  const { placement, submit } = orderParts(ports);
  return {
    read: new ReadApprovals(ledger, clock),
    approve: new ApproveBet(ledger, venues, signals, submit, { ...ports, placement }),
    reject: new RejectBet(ledger, clock, wallClock),
    expire: new ExpireApprovals(ledger, venues, ports),
  };
}

/**
 * Makes the use case that lets strategies trade by themselves; `skips` are those of the use cases that read them, and `after`
 * looks after what it bets.
 */
export function runnerUseCase(
  ports: UseCasePorts & Pick<BetPorts, 'inOrder'> & { readonly timeline?: Timeline },
  skips: RecentSkips,
  onFault: OnRunnerFault = () => {},
  after: LookAfterBets | null = null,
): RunStrategies {
  const { ledger, venues, timeline, signals = ledger.signals } = ports;
  const { marks, placement, submit, followed } = orderParts(ports);
  const bare = new PlaceBet(ledger, venues, submit, { ...ports, marks, placement });
  const placeBet = after === null ? bare : new FollowedBets(bare, after);
  return new RunStrategies({
    ledger,
    venues,
    followed: after?.followed ?? followed,
    placeBet,
    signals,
    marks,
    skips,
    context: ports,
    signalNews: ports.signalNews,
    pause: ports.pause,
    inBackground: ports.inBackground,
    onFault,
    watchedPerAccount: ports.watchedPerAccount,
    accountsAlone: ports.accountsAlone,
    countsLeftOut: ports.countsLeftOut,
    proposerOf: ports.proposerOf,
    ...(timeline && { timeline }),
  });
}

/** Makes the use case that looks after bets once they are placed, in the time of this timeline. */
export function afterBetsUseCase(
  ports: UseCasePorts & Pick<BetPorts, 'inOrder'> & { readonly timeline: Timeline },
  skips: RecentSkips,
  onFault: OnRunnerFault = () => {},
): LookAfterBets {
  const { ledger, venues, wallClock, timeline, pause, inBackground, signalNews, signals = ledger.signals } = ports;
  const { placement, submit, cancel, followed } = orderParts(ports);
  const closePosition = new ClosePosition(ledger, venues, submit, { ...ports, placement });
  const heldBack = new HeldBackExits(ledger, onFault);
  const judge = new JudgeExit({ closePosition, signals, skips, heldBack, context: ports });
  return new LookAfterBets({
    ledger,
    wallClock,
    heldBack,
    followed,
    exits: new RunExits({
      ledger,
      venues,
      followed,
      judge,
      heldBack,
      timeline,
      pause,
      inBackground: inBackground,
      signalNews,
      onFault,
    }),
    giveUp: new GiveUpOrders({ ledger, cancel, timeline, onFault }),
  });
}

/** What strategies trade with by themselves, and whom that asks and notifies. */
export interface TradingHooks
  extends Pick<AutomatedTradingTerms, 'mayTrade' | 'changes' | 'news' | 'onDoubt' | 'onLook'> {
  readonly onFault: OnRunnerFault;
}

/** Lets strategies trade by themselves in the time of this timeline, from now on; `ports` are read each time that trading begins. */
export function automatedTrading(
  timeline: Timeline,
  ports: () => UseCasePorts,
  use: { readonly skips: RecentSkips; readonly expire: ExpireApprovals },
  hooks: TradingHooks,
): AutomatedTrading {
  const begin = () => {
    // On a tape, bets are placed in order.
    const inOrder = isPlayed(timeline) ? new InOrder() : undefined;
    const timed = { ...ports(), timeline, inBackground: backgroundOf(timeline), inOrder };
    const after = afterBetsUseCase(timed, use.skips, hooks.onFault);
    return { after, runner: runnerUseCase(timed, use.skips, hooks.onFault, after) };
  };
  return new AutomatedTrading({ ...hooks, timeline, begin, expire: use.expire });
}
