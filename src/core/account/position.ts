import { InvariantBroken } from '../errors.js';
import type { AccountId, MarketId, StrategyId, VenueName } from '../ids.js';
import { NO_GROUP, NOTHING_WORKING, type Risk } from '../limits/risk.js';
import { payoutFor } from '../market/lifecycle.js';
import type { OutcomeSide } from '../market/market.js';
import { AMOUNT_LIMIT, least, minus, NO_SHARES, NO_USDC, plus, proportion, type Shares, type Usdc } from '../money.js';

/** Names a position: an outcome held by an account, as a whole or by one of its strategies. */
export interface PositionKey {
  readonly account: AccountId;
  readonly paper: boolean;
  readonly venue: VenueName;
  readonly marketId: MarketId;
  readonly outcome: OutcomeSide;
  /** Null is the whole account, with the shares of all strategies. */
  readonly strategyId: StrategyId | null;
}

/** Shares held and what they cost, and what trading that outcome has brought so far. */
export interface Position extends PositionKey {
  readonly shares: Shares;
  /** Reserved by working SELL orders; above `shares` only where a venue over the network has undone a purchase of shares on sale. */
  readonly reserved: Shares;
  /** Shares that working BUY orders of a whole account may still bring; absent for none. */
  readonly wanted?: Shares | undefined;
  /** What the shares that are held cost, without fees. */
  readonly cost: Usdc;
  /** Paid for trading this outcome, all ever. */
  readonly fees: Usdc;
  /** The part of them that was paid for the shares that are held; absent for none. */
  readonly heldFees?: Usdc | undefined;
  /** Proceeds of sales and results, less what the shares had cost, before fees. May be negative. */
  readonly realised: Usdc;
  /** Shares that a result has paid for. */
  readonly settled: Shares;
  /** The money that a result has paid for those shares. */
  readonly returned: Usdc;
  /** The part of `returned` for shares that are still to be redeemed: with real money, of the whole account. */
  readonly redeemable: Usdc;
  /** What a strategy, or a whole account that has limits, may lose here, while there are shares or working orders. */
  readonly risk?: Risk | undefined;
  /** When the last purchases of a strategy began to fill, in milliseconds since 1970. */
  readonly entries?: readonly number[] | undefined;
}

/** The position before the first fill. */
export function emptyPosition(key: PositionKey): Position {
  const { account, paper, venue, marketId, outcome, strategyId } = key;
  return {
    account,
    paper,
    venue,
    marketId,
    outcome,
    strategyId,
    shares: NO_SHARES,
    reserved: NO_SHARES,
    wanted: undefined,
    cost: NO_USDC,
    fees: NO_USDC,
    heldFees: undefined,
    realised: NO_USDC,
    settled: NO_SHARES,
    returned: NO_USDC,
    redeemable: NO_USDC,
    risk: undefined,
    entries: undefined,
  };
}

type Changes = Partial<Omit<Position, keyof PositionKey | 'wanted' | 'heldFees' | 'risk'>>;

/**
 * The position with these members changed; fees of nothing are absent. One literal: a copy with members put over it takes several
 * times as long.
 */
function changed(position: Position, change: Changes, heldFees: Usdc = position.heldFees ?? NO_USDC): Position {
  return {
    account: position.account,
    paper: position.paper,
    venue: position.venue,
    marketId: position.marketId,
    outcome: position.outcome,
    strategyId: position.strategyId,
    shares: change.shares ?? position.shares,
    reserved: change.reserved ?? position.reserved,
    wanted: position.wanted,
    cost: change.cost ?? position.cost,
    fees: change.fees ?? position.fees,
    heldFees: heldFees === 0n ? undefined : heldFees,
    realised: change.realised ?? position.realised,
    settled: change.settled ?? position.settled,
    returned: change.returned ?? position.returned,
    redeemable: change.redeemable ?? position.redeemable,
    risk: position.risk,
    entries: change.entries ?? position.entries,
  };
}

