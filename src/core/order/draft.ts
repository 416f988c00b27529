import type { Exchange } from '../../ports/exchange.js';
import { ACCOUNT_NAME } from '../access/principal.js';
import { OrderInvalid } from '../errors.js';
import type { AccountId, MarketId, StrategyId, VenueName } from '../ids.js';
import {
  MARKET_ID,
  type Market,
  type MarketTerms,
  OUTCOME_SIDES,
  type OutcomeSide,
  outcomeOf,
  TIMES_IN_FORCE,
  type TimeInForce,
  VENUE_NAME,
} from '../market/market.js';
import { SIDES, type Side } from '../market/side.js';
import { isMoment } from '../moment.js';
import { isAmount, isPrice, minus, NO_USDC, type Price, sharesFor, type Usdc } from '../money.js';
import type { Strategy } from '../strategy/strategy.js';
import type { BoughtFor, MarketAtOrder } from './market-at-order.js';
import type { Refusal } from './order.js';
import { type Intent, isImmediate } from './order.js';

/** How long an order rests: what one kind of order requires, another must not have. */
export type OrderTerms =
  | { readonly timeInForce: 'GTC'; readonly expiresAt: null; readonly postOnly: boolean }
  | { readonly timeInForce: 'GTD'; readonly expiresAt: Date; readonly postOnly: boolean }
  | { readonly timeInForce: 'FOK' | 'FAK'; readonly expiresAt: null; readonly postOnly: false };

/** A client's request to place an order, with every default filled in. */
export type OrderDraft = OrderTerms & {
  readonly account: AccountId;
  /** Null is the default venue. */
  readonly venue: VenueName | null;
  readonly marketId: MarketId;
  readonly outcome: OutcomeSide;
  readonly side: Side;
  readonly price: Price;
  readonly size: Usdc;
  readonly paper: boolean;
  readonly strategyId: StrategyId | null;
};

/**
 * What a client asked for, as repeated idempotency keys are compared by it. The names are those of keys on record; a request
 * that names no venue stays the same request when the default changes.
 */
export function requestOf(draft: OrderDraft): object {
  return {
    account: draft.account,
    venue: draft.venue ?? undefined,
    marketId: draft.marketId,
    token: draft.outcome,
    side: draft.side,
    price: draft.price,
    size: draft.size,
    timeInForce: draft.timeInForce,
    expiresAt: draft.expiresAt,
    postOnly: draft.postOnly,
    paper: draft.paper,
    strategyId: draft.strategyId,
  };
}

/** What an intent has beside what was asked for: how it is sent, and how it counts. */
export type IntentTerms = Partial<Pick<Intent, 'envelope' | 'spends' | 'arrivesAt' | 'decisionId' | 'day'>> & {
  readonly bought?: BoughtFor | undefined;
};

/** The intent of a draft: its shares in whole lots, its market as the venue knows it, its strategy's version. */
export function intentOf(
  draft: OrderDraft,
  market: Market,
  strategy: Strategy | null,
  { envelope = null, spends = null, arrivesAt = null, decisionId, day, bought }: IntentTerms = {},
): Intent {
  const { outcome, side, price, size, timeInForce, expiresAt, postOnly, paper } = draft;
  return {
    marketId: market.id,
    marketSlug: market.slug,
    conditionId: market.conditionId,
    question: market.question,
    outcomeLabel: outcomeOf(market, outcome)?.label ?? null,
    outcome,
    side,
    price,
    size,
    shares: sharesFor(size, price, market.lot),
    timeInForce,
    expiresAt,
    postOnly,
    paper,
    feeSchedule: market.terms?.fee ?? null,
    strategy: strategy === null ? null : { id: strategy.id, version: strategy.version },
    envelope,
    spends,
    arrivesAt,
    venue: market.venue,
    sport: paper ? undefined : (market.sport ?? undefined),
    decisionId,
    day,
    counted: undefined,
    decidedOn: marketAtOrder(market, bought),
  };
}

const BY_HAND: BoughtFor = { side: 'BACK', probability: null, quoted: null };

/** What an order was decided on: by hand, where nothing says by what. */
function marketAtOrder(market: Market, { side, probability, quoted }: BoughtFor = BY_HAND): MarketAtOrder {
  const { event, sport, league, kind, line, startsAt } = market;
  return { event, sport, league, kind, line, startsAt, side, probability, quoted };
}

/**
 * The intent as it is sent at this moment. To a venue: with the envelope that it wants signed, or why its terms cannot
 * express the order. To an exchange in this process: with the dollars it spends, and the moment at which it reaches the book.
 */
export function intentToSend(
  draft: OrderDraft,
  market: Market,
  strategy: Strategy | null,
  exchange: Pick<Exchange, 'local' | 'signing'> | null,
  { at, decisionId, day, bought }: { readonly at: Date } & Pick<IntentTerms, 'decisionId' | 'day' | 'bought'>,
): { readonly intent: Intent; readonly inexpressible: Refusal | null } {
  const local = exchange?.local ?? null;
  if (local !== null) {
    const terms = { spends: dollarsFor(draft, market), arrivesAt: local.arrival(at), decisionId, day, bought };
    return { intent: intentOf(draft, market, strategy, terms), inexpressible: null };
  }
  const bare = intentOf(draft, market, strategy, { decisionId, day, bought });
  const envelope = exchange?.signing?.envelope(bare, market);
  if (envelope === undefined) return { intent: bare, inexpressible: null };
  if ('code' in envelope) return { intent: bare, inexpressible: envelope };
  return { intent: { ...bare, envelope }, inexpressible: null };
}

