import { MemoryLedger } from '../../src/adapters/memory/memory-ledger.js';
import type { Execution, Order } from '../../src/core/order/order.js';
import { anExecution, anOrderContext, type DraftChanges, usdc } from './builders.js';
import { rests, ScriptedExchange } from './scripted-exchange.js';
import { trading } from './trading.js';

/** A stage whose venue rests every order, so that each test decides the fills. */
export function restingFixture(opening = '1000', paper = new ScriptedExchange({ place: rests() })) {
  const trader = trading(new MemoryLedger(), {
    paper,
    context: anOrderContext({ openingCash: usdc(opening) }),
  });
  const fill = (order: Order, ...executions: Partial<Execution>[]) =>
    trader.book(order, (posting) => {
      for (const execution of executions) posting.fill(anExecution(execution));
    });
  const undo = (order: Order, tradeId: string, resting = false) =>
    trader.book(order, (posting) => posting.record({ type: 'fill_voided', tradeId, resting, reason: 'reverted' }));
  /** An order that fills whole at its limit. */
  const done = async (draft: DraftChanges, execution: Partial<Execution> = {}) => {
    const order = await trader.place(draft);
    return fill(order, { shares: order.intent.shares, price: order.intent.price, ...execution });
  };
  return { trader, fill, undo, done };
}
