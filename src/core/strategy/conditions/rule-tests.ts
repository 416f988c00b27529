import { type BookView, mirrored } from '../../market/book.js';
import { costOfShare, type FeeSchedule } from '../../market/fee.js';
import { answers } from '../../market/market.js';
import {
  compareRatios,
  microFloor,
  NO_SHARES,
  NO_USDC,
  notional,
  ONE,
  type Price,
  plus,
  type Ratio,
  ratioOf,
} from '../../money.js';
import {
  costAt,
  isAtLeast,
  isAtMost,
  type Ladder,
  oddsAt,
  shownOdds,
  within,
  yieldAt,
} from '../price/price-of-stake.js';
import { isAnyVenue } from '../rules/condition-members.js';
import { membersWithin, type OneOrMore } from '../rules/rule-member.js';
import type { SkipCode } from '../rules/skip-reasons.js';
import type { BetInputs } from './candidate.js';
import { type Candidate, chosenOutcome, isSignalNeeded, type RuleLog, secondsOf } from './candidate.js';

const STALE = 'market_data_stale';
const OUTCOME_MEMBERS = membersWithin('outcome');

/** Whether the book can be believed, and is good enough to bet on. */
export function testBook(log: RuleLog, inputs: BetInputs, { view }: Candidate): void {
  if (view === null) {
    log.missing('book', null, 'book');
    return;
  }
  const { filter } = inputs.rules;
  const [bid, ask] = [view.bids[0]?.price ?? null, view.asks[0]?.price ?? null];
  log.test('book/fresh', view.fresh, true, view.fresh, STALE);
  if (filter.maxBookAgeMs !== null) {
    const ageMs = inputs.now.getTime() - view.at.getTime();
    log.test(
      'filter/max_book_age',
      secondsOf(ageMs),
      secondsOf(filter.maxBookAgeMs),
      ageMs <= filter.maxBookAgeMs,
      STALE,
    );
  }
  if (ask === null) log.missing('book/asks', null, 'asks');
  if (bid !== null && ask !== null && bid >= ask) log.test('book/crossed', bid, ask, false, 'suspicious_book');
  testSpread(log, filter.maxSpread, bid, ask);
  testDrift(log, inputs, ask);
  testOverround(log, inputs);
}

function testSpread(log: RuleLog, most: Price | null, bid: Price | null, ask: Price | null): void {
  if (most === null) return;
  if (bid === null || ask === null) {
    log.missing('filter/max_spread', most, bid === null ? 'bids' : 'asks');
    return;
  }
  log.test('filter/max_spread', ask - bid, most, ask - bid <= most, 'spread_too_wide');
}

function testDrift(log: RuleLog, { rules, firstPrice }: BetInputs, ask: Price | null): void {
  const most = rules.filter.maxDrift;
  if (most === null) return;
  if (firstPrice === null || ask === null) {
    log.missing('filter/max_drift', most, firstPrice === null ? 'first_price' : 'asks');
    return;
  }
  const drift = ask > firstPrice ? ask - firstPrice : firstPrice - ask;
  log.test('filter/max_drift', drift, most, drift <= most, 'price_drifted');
}

/**
 * The best offers of all results of the game sum to this much above 1. Where they sum to less than 1 even with fees, one of the books is
 * more likely wrong than generous, and only a dutch bet is meant for that.
 */
function testOverround(log: RuleLog, inputs: BetInputs): void {
  const { filter, sizing } = inputs.rules;
  const most = filter.maxOverround;
  if (most === null) return;
  const offers = bestOffers(inputs);
  if (offers === null) {
    log.missing('filter/max_overround', most, 'books');
    return;
  }
  const overround = offers.reduce((sum, { price }) => sum + price, 0n) - ONE;
  log.test('filter/max_overround', overround, most, overround <= most, 'overround_too_high');
  const costs = offers.map(({ price, fee }) => costOfShare(fee, price));
  const sum = costs.reduce<Ratio>((all, { cost, whole }) => ({ n: all.n * whole + cost * all.d, d: all.d * whole }), {
    n: 0n,
    d: 1n,
  });
  if (sizing.method !== 'dutch' && compareRatios(sum, ratioOf(ONE)) < 0n)
    log.test('book/sum_of_offers', microFloor(sum), ONE, false, 'suspicious_book');
}

