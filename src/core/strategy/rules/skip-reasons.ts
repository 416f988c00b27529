/** What a sentence is made of: the rule that was not true, what was found and asked for, and the outcome by its name. */
export interface FoundRule {
  readonly rule: string;
  readonly value: string;
  readonly bound: string;
  readonly outcome: string;
  readonly inputs: Readonly<Record<string, string | null>>;
  readonly boundBy: string | null;
}

/** What is wrong, as a sentence without figures; and the same with those that decided, null where the rule has none. */
export type SkipReason = readonly [meaning: string, said?: (found: FoundRule) => string | null];

const NO_BET = 'it does not bet again';

/** Every reason of a strategy not to bet, or not to sell, by its code. */
export const SKIP_REASONS = {
  'not_matched:sport': [
    'The market is of another sport than the rules name.',
    ({ value, bound }) => `The market is of the sport ${value}; the rules name ${bound}.`,
  ],
  'not_matched:venue': [
    'The market is at another venue than the rules name.',
    ({ value, bound }) => `The market is at ${value}; the rules are for ${bound}.`,
  ],
  'not_matched:league': [
    'The market is of another league than the rules name.',
    ({ value, bound }) => `The market is of the league ${value}; the rules name ${bound}.`,
  ],
  'not_matched:market': [
    'The market is of another kind than the rules name.',
    ({ value, bound }) => `The market is of the kind ${value}; the rules name ${bound}.`,
  ],
  'not_matched:events': [
    'The market is of another event than the rules name.',
    ({ value, bound }) => `The market is of the event ${value}; the rules name ${bound}.`,
  ],
  'not_matched:text': [
    'The market lacks words that the rules name.',
    ({ value, bound }) => `“${value}” lacks words that the rules name: “${bound}”.`,
  ],
  'not_matched:outcome': [
    'It is another outcome than the rules choose.',
    ({ value, bound }) => `The rules choose the outcome ${words(bound)}; this one is ${value}.`,
  ],
  'not_matched:status': [
    'The market takes no bets: it is over, suspended, or its result is on its way.',
    ({ inputs }) => {
      const status = inputs['status'] ?? null;
      return status === null ? null : `The market is ${words(status)}: it takes no bets.`;
    },
  ],
  strategy_paused: ['The strategy is paused.'],
  market_not_accepting_orders: ['The market takes no orders now.'],
  fee_unknown: ['The venue does not report the fee of the market, so nobody knows what a bet would cost.'],
  in_play_not_allowed: [
    'The game has begun; the rules bet before it only.',
    ({ inputs }) => startText(inputs, (start) => `The game began at ${start}; the rules bet before it only.`),
  ],
  not_in_play: [
    'The game has not begun; the rules bet during it only.',
    ({ inputs }) => startText(inputs, (start) => `The game begins at ${start}; the rules bet during it only.`),
  ],
  too_early: [
    'It is too early: the window of the rules is not open yet.',
    ({ value, bound }) => `It is too early: the window of the rules opens at ${momentWords(bound)}${nowText(value)}.`,
  ],
  too_close_to_start: [
    'It is too late: the window of the rules is closed.',
    ({ value, bound }) => `It is too late: the window of the rules closed at ${momentWords(bound)}${nowText(value)}.`,
  ],
  market_data_stale: [
    'The book may be out of date.',
    ({ rule, value, bound, inputs }) => {
      if (rule === 'filter/max_book_age') return `The book is ${value} s old; the rules want ${bound} s or less.`;
      const at = inputs['book_at'] ?? null;
      return at === null ? null : `The book may be out of date: its last word came at ${momentWords(at)}.`;
    },
  ],
  suspicious_book: [
    'The prices of the book cannot be right.',
    ({ rule, value, bound }) =>
      rule === 'book/crossed'
        ? `The best bid, ${value}, is not below the best ask, ${bound}: the book cannot be right.`
        : `One share of every result costs ${value} together, less than the ${bound} that they pay: one of the books is wrong more likely than generous.`,
  ],
  spread_too_wide: [
    'The best bid and the best ask are too far apart.',
    ({ value, bound }) => `The best bid and the best ask are ${value} apart; the rules want ${bound} or less.`,
  ],
  price_drifted: [
    'The price has moved too far.',
    ({ rule, value, bound }) =>
      rule === 'approval/max_drift'
        ? `The price is ${value} worse than when the bet was asked for; ${bound} is permitted.`
        : `The price has moved ${value} from the first one seen; the rules want ${bound} or less.`,
  ],
  overround_too_high: [
    'The best asks of all results add up to too much.',
    ({ value, bound }) =>
      `The best asks of all results add up to ${value} more than 1; the rules want ${bound} or less.`,
  ],
  liquidity_too_low: [
    'The book offers too little at prices that the rules permit.',
    ({ value, bound }) =>
      `The book offers ${value} USDC at prices that the rules permit; they want ${bound} USDC or more.`,
  ],
  signal_expired: [
    'The signal has expired.',
    ({ bound, inputs }) => {
      const at = inputs['signal_expires_at'] ?? null;
      return at === null ? null : `The signal “${bound}” expired at ${momentWords(at)}.`;
    },
  ],
  implausible_signal: [
    'The signal cannot be right.',
    ({ rule, value, bound }) =>
      rule === 'signal/sum'
        ? `The signals of all results add up to ${value}, not to about ${bound}: they cannot be right.`
        : `The signal “${bound}” is too far from the market to be right: ${value.replaceAll('=', ' ')}.`,
  ],
  odds_out_of_range: [
    'The odds are not those that the rules permit.',
    ({ rule, value, bound }) => {
      if (rule === 'filter/min_odds')
        return `The odds are ${oddsText(value, bound)}; the rules want ${bound} or longer.`;
      if (rule === 'filter/max_odds')
        return `The odds are ${oddsText(value, bound)}; the rules want ${bound} or shorter.`;
      return 'With fees, no offer costs less than the 1 USDC that a share pays.';
    },
  ],
  no_edge: [
    'There is nothing to gain at this price, or less than the rules want.',
    ({ rule, value, bound }) => {
      if (rule === 'filter/min_edge') return `The bet is expected to yield ${value}; the rules want ${bound} or more.`;
      if (rule === 'sizing/dutch')
        return `One share of every result costs ${value} together; they have to cost less than ${bound}.`;
      if (rule === 'sizing/reserve_rate')
        return `Each USDC at stake is expected to return ${value}, and has to return more than ${bound} beside the other results.`;
      return `The bet is expected to yield ${value}: there is nothing to gain.`;
    },
  ],
  declined: ['The function that decides makes no bet here.'],
  slot_used: [
    'It has bet on this outcome already.',
    ({ rule, value, bound, outcome }) =>
      rule === 'limits/rearmed'
        ? `Already bet on ${outcome}, and the conditions were true ever since: ${NO_BET} until one was false.`
        : `Already bet on ${outcome}${timesText(value)}: ${betsText(bound)} an outcome.`,
  ],
  cooldown: [
    'It has bet on this outcome a moment ago.',
    ({ bound, outcome }) => `Just bet on ${outcome}: ${NO_BET} before ${momentWords(bound)}.`,
  ],
  max_bets_exceeded: [
    'It has bet as often as it may.',
    ({ rule, value, bound }) => {
      if (rule.endsWith('market')) return `Already ${betsText(value)} in this market: at most ${bound} in one.`;
      if (rule.endsWith('event')) return `Already ${betsText(value)} on this event: at most ${bound} on one.`;
      return `Already ${betsText(value)} today: at most ${bound} a day.`;
    },
  ],
  max_open_exceeded: [
    'It has as many bets open as it may.',
    ({ value, bound }) => `${betsText(value)} open: at most ${bound} at once.`,
  ],
  other_outcome_held: [
    'The account holds the other outcome, or may still buy it, and the venue keeps one net position of the market.',
    ({ value }) =>
      `The account holds ${value} shares of the other outcome, those of working orders among them: the venue keeps one net position of the market.`,
  ],
  benched: [
    'It has asked for the same bet already, or a limit, the venue or a person refused it: it looks again once the price moved by 0.01, probability or version changed, or 4 hours passed.',
  ],
  approval_waiting: ['The same bet waits for approval already.'],
  automation_changed: ['What was asked for does not fit what the strategy does now: its automation was changed.'],
  automation_key_revoked: [
    'The key that lets the strategy bet with real money was revoked, has expired, or may not place orders with real money.',
  ],
  below_minimum: [
    'The order would be smaller than the market takes.',
    ({ rule, value, bound, inputs, boundBy }) => {
      const by = boundBy === null ? '' : `; ${boundWords(boundBy)}`;
      const [left, sellable] = [inputs['bankroll_left'] ?? null, inputs['sellable_shares'] ?? null];
      if (sellable !== null) return `It could sell ${sellable} shares, fewer than the market takes.`;
      if (rule === 'market/min_notional')
        return `The order would be worth ${value} USDC; the market takes ${bound} USDC or more${by}.`;
      if (rule !== '') return `The order would be of ${value} shares; the market takes ${bound} or more${by}.`;
      return left === null ? null : `The order would buy nothing: ${left} USDC of the bankroll are left.`;
    },
  ],
  set_incomplete: [
    'Not every result of the game can be bought.',
    ({ value, bound }) => `Only ${value} of the ${bound} results of the game can be bought.`,
  ],
  exit_met: [
    'The book that would be bought from meets the exit of the rules.',
    ({ rule, value, bound }) =>
      `It would be sold at once: ${exitName(rule)} of the rules is at ${bound}, and the book is at ${value}.`,
  ],
  no_fills: ['All rules are true, and the tape holds no book that an order could meet.'],
  not_followed: [
    'The server follows as many markets as it can: this one is not among them.',
    ({ inputs }) => leftOutText(inputs, 'The server follows as many markets as it can', 'market'),
  ],
  not_watched: [
    'The account watches as many outcomes as it may: this one is not among them.',
    ({ inputs }) => leftOutText(inputs, 'The account watches as many outcomes as it may', 'outcome'),
  ],
  hold: [
    'No condition to sell is true.',
    ({ inputs }) => {
      const [best, held] = [inputs['best_bid'] ?? null, inputs['held_shares'] ?? null];
      if (best === null || held === null) return null;
      return `No condition to sell is true: the best bid is ${best}, and it holds ${held} shares.`;
    },
  ],
  exit_in_flight: ['Its sale is on its way.'],
} as const satisfies Readonly<Record<string, SkipReason>>;

