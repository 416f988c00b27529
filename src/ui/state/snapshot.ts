import type {
  WireAlarm,
  WireApproval,
  WireLimits,
  WireLoggedEvent,
  WireOrder,
  WireStrategy,
  WireTradingState,
} from '../../adapters/http/answers.js';

/** What stops trading, as it was read. */
export interface Stops {
  readonly trading: readonly WireTradingState[];
  /** Whether an operator lets the account trade with real money; null before it is read. */
  readonly liveEnabled: boolean | null;
}

/** What the dashboard knows of an account at one place of its log. */
export interface Knowledge extends Stops {
  /** The last event that is in it. */
  readonly head: number;
  /** By id; the newest of them, and all that work. */
  readonly orders: ReadonlyMap<string, WireOrder>;
  /** Every order that was placed after this moment is among them; null where every order is. */
  readonly ordersSince: string | null;
  /** By id, without those that were archived. */
  readonly strategies: ReadonlyMap<string, WireStrategy>;
  /** By id. */
  readonly approvals: ReadonlyMap<string, WireApproval>;
  readonly alarms: readonly WireAlarm[];
  /** Null before they are read. */
  readonly limits: WireLimits | null;
  /** The last events, newest first. */
  readonly events: readonly WireLoggedEvent[];
}

/** What is known before anything was read. */
export const NOTHING_KNOWN: Knowledge = {
  head: 0,
  orders: new Map(),
  ordersSince: null,
  strategies: new Map(),
  approvals: new Map(),
  trading: [],
  liveEnabled: null,
  alarms: [],
  limits: null,
  events: [],
};

/** Lists as the API answers them, read at about one moment. */
export interface Lists extends Stops {
  readonly orders: readonly WireOrder[];
  readonly ordersSince: string | null;
  readonly strategies: readonly WireStrategy[];
  readonly approvals: readonly WireApproval[];
  readonly alarms: readonly WireAlarm[];
  readonly limits: WireLimits;
  readonly events: readonly WireLoggedEvent[];
}

/**
 * The state from lists that were read after the event `head`. The lists may hold later events already: an event carries the whole
 * state of its subject, so applying it again, in order, gives the same result.
 */
export function knowledgeOf(head: number, lists: Lists): Knowledge {
  const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
  const { orders, strategies, approvals, ...rest } = lists;
  return { ...rest, head, orders: byId(orders), strategies: byId(strategies), approvals: byId(approvals) };
}
