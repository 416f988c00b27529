import { expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { ReadEvents } from '../../../../src/core/usecases/accounts/read-events.js';
import { ALICE, anExecution, shares } from '../../../support/builders.js';
import { anApproval } from '../../../support/builders-of-bets.js';
import { rests, ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { trading } from '../../../support/trading.js';

it('an order history with many fills is read once for all pages', async () => {
  const ledger = new MemoryLedger();
  const trader = trading(ledger, { paper: new ScriptedSimulator({ place: rests() }) });
  const order = await trader.place();
  for (let trade = 0; trade < 150; trade += 1)
    await trader.book(order, (posting) => posting.fill(anExecution({ shares: shares('0.1') })));
  const history = await trader.history(order);
  let read = 0;
  const { histories } = ledger.log;
  ledger.log.histories = async (...asked) => {
    const events = await histories.apply(ledger.log, asked);
    read += events.length;
    return events;
  };
  const events = new ReadEvents(ledger, trader.context);
  for (let [after, seen] = [0, 0]; ; ) {
    const { items, next, head } = await events.page(ALICE, null, { limit: 10, after });
    for (const { data } of items) {
      if (data.kind !== 'order') throw new Error('only orders happened');
      expect(data.event).toEqual(history[seen]);
      expect([data.order.seq, data.order.fills.length]).toEqual([seen + 1, Math.max(0, seen - 1)]);
      seen += 1;
    }
    if (next === head) break;
    after = next;
  }
  expect(read).toBe(history.length);
  // A reader that begins in the middle pays for what came before, once.
  const [first] = (await new ReadEvents(ledger, trader.context).page(ALICE, null, { limit: 1, after: 100 })).items;
  expect(first?.data).toMatchObject({ event: history[100] });
});

it('reads the strategies of a page at once', async () => {
  const ledger = new MemoryLedger();
  const trader = trading(ledger);
  const strategy = await trader.strategy();
  const paused = { ...strategy, version: 2, isPaused: true };
  const resumed = { ...paused, version: 3, isPaused: false };
  for (const version of [paused, resumed])
    await ledger.write({ account: ALICE, strategies: [strategy.id] }, () => ({ result: null, strategies: [version] }));
  const other = await trader.strategy();
  let asked = 0;
  const { versions } = ledger.log;
  ledger.log.versions = async (...of) => {
    asked += 1;
    return versions.apply(ledger.log, of);
  };
  const { items } = await new ReadEvents(ledger, trader.context).page(ALICE, null, { limit: 100 });
  expect(items.map(({ data }) => data)).toEqual(
    [strategy, paused, resumed, other].map((version) => ({ kind: 'strategy', strategy: version })),
  );
  expect(asked).toBe(1);
});

it('a bet that waits has the time of its market, not of the machine', async () => {
  const ledger = new MemoryLedger();
  const trader = trading(ledger);
  const approval = anApproval();
  await ledger.write({ account: ALICE }, () => ({ result: null, approvals: [approval] }));
  const { items } = await new ReadEvents(ledger, trader.context).page(ALICE, null, { limit: 100 });
  expect(items.map(({ type, at }) => [type, at])).toEqual([['approval.waiting', approval.decision.at]]);
});
