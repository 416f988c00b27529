import type { Ledger } from '../../../ports/ledger.js';
import type { SignalSource } from '../../../ports/signals.js';
import type { Snapshot } from '../../ledger/decision.js';
import type { MarketRef } from '../../market/venue.js';
import { NO_SHARES } from '../../money.js';
import { isImmediate } from '../../order/intent.js';
import type { OrderContext } from '../../posting/order-context.js';
import { stateFor } from '../../posting/trading-stop.js';
import { decideExit } from '../../strategy/exit/decide-exit.js';
import { type ExitEvaluation, exitRecord, exitSkip } from '../../strategy/exit/exit-record.js';
import { automationIsLive } from '../../strategy/rules/automation.js';
import { tradingRules } from '../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import { type ExitJudgement, exitEstimate, exitInputs, exitScope, sellable } from './exit-judgement.js';
import { type HeldPart, partKey } from './held-position.js';
import { ReadHoldings } from './read-holdings.js';

/** Where no condition of `exit` is true. */
const HOLD = 'hold';
/** Where a sale of it is on its way. */
const IN_FLIGHT = 'exit_in_flight';

/** Tells what a strategy would sell now of what it holds, and why not; it changes nothing, and nothing is sold. */
export class EvaluateExits {
  readonly #holdings: ReadHoldings;

  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly signals: SignalSource,
    private readonly context: Pick<OrderContext, 'clock' | 'wallClock'>,
  ) {
    this.#holdings = new ReadHoldings(ledger);
  }

  /** One for each outcome that is held, in this market or in all of them, as far as they are known; none without `exit`. */
  async execute(strategy: Strategy, market: MarketRef | null, limit: number): Promise<readonly ExitEvaluation[]> {
    if (tradingRules(strategy).exit === null) return [];
    const isAsked = ({ venue, marketId }: MarketRef) =>
      market === null || (venue === market.venue && marketId === market.marketId);
    const evaluations: ExitEvaluation[] = [];
    for (const part of (await this.#holdings.all(strategy)).filter(isAsked)) {
      if (evaluations.length >= limit) break;
      const evaluation = await this.#judge(part);
      if (evaluation !== null) evaluations.push(evaluation);
    }
    return evaluations;
  }

  async #judge(part: HeldPart): Promise<ExitEvaluation | null> {
    const [held, market] = await Promise.all([this.#holdings.one(part), this.venues.find(part)]);
    if (held === null || market === undefined) return null;
    // A book that cannot be read is not known, as for a bet.
    const book = (await this.venues.book(market).catch(() => undefined)) ?? null;
    const seen = { market, book };
    return this.#decide({ held, seen, estimate: await exitEstimate(this.signals, held, seen) });
  }

  #decide(judgement: ExitJudgement): Promise<ExitEvaluation> {
    const { account } = judgement.held.strategy;
    const own = partKey(judgement.held);
    const positions = [own, { ...own, strategyId: null }];
    const [at, wall] = [this.context.clock.now(), this.context.wallClock.now()];
    return this.ledger.read({ account, positions, service: true, ...exitScope(judgement) }, (now) => {
      const part = now.position(own);
      const free = part === undefined ? NO_SHARES : sellable(now, part);
      const decision = decideExit(exitInputs(judgement, judgement.held, free, at));
      const isOnSale = decision.trigger !== null && now.sales().some(({ intent }) => isImmediate(intent));
      if (decision.verdict === 'hold') return exitSkip(decision, isOnSale ? IN_FLIGHT : (decision.code ?? HOLD));
      return exitRecord(decision, isOnSale ? IN_FLIGHT : obstacleTo(judgement, now, wall));
    });
  }
}

/** What would keep a sale from being ordered, though its rules ask for it; null where nothing would. */
function obstacleTo({ held, seen }: ExitJudgement, now: Snapshot, wall: Date): string | null {
  const { strategy, paper } = held;
  const { id: strategyId, automationKey } = strategy;
  const key = automationKey === null ? undefined : now.key(automationKey);
  if (!paper && !automationIsLive(strategy, key, wall)) return 'live_trading_not_enabled';
  const state = stateFor({ paper, strategyId, sport: seen.market.sport }, now, wall);
  return state?.state === 'halted' ? 'trading_halted' : null;
}
