import { expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { BookPaperExchange } from '../../../../src/adapters/paper/index.js';
import { RecordReports } from '../../../../src/core/usecases/orders/background/record-reports.js';
import { marketsAt } from '../../../../src/core/venues/venues.js';
import { anOrderContext, price, usdc } from '../../../support/builders.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../../support/scripted-market.js';
import { seenAs } from '../../../support/seen-as.js';
import { Trading } from '../../../support/trading.js';

it('orders answered together share store reads instead of a snapshot each', async () => {
  const clock = new ManualTimeline();
  const market = new ScriptedMarket(aMarket(), clock, '', '0.50x100000');
  const store = new MemoryLedger(clock);
  let snapshots = 0;
  const ledger = seenAs(store, {
    read: (scope, look) => {
      snapshots += 1;
      return store.read(scope, look);
    },
  });
  const context = anOrderContext({ clock, openingCash: usdc('100000') });
  const reports = new RecordReports(ledger, context);
  const paper = new BookPaperExchange({
    markets: marketsAt(market),
    timeline: clock,
    latencyMs: 150,
    sink: async (order, report) => void (await reports.execute(order, report)),
  });
  const trading = new Trading(ledger, { context, markets: market, paper });
  const placed = Array.from({ length: 200 }, () =>
    trading.place({ marketId: market.market.id, price: price('0.5'), size: usdc('5') }),
  );
  await clock.planned();
  let isDone = false;
  const all = Promise.all(placed).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await clock.pass(150);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await all).map(({ state }) => state)).toEqual(placed.map(() => 'filled'));
  expect(snapshots).toBe(0);
});
