import type { Balance } from '../account/account.js';
import { emptyPosition, type Position, tracked } from '../account/position.js';
import { NOTHING_COUNTED, ordersWithinMinute, spentOn } from '../limits/counted.js';
import type { Limits } from '../limits/limits.js';
import { movedRisk, NOTHING_WORKING, type RiskGroup } from '../limits/risk.js';
import { type Losses, type LossNames, lossNames, worstCase } from '../limits/worst-case.js';
import { type BookView, isCrossed, seenFrom } from '../market/book.js';
import { marketName } from '../market/venue.js';
import { formatMicro, minus, NO_USDC, ONE, plus, type Usdc } from '../money.js';
import { mostCost, type Order, type Refusal, refusal } from '../order/order.js';
import { workingRisk } from '../order/working-risk.js';

/** What the limits of an account are compared with, all of the moment of the decision but for the book. */
export interface LimitFacts {
  readonly limits: Limits;
  /** Every position of the account with a risk, on paper or with real money as the order is. */
  readonly risks: readonly Position[];
  /** Its cash, of the same kind. */
  readonly balances: readonly Balance[];
  /** What the market of the order belongs to. */
  readonly group: RiskGroup;
  /** The book of the market as it was read before; undefined where there is none. */
  readonly book: BookView | undefined;
  readonly at: Date;
  /** The day of `at`. */
  readonly today: string;
}

/**
 * Why an order that was not reserved yet is above a limit of its account, or null. An order that raises no worst case passes
 * even where that is at its limit: a hedge, or a sale.
 */
export function overLimits(order: Order, facts: LimitFacts): Refusal | null {
  return (
    tooLarge(order, facts) ??
    tooMany(order, facts) ??
    outOfBand(order, facts) ??
    selfCross(order, facts) ??
    overDailyStake(order, facts) ??
    overLosses(order, facts, 'The account')
  );
}

/** The figures of a refusal, as every sentence about a limit ends. */
export const figures = (lost: string | number, cap: string | number): string => `lost=${lost}, cap=${cap}.`;
/** The same of amounts. */
export const dollars = (lost: Usdc, cap: Usdc): string => figures(formatMicro(lost), formatMicro(cap));

function tooLarge({ intent }: Order, { limits }: LimitFacts): Refusal | null {
  const cap = limits.orderUsdc;
  if (cap === null || intent.size <= cap) return null;
  return refusal(
    'order_too_large',
    `The order is worth more than one order of the account may be: ${dollars(intent.size, cap)}`,
  );
}

function tooMany(_: Order, { limits, risks, balances, at }: LimitFacts): Refusal | null {
  const { openOrders, ordersPerMinute } = limits;
  const recent = balances.reduce((sum, { counted = NOTHING_COUNTED }) => sum + ordersWithinMinute(counted, at), 0);
  if (ordersPerMinute !== null && recent >= ordersPerMinute) {
    const words = 'The account has placed as many orders within a minute as it may';
    return refusal('order_rate_exceeded', `${words}: orders=${recent}, cap=${ordersPerMinute}.`);
  }
  const open = openOrdersOf(risks);
  if (openOrders === null || open < openOrders) return null;
  return refusal(
    'max_open_exceeded',
    `The account has as many open orders as it may: orders=${open}, cap=${openOrders}.`,
  );
}

/** How many orders are working. */
export const openOrdersOf = (risks: readonly Position[]): number =>
  risks.reduce((sum, { risk }) => sum + (risk?.working.orders ?? 0), 0);

function outOfBand({ intent }: Order, { limits, book }: LimitFacts): Refusal | null {
  const cap = limits.priceBand;
  if (cap === null) return null;
  const { bids = [], asks = [], fresh = false } = book === undefined ? {} : seenFrom(intent.outcome, book);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (!fresh || bid === undefined || ask === undefined || (book !== undefined && isCrossed(book))) {
    const words = 'The account has a price band, and the market has no fresh book with both sides to measure it from.';
    return refusal('market_data_stale', words);
  }
  // Twice the distance is a whole number.
  const twice = 2n * intent.price - bid - ask;
  if ((twice < 0n ? -twice : twice) <= 2n * cap) return null;
  const prices = `price ${formatMicro(intent.price)}, bid ${formatMicro(bid)}, ask ${formatMicro(ask)}`;
  return refusal('price_band', `The price is too far from the middle of the book: ${prices}, cap=${formatMicro(cap)}.`);
}

/** A BUY of one outcome at p meets a SELL of it at p or below, and a BUY of the other one at 1 − p or above. */
function selfCross({ intent }: Order, { risks }: LimitFacts): Refusal | null {
  const { side, price, outcome } = intent;
  const name = marketName(intent);
  const isBuy = side === 'BUY';
  const crossing = risks.some((position) => {
    if (marketName(position) !== name || position.risk === undefined) return false;
    const { bids, asks } = position.risk.working;
    const isSame = position.outcome === outcome;
    const met = isSame === isBuy ? asks : bids;
    const limit = isSame ? price : ONE - price;
    return met.some(([other]) => (met === asks ? other <= limit : other >= limit));
  });
  if (!crossing) return null;
  return refusal(
    'self_cross',
    'The order would trade with an order of the same account that is working in this market.',
  );
}