/** Shares that may still be sold; below zero where more are reserved than there are. */
export function freeShares(position: Position): Shares {
  return minus(position.shares, position.reserved);
}

/** What the shares that are held cost, with the fees paid for them. */
export const paidFor = ({ cost, heldFees = NO_USDC }: Pick<Position, 'cost' | 'heldFees'>): Usdc =>
  plus(cost, heldFees);

/** What trading the outcome has brought, less its fees. */
export const bookedBy = ({ realised, fees }: Position): Usdc => minus(realised, fees);

/** How many shares may still be paid for, a dollar each at most: those held, and those that a result, which may be amended, paid less for. */
export function mayPay({ shares, settled, returned, redeemable }: Position): Shares {
  return (shares + settled + redeemable - returned) as Shares;
}

/**
 * True when the position has room for every outcome of buying this many more shares. The sum is an upper bound of each of
 * its amounts, and no fill and no result makes it larger: a share to be bought counts four times, a share held three times
 * (a sale adds it to the profit and to the fees, a result to the profit and twice to what is settled).
 */
export function hasRoom({ shares, fees, realised, settled, returned }: Position, wanted: Shares): boolean {
  const base = realised - returned;
  return (base < 0n ? -base : base) + 2n * settled + fees + 3n * shares + 4n * wanted < AMOUNT_LIMIT;
}

/** The position after buying `shares` for `cost`. */
export function bought(position: Position, shares: Shares, cost: Usdc, fee: Usdc): Position {
  const { shares: held, cost: paid, fees, heldFees = NO_USDC } = position;
  const more = { shares: plus(held, shares), cost: plus(paid, cost), fees: plus(fees, fee) };
  return checked(changed(position, more, plus(heldFees, fee)));
}

/**
 * After selling `shares` for `proceeds`: the cost and the fees of what is held leave in proportion, so the average cost of the
 * rest is unchanged.
 */
export function sold(position: Position, shares: Shares, proceeds: Usdc, fee: Usdc): Position {
  const { cost, fees } = takenBySale(position, shares);
  const realised = plus(position.realised, minus(proceeds, cost));
  return without(position, shares, { cost, fees }, { realised, fees: plus(position.fees, fee) });
}

/** What left a position with the shares of a sale: what they had cost, and the fees paid for them. */
export interface Taken {
  readonly cost: Usdc;
  readonly fees: Usdc;
}

/** The position after a sale was undone: what it took out comes back. */
export function unsold(position: Position, shares: Shares, taken: Taken, proceeds: Usdc, fee: Usdc): Position {
  const { cost, fees } = taken;
  const realised = minus(position.realised, minus(proceeds, cost));
  const back = bought(position, shares, cost, NO_USDC);
  return changed(back, { realised, fees: minus(position.fees, fee) }, plus(back.heldFees ?? NO_USDC, fees));
}

/**
 * After a purchase for `cost` was undone. Where some of its shares were sold already, more or less than that cost leaves
 * with the rest: the difference corrects the profit of the sale.
 */
export function unbought(position: Position, shares: Shares, cost: Usdc, fee: Usdc): Position {
  const rest = without(position, shares, { cost, fees: fee });
  const left = minus(position.cost, rest.cost);
  return changed(rest, { realised: plus(position.realised, minus(cost, left)), fees: minus(position.fees, fee) });
}

/**
 * The cost that leaves with `shares` when they are sold: all of it with the last share, in proportion before.
 * @throws InvariantBroken for more shares than are held.
 */
export function costOfSale({ shares: held, cost }: Position, shares: Shares): Usdc {
  if (shares > held) throw new InvariantBroken('a sale takes no more shares than are held');
  if (shares === held) return cost;
  return minus(cost, proportion(cost, minus(held, shares), held, 'floor'));
}

/**
 * What leaves with `shares` when they are sold. Both are rounded down for the rest: so a sale never leaves more at risk than
 * was counted before it.
 * @throws InvariantBroken for more shares than are held.
 */
