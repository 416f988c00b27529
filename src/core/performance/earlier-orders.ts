import type { OrderId } from '../ids.js';
import type { BetRow } from './bet.js';

/** Orders of a bet that are kept apart from it: an order that traded it again later may stand in more than one part. */
export interface EarlierOrders {
  readonly bet: string;
  /** How many come before these. */
  readonly place: number;
  readonly orderIds: readonly OrderId[];
  readonly orderSeqs: readonly number[];
}

/** Orders of one part. A bet keeps between one and two parts of its newest orders itself. */
const PART = 250;

/** The bet with its newest orders, and the parts that the others become. Only the newest ones are looked up and written when it trades. */
export function partedBet(bet: BetRow): { readonly bet: BetRow; readonly parts: readonly EarlierOrders[] } {
  const { id, orderIds, orderSeqs, earlierOrders = 0 } = bet;
  const apart = (Math.floor(orderIds.length / PART) - 1) * PART;
  if (apart <= 0) return { bet, parts: [] };
  const parts: EarlierOrders[] = [];
  for (let from = 0; from < apart; from += PART) {
    const [ids, seqs] = [orderIds.slice(from, from + PART), orderSeqs.slice(from, from + PART)];
    parts.push({ bet: id, place: earlierOrders + from, orderIds: ids, orderSeqs: seqs });
  }
  const left = { orderIds: orderIds.slice(apart), orderSeqs: orderSeqs.slice(apart) };
  return { bet: { ...bet, ...left, earlierOrders: earlierOrders + apart }, parts };
}

/** The bet with all of its orders, each once, where it traded first, and with the last of its numbers. */
export function wholeBet({ earlierOrders = 0, ...bet }: BetRow, parts: readonly EarlierOrders[]): BetRow {
  if (earlierOrders === 0) return bet;
  const own = parts.filter((part) => part.bet === bet.id).toSorted((a, b) => a.place - b.place);
  const seqs = new Map<OrderId, number>();
  for (const { orderIds, orderSeqs } of [...own, bet])
    for (const [at, id] of orderIds.entries()) seqs.set(id, Math.max(seqs.get(id) ?? 0, orderSeqs[at] ?? 0));
  return { ...bet, orderIds: [...seqs.keys()], orderSeqs: [...seqs.values()] };
}
