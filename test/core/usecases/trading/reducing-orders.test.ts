import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { unlistedMarket } from '../../../../src/core/market/market.js';
import { ALICE, anExecution, type DraftChanges, price, shares, usdc } from '../../../support/builders.js';
import { accepts, takes } from '../../../support/scripted-exchange.js';
import { type Fixture, fixture } from './trading-fixture.js';

/** Alice holds 20 shares of YES, on paper and with real money, before only what lowers a worst case is taken. */
async function holding() {
  const it = await fixture();
  it.paper.script.place = accepts([anExecution()], 'none');
  it.live.script.place = takes([anExecution()], 'none');
  await it.trading.place();
  await it.sends();
  it.paper.script.place = accepts([], 'open');
  it.live.script.place = takes();
  return it;
}

const DRAFTS: [string, DraftChanges, string][] = [
  ['a sale of what is held', { side: 'SELL' }, 'open'],
  ['a sale of a part of it', { side: 'SELL', size: usdc('5') }, 'open'],
  ['a sale of more than is held', { side: 'SELL', size: usdc('10.01') }, 'denied'],
  ['a purchase of more of it', {}, 'denied'],
  [
    'a purchase of the other outcome up to what is held',
    { outcome: 'NO', price: price('0.4'), size: usdc('8') },
    'open',
  ],
  ['a purchase of more of the other outcome', { outcome: 'NO', price: price('0.4'), size: usdc('8.01') }, 'denied'],
  ['a purchase in another market', { marketId: 'another' as never }, 'denied'],
];

describe('In reducing mode', () => {
  it.each(DRAFTS)('%s on paper is %s', async (_, draft, state) => {
    const it = await holding();
    await it.ask({ state: 'reducing' });
    const order = await it.trading.place(draft);
    expect([order.state, order.refusal?.code ?? null]).toEqual([state, state === 'open' ? null : 'trading_reducing']);
  });

  it.each(DRAFTS)('%s with real money is %s', async (_, draft, state) => {
    const it = await holding();
    await it.ask({ state: 'reducing' });
    expect((await it.sends(draft)).state).toBe(state);
  });

  it.each(DRAFTS.filter(([, , state]) => state === 'open'))(
    '%s that was placed before is sent all the same',
    async (_, draft) => {
      const it = await holding();
      it.meanwhile(() => it.ask({ state: 'reducing' }));
      expect((await it.sends(draft)).state).toBe('open');
    },
  );
});

describe('In reducing mode, over the markets of a game', () => {
  /** Ten shares of each of these are held. */
  async function game(legs: readonly string[], paper: boolean) {
    const find = async (id: MarketId) => {
      const role = (['home', 'draw', 'away'] as const).find((one) => one === `${id}`) ?? null;
      return { ...unlistedMarket(id), role, exclusiveSet: role === null ? null : 'game' };
    };
    const it = await fixture({ markets: Object.assign(new NoMarketData(), { find }) });
    const place = (leg: string, draft: DraftChanges = {}) => {
      const order = { marketId: leg as MarketId, price: price('0.3'), size: usdc('3'), ...draft };
      return paper ? it.trading.place(order) : it.sends(order);
    };
    for (const leg of legs) {
      const fill = anExecution({ shares: shares('10'), price: price('0.3'), confirmed: true, tradeId: leg });
      it.paper.script.place = accepts([fill], 'none');
      it.live.script.place = takes([fill], 'none');
      await place(leg);
    }
    it.paper.script.place = accepts([], 'open');
    it.live.script.place = takes();
    await it.ask({ state: 'reducing' });
    const codeOf = async (...of: Parameters<typeof place>) => (await place(...of)).refusal?.code ?? 'placed';
    return { ...it, codeOf };
  }

  it.each([true, false])('a leg of a full set is not sold; on paper: %s', async (paper) => {
    const full = await game(['home', 'draw', 'away'], paper);
    expect(await full.codeOf('home', { side: 'SELL' })).toBe('trading_reducing');
    const two = await game(['home', 'draw'], paper);
    expect(await two.codeOf('home', { side: 'SELL' })).toBe('placed');
  });

  it.each([true, false])('only the leg completing the set is bought, once; on paper: %s', async (paper) => {
    const { codeOf } = await game(['home', 'draw'], paper);
    expect(await codeOf('home')).toBe('trading_reducing');
    expect(await codeOf('elsewhere')).toBe('trading_reducing');
    expect(await codeOf('away')).toBe('placed');
    expect(await codeOf('away')).toBe('trading_reducing');
    // The set may be complete already.
    expect(await codeOf('home', { side: 'SELL' })).toBe('trading_reducing');
  });

  it('is judged again right before it is sent', async () => {
    const { ask, meanwhile, codeOf } = await game(['home', 'draw', 'away'], false);
    await ask({ state: 'active' });
    meanwhile(() => ask({ state: 'reducing' }));
    expect(await codeOf('home', { side: 'SELL' })).toBe('trading_reducing');
  });
});

