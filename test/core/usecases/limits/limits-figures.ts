import { expect } from 'vitest';
import type { MarketId } from '../../../../src/core/ids.js';
import type { Price } from '../../../../src/core/money.js';
import type { Order } from '../../../../src/core/order/order.js';
import { type Accepted, FEE, FEE_STEPS, type HIGH, LOT, OWN, workingOf } from './limits-markets.js';
import { type DayCounts, type Exact, exact, type Figures, Holder, isAbove, more, NO_CAP } from './limits-oracle.js';

/** What is known of an account and of a strategy of it since the last reset. */
export interface KnownOfAccount {
  readonly account: Holder;
  readonly own: Holder;
  readonly limits: typeof HIGH;
  readonly accepted: readonly Accepted[];
  readonly counts: DayCounts;
  /** How many fills of sales there were. */
  readonly sales: bigint;
}

/** What there is of each thing that a limit bounds. */
export function figuresOf(known: KnownOfAccount, working: readonly Order[]): Figures {
  const { account, own, limits, sales, counts, accepted } = known;
  const figures = new Map<string, { is: Exact; cap: Exact }>();
  const put = (name: string, is: Exact | number, cap: bigint | number) =>
    figures.set(name, { is: typeof is === 'number' ? exact(BigInt(is)) : is, cap: exact(BigInt(cap)) });
  const caps = {
    market: limits.marketLossUsdc,
    event: limits.eventLossUsdc,
    exposure: limits.exposureUsdc,
  };
  // A sale rounds what it leaves, a millionth of cost and one of fees.
  const rounding = 2n * sales + 2n;
  const { by, isMixed } = account.worst(working.map(workingOf));
  for (const [name, is] of by) {
    const kind = name.split(' ')[0] as keyof typeof caps;
    put(name, is, kind !== 'market' && isMixed ? NO_CAP : caps[kind] + rounding);
  }
  const ownWorking = working.filter(({ intent }) => intent.strategy !== null).map(workingOf);
  const ownWorst = own.worst(ownWorking);
  for (const [name, is] of ownWorst.by)
    if (name.startsWith('event')) put(`strategy ${name}`, is, ownWorst.isMixed ? NO_CAP : OWN.eventLoss + rounding);
  put('strategy at work', own.atWork(ownWorking), OWN.bankrollCap + rounding);
  put('open orders', working.length, limits.openOrders);
  for (const day of new Set(accepted.map((one) => one.day))) {
    if (!counts.isForgotten(day)) put(`stake of day ${day}`, stakeOf(known, working, day), limits.dailyStakeUsdc);
    put(`bets of day ${day}`, counts.betsOf(day), OWN.maxBetsPerDay);
  }
  return figures;
}

/** What purchases of the day spent, and may still spend. */
export function stakeOf({ accepted, counts }: KnownOfAccount, working: readonly Order[], day: number): Exact {
  const ids = new Set(accepted.flatMap(({ order, day: of }) => (of === day ? [order.id] : [])));
  const spent = [...ids].reduce((sum, id) => sum + counts.spentBy(id), 0n);
  return more(new Holder(FEE).atWork(working.filter(({ id }) => ids.has(id)).map(workingOf)), spent);
}

/** About as many as the limit of the market leaves: up to four lots fewer, or more. */
export function upToLimit(
  { account, limits }: KnownOfAccount,
  working: readonly Order[],
  market: MarketId,
  price: Price,
  lots: number,
): bigint {
  const { by } = account.worst(working.map(workingOf));
  const [n, d] = by.get(`market ${market}`) ?? exact(0n);
  const left = limits.marketLossUsdc - n / d;
  const each = price + (FEE * price * (1_000_000n - price)) / 1_000_000n ** 2n;
  return ((left * 100n) / each + BigInt(lots % 9) - 4n) * LOT;
}

/** A purchase that is refused for what a day may cost, count or lose would have exceeded that. */
export function purchaseDenied(known: KnownOfAccount, order: Order, working: readonly Order[], day: number): void {
  const { own, limits, sales, counts } = known;
  const code = order.refusal?.code;
  if (code === 'max_bets_exceeded') expect(counts.betsOf(day)).toBeGreaterThanOrEqual(OWN.maxBetsPerDay);
  if (code === 'daily_loss_exceeded')
    expect(isAbove(exact(OWN.dailyLoss - 2n * sales - 2n), counts.lostOn(day, own.gain))).toBe(false);
  if (code !== 'daily_stake_exceeded' || counts.isForgotten(day)) return;
  const others = stakeOf(known, working, day);
  const [n, d] = new Holder(FEE).atWork([workingOf(order)]);
  const stake = more([others[0] * d + n * others[1], others[1] * d], FEE_STEPS * BigInt(working.length + 1));
  expect(isAbove(stake, exact(limits.dailyStakeUsdc))).toBe(true);
}
