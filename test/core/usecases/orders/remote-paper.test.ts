import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { LEASE_MS } from '../../../../src/core/ledger/job.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import { recordStatusReport } from '../../../../src/core/posting/outcome.js';
import { liveUseCases } from '../../../../src/core/usecases/compose.js';
import { ALICE, anExecution, anOrderContext, clockAt, NOON, shares, usdc, WHERE } from '../../../support/builders.js';
import {
  accepts,
  breaks,
  ReportingExchange,
  rests,
  ScriptedExchange,
  ScriptedSimulator,
} from '../../../support/scripted-exchange.js';
import { Trading, trading } from '../../../support/trading.js';

const confirmed = anExecution({ tradeId: 't1', shares: shares('8'), confirmed: true });

/** A paper exchange in another process, and the worker of a server that uses it. */
function fixture(paper = new ScriptedExchange()) {
  const clock = clockAt(NOON);
  const ledger = new MemoryLedger(clock);
  let elapsed = 0;
  const trader = new Trading(ledger, { paper, context: anOrderContext({ clock, stopwatch: () => elapsed }) });
  const live = { exchange: new ReportingExchange(), jobs: ledger, externals: ledger };
  const pass = (ms: number) => {
    clock.tick(ms);
    elapsed += ms;
  };
  return { paper, ledger, trader, pass, worker: liveUseCases(trader.ports, live).lookAfter };
}

describe('A paper order at an exchange over the network', () => {
  it('is continued only by the server that holds its job', async () => {
    const it = fixture(new ScriptedExchange({ place: breaks(), find: accepts([confirmed], 'open') }));
    expect(await it.trader.place()).toMatchObject({ state: 'unknown' });
    expect(await it.trader.recoverOrders.execute()).toEqual({ recovered: 0, failures: [] });
    it.pass(LEASE_MS);
    expect(await it.worker.execute()).toBe(1);
    expect(await it.ledger.listOrders(ALICE, {}, { limit: 9 })).toMatchObject([
      { state: 'open', filled: { shares: shares('8') } },
    ]);
    expect(it.paper.count('place')).toBe(1);
  });

  it('is cancelled there while it is not known whether it arrived', async () => {
    const it = fixture(new ScriptedExchange({ place: breaks() }));
    const { id } = await it.trader.place();
    await it.trader.cancelOrder.execute({ account: ALICE, orderId: id, idempotencyKey: null });
    expect(it.paper.count('cancel')).toBe(1);
  });

  it('gains a fill reported after its end, even beyond free cash', async () => {
    const { trader } = fixture(new ScriptedExchange({ place: rests() }));
    const order = await trader.place({ size: usdc('1000') });
    const ended = await trader.book(order, (posting) => posting.record({ type: 'cancelled', reason: 'as it happens' }));
    await trader.place({ size: usdc('999') });
    const seen = accepts([confirmed], 'cancelled')(order);
    const late = await trader.book(ended, (posting) => recordStatusReport(posting, seen));
    expect(late).toMatchObject({ state: 'cancelled', filled: { shares: shares('8') } });
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('996'), reserved: usdc('999') });
  });

  it('is settled only once it ended there with confirmed fills', async () => {
    const { trader } = fixture(new ScriptedExchange({ place: rests() }));
    const order = await trader.place();
    await trader.book(order, (posting) => recordStatusReport(posting, accepts([confirmed], 'open')(order)));
    const settle = () => trader.use.markets.settle.execute(WHERE, YES_WON);
    expect(await settle()).toBe(0);
    const seen = accepts([confirmed], 'cancelled')(order);
    await trader.book(order, (posting) => recordStatusReport(posting, seen));
    expect(await settle()).toBe(1);
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('1004'), reserved: 0n });
  });
});

describe('An exchange in this process', () => {
  it('takes no shares away that a working sale has reserved', async () => {
    const trader = trading(new MemoryLedger(), { paper: new ScriptedSimulator() });
    const bought = await trader.place();
    await trader.book(bought, (posting) => posting.fill(anExecution({ tradeId: 't1' })));
    const voided = { type: 'fill_voided', tradeId: 't1', resting: true, reason: 'undone' } as const;
    await trader.place({ side: 'SELL', size: usdc('10') });
    const undo = trader.book(bought, (posting) => posting.record(voided));
    await expect(undo).rejects.toThrow('no order sells more than is held');
  });
});
