import { formatMicro, ONE } from '../../money.js';
import { isSignalNeeded } from '../conditions/candidate.js';
import { writeDuration } from '../rules/rule-duration.js';
import type { ExitRules, OneOrMore, OutcomeChoice } from '../rules/rules.js';
import { type TradingRules, tradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';

/** What one member of a strategy means, as a sentence. `pointer` is a JSON pointer into the strategy as clients write it. */
export interface Explanation {
  readonly pointer: string;
  readonly sentence: string;
}

/** The members of a strategy that are explained. */
export type Explained = Pick<
  Strategy,
  'rules' | 'automation' | 'automationPaper' | 'paperOnly' | 'isPaused' | 'bankrollCap' | 'stakeCap'
>;

type Line = readonly [member: string, sentence: string | null];

/** What a strategy would do, member by member, with every default that holds; a member that does nothing is not there. */
export function explainRules(strategy: Explained): readonly Explanation[] {
  const rules = tradingRules(strategy);
  const lines: readonly Line[] = [
    ...matchLines(rules.match),
    ['outcome', rules.outcome && outcomeSentence(rules.outcome, rules.filter.side)] as const,
    ...whenLines(rules),
    ...filterLines(rules.filter),
    ...sizingLines(rules.sizing),
    ...limitLines(rules.limits),
    ...orderLines(rules.order),
    ...exitLines(rules.exit ?? {}),
    ['signal', rules.signal && signalSentence(rules, rules.signal.name)] as const,
  ];
  const said = lines.flatMap(([member, sentence]) =>
    sentence === null ? [] : [{ pointer: `/rules/${member}`, sentence }],
  );
  return [...said, ...capLines(strategy)];
}

const dollars = (micro: bigint): string => `${formatMicro(micro)} USDC`;
const percent = (micro: bigint): string => `${formatMicro(micro * 100n)} %`;
const listed = (names: OneOrMore<string>): string => (typeof names === 'string' ? names : names.join(' or '));
const times = (count: number): string => (count === 1 ? 'Once' : `At most ${count} times`);

/** The sentence for a value; nothing where it is null. */
const of = <T>(value: T | null | undefined, sentence: (value: T) => string): string | null =>
  value === null || value === undefined ? null : sentence(value);

function matchLines({ sport, market, league, events, text }: TradingRules['match']): readonly Line[] {
  return [
    ['match/sport', `Only markets of the sport ${sport}.`],
    ['match/market', of(market, (kinds) => `Only markets of the kind ${listed(kinds)}.`)],
    ['match/league', of(league, (names) => `Only in the league ${listed(names)}.`)],
    ['match/events', of(events, (names) => `Only on the event ${listed(names)}.`)],
    ['match/text', of(text, (words) => `Only where the question, the event or the slug has the words "${words}".`)],
  ];
}

function outcomeSentence(choice: OutcomeChoice, side: 'BACK' | 'LAY'): string {
  const bets = side === 'BACK' ? 'Bets for' : 'Bets against';
  if (choice === 'each') return `${bets} each outcome that the rules permit.`;
  if ('label' in choice) return `${bets} the outcome "${choice.label}".`;
  if ('role' in choice) return choice.role === 'draw' ? `${bets} the draw.` : `${bets} the ${choice.role} team.`;
  if ('index' in choice) return `${bets} the ${choice.index === 0 ? 'first' : 'second'} outcome of the market.`;
  const { favouriteRank: rank } = choice;
  return rank === 1 ? `${bets} the favourite.` : `${bets} number ${rank} of the outcomes, the most probable first.`;
}

const PHASE = {
  pre: 'Only before the game starts.',
  in_play: 'Only while the game is on.',
  any: 'Before the game and while it is on.',
};

const relative = (ms: number): string => {
  if (ms === 0) return 'the start';
  return `${writeDuration(Math.abs(ms))} ${ms < 0 ? 'before' : 'after'} the start`;
};

function whenLines({ window, phase }: TradingRules): readonly Line[] {
  return [
    ['window/from', of(window.fromMs, (ms) => `Not earlier than ${relative(ms)}.`)],
    ['window/to', of(window.toMs, (ms) => `Not later than ${relative(ms)}.`)],
    ['phase', PHASE[phase]],
  ];
}

function filterLines(filter: TradingRules['filter']): readonly Line[] {
  const { minOdds, maxOdds, minEdge, maxSpread, minLiquidity, maxDrift, maxBookAgeMs, maxOverround } = filter;
  return [
    ['filter/min_odds', of(minOdds, (odds) => `Only at net decimal odds of ${formatMicro(odds)} or longer.`)],
    ['filter/max_odds', of(maxOdds, (odds) => `Only at net decimal odds of ${formatMicro(odds)} or shorter.`)],
    ['filter/min_edge', of(minEdge, (edge) => `Only with an expected yield of ${percent(edge)} or more, net of fees.`)],
    [
      'filter/max_spread',
      of(maxSpread, (gap) => `Only while the best bid and ask are ${formatMicro(gap)} apart or less.`),
    ],
    [
      'filter/min_liquidity_usdc',
      of(minLiquidity, (sum) => `Only where the book offers ${dollars(sum)} at prices that the rules permit.`),
    ],
    [
      'filter/max_drift',
      of(maxDrift, (gap) => `Only while the price is within ${formatMicro(gap)} of the first one seen.`),
    ],
    ['filter/max_book_age', of(maxBookAgeMs, (ms) => `Only on a book that is ${writeDuration(ms)} old or less.`)],
    [
      'filter/max_overround',
      of(
        maxOverround,
        (share) => `Only while the best asks of all outcomes add up to ${formatMicro(ONE + share)} or less.`,
      ),
    ],
  ];
}

function sizingLines({ method, value, referenceEdge }: TradingRules['sizing']): readonly Line[] {
  const sentences = {
    fixed_fraction: `Stakes ${percent(value)} of the free bankroll.`,
    flat: `Stakes ${dollars(value)}.`,
    kelly: `Stakes ${percent(value)} of what Kelly's formula gives.`,
    to_win: `Stakes what wins ${dollars(value)}.`,
    fixed_liability: `Stakes so that ${dollars(value)} can be lost.`,
    edge_proportional: `Stakes up to ${percent(value)} of the free bankroll, in proportion to the edge.`,
    dutch: `Divides ${dollars(value)} among the outcomes, so that each pays the same.`,
  };
  const reference = `Stakes the whole fraction at an edge of ${percent(referenceEdge)} or more.`;
  return [
    ['sizing', sentences[method]],
    ['sizing/reference_edge', method === 'edge_proportional' ? reference : null],
  ];
}

function limitLines(limits: TradingRules['limits']): readonly Line[] {
  return [
    ['limits/max_bets_per_outcome', of(limits.maxBetsPerOutcome, (n) => `${times(n)} on one outcome.`)],
    ['limits/max_bets_per_market', of(limits.maxBetsPerMarket, (n) => `${times(n)} in one market.`)],
    ['limits/max_bets_per_event', of(limits.maxBetsPerEvent, (n) => `${times(n)} in one event.`)],
    ['limits/max_bets_per_day', of(limits.maxBetsPerDay, (n) => `${times(n)} a day.`)],
    ['limits/max_open', of(limits.maxOpen, (n) => `With at most ${n} open at a time.`)],
    [
      'limits/cooldown',
      of(limits.cooldownMs, (ms) => `With ${writeDuration(ms)} or more between two bets on one outcome.`),
    ],
    ['limits/event_loss', of(limits.eventLoss, (sum) => `Never with more than ${dollars(sum)} to lose in one event.`)],
    ['limits/daily_loss', of(limits.dailyLoss, (sum) => `No more bets on a day that has lost ${dollars(sum)}.`)],
  ];
}

const FORCE = {
  GTC: 'Orders rest until they fill or are cancelled.',
  GTD: 'Orders rest until they expire.',
  FOK: 'Orders fill completely at once, or not at all.',
  FAK: 'Orders fill what they can at once, and drop the rest.',
};

function orderLines({ timeInForce, giveUpAfterMs, maxSlippage }: TradingRules['order']): readonly Line[] {
  const mayRest = timeInForce === 'GTC' || timeInForce === 'GTD';
  return [
    ['order/time_in_force', FORCE[timeInForce]],
    [
      'order/give_up_after',
      of(mayRest ? giveUpAfterMs : null, (ms) => `Cancels what has not filled after ${writeDuration(ms)}.`),
    ],
    ['order/max_slippage', of(maxSlippage, (gap) => `Pays at most ${formatMicro(gap)} more than the best price.`)],
  ];
}

function exitLines({ takeProfit, stop, beforeStartMs, afterMs, edgeBelow }: ExitRules): readonly Line[] {
  return [
    [
      'exit/take_profit',
      of(takeProfit, (at) => `Sells ${'price' in at ? atPrice(at.price, 'above') : atReturn(at.gain, 'more')}.`),
    ],
    ['exit/stop', of(stop, (at) => `Sells ${'price' in at ? atPrice(at.price, 'below') : atReturn(at.loss, 'less')}.`)],
    ['exit/before_start', of(beforeStartMs, (ms) => `Sells ${writeDuration(ms)} before the game starts.`)],
    ['exit/after', of(afterMs, (ms) => `Sells ${writeDuration(ms)} after the first purchase.`)],
    ['exit/edge_below', of(edgeBelow, (edge) => `Sells once holding is expected to yield less than ${percent(edge)}.`)],
  ];
}

const atPrice = (price: bigint, way: string): string => `at a price of ${formatMicro(price)} or ${way}`;
const atReturn = (share: bigint, way: string): string => `once it brings ${percent(share)} ${way} than it cost`;

function signalSentence(rules: TradingRules, name: string): string {
  const from = `Takes the probability from the signal ${name}`;
  return isSignalNeeded(rules) ? `${from}, and never bets without it.` : `${from} while there is one.`;
}

const MODE = {
  off: 'Does nothing by itself: its rules are on record, and its caps hold for the orders that name it.',
  approve: 'Asks a person before each bet, and orders nothing that was not approved within 10 minutes.',
  auto: 'Orders by itself.',
};

function capLines(strategy: Explained): readonly Explanation[] {
  const { automation, bankrollCap, stakeCap, isPaused } = strategy;
  return [
    { pointer: '/bankroll_cap', sentence: `Never has more than ${dollars(bankrollCap)} at work.` },
    { pointer: '/stake_cap', sentence: `Never stakes more than ${dollars(stakeCap)} at once.` },
    { pointer: '/automation', sentence: MODE[automation] },
    ...(automation === 'off' ? [] : [{ pointer: '/automation_paper', sentence: moneySentence(strategy) }]),
    ...(isPaused ? [{ pointer: '/is_paused', sentence: 'Orders nothing while it is paused.' }] : []),
  ];
}

function moneySentence({ automationPaper, paperOnly }: Explained): string {
  if (automationPaper) return 'On paper.';
  if (paperOnly) return 'Orders nothing: it would be with real money, which paper_only bars.';
  return 'With real money, as long as the API key that said so is valid.';
}
