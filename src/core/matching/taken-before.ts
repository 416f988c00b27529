import type { AccountId } from '../ids.js';
import type { BookSide } from '../market/event.js';
import type { Price, Shares } from '../money.js';
import type { Order } from '../order/order.js';
import { inFirst, takenSide } from './working-order.js';

/** What an account had taken of a level when it last took something there, by the record; in terms of the first outcome. */
export interface TakenBefore {
  readonly account: AccountId;
  readonly side: BookSide;
  readonly price: Price;
  readonly shares: Shares;
  readonly at: Date;
}

/**
 * What these orders of one market add to what is known to be taken there. Of each account and level the newest fill counts:
 * it says what was taken by then. What happened to the level after it is not on record.
 */
export function takenBy(orders: readonly Order[], known: readonly TakenBefore[] = []): readonly TakenBefore[] {
  const newest = new Map(known.map((taken) => [levelOf(taken), taken]));
  for (const { account, intent, fills } of orders) {
    for (const { taken } of fills) {
      if (taken === undefined) continue;
      const { shares, at } = taken;
      const one = { account, side: takenSide(intent), price: inFirst(intent.outcome, taken.price), shares, at };
      const other = newest.get(levelOf(one));
      if (other === undefined || isNewer(one, other)) newest.set(levelOf(one), one);
    }
  }
  return [...newest.values()];
}

const levelOf = ({ account, side, price }: TakenBefore): string => `${side} ${price} ${account}`;

/** Of two at one moment the one that came after the other says more. */
function isNewer(one: TakenBefore, other: TakenBefore): boolean {
  const later = one.at.getTime() - other.at.getTime();
  return later > 0 || (later === 0 && one.shares > other.shares);
}
