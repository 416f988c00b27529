import type { Position } from '../account/position.js';
import { NOTHING_WORKING, sumOfRisks, type WorkingRisk } from '../limits/risk.js';
import type { Order } from '../order/order.js';
import { workingRisk } from '../order/working-risk.js';
import { compared, type Finding, type OutcomeName, outcomeName } from './books-audit.js';

const BY_ORDERS = 'by the working orders';

/** Compares what is kept for the limits of an account with its working orders: what they may lose, and their prices. */
export function auditRisks(positions: readonly Position[], working: readonly Order[]): readonly Finding[] {
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
    if (isOpen !== isKept) return [wrong(name, isKept ? 'is kept, and there is none' : 'is not kept')];
    return differences(name, position?.risk?.working ?? NOTHING_WORKING, due);
  });
}

function differences(name: OutcomeName, found: WorkingRisk, due: WorkingRisk): readonly Finding[] {
  const what = (rest: string) => `What working orders of ${name} may lose ${rest}`;
  return [
    ...compared('risk', name, what('if it loses'), found.lost, due.lost, BY_ORDERS),
    ...compared('risk', name, what('if it is split'), found.split, due.split, BY_ORDERS),
    ...compared('risk', name, what('if it wins'), found.won, due.won, BY_ORDERS),
    ...(pricesOf(found) === pricesOf(due) ? [] : [wrong(name, 'has other prices or numbers than its working orders')]),
  ];
}

const pricesOf = ({ orders, bids, asks }: WorkingRisk): string => `${orders} | ${bids} | ${asks}`;

function wrong(name: OutcomeName, words: string): Finding {
  return { check: 'risk', about: name, found: null, expected: null, message: `The risk of ${name} ${words}.` };
}
