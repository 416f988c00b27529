import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { BookPaperExchange, PaperExchange } from '../../adapters/paper/index.js';
import { PaperElsewhere } from '../../core/errors.js';
import type { LeaseInHand } from '../../core/ledger/lease.js';
import { underLease } from '../../core/ledger/under-lease.js';
import { replayUseCase, restoreUseCase, useCases } from '../../core/usecases/compose.js';
import type { UseCasePorts } from '../../core/usecases/use-case-ports.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Leases } from '../../ports/leases.js';
import type { MarketSource } from '../wiring/market-source.js';
import { BOOKMARKS, LEDGER, USE_CASE_PORTS, VENUES } from '../wiring/tokens.js';
import { ReturningOrders } from './returning-orders.js';
import { untilStored } from './until-stored.js';

/** Paper trading for the duration of one lease: its own books, and the orders on record restored to them. */
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

/** Records nothing without a lease in hand; drops what waits for one once `ended` is aborted. */
export function openTenure(parts: TenureParts, inHand: () => LeaseInHand, ended: AbortSignal): PaperTenure {
  const { container, source, logger, latencyMs } = parts;
  const exchange = new BookPaperExchange({
    markets: container.get(VENUES),
    timeline: source.timeline,
    latencyMs,
    lease: inHand,
    // A tape is played from its beginning: nothing of its books was taken before.
    ...(source.recorded === null && { ledger: container.get(LEDGER) }),
    sink: untilStored(async (order, report) => {
      await use.orders.recordReports.execute(order, report);
    }, ended),
    onFault: (error, { id }) => {
      if (!ended.aborted) logger.error({ err: error, order: id }, 'could not record what happened to an order');
    },
  });
  const ports = { ...portsOf(container, exchange), reports: underLease(container.get(LEDGER), inHand) };
  const use = useCases(ports);
  const restore = restoreUseCase(ports, use.orders, exchange);
  const replay = replayUseCase(ports, container.get(BOOKMARKS), exchange);
  return { exchange, returning: new ReturningOrders({ replay, restore, recover: use.orders.recover }, source, logger) };
}

/** Handles open orders from an earlier run with books, without any books, unless a server with books has them. */
export function returningWithoutBooks({ container, source, logger }: TenureParts, leases: Leases): ReturningOrders {
  const exchange = container.get(PaperExchange);
  const ports = portsOf(container, exchange);
  const { orders } = useCases(ports);
  const restore = restoreUseCase(ports, orders, exchange);
  const unlessElsewhere = async () => {
    if ((await leases.find('paper')) !== undefined) throw new PaperElsewhere();
  };
  const returning = {
    replay: null,
    restore: { execute: () => unlessElsewhere().then(() => restore.execute()) },
    recover: { execute: () => unlessElsewhere().then(() => orders.recover.execute()) },
  };
  return new ReturningOrders(returning, source, logger);
}

/** Restoring paper orders never touches one with real money. */
const portsOf = (container: Container, paper: Exchange): UseCasePorts => {
  const ports = container.get(USE_CASE_PORTS);
  return { ...ports, venues: ports.venues.onPaper(paper) };
};
