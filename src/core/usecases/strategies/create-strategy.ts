import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Ids } from '../../../ports/system.js';
import { type LiveGrant, NO_GRANT } from '../../access/session.js';
import { checkUnrestrained, type Restraint } from '../../access/session-restraint.js';
import { StrategyNotFound } from '../../errors.js';
import type { AccountId, StrategyId } from '../../ids.js';
import type { Scope, Snapshot } from '../../ledger/decision.js';
import { earlierResult } from '../../ledger/decision.js';
import { keyed, requestRecords } from '../../ledger/request.js';
import { TooManyAutomated } from '../../strategy/rules/strategy-refusals.js';
import { completeDraft, createStrategy, type Strategy, type StrategyDraft } from '../../strategy/strategy.js';
import type { Recorded } from '../orders/place-order.js';

/** The strategy to make, and for whom. */
export interface CreateStrategyCommand {
  readonly account: AccountId;
  readonly draft: StrategyDraft;
  /** What lets it trade with real money by itself, where the draft says so; by default nothing does. */
  readonly by?: LiveGrant;
  /** What keeps the credential from strategies that may trade with real money. */
  readonly restraint?: Restraint | undefined;
  readonly idempotencyKey: string | null;
}

/** Puts a strategy on record. */
export class CreateStrategy {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly mostAutomated = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * A repetition gets the strategy as it is now, archived or not.
   * @throws RulesInvalid, SessionRestrained, ScopeMissing, LiveAutomationRefused, TooManyAutomated, IdempotencyKeyReused
   */
  async execute(command: CreateStrategyCommand): Promise<Recorded<Strategy>> {
    const { account, draft, by = NO_GRANT, restraint, idempotencyKey } = command;
    const request = keyed(account, 'strategies.create', idempotencyKey, completeDraft(draft));
    const counted = countedFor(draft, this.mostAutomated);
    const scope = { account, ...keysOf(by), ...counted, ...(request === null ? {} : { request: request.key }) };
    return this.ledger.write<Recorded<Strategy>>(scope, (now) => {
      const at = this.clock.now();
      const earlier = earlierResult(now, request, at);
      if (earlier !== undefined)
        return { result: { record: strategyOnRecord(now.strategy(earlier as StrategyId)), replayed: true } };
      const strategy = createStrategy(this.ids.next() as StrategyId, account, draft, at, still(by, now));
      if (isAutomated(draft) && now.automated().length >= this.mostAutomated)
        throw new TooManyAutomated(this.mostAutomated);
      if (!strategy.paperOnly) checkUnrestrained(restraint);
      const requests = requestRecords(request, strategy.id, false, at);
      return { result: { record: strategy, replayed: false }, strategies: [strategy], requests };
    });
  }
}

/** Whether it trades by itself, or asks for approval. */
export const isAutomated = ({ automation = 'off' }: Pick<StrategyDraft, 'automation'>): boolean => automation !== 'off';

/** The part of a scope by which strategies with automation are counted, where one more may be one too many. */
export const countedFor = (draft: Pick<StrategyDraft, 'automation'>, most: number): Pick<Scope, 'automated'> =>
  isAutomated(draft) && most !== Number.POSITIVE_INFINITY ? { automated: true } : {};

/**
 * The strategy, if it can be used.
 * @throws StrategyNotFound for one that is absent or archived.
 */
export function existing(strategy: Strategy | undefined): Strategy {
  const found = strategyOnRecord(strategy);
  if (found.archivedAt !== null) throw new StrategyNotFound();
  return found;
}

/**
 * The strategy, archived or not: the answer to a repeated request.
 * @throws StrategyNotFound for one that is absent.
 */
export function strategyOnRecord(strategy: Strategy | undefined): Strategy {
  if (strategy === undefined) throw new StrategyNotFound();
  return strategy;
}

/** The part of a scope that has the API key of a grant. */
export const keysOf = ({ keyId }: LiveGrant): Pick<Scope, 'keys'> => (keyId === null ? {} : { keys: [keyId] });

/** The grant while its API key is not revoked: a revocation may have come before this write. */
export function still(by: LiveGrant, now: Snapshot): LiveGrant {
  return by.keyId === null || now.key(by.keyId)?.revokedAt === null ? by : NO_GRANT;
}
