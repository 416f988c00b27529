import { cashOf } from '../account/account.js';
import { bookedBy, type Position } from '../account/position.js';
import type { VenueName } from '../ids.js';
import { type Counted, KEPT_DAYS, NOTHING_COUNTED, onDay } from '../limits/counted.js';
import { NOTHING_WORKING, sumOfRisks, type WorkingRisk } from '../limits/risk.js';
import { NO_USDC } from '../money.js';
import { type Order, reservedCash, workingRisk } from '../order/order.js';
import type { Exposure } from '../strategy/strategy.js';
import { type BooksOnRecord, compared, type Finding, type OutcomeName, outcomeName } from './books-audit.js';
import type { SpendingAudit } from './spending-audit.js';

const BY_ORDERS = 'by the working orders';

/** Compares what is kept for the limits of an account with its working orders: what they may lose, and their prices. */
export const auditRisks = (positions: readonly Position[], working: readonly Order[]): readonly Finding[] =>
  risksOf(positions, working, '');

/** The risks on record of a strategy's part of the positions, from which its `event_loss` is measured, compared with its orders. */
export function auditPartRisks(
  { strategyId }: Exposure,
  parts: readonly Position[],
  working: readonly Order[],
): readonly Finding[] {
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
 * Compares what is kept without limits, in markets of which an account holds one outcome at a time, with the working orders there.
 */
export function auditKeptRisks(positions: readonly Position[], working: readonly Order[]): readonly Finding[] {
  const kept = positions.filter(({ risk }) => risk !== undefined);
  const names = new Set(kept.map(outcomeName));
  return names.size === 0
    ? []
    : risksOf(
        kept,
        working.filter(({ intent }) => names.has(outcomeName(intent))),
        '',
      );
}

/**
 * Compares what is counted for an account with limits: what its trading brought, from which its losses are measured, with its
 * positions, and what each kept day spent with the entries of its purchases, from the first one on. So the audit need not know
 * the time zone of the server's days; `spending` is null where the entries are not in order.
 */
export function auditCounted(
  { balances, positions, working }: Pick<BooksOnRecord, 'balances' | 'positions' | 'working'>,
  spending: Pick<SpendingAudit, 'since' | 'isOn' | 'days'> | null,
): readonly Finding[] {
  return balances.flatMap(({ paper, venue, counted = NOTHING_COUNTED }) => {
    const isHere = (of: Pick<Position, 'venue'>) => cashOf({ paper, venue: of.venue }).venue === venue;
    const due = positions.filter(isHere).reduce((sum, position) => sum + bookedBy(position), 0n);
    const about = balances.length > 1 ? venue : null;
    const what = 'What trading brought, for the limits of losses';
    return [
      ...compared('booked', about, what, counted.booked, due, BY_POSITIONS),
      ...auditReserved(
        counted,
        working.filter(({ intent }) => isHere(intent)),
        about,
      ),
      ...(spending === null
        ? []
        : [...auditSpent(counted, venue, spending, about), ...missing(counted, venue, spending, about)]),
    ];
  });
}

type Spent = Pick<SpendingAudit, 'since' | 'isOn' | 'days'>;

function auditSpent({ days }: Counted, venue: VenueName | null, spending: Spent, about: string | null) {
  return days.flatMap(({ day, spent, first }) => {
    if (first === undefined) return [];
    const { least, most } = spending.since(venue, first, day);
    const due = spent < least ? least : spent > most ? most : spent;
    const isOnDay = spending.isOn(venue, first, day);
    return [
      ...compared('spent', about, `What purchases of ${day} spent`, spent, due, BY_JOURNAL),
      ...(isOnDay ? [] : [otherDay(day, about)]),
    ];
  });
}

/** A lower sum lets nothing pass: what is reserved and of no day counts in each. */
function auditReserved({ days }: Counted, working: readonly Order[], about: string | null): readonly Finding[] {
  const due = (of: string | undefined) =>
    working.filter(({ intent }) => intent.day === of).reduce((sum, order) => sum + reservedCash(order), 0n);
  return days.flatMap(({ day, reserved = NO_USDC }) => {
    const most = due(day) + due(undefined);
    const what = `What working purchases of ${day} may spend`;
    return compared('spent', about, what, reserved, reserved < most ? reserved : most, BY_ORDERS);
  });
}

/**
 * Days of purchases that are not kept, and purchases of a kept one from before the first that it counts. With three kept, another
 * one may have been given up for them.
 */
function missing({ days, isWhole }: Counted, venue: VenueName | null, spending: Spent, about: string | null) {
  if (days.length >= KEPT_DAYS) return [];
  return spending.days(venue).flatMap(({ day, any, counted }): Finding[] => {
    const earliest = isWhole === true ? any : counted;
    if (earliest === undefined) return [];
    const kept = onDay(days, day);
    const isThere = kept !== undefined && (kept.first === undefined ? kept.spent > 0n : kept.first <= earliest);
    if (isThere) return [];
    const words = kept === undefined ? 'are not kept' : `are counted from ${kept.first ?? 'none'} on`;
    const message = `The purchases of ${day} ${words}, ${BY_JOURNAL} from ${earliest} on.`;
    return [{ check: 'spent', about, found: null, expected: null, message }];
  });
}

function otherDay(day: string, about: string | null): Finding {
  const message = `The day of the last purchases: on record ${day}, by the journal another one.`;
  return { check: 'spent', about, found: null, expected: null, message };
}

const BY_POSITIONS = 'by the positions';
const BY_JOURNAL = 'by the journal';
