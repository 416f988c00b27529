import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { NOTHING_WORKING } from '../../../../src/core/limits/risk.js';
import type { Market } from '../../../../src/core/market/market.js';
import { found } from '../../../support/audited.js';
import { ALICE, anExecution, type DraftChanges, price, usdc } from '../../../support/builders.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';
import { anOpenMarket } from '../../matching/view.js';

/** An account in a market with one net position, whose orders fill whole, or rest. */
function netted({ rests = false, nets = true } = {}) {
  const { id: _, ...open } = anOpenMarket(nets ? { netsOutcomes: true } : {});
  const markets = Object.assign(new NoMarketData(), { find: async (id: Market['id']) => ({ ...open, id }) });
  const trader = new Trading(new MemoryLedger(), { markets, ...(rests && { paper: new ScriptedSimulator() }) });
  const code = async (draft: DraftChanges) => (await trader.place(draft)).refusal?.code ?? 'placed';
  return { trader, code };
}

const NO: DraftChanges = { outcome: 'NO' };

describe('In a market with one net position, an account', () => {
  it('buys no other outcome than the one that it holds', async () => {
    const { trader, code } = netted();
    expect([await code({}), await code({})]).toEqual(['placed', 'placed']);
    const { refusal } = await trader.place(NO);
    expect(refusal).toEqual({
      code: 'other_outcome_held',
      message:
        'The venue keeps one net position of the market, and the account holds the other outcome: 40 shares of YES, those of working orders among them. Sell or cancel those first.',
    });
    expect([await code({ side: 'SELL', size: usdc('20') }), await code(NO)]).toEqual(['placed', 'placed']);
    expect(await code({})).toBe('other_outcome_held');
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('buys it once its working purchase of the other is cancelled', async () => {
    const { trader, code } = netted({ rests: true });
    const resting = await trader.place({ price: price('0.4') });
    expect(await code({ ...NO, price: price('0.1') })).toBe('other_outcome_held');
    await trader.cancelOrder.execute({ account: ALICE, orderId: resting.id, idempotencyKey: null });
    expect(await code({ ...NO, price: price('0.1') })).toBe('placed');
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('does not trade with itself, without any limit', async () => {
    const { trader, code } = netted({ rests: true });
    const bought = await trader.place({});
    await trader.book(bought, (posting) => posting.fill(anExecution({ confirmed: true })));
    expect(await code({ side: 'SELL', price: price('0.6'), size: usdc('3') })).toBe('placed');
    expect(await code({ price: price('0.6') })).toBe('self_cross');
    expect(await code({ price: price('0.59') })).toBe('placed');
    expect(await code({ side: 'SELL', price: price('0.59'), size: usdc('3') })).toBe('self_cross');
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('is told by an audit when a working order is not kept', async () => {
    const { trader } = netted({ rests: true });
    const order = await trader.place({ price: price('0.4') });
    const { position } = await trader.money(order);
    const risk = position?.risk && { ...position.risk, working: NOTHING_WORKING };
    const { account, intent } = order;
    const scope = { account, positions: [{ ...intent, account, strategyId: null }] };
    const positions = position === undefined ? [] : [{ ...position, risk }];
    await trader.ledger.write(scope, () => ({ result: null, positions }));
    expect(await found(trader.ledger)).toContain(`risk ${intent.marketId} YES`);
  });

  it('holds both outcomes elsewhere', async () => {
    const { trader, code } = netted({ nets: false });
    expect([await code({}), await code(NO)]).toEqual(['placed', 'placed']);
    const [held] = await trader.ledger.listPositions(ALICE, { paper: true, strategyId: null }, { limit: 1 });
    expect(held?.risk).toBeUndefined();
  });
});
