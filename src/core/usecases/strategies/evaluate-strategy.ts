import type { Ledger } from '../../../ports/ledger.js';
import type { Asker } from '../../../ports/market-data.js';
import type { SignalSource } from '../../../ports/signals.js';
import { DomainError, MarketNotFound, StrategyNotFound } from '../../errors.js';
import type { AccountId, MarketId, StrategyId, VenueName } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import { type Market, type OutcomeSide, refOf } from '../../market/market.js';
import type { Price } from '../../money.js';
import { isAgain } from '../../posting/order-checks.js';
import { outcomesToJudge } from '../../strategy/conditions/candidate.js';
import { type Bet, type BetDecision, type DecisionSubject, decideBet, skipOf } from '../../strategy/decide/decide.js';
import type { ExitEvaluation } from '../../strategy/exit/exit-record.js';
import { whyNotAsked } from '../../strategy/record/approval.js';
import { type TradingRules, tradingRules } from '../../strategy/rules/trading-rules.js';
import { createStrategy, drafted, type Strategy, type StrategyDraft } from '../../strategy/strategy.js';
import { firstPriceKey } from '../../strategy/watch/watcher.js';
import type { SearchTerms } from '../../venues/market-searches.js';
import type { Venues } from '../../venues/venues.js';
import { BetOrders, type BetPorts } from './bet-orders.js';
import { EvaluateExits } from './evaluate-exits.js';
import {
  bestOffer,
  betBoundsOf,
  betInputs,
  isHalted,
  type Judgement,
  type PossibleBet,
  possibleBet,
  readEstimates,
} from './judgement.js';
import { ReadMarketViews, SEARCHED_MS } from './read-market-views.js';

/** Which strategy to evaluate, and on which market. */
export interface Evaluation {
  readonly account: AccountId;
  /** Null for a draft that is of no strategy yet. */
  readonly strategyId: StrategyId | null;
  /** What the strategy would be; absent: as it is. */
  readonly draft?: StrategyDraft;
  /** Null for every market that its rules may name. */
  readonly market: { readonly venue: VenueName | null; readonly marketId: MarketId } | null;
  /** The most decisions. */
  readonly limit: number;
}

/** What a strategy would do about a bet, or about what it holds. */
export type Evaluated = BetDecision | ExitEvaluation;

/** The id of a draft: that of no strategy, so that nothing of it is on record. */
const NO_STRATEGY = '00000000-0000-0000-0000-000000000000' as StrategyId;

/** What a draft would bet is the same with either kind of money, and who may ask for real money is not asked. */
const onPaper = (draft: StrategyDraft): StrategyDraft => ({ ...draft, automationPaper: true });

