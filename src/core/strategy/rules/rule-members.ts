import type { RefusingState } from '../../limits/limits.js';
import { formatMicro, type Price, type Usdc } from '../../money.js';
import { CONDITION_MEMBERS } from './condition-members.js';
import { writeDuration } from './rule-duration.js';
import {
  AUTOMATED_ELSE_ANY,
  atPrice,
  atReturn,
  type DayLimit,
  FORCE_TEXT,
  percentText,
  type RuleMember,
  timesText,
  usdcText,
} from './rule-member.js';

const MINUTE_MS = 60_000;

/** Members of each part of rules, by their name in the core, in the order in which they are shown. */
export const RULE_MEMBERS = {
  ...CONDITION_MEMBERS,
  limits: {
    maxBetsPerOutcome: {
      kind: 'count',
      shown: 'max_bets_per_outcome',
      meaning: 'The most bets on one outcome, ever. 1 by default; null: any number.',
      example: '1',
      orNull: true,
      isGuard: true,
      default: 1,
      sentence: (n) => `${timesText(n)} on one outcome.`,
      row: ['The most bets on one outcome, ever.', '1', '2: the third time that its odds come, nothing'],
    },
    maxBetsPerMarket: {
      kind: 'count',
      shown: 'max_bets_per_market',
      meaning: 'The most bets in one market, ever. Null or absent: any number.',
      orNull: true,
      sentence: (n) => `${timesText(n)} in one market.`,
      row: ['The most bets in one market, ever.', 'any', '1: after a bet on YES none on NO'],
    },
    maxBetsPerEvent: {
      kind: 'count',
      shown: 'max_bets_per_event',
      meaning: 'The most bets in one event, ever. Null or absent: any number.',
      orNull: true,
      sentence: (n) => `${timesText(n)} in one event.`,
      row: ['The most bets in one event, ever.', 'any', '2: the winner and the total, and not the spread too'],
    },
    maxBetsPerDay: {
      kind: 'count',
      shown: 'max_bets_per_day',
      meaning: 'The most bets in a day. 100 by default where automation is not `off`; null: any number.',
      example: '100',
      orNull: true,
      isGuard: true,
      automated: () => 100,
      sentence: (n) => `${timesText(n)} a day.`,
      row: ['The most bets in a day.', `100 ${AUTOMATED_ELSE_ANY}`, '3: the fourth waits for the next day'],
      perDay: {
        counter: 'bets',
        counts: ['BUY'],
        refuses: ['BUY'],
        code: 'max_bets_exceeded',
        message: 'The strategy has bet today as often as it may',
        help: 'The strategy has bet as often today as `limits.max_bets_per_day` of its rules allows. Wait for the next day, or raise the limit; a sale passes.',
      },
    },
    maxOpen: {
      kind: 'count',
      shown: 'max_open',
      meaning:
        'The most bets open at once: outcomes of which it holds shares, has an order that may still buy, or asks to bet on, each counted once. Null or absent: any number.',
      orNull: true,
      waitsFor: 'open',
      sentence: (n) => `With at most ${n} open at a time.`,
      row: [
        'The most outcomes in which it holds shares, has an order that may still buy, or asks to bet.',
        'any',
        '5: three held, one ordered, one that waits for approval: nothing until one ends',
      ],
    },
    cooldownMs: {
      kind: 'duration',
      shown: 'cooldown',
      meaning: 'The least time between two bets on one outcome. 5m by default; null: none.',
      example: '5m',
      orNull: true,
      default: 5 * MINUTE_MS,
      sentence: (ms) => `With ${writeDuration(ms)} or more between two bets on one outcome.`,
      row: [
        'The least time between two bets on one outcome.',
        '`5m`',
        'a bet at 14:00: the next from 14:05, once its conditions were false in between',
      ],
    },
    eventLoss: {
      kind: 'usdc',
      shown: 'event_loss',
      meaning:
        'The most that one event may lose, whatever its result, in USDC. A twentieth of `bankroll_cap` by default where automation is not `off`; null: any.',
      example: '50',
      orNull: true,
      isGuard: true,
      automated: (bankroll) => (bankroll / 20n) as Usdc,
      sentence: (sum) => `Never with more than ${usdcText(sum)} to lose in one event.`,
      row: [
        'The most that what is at work in one event may lose, whatever its result, in USDC.',
        `a twentieth of \`bankroll_cap\` ${AUTOMATED_ELSE_ANY}`,
        '`bankroll_cap` 1000: 50',
      ],
    },
    dailyLoss: {
      kind: 'usdc',
      shown: 'daily_loss',
      meaning:
        'The most that a day may lose, in USDC. A tenth of `bankroll_cap` by default where automation is not `off`; null: any.',
      example: '100',
      orNull: true,
      isGuard: true,
      automated: (bankroll) => (bankroll / 10n) as Usdc,
      sentence: (sum) => `No more bets on a day that has lost ${usdcText(sum)}.`,
      row: [
        'The most that a day may lose, in USDC.',
        `a tenth of \`bankroll_cap\` ${AUTOMATED_ELSE_ANY}`,
        '`bankroll_cap` 1000: 100',
      ],
    },
  },
  order: {
    timeInForce: {
      kind: 'timeInForce',
      shown: 'time_in_force',
      meaning: 'FAK by default: it fills what it can at once and drops the rest.',
      always: true,
      default: 'FAK',
      sentence: (force) => FORCE_TEXT[force],
      row: ['GTC, GTD, FOK or FAK.', 'FAK', '40 of 100 shares are there: FAK buys 40, FOK none'],
    },
    giveUpAfterMs: {
      kind: 'duration',
      shown: 'give_up_after',
      meaning: 'When what has not filled is cancelled. 1m by default; null: never.',
      example: '1m',
      orNull: true,
      default: MINUTE_MS,
      sentence: (ms, { timeInForce }) =>
        timeInForce === 'GTC' || timeInForce === 'GTD'
          ? `Cancels what has not filled after ${writeDuration(ms)}.`
          : null,
      row: [
        'When what has not filled is cancelled; null: never.',
        '`1m`',
        '40 of 100 shares filled after a minute: the other 60 are cancelled',
      ],
    },
    maxSlippage: {
      kind: 'gap',
      shown: 'max_slippage',
      meaning: 'How far the limit of the order may be from the best price. 0.02 by default; null: any.',
      example: '0.02',
      orNull: true,
      default: 20_000n as Price,
      sentence: (gap) => `Pays at most ${formatMicro(gap)} more than the best price.`,
      row: [
        'How far the limit may be from the best price; null: any.',
        '0.02',
        'best ask 0.50: no share costs more than 0.52',
      ],
    },
    approveWithinMs: {
      kind: 'duration',
      shown: 'approve_within',
      meaning: 'How long a bet waits for a person where automation is `approve`. 10m by default.',
      example: '10m',
      // The sentence of the automation says it.
      sentence: () => null,
      row: [
        'How long a bet waits for a person, with `automation: approve`; never beyond the window, nor beyond the start of a bet `pre`.',
        '`10m`',
        '`2h`: asked at 14:00, a yes at 15:59 is in time',
      ],
    },
  },
  exit: {
    takeProfit: {
      kind: 'profit',
      shown: 'take_profit',
      meaning: 'At this `price` of the outcome held, or once selling brings this `gain`: a share of the cost.',
      sentence: (at) => `Sells ${'price' in at ? atPrice(at.price, 'above') : atReturn(at.gain, 'more')}.`,
      row: [
        '`{"price": …}` of what is held, or `{"gain": …}` as a share of the cost.',
        'gain 0.2: what cost 10 is sold once it brings 12',
      ],
    },
    stop: {
      kind: 'loss',
      shown: 'stop',
      meaning: 'At this `price` of the outcome held, or once selling brings this `loss`: a share of the cost.',
      sentence: (at) => `Sells ${'price' in at ? atPrice(at.price, 'below') : atReturn(at.loss, 'less')}.`,
      row: [
        '`{"price": …}`, the best bid of what is held, or `{"loss": …}` as a share of the cost. A wish, not a bound: a price may jump past it.',
        'loss 0.2: what cost 10 is sold once it brings 8',
      ],
    },
    beforeStartMs: {
      kind: 'duration',
      shown: 'before_start',
      meaning: 'So long before the start of the game.',
      example: '10m',
      sentence: (ms) => `Sells ${writeDuration(ms)} before the game starts.`,
      row: ['So long before the start.', '`10m`: a game at 15:00, sold at 14:50'],
    },
    afterMs: {
      kind: 'duration',
      shown: 'after',
      meaning: 'So long after the first purchase.',
      example: '48h',
      sentence: (ms) => `Sells ${writeDuration(ms)} after the first purchase.`,
      row: ['So long after the first purchase.', '`48h`: bought on Monday at 15:00, sold on Wednesday at 15:00'],
    },
    edgeBelow: {
      kind: 'fraction',
      shown: 'edge_below',
      meaning: 'Once the expected yield of holding is below this. Needs a signal.',
      example: '0.01',
      sentence: (edge) => `Sells once holding is expected to yield less than ${percentText(edge)}.`,
      row: [
        'Once the expected yield of holding is below; looked at with each signal too. Needs a `signal`.',
        '0.01: p = 0.52 where selling brings 0.517 a share, 0.0058, sold',
      ],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RuleMember>>>>;

/** The table of members, as a type. */
export type RuleTable = typeof RULE_MEMBERS;

/** A part of rules whose members are in the table. */
export type RulePart = keyof RuleTable;

/** The parts of rules in the order in which they are shown. */
export const RULE_PARTS = Object.keys(RULE_MEMBERS) as readonly RulePart[];

/** The members of a part of rules, each with its name in the core. */
export const membersOf = (part: RulePart): readonly (readonly [name: string, member: RuleMember])[] =>
  Object.entries<RuleMember>(RULE_MEMBERS[part]);

/** What is stated about a member of rules that is no member of a part. */
export interface RulesEntry {
  /** Absent of a part whose members are in the table. */
  readonly kind?: 'sizing' | 'outcome' | 'phase' | 'signal';
  readonly meaning?: string;
  /** Its row in docs/strategies.md after its name. */
  readonly row?: readonly string[];
  /** True where a client must name it. */
  readonly isRequired?: true;
}

/** What rules have, in the order in which it is shown. */
export const RULES = {
  match: {},
  filter: {},
  sizing: { kind: 'sizing', isRequired: true },
  outcome: {
    kind: 'outcome',
    meaning: 'What to bet on. Required where automation is not `off`: no side is ever guessed.',
  },
  window: { meaning: 'When to bet, relative to the start of the game.' },
  phase: {
    kind: 'phase',
    meaning: '`pre` bets before the game, `in_play` during it. `pre` by default.',
    row: [
      '`pre` before the game, `in_play` during it, or `any`. Default: `pre`.',
      'A game from 15:00 with the window above: 15:00 the day before to 14:55',
    ],
  },
  limits: { meaning: 'How much and how often to bet.' },
  order: { meaning: 'How a bet is ordered.' },
  exit: { meaning: 'When to sell what was bought; each condition by itself is enough. Absent: never.' },
  signal: { kind: 'signal', meaning: 'Where the probability comes from.' },
} as const satisfies Readonly<Record<RulePart | 'sizing' | 'outcome' | 'phase' | 'signal', RulesEntry>>;

/** What rules have, each with its name. */
export const RULES_ENTRIES = Object.entries<RulesEntry>(RULES);

/** The name of a limit of the rules that counts the orders of a day. */
export type DayLimitName = {
  [Name in keyof RuleTable['limits']]: RuleTable['limits'][Name] extends { readonly perDay: DayLimit } ? Name : never;
}[keyof RuleTable['limits']];

/** The name of what such a limit counts. */
export type DayCounter = RuleTable['limits'][DayLimitName]['perDay']['counter'];

/** All of these limits, in the order in which orders are compared with them. */
export const DAY_LIMITS = membersOf('limits').flatMap(([name, { perDay, shown }]) =>
  perDay === undefined ? [] : [{ ...perDay, shown, name: name as DayLimitName, counter: perDay.counter as DayCounter }],
);

/** The counters of days, each once. */
export const DAY_COUNTERS: readonly DayCounter[] = [...new Set(DAY_LIMITS.map(({ counter }) => counter))];

const CODES: ReadonlySet<string> = new Set(DAY_LIMITS.map(({ code }) => code));

/** True of the code of a limit that is of the rules of a strategy alone. */
export const isRuleCode = (code: string): boolean => CODES.has(code);

const WAITS = new Map(
  membersOf('limits').map(([, { shown, perDay, waitsFor = perDay && 'day' }]) => [`limits/${shown}`, waitsFor ?? null]),
);

/** What a bet waits for that failed this rule; null where another price may do, undefined for what is no limit. */
export const stateBehind = (rule: string): RefusingState | null | undefined => WAITS.get(rule);
