import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import type { AuthScope } from '../../access/principal.js';
import { checkUnrestrained, type Restraint } from '../../access/session-restraint.js';
import { SERVICE, tradingFor } from '../../account/account.js';
import { StrategyNotFound } from '../../errors.js';
import type { AccountId, StrategyId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { earlierResult } from '../../ledger/decision.js';
import { type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import {
  isCommon,
  loosens,
  type TradingChange,
  type TradingState,
  type TradingStep,
  tradingStateIn,
  tradingText,
  withState,
} from '../../trading/state.js';
import { TradingScopeMissing, TradingStateInvalid } from '../../trading/trading-refusals.js';
import type { Recorded } from '../orders/place-order.js';
import type { CancelInScope, Cancellation } from './cancel-in-scope.js';

/** The state to set, for whom, and what the credential may do. */
export interface SetTradingStateCommand {
  readonly account: AccountId;
  readonly change: TradingChange;
  /** Whether the working orders that the state stops are cancelled, too. */
  readonly cancel: boolean;
  readonly may: ReadonlySet<AuthScope>;
  /** What keeps the credential from letting more through than before. */
  readonly restraint?: Restraint | undefined;
  readonly idempotencyKey: string | null;
}

/** What was set, and what became of the working orders; null where they were to stay. */
export interface TradingSet {
  readonly state: TradingState;
  readonly cancellation: Cancellation | null;
}

const STRATEGY = 'strategy:';

/**
 * Halts trading, lets through only what lowers a worst case, or lets it go on. Every later decision about an order sees it, on
 * every server, and so does the last look before an order is sent.
 */
export class SetTradingState {
  constructor(
    private readonly ledger: Ledger,
    private readonly cancelInScope: CancelInScope,
    private readonly wallClock: Clock,
  ) {}

  /** @throws TradingScopeMissing, SessionRestrained, TradingStateInvalid, StrategyNotFound, IdempotencyKeyReused */
  async execute(command: SetTradingStateCommand): Promise<Recorded<TradingSet>> {
    const { account, change, cancel, idempotencyKey } = command;
    const { scope: about } = change;
    const request = keyed(account, 'trading.set', idempotencyKey, { ...change, cancel });
    const strategy = about.startsWith(STRATEGY) ? (about.slice(STRATEGY.length) as StrategyId) : null;
    const scope = {
      account,
      ...(isCommon(about) && { logs: [SERVICE] }),
      ...(strategy !== null && { strategies: [strategy] }),
      ...(request !== null && { request: request.key }),
    };
    const { record: state, replayed } = await this.ledger.write(scope, (now) => {
      if (strategy !== null && now.strategy(strategy) === undefined) throw new StrategyNotFound();
      return this.#decide(now, command, request);
    });
    const cancellation = cancel ? await this.cancelInScope.execute(account, state) : null;
    return { record: { state, cancellation }, replayed };
  }

  #decide(
    now: Snapshot,
    { change, may, restraint }: SetTradingStateCommand,
    request: KeyedRequest | null,
  ): Decision<Recorded<TradingState>> {
    const at = this.wallClock.now();
    const earlier = earlierResult(now, request, at);
    if (earlier !== undefined) return { result: { record: tradingStateIn(earlier), replayed: true } };
    checkEnd(change, at);
    const whose = isCommon(change.scope) ? (now.service ?? now.account) : now.account;
    const step = withState(tradingFor(whose), change, at);
    const isHalted = change.scope === 'account' && change.state !== 'halted' && now.account.halt !== null;
    const isLifted = isHalted && may.has('admin');
    checkScopes(may, change, step, isHalted);
    if (loosens(step) || isLifted) checkUnrestrained(restraint);
    const done = {
      result: { record: step.set, replayed: false },
      requests: requestRecords(request, tradingText(step.set), false, at),
    };
    if (isIdle(step) && !isLifted) return done;
    return { ...done, accounts: [{ ...whose, ...(isLifted && { halt: null }), trading: step.after }] };
  }
}

/** A step to `active` that ends nothing. */
const isIdle = ({ set, ended }: TradingStep): boolean => set.state === 'active' && ended.length === 0;

function checkEnd({ state, until }: TradingChange, now: Date): void {
  if (until === null) return;
  if (state === 'active') throw new TradingStateInvalid('until', 'must be absent where nothing is stopped');
  if (until <= now) throw new TradingStateInvalid('until', 'must be in the future');
}

function checkScopes(may: Scopes, { scope, state }: TradingChange, step: TradingStep, isHalted: boolean): void {
  if (isCommon(scope)) required(may, 'admin', 'What holds for every account');
  else if (loosens(step)) required(may, 'risk:write', 'Letting an account trade again');
  else if (state !== 'active') required(may, 'orders:cancel', 'Stopping an account');
  else if (isHalted) required(may, 'admin', 'Releasing a halt');
}

function required(may: Scopes, scope: TradingScopeMissing['scope'], what: string): void {
  if (!may.has(scope)) throw new TradingScopeMissing(scope, what);
}

type Scopes = SetTradingStateCommand['may'];