interface Offer {
  readonly price: Price;
  readonly fee: FeeSchedule;
}

/** The best offers of every result of the game; null where one of the books or fees is not known, or out of date. */
function bestOffers({ market, book, others }: BetInputs): readonly Offer[] | null {
  const own = market.terms?.fee ?? null;
  const both = [book?.asks[0]?.price, book?.bids[0] === undefined ? undefined : mirrored(book.bids[0].price)];
  const offers =
    market.exclusiveSet === null
      ? both.map((price) => offerAt(price, own))
      : [
          offerAt(both[0], own),
          ...others.map((one) => offerAt(usable(one.book)?.asks[0]?.price, one.market.terms?.fee ?? null)),
        ];
  const known = offers.filter((offer) => offer !== null);
  return known.length === offers.length && known.length > 1 ? known : null;
}

const usable = (book: BookView | null): BookView | null => (book?.fresh === true ? book : null);

const offerAt = (price: Price | undefined, fee: FeeSchedule | null): Offer | null =>
  price === undefined || fee === null ? null : { price, fee };

/** Whether the market and the outcome are what the rules name; letters compare without case. */
export function testMatch(log: RuleLog, inputs: BetInputs): void {
  const { match } = inputs.rules;
  const { market } = inputs;
  testName(log, 'sport', match.sport, market.sport);
  testVenue(log, inputs);
  testName(log, 'league', match.league, market.league);
  testName(log, 'market', match.market, market.kind);
  testEvent(log, match.events, inputs);
  if (match.text !== null)
    log.test('match/text', market.question, match.text, answers(market, { text: match.text }), 'not_matched:text');
  testOutcome(log, inputs);
}

/** Rules that name no venue are for the default one, of which nothing is said. */
function testVenue(log: RuleLog, { rules: { match }, market, defaultVenue }: BetInputs): void {
  const wanted = match.venue ?? defaultVenue ?? market.venue;
  if (isAnyVenue(wanted)) return;
  const names = typeof wanted === 'string' ? [wanted] : wanted;
  const isNamed = names.includes(market.venue);
  if (isNamed && (log.isBrief || match.venue === null)) return;
  log.test('match/venue', market.venue, names.join(', '), isNamed, 'not_matched:venue');
}

function testName(
  log: RuleLog,
  field: 'sport' | 'league' | 'market',
  wanted: OneOrMore<string> | null,
  found: string | null,
): void {
  if (wanted === null) return;
  const names = typeof wanted === 'string' ? [wanted] : wanted;
  const isNamed = found !== null && names.some((name) => same(name, found));
  if (isNamed && log.isBrief) return;
  const bound = names.join(', ');
  if (found === null) log.missing(`match/${field}`, bound, field);
  else log.test(`match/${field}`, found, bound, isNamed, `not_matched:${field}`);
}

function testEvent(log: RuleLog, events: readonly string[] | null, { market: { event } }: BetInputs): void {
  if (events === null) return;
  const bound = events.join(', ');
  if (event === null) {
    log.missing('match/events', bound, 'event');
    return;
  }
  const isNamed = events.some((name) => same(name, event.id) || (event.slug !== null && same(name, event.slug)));
  log.test('match/events', event.slug ?? event.id, bound, isNamed, 'not_matched:events');
}

function testOutcome(log: RuleLog, inputs: BetInputs): void {
  const { outcome: choice } = inputs.rules;
  if (choice === null) {
    log.missing('outcome', null, 'outcome');
    return;
  }
  const chosen = chosenOutcome(choice, inputs);
  if (log.isBrief && 'passed' in chosen && chosen.passed) return;
  const bound =
    typeof choice === 'string'
      ? choice
      : OUTCOME_MEMBERS.flatMap(([name, { shown }]) =>
          name in choice ? `${shown} ${choice[name as keyof typeof choice]}` : [],
        )[0];
  if ('missing' in chosen) log.missing('outcome', bound ?? null, chosen.missing);
  else log.test('outcome', chosen.reason ?? chosen.value, bound ?? null, chosen.passed, 'not_matched:outcome');
}

const same = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase();

const SIGNAL = 'signal';
const MISSING = 'input_missing:';