/** What was read, with the strategy that is judged in place of its version on record: a draft has none. */
const asIfOnRecord = (strategy: Strategy, read: Snapshot): Snapshot =>
  new Proxy(read, {
    get(target, name) {
      if (name === 'strategy') return (id: StrategyId) => (id === strategy.id ? strategy : target.strategy(id));
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

/** Evaluates what a strategy would do now, and why, on current markets; it changes nothing, and no bet is on record. */
export class EvaluateStrategy {
  readonly #views: ReadMarketViews;
  readonly #exits: EvaluateExits;
  readonly #orders: BetOrders;

  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly signals: SignalSource,
    private readonly context: BetPorts,
  ) {
    this.#views = new ReadMarketViews(venues);
    this.#exits = new EvaluateExits(ledger, venues, signals, context);
    this.#orders = new BetOrders(ledger, venues, context);
  }

  /** What it would sell comes first. @throws StrategyNotFound, RulesInvalid, MarketNotFound, MarketDataUnavailable */
  async execute(evaluation: Evaluation): Promise<readonly Evaluated[]> {
    const { account, market, limit } = evaluation;
    const now = this.context.clock.now();
    const strategy = await this.#strategy(evaluation, now);
    const rules = tradingRules(strategy);
    const terms = { account, now, maxAgeMs: SEARCHED_MS };
    const inPhase = await this.#views.markets(rules, terms);
    // Games that the rules name have begun, or have not: a decision on each says so, where an empty list would not.
    const known = inPhase.length > 0 || rules.phase === 'any' ? inPhase : await this.#ofAnyPhase(rules, terms);
    const asker: Asker = { account, purpose: 'look' };
    const named = market === null ? null : await this.#named(market, asker);
    const asked = named === null ? known : [named];
    const exits = await this.#exits.execute(strategy, named === null ? null : refOf(named), limit);
    const decisions: Evaluated[] = [...exits];
    for (const one of asked) {
      if (decisions.length >= limit) break;
      const view = await this.#views.view(one, known, asker);
      for (const outcome of judged(rules, one)) decisions.push(await this.#judge({ strategy, view, outcome }));
    }
    return decisions.slice(0, limit);
  }

  async #strategy({ account, strategyId, draft }: Evaluation, now: Date): Promise<Strategy> {
    if (strategyId === null && draft !== undefined) return createStrategy(NO_STRATEGY, account, onPaper(draft), now);
    const found = strategyId === null ? undefined : await this.ledger.findStrategy(account, strategyId);
    if (found === undefined) throw new StrategyNotFound();
    return draft === undefined ? found : { ...found, ...drafted(draft) };
  }

  /** Markets that the rules name but for their phase; none where they cannot be searched now. */
  async #ofAnyPhase(rules: TradingRules, terms: SearchTerms): Promise<readonly Market[]> {
    try {
      return await this.#views.markets({ ...rules, phase: 'any' }, terms);
    } catch (error) {
      if (error instanceof DomainError) return [];
      throw error;
    }
  }

  async #named({ venue, marketId }: NonNullable<Evaluation['market']>, asker: Asker): Promise<Market> {
    const found = await this.venues.named(venue).marketData.find(marketId, asker);
    if (found === undefined) throw new MarketNotFound(marketId);
    return found;
  }

  /** The one on record, where the rules measure from it. Where there is none, the strategy would look for the first time. */
  async #firstPrice(look: Look): Promise<Price | null> {
    const { strategy, view } = look;
    const { buys } = possibleBet(look);
    const offer = bestOffer(view, buys);
    if (tradingRules(strategy).filter.maxDrift === null) return offer;
    const [kept] = await this.ledger.firstPrices.find([firstPriceKey(strategy, view.market, buys)]);
    return kept?.price ?? offer;
  }

  /** Asking risks nothing: only a halt keeps it from that. */
  #whyNotAsked(bet: PossibleBet, decision: DecisionSubject & Bet, now: Snapshot): string | null {
    return isHalted(bet, now, this.context.wallClock.now()) ? 'trading_halted' : whyNotAsked(now.approvals(), decision);
  }

  async #judge(look: Look): Promise<BetDecision> {
    const estimates = await readEstimates(this.signals, look.strategy, look.view);
    const firstPrice = await this.#firstPrice(look);
    // As a strategy that looks for the first time: nothing was refused.
    const defaultVenue = this.venues.ofUnnamed;
    const judgement = { ...look, estimates, firstPrice, rearmed: true, benched: false, defaultVenue };
    const bet = possibleBet(judgement);
    return this.#orders.look<BetDecision>(bet, (read, terms) => {
      const now = asIfOnRecord(look.strategy, read);
      const lacking = this.#orders.lacking(now, look.strategy, terms);
      if (lacking !== null) return lacking;
      const bounds = betBoundsOf(now, bet, terms.at, this.context);
      const decision = decideBet(betInputs(judgement, bounds, terms.at));
      if (decision.verdict === 'skip') return decision;
      const asks = look.strategy.automation === 'approve';
      const why = asks ? this.#whyNotAsked(bet, decision, now) : this.#orders.obstacle(now, bet, decision, terms);
      if (isAgain(why)) return why;
      return why === null ? decision : skipOf(decision, why);
    });
  }
}

/** What is judged. */
type Look = Pick<Judgement, 'strategy' | 'view' | 'outcome'>;

/** Without an outcome in its rules, one decision on each market says so. */
const judged = ({ outcome }: Pick<TradingRules, 'outcome'>, market: Market): readonly OutcomeSide[] =>
  outcome === null ? ['YES'] : outcomesToJudge(outcome, market);
