import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { UserStream } from '../../src/adapters/polymarket/websocket/user-stream.js';
import type { OrderId } from '../../src/core/ids.js';
import { slices } from '../../src/core/ledger/query.js';
import type { Market } from '../../src/core/market/market.js';
import { type Order, remaining } from '../../src/core/order/order.js';
import type { Reconciliation } from '../../src/core/order/reconciliation.js';
import type { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { liveUseCases } from '../../src/core/usecases/compose.js';
import { aFixture, listed } from '../adapters/polymarket/execution/exchange-fixture.js';
import { audited } from './audited.js';
import { ALICE, anOrderContext, type DraftChanges, price, usdc } from './builders.js';
import { Trading } from './trading.js';

type Limits = Parameters<typeof aFixture>[0];
export type Fixture = Awaited<ReturnType<typeof aFixture>>;

/** The parts of a server that trade with real money, wired by hand on this ledger, in the time of the stage. */
export function aTrader(fixture: Fixture, ledger: MemoryLedger, market: () => Market, exchange = fixture.exchange) {
  const clock = { now: () => new Date(fixture.time.now) };
  const wired = anOrderContext({ clock, stopwatch: () => fixture.time.now });
  const markets = Object.assign(new NoMarketData(POLYMARKET), { find: async () => market() });
  const trading = new Trading(ledger, { live: exchange, markets, context: wired });
  const live = { exchange, jobs: ledger, externals: ledger };
  const { lookAfter: worker, reconcile } = liveUseCases(trading.ports, live);
  return { trading, worker, reconcile, exchange, wired };
}

/** An account that may trade live and has 100 dollars, as the wallet of the stage has. */
export async function funded(operator: ManageAccounts): Promise<ManageAccounts> {
  await operator.allowLive(ALICE, true);
  await operator.deposit(ALICE, POLYMARKET, usdc('100'));
  return operator;
}

/** The differences between our record and the venue, and among the books; usually none. */
export async function contradictions(fixture: Fixture, ledger: MemoryLedger): Promise<readonly unknown[]> {
  const records = [];
  for await (const orders of slices<Order, OrderId>(
    (page) => ledger.listOrders(ALICE, {}, page),
    ({ id }) => id,
  )) {
    for (const { id, venueOrderId, filled } of orders) {
      records.push({ id, hashes: venueOrderId === null ? [] : [venueOrderId], filled: filled.shares });
    }
  }
  return [...fixture.venue.breaches(records), ...(await audited(ledger)).flatMap(({ findings }) => findings)];
}

/**
 * Everything that trades with real money, in this process, at a fake venue: an account with 100 dollars, the exchange as it
 * runs, the worker and the reconciler, in the time of the stage. Nothing happens automatically: a test runs the worker,
 * sweeps and listens.
 */
export async function liveTrader(limits: Limits = {}, market: () => Market = () => listed()) {
  const fixture = await aFixture(limits);
  const ledger = new MemoryLedger({ now: () => new Date(fixture.time.now) });
  const { trading, worker, reconcile } = aTrader(fixture, ledger, market);
  const operator = await funded(trading.use.accounts.manage);
  const began = new Date(fixture.time.now);
  const now = async ({ id }: Order) => (await ledger.findOrder(ALICE, id)) as Order;
  const streams: UserStream[] = [];

  return {
    ...fixture,
    ledger,
    trading,
    worker,
    reconcile,
    operator,
    now,
    began,
    settle: trading.use.markets.settle,

    /** By default 20 shares at 0.50 for real money. */
    place: (draft: DraftChanges = {}, key: string | null = null) =>
      trading.place(
        { paper: false, price: price('0.5'), size: usdc('10'), ...draft },
        { mayTradeLive: true, idempotencyKey: key },
      ),
    cancel: ({ id }: Order) =>
      trading.cancelOrder.execute({ account: ALICE, orderId: id, idempotencyKey: null }).then(({ record }) => record),
    balance: async () => (await ledger.findBalance(ALICE, { paper: false, venue: POLYMARKET })) ?? null,
    positions: () => ledger.listPositions(ALICE, { paper: false, strategyId: null }, { limit: 9 }),
    types: async (order: Order) => (await trading.history(order)).map(({ change }) => change.type),

    /** The reconciler of another server on the same record. */
    reconcilerAt: (other: Fixture['exchange']) => aTrader(fixture, ledger, market, other).reconcile,
    /** Time passes, and the worker does its due work; this many times. */
    async lookAfter(times = 1, everyMs = 5_000): Promise<void> {
      for (let look = 0; look < times; look++) {
        fixture.time.now += everyMs;
        await worker.execute();
      }
    },
    /** Reconciles everything that the venue shows with the record. */
    sweep: (since = began): Promise<Reconciliation> => reconcile.execute(since),
    /** Takes in the stream's messages from now on, in order; `taken` resolves when all received ones are recorded. */
    async listen() {
      let last: Promise<unknown> = Promise.resolve();
      const found: Reconciliation[] = [];
      let gaps = 0;
      let heard = 0;
      const stream = new UserStream({
        url: new URL('/ws/user', fixture.venue.stream),
        credentials: fixture.credentials,
        retry: { initialDelay: 1, maxDelay: 5 },
        onEvent: (event) => {
          heard += 1;
          const massStatus = fixture.exchange.massStatusOf(event);
          last = last.then(async () => void found.push(await reconcile.take(massStatus)));
        },
        onReconnected: () => {
          gaps += 1;
        },
        onUnreadable: () => {
          gaps += 1;
        },
        report: () => {},
      });
      streams.push(stream);
      return { found, heard: () => heard, gaps: () => gaps, taken: () => last, open: () => stream.isOpen };
    },

    /** The differences between our record and the venue, and among the books; usually none. */
    wrong: () => contradictions(fixture, ledger),
    left: async (order: Order) => remaining(await now(order)),
    async close(): Promise<void> {
      await Promise.all(streams.map((stream) => stream.close()));
      await fixture.close();
    },
  };
}

export type LiveTrader = Awaited<ReturnType<typeof liveTrader>>;