function overDailyStake({ intent }: Order, { limits, balances, today }: LimitFacts): Refusal | null {
  const cap = limits.dailyStakeUsdc;
  if (cap === null || intent.side === 'SELL') return null;
  const stake = plus(stakeOf(balances, today), mostCost(intent));
  if (stake <= cap) return null;
  return refusal(
    'daily_stake_exceeded',
    `The purchases of the day could cost more than they may: ${dollars(stake, cap)}`,
  );
}

/** What purchases spent today, and what working ones may still spend. */
export const stakeOf = (balances: readonly Balance[], today: string): Usdc =>
  balances.reduce(
    (sum, { reserved, counted = NOTHING_COUNTED }) => plus(sum, plus(reserved, spentOn(counted, today))),
    NO_USDC,
  );

type LossIn = (losses: Losses, names: LossNames) => Usdc;
type LossLimit = 'marketLossUsdc' | 'eventLossUsdc' | 'leagueLossUsdc' | 'sportLossUsdc' | 'exposureUsdc';

/** The limits of worst cases: each with its code, its words, and its loss. */
const LOSS_LIMITS: readonly ({ readonly name: LossLimit; readonly lossIn: LossIn } & Refusal)[] = [
  {
    name: 'marketLossUsdc',
    code: 'market_loss_exceeded',
    message: 'could lose more in this market than it may',
    lossIn: ({ markets }, { market }) => at(markets, market),
  },
  {
    name: 'eventLossUsdc',
    code: 'event_loss_exceeded',
    message: 'could lose more in this event than it may',
    lossIn: ({ events }, { event }) => at(events, event),
  },
  {
    name: 'leagueLossUsdc',
    code: 'league_loss_exceeded',
    message: 'could lose more in this league than it may',
    lossIn: ({ leagues }, { league }) => at(leagues, league),
  },
  {
    name: 'sportLossUsdc',
    code: 'sport_loss_exceeded',
    message: 'could lose more in this sport than it may',
    lossIn: ({ sports }, { sport }) => at(sports, sport),
  },
  {
    name: 'exposureUsdc',
    code: 'account_exposure_exceeded',
    message: 'could lose more in all markets together than it may',
    lossIn: ({ exposure }) => exposure,
  },
];

const at = (losses: ReadonlyMap<string, Usdc>, name: string): Usdc => losses.get(name) ?? NO_USDC;

/** Why the worst case is above a limit, which is `whose`; null where it is not, or the order does not raise it. */
export function overLosses(
  order: Order,
  { limits, risks, group }: Pick<LimitFacts, 'limits' | 'risks' | 'group'>,
  whose: string,
): Refusal | null {
  const set = LOSS_LIMITS.filter(({ name }) => limits[name] !== null);
  if (set.length === 0) return null;
  const after = worstCase(withOrder(risks, order, group));
  const names = lossNames(marketName(order.intent), group);
  let before: Losses | null = null;
  for (const { name, code, message, lossIn } of set) {
    const [lost, cap] = [lossIn(after, names), limits[name] ?? NO_USDC];
    if (lost <= cap) continue;
    before ??= worstCase(withGroup(risks, order, group));
    if (minus(lost, lossIn(before, names)) > 0n) return refusal(code, `${whose} ${message}: ${dollars(lost, cap)}`);
  }
  return null;
}

/** The positions as they will be once the order is working. */
function withOrder(risks: readonly Position[], order: Order, group: RiskGroup): readonly Position[] {
  const [own, others] = split(risks, order, group);
  const working = movedRisk(own.risk?.working ?? NOTHING_WORKING, NOTHING_WORKING, workingRisk(order));
  return [{ ...own, risk: { group, working } }, ...others];
}

/** The positions as they are, with what is known now of the market. */
function withGroup(risks: readonly Position[], order: Order, group: RiskGroup): readonly Position[] {
  const [own, others] = split(risks, order, group);
  return [own, ...others];
}

/** The position of the order's outcome first: what is known of its market now is preferred to what other positions say. */
function split(risks: readonly Position[], { account, intent }: Order, group: RiskGroup): [Position, Position[]] {
  const { paper, venue, marketId, outcome } = intent;
  const name = marketName(intent);
  const isOwn = (position: Position) => position.outcome === outcome && marketName(position) === name;
  const own = risks.find(isOwn) ?? emptyPosition({ account, paper, venue, marketId, outcome, strategyId: null });
  const working = own.risk?.working ?? NOTHING_WORKING;
  return [{ ...tracked(own), risk: { group, working } }, risks.filter((position) => !isOwn(position))];
}
