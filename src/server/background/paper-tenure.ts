import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { BookPaperExchange, PaperExchange } from '../../adapters/paper/index.js';
import { PaperElsewhere } from '../../core/errors.js';
import { type LeaseInHand, underLease } from '../../core/ledger/lease.js';
import { RecordReports } from '../../core/usecases/orders/background/record-reports.js';
import { RecoverOrders } from '../../core/usecases/orders/background/recover-orders.js';
import { ReplayOrders } from '../../core/usecases/orders/background/replay-orders.js';
import { RestoreOrders, type Restoring } from '../../core/usecases/orders/background/restore-orders.js';
import { SubmitOrder } from '../../core/usecases/orders/submit-order.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Leases } from '../../ports/leases.js';
import type { MarketSource } from '../wiring/market-source.js';
import { BOOKMARKS, LEDGER, ORDER_CONTEXT } from '../wiring/tokens.js';
import { ReturningOrders, type ReturningUseCases } from './returning-orders.js';
import { untilStored } from './until-stored.js';

/** What trades on paper as long as one lease lasts: its own books, and the orders on record brought back to them. */
export interface PaperTenure {
  readonly exchange: BookPaperExchange;
  readonly returning: ReturningOrders;
}

/** What a tenure is made of. */
export interface TenureParts {
  readonly container: Container;
  readonly source: MarketSource;
  readonly logger: Logger;
  readonly latencyMs: number;
}

/** Nothing is put on record without a lease in hand; what waits for one is dropped once `ended` is aborted. */
export function openTenure(parts: TenureParts, inHand: () => LeaseInHand, ended: AbortSignal): PaperTenure {
  const { container, source, logger, latencyMs } = parts;
  const [ledger, context] = [container.get(LEDGER), container.get(ORDER_CONTEXT)];
  const reports = new RecordReports(underLease(ledger, inHand), context);
  const exchange = new BookPaperExchange({
    ...{ markets: source.data, timeline: source.timeline, latencyMs, lease: inHand },
    sink: untilStored(async (order, told) => {
      await reports.execute(order, told);
    }, ended),
    onFault: (error, { id }) => {
      if (!ended.aborted) logger.error({ err: error, order: id }, 'what happened to an order is not on record');
    },
  });
  const replay = new ReplayOrders(ledger, container.get(BOOKMARKS), exchange);
  return { exchange, returning: returningTo(parts, exchange, reports, replay) };
}

/** What is left of orders that met books before is looked after without any, unless a server with books has them. */
export function returningWithoutBooks(parts: TenureParts, leases: Leases): ReturningOrders {
  const { container } = parts;
  const reports = new RecordReports(container.get(LEDGER), container.get(ORDER_CONTEXT));
  return returningTo(parts, container.get(PaperExchange), reports, null, async () => {
    if ((await leases.find('paper')) !== undefined) throw new PaperElsewhere();
  });
}

function returningTo(
  { container, source, logger }: TenureParts,
  exchange: Exchange & Restoring,
  reports: RecordReports,
  replay: ReturningUseCases['replay'],
  before = async () => {},
): ReturningOrders {
  const [ledger, context] = [container.get(LEDGER), container.get(ORDER_CONTEXT)];
  const venues = { paper: exchange, live: null };
  const restore = new RestoreOrders(ledger, exchange, reports, context.clock);
  const recover = new RecoverOrders(ledger, venues, new SubmitOrder(ledger, venues, context), context);
  const useCases = {
    replay,
    restore: { execute: () => before().then(() => restore.execute()) },
    recover: { execute: () => before().then(() => recover.execute()) },
  };
  return new ReturningOrders(useCases, source, logger);
}
