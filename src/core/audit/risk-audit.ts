import { type Balance, cashOf } from '../account/account.js';
import { bookedBy, type Position } from '../account/position.js';
import { NOTHING_COUNTED } from '../limits/counted.js';
import { NOTHING_WORKING, sumOfRisks, type WorkingRisk } from '../limits/risk.js';
import type { Order } from '../order/order.js';
import { workingRisk } from '../order/working-risk.js';
import type { Exposure } from '../strategy/strategy.js';
import { compared, type Finding, type OutcomeName, outcomeName } from './books-audit.js';
import type { SpendingAudit } from './spending-audit.js';

const BY_ORDERS = 'by the working orders';

/** Compares what is kept for the limits of an account with its working orders: what they may lose, and their prices. */
export const auditRisks = (positions: readonly Position[], working: readonly Order[]): readonly Finding[] =>
  risksOf(positions, working, '');

/**
 * The same of the part of a strategy, from which its `event_loss` is measured. Of one that traded before this was kept, orders that
 * were working then are not among the sums, and nothing is compared.
 */
export function auditPartRisks(
  { strategyId, counted }: Exposure,
  parts: readonly Position[],
  working: readonly Order[],
): readonly Finding[] {
  if (counted?.isWhole !== true) return [];
  const own = parts.filter((part) => part.strategyId === strategyId);
  const orders = working.filter(({ intent }) => intent.strategy?.id === strategyId);
  return risksOf(own, orders, ` of strategy ${strategyId}`);
}

function risksOf(positions: readonly Position[], working: readonly Order[], whose: string): readonly Finding[] {
  const orders = new Map<OutcomeName, Order[]>();
  for (const order of working) {
    const name = outcomeName(order.intent);
    orders.set(name, [...(orders.get(name) ?? []), order]);
  }
  const kept = new Map(positions.map((position) => [outcomeName(position), position]));
  return [...new Set([...kept.keys(), ...orders.keys()])].flatMap((name) => {
    const position = kept.get(name);
    const due = sumOfRisks((orders.get(name) ?? []).map(workingRisk));
    const isOpen = due.orders > 0 || (position?.shares ?? 0n) > 0n;
    const isKept = position?.risk !== undefined;
    if (isOpen !== isKept) return [wrong(name, whose, isKept ? 'is kept, and there is none' : 'is not kept')];
    return differences(name, whose, position?.risk?.working ?? NOTHING_WORKING, due);
  });
}

function differences(name: OutcomeName, whose: string, found: WorkingRisk, due: WorkingRisk): readonly Finding[] {
  const orders = (side: string) => `What working ${side} of ${name}${whose} may`;
  const what = (rest: string) => `${orders('orders')} lose ${rest}`;
  const isSame = pricesOf(found) === pricesOf(due);
  return [
    ...compared('risk', name, `${orders('sales')} take out`, found.selling, due.selling, BY_ORDERS),
    ...compared('risk', name, what('if it loses'), found.lost, due.lost, BY_ORDERS),
    ...compared('risk', name, what('if it is split'), found.split, due.split, BY_ORDERS),
    ...compared('risk', name, what('if it wins'), found.won, due.won, BY_ORDERS),
    ...(isSame ? [] : [wrong(name, whose, 'has other prices or numbers than its working orders')]),
  ];
}

const pricesOf = ({ orders, bids, asks }: WorkingRisk): string => `${orders} | ${bids} | ${asks}`;

function wrong(name: OutcomeName, whose: string, words: string): Finding {
  return { check: 'risk', about: name, found: null, expected: null, message: `The risk of ${name}${whose} ${words}.` };
}

/**
 * Compares what is kept of the trading of an account with limits, from which its losses are measured, with what its positions
 * brought, and what was spent on the last day with the entries of its purchases, from the first one on. So the audit need not know
 * the zone of the server's days; null where the entries are not in turn.
 */
export function auditCounted(
  balances: readonly Balance[],
  positions: readonly Position[],
  spending: Pick<SpendingAudit, 'since' | 'isOn'> | null,
): readonly Finding[] {
  return balances.flatMap(({ paper, venue, counted = NOTHING_COUNTED }) => {
    const own = positions.filter((position) => cashOf({ paper, venue: position.venue }).venue === venue);
    const due = own.reduce((sum, position) => sum + bookedBy(position), 0n);
    const about = balances.length > 1 ? venue : null;
    const ofDays = counted.days.flatMap(({ day, spent, first }) => {
      if (first === undefined || spending === null) return [];
      const { least, most } = spending.since(venue, first, day);
      const due = spent < least ? least : spent > most ? most : spent;
      const isOnDay = spending.isOn(venue, first, day);
      return [
        ...compared('spent', about, `What purchases of ${day} spent`, spent, due, BY_JOURNAL),
        ...(isOnDay ? [] : [otherDay(day, about)]),
      ];
    });
    const { booked } = counted;
    return [
      ...compared('booked', about, 'What trading brought, for the limits of losses', booked, due, BY_POSITIONS),
      ...ofDays,
    ];
  });
}

function otherDay(day: string, about: string | null): Finding {
  const message = `The day of the last purchases: on record ${day}, by the journal another one.`;
  return { check: 'spent', about, found: null, expected: null, message };
}

const BY_POSITIONS = 'by the positions';
const BY_JOURNAL = 'by the journal';
