import { describe, expect, it } from 'vitest';
import type { TradingChange } from '../../../../src/core/trading/state.js';
import { BOB } from '../../../support/builders.js';
import { delays } from '../../../support/scripted-exchange.js';
import { fixture, marketsOf } from './trading-fixture.js';

/** Alice has a paper order, one of a strategy and one with real money; Bob has a paper order. All rest. */
async function resting() {
  const it = await fixture({ markets: marketsOf('soccer') });
  const strategy = await it.trading.strategy();
  const orders = {
    own: await it.trading.place(),
    strategic: await it.trading.place({ strategyId: strategy.id }),
    live: await it.sends(),
    bobs: await it.trading.place({ account: BOB }),
  };
  const working = async () => {
    const found: string[] = [];
    for (const [name, { account, id }] of Object.entries(orders)) {
      if ((await it.ledger.findOrder(account, id))?.state === 'open') found.push(name);
    }
    return found;
  };
  return { ...it, strategy, orders, working };
}

describe('A state that is to cancel what works', () => {
  it.each<[string, Partial<TradingChange>, string[]]>([
    ['the account', {}, ['bobs']],
    ['its real money', { stops: 'live' }, ['own', 'strategic', 'bobs']],
    ['the service', { scope: 'service' }, []],
    ['real money of the service', { scope: 'service', stops: 'live' }, ['own', 'strategic', 'bobs']],
    ['a sport', { scope: 'sport:soccer' }, []],
    ['another sport', { scope: 'sport:tennis' }, ['own', 'strategic', 'live', 'bobs']],
  ])('of %s cancels that, and says how much', async (_, change, left) => {
    const it = await resting();
    const { record } = await it.ask({ ...change, cancel: true });
    expect(await it.working()).toEqual(left);
    expect(record.cancellation).toEqual({ cancelled: 4 - left.length, working: 0, notCancelled: [] });
  });

  it('of a strategy cancels its orders alone', async () => {
    const it = await resting();
    const { record } = await it.ask({ scope: `strategy:${it.strategy.id}`, cancel: true });
    expect(await it.working()).toEqual(['own', 'live', 'bobs']);
    expect(record.cancellation).toMatchObject({ cancelled: 1, working: 0 });
  });

  it('leaves everything where it is not asked to', async () => {
    const it = await resting();
    expect((await it.ask()).record.cancellation).toBeNull();
    expect(await it.working()).toHaveLength(4);
  });

  it('names what still works, and why', async () => {
    const it = await resting();
    it.live.script.cancel = () => ({ kind: 'refused', reason: 'not now' });
    it.paper.script.place = delays();
    const delayed = await it.trading.place();
    const { record } = await it.ask({ cancel: true });
    expect(record.cancellation).toMatchObject({ cancelled: 2, working: 2 });
    const reasons = new Map(record.cancellation?.notCancelled.map(({ orderId, reason }) => [orderId, reason]));
    expect(reasons.get(delayed.id)).toBe('An order that is delayed cannot be cancelled.');
    expect(reasons.get(it.orders.live.id)).toBe('it is open');
  });

  it('that is repeated with its key cancels what works by then', async () => {
    const it = await resting();
    it.live.script.cancel = () => ({ kind: 'refused', reason: 'not now' });
    const asked = { cancel: true, idempotencyKey: 'once' };
    expect((await it.ask(asked)).record.cancellation).toMatchObject({ cancelled: 2, working: 1 });
    it.live.script.cancel = () => ({ kind: 'cancelled' });
    expect((await it.ask(asked)).record.cancellation).toMatchObject({ cancelled: 1, working: 0 });
  });
});
