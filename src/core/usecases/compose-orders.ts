import { MarkEquity } from './limits/mark-equity.js';
import { CancelOrder } from './orders/cancel-order.js';
import { OrderPlacement } from './orders/order-placement.js';
import { SubmitOrder } from './orders/submit-order.js';
import { FollowedMarkets } from './strategies/background/watched-markets.js';
import type { UseCasePorts } from './use-case-ports.js';

/** What places, sends and cancels orders, what accounts are worth, and the markets that are followed: for all use cases of one program. */
export interface OrderParts {
  readonly marks: MarkEquity;
  readonly placement: OrderPlacement;
  readonly submit: SubmitOrder;
  readonly cancel: CancelOrder;
  /** Each once, whoever uses it. */
  readonly followed: FollowedMarkets;
}

/** Makes what the ports do not have already: the one place where these are made. */
export function orderParts(ports: UseCasePorts): OrderParts {
  const { ledger, venues, clock, quotes = venues } = ports;
  const { marks = new MarkEquity(ledger, quotes, clock, venues, ports.pause) } = ports;
  const { followed = new FollowedMarkets(venues) } = ports;
  const { placement = new OrderPlacement(venues, { ...ports, marks, followed }) } = ports;
  return {
    marks,
    placement,
    followed,
    submit: new SubmitOrder(ledger, venues, { ...ports, followed }),
    cancel: new CancelOrder(ledger, venues, ports),
  };
}
