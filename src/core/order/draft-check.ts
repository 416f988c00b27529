import { ACCOUNT_NAME } from '../access/account-name.js';
import { OrderInvalid } from '../errors.js';
import { OUTCOME_SIDES } from '../market/market.js';
import { SIDES } from '../market/side.js';
import { MARKET_ID } from '../market/text.js';
import { TIMES_IN_FORCE, type TimeInForce } from '../market/time-in-force.js';
import { VENUE_NAME } from '../market/venue.js';
import { isMoment } from '../moment.js';
import { isAmount, isPrice } from '../money.js';
import type { OrderDraft, OrderTerms } from './draft.js';
import { isImmediate } from './intent.js';

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

/** The members together. @throws OrderInvalid where they contradict each other */
export function orderTerms(terms: LooseTerms): OrderTerms {
  const [fault] = termFaults(terms);
  if (fault !== undefined) throw new OrderInvalid(fault.member, fault.message);
  return terms as OrderTerms;
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
  orderTerms(draft);
}