/** A code of `SKIP_REASONS`, or that of an input that is not known. */
export type SkipCode = keyof typeof SKIP_REASONS | `${typeof MISSING}${string}`;

const MISSING = 'input_missing:';

/** What is not known, by its name in a code. What is not among them is what a limit leaves. */
export const MISSING_INPUTS: Readonly<Record<string, string>> = {
  book: 'The book of the market is not known.',
  asks: 'Nobody offers the outcome.',
  bids: 'Nobody bids for the outcome.',
  books: 'The book or the fee of another result of the game is not known.',
  first_price: 'The first price that the strategy saw is not known.',
  sport: 'The sport of the market is not known.',
  league: 'The league of the market is not known.',
  market: 'The kind of the market is not known.',
  event: 'The market belongs to no event.',
  outcome: 'The rules choose no outcome.',
  outcomes: 'The outcomes of the market are not known by their names.',
  role: 'Nobody knows which team is at home in this market.',
  probability: 'The signal gives no probability for this outcome.',
  probabilities: 'The signal gives no probability for another result of the game.',
  mid: 'A side of the book is empty, so the signal cannot be compared with the market.',
  event_bets: 'The market belongs to no event, so bets on it cannot be counted.',
  last_bet: 'The time of the last bet on the outcome is not known.',
  status: 'The status of the market is not known.',
  terms: 'The terms of the market are not known.',
  starts_at: 'It is not known when the game begins.',
};

