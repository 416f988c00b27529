import * as v from 'valibot';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
import { BET_SIDES, PHASES, SIZING_METHODS } from '../../core/strategy/rules/rules.js';
import { RULE } from './rule-meanings.js';
import { means } from './schema.js';

const oneOrMore = <T>(one: v.GenericSchema<T>) => v.union([one, v.array(one)]);
const number = v.nullable(v.number());
const time = v.nullable(v.string());
const maybe = <Schema extends v.GenericSchema>(schema: Schema, words: string, example?: string | number) =>
  v.optional(means(schema, words, example));

/** Rules as every answer shows them; members after `sizing` only where they, or automation, were asked for. */
export const rulesOut = v.object({
  version: means(v.literal(1), RULE.version),
  match: v.object({
    sport: means(v.string(), RULE.sport, 'soccer'),
    market: maybe(oneOrMore(v.picklist(MARKET_KINDS)), RULE.market),
    league: maybe(oneOrMore(v.string()), RULE.league, 'epl'),
    events: maybe(v.array(v.string()), RULE.events),
    text: maybe(v.string(), RULE.text),
  }),
  filter: v.object({
    min_odds: maybe(v.number(), RULE.minOdds, 1.5),
    max_odds: maybe(v.number(), RULE.maxOdds, 3),
    side: means(v.picklist(BET_SIDES), RULE.side),
    min_edge: maybe(number, RULE.minEdge, 0.02),
    max_spread: maybe(number, RULE.maxSpread, 0.05),
    min_liquidity_usdc: maybe(number, RULE.minLiquidity, 100),
    max_drift: maybe(number, RULE.maxDrift, 0.03),
    max_book_age: maybe(time, RULE.maxBookAge, '5s'),
    max_overround: maybe(number, RULE.maxOverround, 0.04),
  }),
  sizing: v.object({
    method: means(v.picklist(SIZING_METHODS), RULE.method),
    value: means(v.number(), RULE.value, 0.02),
    reference_edge: maybe(v.number(), RULE.referenceEdge, 0.1),
  }),
  outcome: maybe(
    v.union([
      v.literal('each'),
      v.object({ label: means(v.string(), RULE.label) }),
      v.object({ role: means(v.picklist(OUTCOME_ROLES), RULE.role) }),
      v.object({ index: means(v.number(), RULE.index) }),
      v.object({ favourite_rank: means(v.number(), RULE.favouriteRank) }),
    ]),
    RULE.outcome,
  ),
  window: maybe(
    v.object({ from: maybe(v.string(), RULE.from, '-24h'), to: maybe(v.string(), RULE.to, '-5m') }),
    RULE.window,
  ),
  phase: maybe(v.picklist(PHASES), RULE.phase),
  limits: maybe(
    v.object({
      max_bets_per_outcome: maybe(number, RULE.maxBetsPerOutcome, 1),
      max_bets_per_market: maybe(number, RULE.maxBetsPerMarket),
      max_bets_per_event: maybe(number, RULE.maxBetsPerEvent),
      max_bets_per_day: maybe(number, RULE.maxBetsPerDay, 100),
      max_open: maybe(number, RULE.maxOpen),
      cooldown: maybe(time, RULE.cooldown, '5m'),
      event_loss: maybe(number, RULE.eventLoss, 50),
      daily_loss: maybe(number, RULE.dailyLoss, 100),
    }),
    RULE.limits,
  ),
  order: maybe(
    v.object({
      time_in_force: means(v.picklist(TIMES_IN_FORCE), RULE.timeInForce),
      give_up_after: maybe(time, RULE.giveUpAfter, '1m'),
      max_slippage: maybe(number, RULE.maxSlippage, 0.02),
    }),
    RULE.order,
  ),
  exit: maybe(
    v.object({
      take_profit: maybe(
        v.union([v.object({ price: means(v.number(), RULE.price) }), v.object({ gain: means(v.number(), RULE.gain) })]),
        RULE.takeProfit,
      ),
      stop: maybe(
        v.union([v.object({ price: means(v.number(), RULE.price) }), v.object({ loss: means(v.number(), RULE.loss) })]),
        RULE.stop,
      ),
      before_start: maybe(v.string(), RULE.beforeStart, '10m'),
      after: maybe(v.string(), RULE.after, '48h'),
      edge_below: maybe(v.number(), RULE.edgeBelow, 0.01),
    }),
    RULE.exit,
  ),
  signal: maybe(
    v.object({
      name: means(v.string(), RULE.signalName, 'my-model'),
      required: means(v.boolean(), RULE.required),
    }),
    RULE.signal,
  ),
});
