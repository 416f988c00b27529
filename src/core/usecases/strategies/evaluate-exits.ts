import type { Ledger } from '../../../ports/ledger.js';
import type { SignalSource } from '../../../ports/signals.js';
import type { MarketRef } from '../../market/market.js';
import { NO_SHARES } from '../../money.js';
import { isImmediate } from '../../order/order.js';
import { isAgain } from '../../posting/order-checks.js';
import { decideExit } from '../../strategy/exit/decide-exit.js';
import { type ExitEvaluation, exitRecord, exitSkip } from '../../strategy/exit/exit-record.js';
import { tradingRules } from '../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import type { BetPorts } from './bet-orders.js';
import {
  type ExitJudgement,
  ExitOrders,
  exitEstimate,
  exitInputs,
  type HeldPart,
  partKey,
  sellable,
} from './exit-orders.js';
import { ReadHoldings } from './read-holdings.js';

/** The code of a position for which no condition of `exit` is true. */
const HOLD = 'hold';
/** The code of a position whose sale is on its way. */
const IN_FLIGHT = 'exit_in_flight';

/** Evaluates what a strategy would sell now of what it holds, and why not; it changes nothing, and nothing is sold. */
export class EvaluateExits {
  readonly #holdings: ReadHoldings;
  readonly #orders: ExitOrders;

  constructor(
    ledger: Ledger,
    private readonly venues: Venues,
    private readonly signals: SignalSource,
    context: BetPorts,
  ) {
    this.#holdings = new ReadHoldings(ledger);
    this.#orders = new ExitOrders(ledger, venues, context);
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
    const asker = { account: part.strategy.account, purpose: 'look' } as const;
    const [held, market] = await Promise.all([this.#holdings.one(part), this.venues.find(part, asker)]);
    if (held === null || market === undefined) return null;
    // A book that cannot be read is not known, as for a bet.
    const book = (await this.venues.book(market, asker).catch(() => undefined)) ?? null;
    const view = { market, book };
    return this.#decide({ held, view, estimate: await exitEstimate(this.signals, held, view) });
  }

  #decide(judgement: ExitJudgement): Promise<ExitEvaluation> {
    const own = partKey(judgement.held);
    return this.#orders.look<ExitEvaluation>(judgement, (now, terms) => {
      const part = now.position(own);
      const free = part === undefined ? NO_SHARES : sellable(now, part);
      const limits = this.#orders.limits(now, judgement, judgement.held.strategy, free, terms);
      if (isAgain(limits)) return limits;
      const decision = decideExit(exitInputs(judgement, judgement.held, free, terms.at, limits));
      const isOnSale = decision.trigger !== null && now.sales().some(({ intent }) => isImmediate(intent));
      if (decision.verdict === 'hold') return exitSkip(decision, isOnSale ? IN_FLIGHT : (decision.code ?? HOLD));
      const obstacle = isOnSale ? IN_FLIGHT : this.#orders.obstacle(now, judgement, decision, terms);
      return isAgain(obstacle) ? obstacle : exitRecord(decision, obstacle);
    });
  }
}