describe('Orders with real money that the venue rejects', () => {
  const refuse = (it: Fixture, code = 'payload_refused') => {
    it.live.script.place = () => ({ kind: 'rejected', refusal: { code, message: 'No.' } });
  };
  const times = async (count: number, send: () => Promise<unknown>) => {
    for (let at = 0; at < count; at += 1) await send();
  };

  it('halt the account after five in a row, while paper goes on', async () => {
    const it = await fixture();
    refuse(it);
    await times(5, () => it.sends());
    await expect(it.sends()).rejects.toThrow('The venue rejected 5 orders in a row, the last as payload_refused.');
    expect(it.live.count('place')).toBe(5);
    expect(await it.trading.place()).toMatchObject({ state: 'open' });
    const halted = { scope: 'account', state: 'halted', stops: 'live', by: 'service', code: 'rejections_in_a_row' };
    expect(await it.read.now(ALICE)).toMatchObject({ effective: 'halted', states: [halted] });
    await it.ask({ state: 'active' }, ['risk:write']);
    await times(4, () => it.sends());
    it.live.script.place = takes();
    expect(await it.sends()).toMatchObject({ state: 'open' });
  });

  it('do not halt the account when an accepted order comes between', async () => {
    const it = await fixture();
    for (const last of [4, 4]) {
      refuse(it);
      await times(last, () => it.sends());
      it.live.script.place = takes();
      expect(await it.sends()).toMatchObject({ state: 'open' });
    }
  });

  it('do not count among them those that never arrived there', async () => {
    const it = await fixture();
    const refusal = { code: 'never_arrived', message: 'The venue never received the order.' };
    it.live.script.place = () => ({ kind: 'rejected', refusal, presumed: true });
    await times(6, () => it.sends());
    expect((await it.read.now(ALICE)).effective).toBe('active');
  });

  it('because the market moved, do not', async () => {
    const it = await fixture();
    refuse(it, 'fak_no_match');
    await times(9, () => it.sends());
    expect((await it.read.now(ALICE)).effective).toBe('active');
  });
});

describe('Orders with real money whose outcome is unknown', () => {
  it('limit trading to reducing orders while there are three or more', async () => {
    const it = await holding();
    it.live.script.place = () => ({ kind: 'unknown', reason: 'silence' });
    const sent = [await it.sends(), await it.sends()];
    expect((await it.read.now(ALICE)).effective).toBe('active');
    sent.push(await it.sends());
    const reducing = { state: 'reducing', stops: 'live', by: 'service', code: 'unknown_orders' };
    expect(await it.read.now(ALICE)).toMatchObject({ effective: 'reducing', states: [reducing] });
    expect(await it.sends()).toMatchObject({ state: 'denied', refusal: { code: 'trading_reducing' } });
    expect(await it.trading.place()).toMatchObject({ state: 'open' });
    it.live.script.place = takes();
    expect(await it.sends({ side: 'SELL' })).toMatchObject({ state: 'open' });
    const [first] = sent;
    if (first === undefined) throw new Error('three were sent');
    await it.trading.book(first, (posting) =>
      posting.record({ type: 'accepted', venueOrderId: first.venueOrderId ?? '', delayed: false }),
    );
    expect(await it.read.now(ALICE)).toEqual({ liveEnabled: true, effective: 'active', states: [] });
    expect(await it.sends()).toMatchObject({ state: 'open' });
  });
});