/**
 * Whether there is a probability where one is needed. One that is missing or has expired is no reason where none is needed; one that
 * cannot be right always is.
 */
export function testSignal(log: RuleLog, { rules }: BetInputs, { estimate }: Candidate): void {
  const { signal } = rules;
  const isNeeded = isSignalNeeded(rules);
  const name = signal?.name ?? null;
  if (estimate !== null && 'probability' in estimate)
    log.test(SIGNAL, estimate.probability, name, true, 'implausible_signal');
  else if (estimate?.code === 'implausible_signal') log.test(SIGNAL, estimate.detail, name, false, estimate.code);
  else if (!isNeeded) return;
  else if (estimate === null) log.missing(SIGNAL, name, 'probability');
  else if (estimate.code.startsWith(MISSING)) log.missing(SIGNAL, name, estimate.code.slice(MISSING.length));
  else log.test(SIGNAL, estimate.detail, name, false, estimate.code);
}

/** Whether the best level holds the odds and the edge, and how much may be bought; returns the levels that may. */
export function testPrice(
  log: RuleLog,
  { rules }: BetInputs,
  { view, ladder, bounds, probability }: Candidate,
): Ladder | null {
  if (ladder === null || view === null || view.asks.length === 0) return null;
  const [best] = ladder.rungs;
  const { filter } = rules;
  if (best === undefined) {
    log.test('odds', null, ONE, false, 'odds_out_of_range');
    return null;
  }
  testCost(log, costAt(ladder, best), bounds, probability, 'test');
  const permitted = within(ladder, bounds);
  if (filter.minLiquidity !== null) {
    const money = permitted.rungs.reduce(
      (sum, { price, shares }) => plus(sum, notional(shares, price, 'floor')),
      NO_USDC,
    );
    const { minLiquidity } = filter;
    log.test('filter/min_liquidity_usdc', money, minLiquidity, money >= minLiquidity, 'liquidity_too_low');
  }
  return permitted;
}

/** The odds and the edge at what a share costs: of the best level, and then of the whole stake. */
export function testCost(
  log: RuleLog,
  cost: Ratio,
  bounds: Candidate['bounds'],
  probability: Candidate['probability'],
  how: 'test' | 'again',
): void {
  const { side, minOdds, maxOdds, minEdge, needsGain: isGainNeeded } = bounds;
  const odds = oddsAt(cost, side);
  const shown = shownOdds(odds, side);
  const test = (rule: string, value: bigint, bound: bigint, passed: boolean, code: SkipCode) =>
    how === 'test' ? log.test(rule, value, bound, passed, code) : log.again(rule, value, passed, code);
  if (minOdds !== null) test('filter/min_odds', shown, minOdds, isAtLeast(odds, minOdds), OUT_OF_RANGE);
  if (maxOdds !== null) test('filter/max_odds', shown, maxOdds, isAtMost(odds, maxOdds), OUT_OF_RANGE);
  if (probability === null) {
    if (minEdge !== null && how === 'test') log.missing('filter/min_edge', minEdge, 'probability');
    return;
  }
  const edge = yieldAt(cost, probability);
  const exact = microFloor(edge);
  if (minEdge !== null) test('filter/min_edge', exact, minEdge, edge.n * ONE >= minEdge * edge.d, NO_EDGE);
  if (isGainNeeded) test('sizing/edge', exact, 0n, edge.n > 0n, NO_EDGE);
}

const OUT_OF_RANGE = 'odds_out_of_range';
/** There is nothing to gain, or less than the rules want. */
export const NO_EDGE = 'no_edge';

const USED = 'slot_used';
const COOLDOWN = 'cooldown';
const TOO_MANY = 'max_bets_exceeded';
const OPEN = 'max_open_exceeded';
const BENCHED = 'benched';
const OTHER_HELD = 'other_outcome_held';

/** Codes of a skip whose conditions were all true: the strategy has bet enough, or was refused. */
export const OFTEN_CODES: readonly string[] = [USED, COOLDOWN, TOO_MANY, OPEN, BENCHED, OTHER_HELD];