/** The dollars that an order is for; null without a book, where it fills at its limit and dollars and shares are the same. */
function dollarsFor(draft: OrderDraft, { terms }: Market): Usdc | null {
  const spends = terms === null ? null : quoteAmount(draft, terms);
  return spends === NO_USDC ? null : spends;
}

/** The dollars that an order spends by the terms of its market, in whole steps; null where shares bound it. */
export function quoteAmount(
  order: Pick<Intent, 'side' | 'size' | 'timeInForce'>,
  { quoteStep }: Pick<MarketTerms, 'quoteStep'>,
): Usdc | null {
  if (quoteStep === undefined || order.side !== 'BUY' || !isImmediate(order)) return null;
  return minus(order.size, (order.size % quoteStep) as Usdc);
}

/** A fault of one of the members of a draft that depend on each other. */
export interface TermFault {
  readonly member: 'expiresAt' | 'postOnly';
  /** Goes on after the name of the member: `must be …`. */
  readonly message: string;
}

/** The members that depend on each other, each valid by itself. */
export interface LooseTerms {
  readonly timeInForce: TimeInForce;
  readonly expiresAt: Date | null;
  readonly postOnly: boolean;
}

/** What is wrong with an order's time in force, given members that are each valid. */
export function termFaults({ timeInForce, expiresAt, postOnly }: LooseTerms): readonly TermFault[] {
  const faults: TermFault[] = [];
  if (timeInForce === 'GTD' && expiresAt === null) {
    faults.push({ member: 'expiresAt', message: 'is required for a GTD order' });
  }
  if (timeInForce !== 'GTD' && expiresAt !== null) {
    faults.push({ member: 'expiresAt', message: `is for GTD alone; this order is ${timeInForce}` });
  }
  if (postOnly && isImmediate({ timeInForce })) {
    faults.push({ member: 'postOnly', message: `needs GTC or GTD; this order is ${timeInForce}` });
  }
  return faults;
}

/** A draft whose members are each valid. @throws OrderInvalid where they contradict each other */
export function orderDraft(members: Omit<OrderDraft, keyof LooseTerms> & LooseTerms): OrderDraft {
  const [fault] = termFaults(members);
  if (fault !== undefined) throw new OrderInvalid(fault.member, fault.message);
  return members as OrderDraft;
}

type Rule = readonly [keyof OrderDraft, (draft: OrderDraft) => boolean, string];

/** Input of a program is checked too: types alone keep nothing out. */
const RULES: readonly Rule[] = [
  ['account', ({ account }) => isText(account) && ACCOUNT_NAME.test(account), 'must be the name of an account'],
  [
    'marketId',
    ({ marketId }) => isText(marketId) && MARKET_ID.test(marketId),
    'must be 1 to 128 of letters, digits and . _ : -',
  ],
  [
    'venue',
    ({ venue }) => venue === null || (isText(venue) && VENUE_NAME.test(venue)),
    'must be the name of a venue, or null for the default one',
  ],
  ['outcome', ({ outcome }) => OUTCOME_SIDES.includes(outcome), `must be ${OUTCOME_SIDES.join(' or ')}`],
  ['side', ({ side }) => SIDES.includes(side), `must be ${SIDES.join(' or ')}`],
  ['price', ({ price }) => typeof price === 'bigint' && isPrice(price), 'must be above 0 and below 1, in millionths'],
  [
    'size',
    ({ size }) => typeof size === 'bigint' && size > 0n && isAmount(size),
    'must be above 0 and below 1000000000, in millionths',
  ],
  ['timeInForce', ({ timeInForce }) => TIMES_IN_FORCE.includes(timeInForce), `must be ${TIMES_IN_FORCE.join(' or ')}`],
  [
    'expiresAt',
    ({ expiresAt }) => expiresAt === null || (expiresAt instanceof Date && isMoment(expiresAt)),
    'must be a Date from 1970 to 9999, or null',
  ],
  ['postOnly', ({ postOnly }) => typeof postOnly === 'boolean', 'must be true or false'],
  ['paper', ({ paper }) => typeof paper === 'boolean', 'must be true or false'],
  [
    'strategyId',
    ({ strategyId }) => strategyId === null || isText(strategyId),
    'must be the id of a strategy, or null',
  ],
];

const isText = (value: unknown): value is string => typeof value === 'string';

/** Refuses a draft that is not an order before anything is on record. @throws OrderInvalid */
export function checkDraft(draft: OrderDraft): void {
  const broken = RULES.find(([, holds]) => !holds(draft));
  if (broken !== undefined) throw new OrderInvalid(broken[0], broken[2]);
  orderDraft(draft);
}