/** The name of a limit, in words. */
export const limitName = (name: string): string => words(name.replace(IN_USDC, ''));
const IN_USDC = /_usdc$/;
const words = (name: string): string => name.replaceAll('_', ' ');

/** What keeps a bet from being larger, by its name. */
const BOUNDS: Readonly<Record<string, string>> = {
  method: 'its sizing',
  stake_cap: 'the stake cap',
  bankroll: 'what is left of the bankroll',
  depth: 'the depth of the book',
  free_cash: 'the free cash',
  venue_maximum: 'the maximum of the venue',
  live_order_cap: 'the largest order of the server',
  approved: 'the amount that was asked for',
};

/** `the stake cap makes it no larger` */
export const boundWords = (by: string): string => `${BOUNDS[by] ?? `the limit of ${limitName(by)}`} makes it no larger`;

/** `take profit` of `exit/take_profit`. */
export const exitName = (rule: string): string => words(rule.slice(rule.indexOf('/') + 1));
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const [MINUTES, SECONDS] = [16, 19];

/** `2026-12-05 14:55 UTC` of the text of a moment, with seconds where it has some; any other text as it is. */
export function momentWords(text: string): string {
  if (!MOMENT.test(text)) return text;
  const isWhole = /^(?::00)?(?!:)/.test(text.slice(MINUTES));
  return `${text.slice(0, isWhole ? MINUTES : SECONDS).replace('T', ' ')} UTC`;
}

/** The time by which it was judged, where the day is known from the moment before it. */
const nowText = (value: string): string => (MOMENT.test(value) ? `, and it is ${momentWords(value)}` : '');

function startText(inputs: FoundRule['inputs'], text: (start: string) => string): string | null {
  const start = inputs['starts_at'] ?? null;
  return start === null ? null : text(momentWords(start));
}

const DECIMALS = /^(\d+\.\d{3})\d+$/;
const ZEROS = /\.?0+$/;

/** Odds with three decimals, cut; all of them where that would be the bound itself. */
export function oddsText(value: string, bound: string): string {
  const cut = DECIMALS.exec(value)?.[1]?.replace(ZEROS, '') ?? value;
  return cut === bound ? value : cut;
}

/** How many of what the strategy may bet on it is not shown. */
function leftOutText(inputs: FoundRule['inputs'], why: string, what: string): string | null {
  const count = inputs['left_out'] ?? null;
  if (count === null) return null;
  return `${why}: ${count === '1' ? `one ${what}` : `${count} ${what}s`} of the strategy ${count === '1' ? 'is' : 'are'} not among them.`;
}

const betsText = (count: string): string => (count === '1' ? 'one bet' : `${count} bets`);
const timesText = (count: string): string => (count === '1' ? '' : ` ${count} times`);
