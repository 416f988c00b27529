import type { Ledger } from '../../../ports/ledger.js';
import { type LiveGrant, NO_GRANT } from '../../access/session.js';
import { checkUnrestrained, type Restraint } from '../../access/session-restraint.js';
import { VersionMismatch } from '../../errors.js';
import type { AccountId, DecisionId, MarketId, StrategyId, VenueName } from '../../ids.js';
import { type Decision, earlierResult, type Scope, type Snapshot } from '../../ledger/decision.js';
import { keyed, type RequestRoute, requestRecords } from '../../ledger/request.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import { approvalAt, stillAsks, withdrawn } from '../../strategy/record/approval.js';
import { TooManyAutomated, TooManyVersions } from '../../strategy/rules/strategy-refusals.js';
import { archiveStrategy, changeStrategy, type Strategy, type StrategyPatch } from '../../strategy/strategy.js';
import type { Recorded } from '../orders/place-order.js';
import { countedFor, existing, isAutomated, keysOf, still, strategyOnRecord } from './create-strategy.js';

/** How many versions a strategy may have: all of them are kept. Pausing and archiving it make one more each. */
const MOST_VERSIONS = 1000;

/** Accepts the versions that a client has seen; false is a conflict. Null is no precondition. */
export type Precondition = ((version: number) => boolean) | null;

/** Which strategy to change, how, and for whom. */
export interface ChangeStrategyCommand {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  readonly patch: StrategyPatch;
  readonly precondition: Precondition;
  /** The grant by which it trades with real money automatically, or is changed while it does; by default none. */
  readonly by?: LiveGrant;
  /** What keeps the credential from strategies that may trade with real money; pausing one, or keeping it to paper, it may. */
  readonly restraint?: Restraint | undefined;
  readonly route: RequestRoute;
  readonly idempotencyKey: string | null;
}

/** Makes the next version of a strategy; a patch that changes nothing makes none. Bets that it asks for no longer are withdrawn. */
export class ChangeStrategy {
  constructor(
    private readonly ledger: Ledger,
    private readonly ports: Pick<OrderContext, 'clock' | 'wallClock' | 'ids'>,
    private readonly mostAutomated = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * A repetition gets the strategy as it is now, archived or not.
   * @throws StrategyNotFound, VersionMismatch, RulesInvalid, SessionRestrained, ScopeMissing, LiveAutomationRefused, TooManyVersions,
   * TooManyAutomated, IdempotencyKeyReused
   */
  async execute(command: ChangeStrategyCommand): Promise<Recorded<Strategy>> {
    const { account, strategyId, patch, precondition, by = NO_GRANT, restraint, route, idempotencyKey } = command;
    const request = keyed(account, route, idempotencyKey, { strategyId, patch });
    const scope = {
      account,
      strategies: [strategyId],
      ...keysOf(by),
      ...countedFor(patch, this.mostAutomated),
      ...(patch.automation === undefined && patch.automationPaper === undefined ? {} : allWaiting(strategyId)),
      ...(request === null ? {} : { request: request.key }),
    };
    return this.ledger.write<Recorded<Strategy>>(scope, (now) => {
      const at = this.ports.wallClock.now();
      const known = strategyOnRecord(now.strategy(strategyId));
      if (earlierResult(now, request, at) !== undefined) return { result: { record: known, replayed: true } };
      const current = existing(known);
      check(precondition, current);
      const next = changeStrategy(current, patch, at, still(by, now));
      if (isAutomated(patch) && !isAutomated(current) && now.automated().length >= this.mostAutomated)
        throw new TooManyAutomated(this.mostAutomated);
      if (next !== current && next.version > MOST_VERSIONS && !isStop(patch)) throw new TooManyVersions(MOST_VERSIONS);
      if (next !== current && !isSafe(next, patch)) checkUnrestrained(restraint);
      const requests = requestRecords(request, strategyId, false, at);
      const strategies = next === current ? [] : [next];
      return { result: { record: next, replayed: false }, strategies, requests, ...withdrawal(now, next, this.ports) };
    });
  }
}

/** Which strategy to archive, and for whom. */
export interface ArchiveStrategyCommand {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  readonly precondition: Precondition;
}

/** Takes a strategy out of use; its versions and its orders stay. */
export class ArchiveStrategy {
  constructor(
    private readonly ledger: Ledger,
    private readonly ports: Pick<OrderContext, 'clock' | 'wallClock' | 'ids'>,
  ) {}

  /** @throws StrategyNotFound, VersionMismatch */
  execute({ account, strategyId, precondition }: ArchiveStrategyCommand): Promise<Strategy> {
    return this.ledger.write({ account, strategies: [strategyId], ...allWaiting(strategyId) }, (now) => {
      const current = existing(now.strategy(strategyId));
      check(precondition, current);
      const archived = archiveStrategy(current, this.ports.wallClock.now());
      return { result: archived, strategies: [archived], ...withdrawal(now, archived, this.ports) };
    });
  }
}

/** The part of a scope that has every bet of a strategy that waits, and those of no market. */
const allWaiting = (strategyId: StrategyId): Pick<Scope, 'approvals'> => ({
  approvals: { strategyId, venue: '' as VenueName, marketId: '' as MarketId },
});

/** What becomes of the bets of a strategy that wait, of those that the scope has, once this version is in force. */
function withdrawal(
  now: Snapshot,
  version: Strategy,
  { clock, ids }: Pick<OrderContext, 'clock' | 'ids'>,
): Pick<Decision<unknown>, 'approvals' | 'decisions'> {
  const at = clock.now();
  const waiting = now.approvals().filter((one) => approvalAt(one, at).state === 'waiting' && !stillAsks(version, one));
  const approvals = waiting.map((one) => withdrawn(one, ids.next() as DecisionId, at));
  return { approvals, decisions: approvals.map(({ decision }) => decision) };
}

/** Whether no change of this kind lets a strategy risk more real money: it has none to risk, or is only being stopped. */
const isSafe = (next: Strategy, patch: StrategyPatch): boolean => next.paperOnly || isStop(patch);

/** Whether it only pauses the strategy. */
const isStop = ({ isPaused, ...more }: StrategyPatch): boolean =>
  isPaused === true && Object.values(more).every((member) => member === undefined);

function check(precondition: Precondition, strategy: Strategy): void {
  if (precondition !== null && !precondition(strategy.version)) throw new VersionMismatch(strategy.version);
}