/** Whether the account may hold the outcome, and how often the strategy may bet: per outcome, market, event and day, and at once. */
export function testHowOften(log: RuleLog, { rules, bets, benched, now, otherHeld }: BetInputs): void {
  const { limits } = rules;
  if (otherHeld !== undefined) log.test('market/other_outcome', otherHeld, NO_SHARES, otherHeld === 0n, OTHER_HELD);
  testBelow(log, 'max_bets_per_outcome', bets.onOutcome, limits.maxBetsPerOutcome, USED);
  if (bets.onOutcome > 0) {
    log.test('limits/rearmed', bets.rearmed, true, bets.rearmed, USED);
    testCooldown(log, bets.lastAt, limits.cooldownMs, now);
  }
  testBelow(log, 'max_bets_per_market', bets.onMarket, limits.maxBetsPerMarket, TOO_MANY);
  testBelow(log, 'max_bets_per_event', bets.onEvent, limits.maxBetsPerEvent, TOO_MANY);
  testBelow(log, 'max_bets_per_day', bets.today, limits.maxBetsPerDay, TOO_MANY);
  testBelow(log, 'max_open', bets.open, limits.maxOpen, OPEN);
  log.test('benched', benched, false, !benched, BENCHED);
}

function testBelow(log: RuleLog, limit: string, count: number | null, most: number | null, code: SkipCode): void {
  if (most === null) return;
  if (count === null) log.missing(`limits/${limit}`, most, 'event_bets');
  else log.test(`limits/${limit}`, count, most, count < most, code);
}

function testCooldown(log: RuleLog, lastAt: Date | null, cooldownMs: number | null, now: Date): void {
  if (cooldownMs === null) return;
  if (lastAt === null) {
    log.missing('limits/cooldown', null, 'last_bet');
    return;
  }
  const over = new Date(lastAt.getTime() + cooldownMs);
  log.test('limits/cooldown', now, over, now >= over, COOLDOWN);
}

/** Whether the market takes orders of this strategy now. */
export function testMarket(log: RuleLog, { strategy, market }: BetInputs): void {
  const { status, terms } = market;
  log.test('strategy/is_paused', strategy.isPaused, false, !strategy.isPaused, 'strategy_paused');
  if (status === null) log.missing('market/status', TAKES_BETS, 'status');
  else log.test('market/status', status, TAKES_BETS, status === 'open' || status === 'in_play', 'not_matched:status');
  if (terms === null) {
    log.missing('market/accepting_orders', true, 'terms');
    return;
  }
  const { acceptingOrders, fee } = terms;
  log.test('market/accepting_orders', acceptingOrders, true, acceptingOrders, 'market_not_accepting_orders');
  log.test('market/fee', fee === null ? null : fee.rate, null, fee !== null, 'fee_unknown');
}

const TAKES_BETS = 'open, in_play';

/** Whether the game is on: from its start, or once its venue says so; null where its start is not known. */
export function phaseOf({
  market: { startsAt, status },
  now,
}: Pick<BetInputs, 'market' | 'now'>): 'pre' | 'in_play' | null {
  if (status === 'in_play') return 'in_play';
  if (startsAt === null) return null;
  return startsAt <= now ? 'in_play' : 'pre';
}

/**
 * Whether it is the time to bet, by the start of the game as it is known now. Both ends of a window are within it.
 */
export function testWhen(log: RuleLog, inputs: BetInputs): void {
  const { rules, market, now } = inputs;
  const { phase, window } = rules;
  const { startsAt } = market;
  if (phase !== 'any') {
    const found = phaseOf(inputs);
    const code = phase === 'pre' ? 'in_play_not_allowed' : 'not_in_play';
    if (found === null) log.missing('phase', phase, 'starts_at');
    else log.test('phase', found, phase, found === phase, code);
  }
  testEdgeOfWindow(log, 'from', window.fromMs, 'too_early', startsAt, now);
  testEdgeOfWindow(log, 'to', window.toMs, 'too_close_to_start', startsAt, now);
}

function testEdgeOfWindow(
  log: RuleLog,
  end: 'from' | 'to',
  offsetMs: number | null,
  code: SkipCode,
  startsAt: Date | null,
  now: Date,
): void {
  if (offsetMs === null) return;
  if (startsAt === null) {
    log.missing(`window/${end}`, null, 'starts_at');
    return;
  }
  const edge = new Date(startsAt.getTime() + offsetMs);
  log.test(`window/${end}`, now, edge, end === 'from' ? now >= edge : now <= edge, code);
}