export function takenBySale(position: Position, shares: Shares): Taken {
  const { shares: held, heldFees = NO_USDC } = position;
  const cost = costOfSale(position, shares);
  if (shares === held) return { cost, fees: heldFees };
  return { cost, fees: minus(heldFees, proportion(heldFees, minus(held, shares), held, 'floor')) };
}

/** True when an earlier result paid another price for the shares than this one does. */
export function amends(perShare: Usdc, { settled: before, returned }: Position): boolean {
  return payoutFor(before, perShare) !== returned;
}

/**
 * After the market's result: every share that is held, or was held when an earlier result came, is worth `perShare`. The
 * same result again changes nothing; another one replaces what the first had paid, redeemed or not. `redeems` is true where
 * real shares must be redeemed at the venue before they are cash.
 */
export function settled(position: Position, perShare: Usdc, redeems: boolean): Position {
  const { shares, cost, realised, returned } = position;
  const all = plus(position.settled, shares);
  const paid = payoutFor(all, perShare);
  const gained = minus(minus(paid, returned), cost);
  const inCash = amends(perShare, position) ? NO_USDC : minus(returned, position.redeemable);
  const redeemable = redeems && isRedeemable(position) ? minus(paid, inCash) : NO_USDC;
  const none = { shares: NO_SHARES, cost: NO_USDC, realised: plus(realised, gained) };
  const after = changed(position, { ...none, settled: all, returned: paid, redeemable }, NO_USDC);
  return checked(isIdle(position) ? withRisk(after, undefined) : after);
}

/** Where no order is working, a position without shares risks nothing. */
const isIdle = ({ risk }: Pick<Position, 'risk'>): boolean => risk === undefined || risk.working.orders <= 0;

function withRisk(position: Position, risk: Risk | undefined): Position {
  return position.risk === risk ? position : { ...position, risk };
}

/** The position as an account with limits keeps it: with its risk while it has shares or working orders, and without after. */
export function tracked(position: Position, risk: Risk = { group: NO_GROUP, working: NOTHING_WORKING }): Position {
  return withRisk(position, position.shares > 0n || !isIdle({ risk }) ? risk : undefined);
}

/** Only real shares are redeemed; a strategy's part is inside the account's position. */
function isRedeemable({ paper, strategyId }: PositionKey): boolean {
  return !paper && strategyId === null;
}

/** The position after the shares that results paid for were turned into cash. */
export function redeemed(position: Position): Position {
  return changed(position, { redeemable: NO_USDC });
}

/** The position after `shares` left with their cost and fees: no more than there is, and nothing stays after the last share. */
function without(position: Position, shares: Shares, { cost, fees }: Taken, also: Changes = {}): Position {
  const { heldFees = NO_USDC } = position;
  const left = minus(position.shares, shares);
  const rest = (amount: Usdc, part: Usdc) => (left === 0n ? NO_USDC : minus(amount, least(part, amount)));
  return checked(changed(position, { shares: left, cost: rest(position.cost, cost), ...also }, rest(heldFees, fees)));
}

/** The position after a working SELL reserved `shares` more (or, negative, released them). */
export function promised(position: Position, shares: Shares): Position {
  return checked(changed(position, { reserved: plus(position.reserved, shares) }));
}

/** The position after working BUY orders may bring `shares` more (or, negative, fewer). */
export function awaited(position: Position, shares: Shares): Position {
  if (shares === 0n) return position;
  const next = plus(position.wanted ?? NO_SHARES, shares);
  return { ...position, wanted: next > 0n ? next : undefined };
}

function checked(position: Position): Position {
  const { shares, reserved, cost } = position;
  const whole = reserved >= 0n && shares >= 0n && cost >= 0n && shares < AMOUNT_LIMIT && cost < AMOUNT_LIMIT;
  if (!whole) throw new InvariantBroken('0 <= reserved, 0 <= shares < 2^53 and 0 <= cost < 2^53 on a position');
  return position;
}

/** Which holdings to list: of the whole account, or the part of one strategy. */
export interface HoldingFilter {
  readonly paper: boolean;
  /** Null is the whole account. */
  readonly strategyId: StrategyId | null;
}
