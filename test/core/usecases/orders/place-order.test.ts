import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { openBalance } from '../../../../src/core/account/account.js';
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  LiveTradingNotEnabled,
  MarketNotFound,
  StrategyNotFound,
} from '../../../../src/core/errors.js';
import type { MarketId } from '../../../../src/core/ids.js';
import type { Market } from '../../../../src/core/market/market.js';
import type { StrategyDraft } from '../../../../src/core/strategy/strategy.js';
import {
  ALICE,
  aMarket,
  anExecution,
  anOrderContext,
  BOB,
  clockAt,
  LIVE_CASH,
  NOON,
  price,
  shares,
  usdc,
} from '../../../support/builders.js';
import { accepts, hangs, rejects, rests, ScriptedExchange } from '../../../support/scripted-exchange.js';
import { trading } from '../../../support/trading.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Market data that answers every search for a market with this one. */
const knowing = (market: Market | undefined) => Object.assign(new NoMarketData(), { find: async () => market });
const keyed = (idempotencyKey: string) => ({ idempotencyKey });

describe('Placing an order', () => {
  it('records it as the client meant, in whole lots, and fills it', async () => {
    const trader = trading(new MemoryLedger());
    const placed = await trader.place({ size: usdc('10'), price: price('0.57') });
    expect(placed).toMatchObject({ state: 'filled', intent: { shares: shares('17.54'), size: usdc('10') } });
    expect(placed.filled).toMatchObject({ shares: shares('17.54'), notional: usdc('9.9978') });
    expect(await trader.orders.one(ALICE, placed.id)).toEqual(placed);
    expect((await trader.history(placed)).map(({ change }) => change.type)).toEqual(['requested', 'accepted', 'fill']);
  });

  it('takes the outcome from the market by position, never by label', async () => {
    const outcomes = [
      { label: 'No', tokenId: '1' },
      { label: 'Yes', tokenId: '2' },
    ] as const;
    const market = aMarket({ question: 'Who wins?', outcomes, slug: 's', conditionId: 'c' });
    const trader = trading(new MemoryLedger(), { markets: knowing(market) });
    const intents = [await trader.place({ outcome: 'YES' }), await trader.place({ outcome: 'NO' })].map(
      ({ intent }) => intent,
    );
    expect(intents.map(({ outcomeLabel }) => outcomeLabel)).toEqual(['No', 'Yes']);
    expect(intents[0]).toMatchObject({ question: 'Who wins?', marketSlug: 's', conditionId: 'c' });
  });

  it('in a market that the venue does not know leaves nothing', async () => {
    const trader = trading(new MemoryLedger(), { markets: knowing(undefined) });
    const marketId = 'nowhere' as MarketId;
    await expect(trader.place({ marketId }, keyed('k'))).rejects.toThrow(MarketNotFound);
    expect(await trader.ledger.listOrders(ALICE, {}, { limit: 5 })).toEqual([]);
  });

  it('records the version of the strategy that made it', async () => {
    const trader = trading(new MemoryLedger());
    const { id } = await trader.strategy();
    await trader.changeStrategy.execute({
      account: ALICE,
      strategyId: id,
      patch: { name: 'Renamed' },
      precondition: null,
      route: 'strategies.change',
      idempotencyKey: null,
    });
    expect((await trader.place({ strategyId: id })).intent.strategy).toEqual({ id, version: 2 });
  });

  it('under an absent, archived or foreign strategy records nothing', async () => {
    const trader = trading(new MemoryLedger());
    const archived = await trader.strategy();
    await trader.archiveStrategy.execute({ account: ALICE, strategyId: archived.id, precondition: null });
    const foreign = await trader.strategy({}, BOB);
    for (const strategyId of [archived.id, foreign.id, 'absent' as typeof foreign.id]) {
      await expect(trader.place({ strategyId })).rejects.toThrow(StrategyNotFound);
    }
    expect(await trader.ledger.listOrders(ALICE, {}, { limit: 5 })).toEqual([]);
  });

  it('that the venue rejects gives the money back, and says why', async () => {
    const paper = new ScriptedExchange({ place: rejects('market_closed', 'The market is closed.') });
    const trader = trading(new MemoryLedger(), { paper });
    const rejected = await trader.place();
    expect(rejected).toMatchObject({ state: 'rejected', refusal: { code: 'market_closed' } });
    expect((await trader.money(rejected)).balance).toMatchObject({ cash: usdc('1000'), reserved: 0n });
  });

  it('that is denied asks no venue', async () => {
    const paper = new ScriptedExchange();
    expect((await trading(new MemoryLedger(), { paper }).place({ size: usdc('5000') })).state).toBe('denied');
    expect(paper.calls).toEqual([]);
  });

  it('ends cancelled with its partial fill when the venue drops the rest', async () => {
    const paper = new ScriptedExchange({ place: accepts([anExecution({ shares: shares('5') })], 'cancelled') });
    const trader = trading(new MemoryLedger(), { paper });
    const order = await trader.place({ timeInForce: 'FAK' });
    expect(order).toMatchObject({ state: 'cancelled', filled: { shares: shares('5') } });
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('997.5'), reserved: 0n });
  });
});

describe('A repeated key', () => {
  it('with the same meaning returns the order as it is now', async () => {
    const trader = trading(new MemoryLedger(), { paper: new ScriptedExchange() });
    const first = await trader.submit({}, keyed('k'));
    expect(first.replayed).toBe(false);
    const now = await trader.book(first.record, (posting) => posting.fill(anExecution()));
    expect(await trader.submit({}, keyed('k'))).toEqual({ record: now, replayed: true });
    expect(await trader.ledger.listOrders(ALICE, {}, { limit: 5 })).toHaveLength(1);
  });

  it('replays an order that was denied as it replays any other', async () => {
    const trader = trading(new MemoryLedger());
    const first = await trader.place({ size: usdc('5000') }, keyed('k'));
    expect(await trader.submit({ size: usdc('5000') }, keyed('k'))).toEqual({ record: first, replayed: true });
  });

  it('with another meaning is refused, and trades nothing', async () => {
    const trader = trading(new MemoryLedger());
    await trader.place({}, keyed('k'));
    const others = [{ size: usdc('11') }, { side: 'SELL' }, { outcome: 'NO' }, { postOnly: true }] as const;
    for (const other of others) {
      await expect(trader.place(other, keyed('k'))).rejects.toThrow(IdempotencyKeyReused);
    }
    expect(await trader.ledger.listOrders(ALICE, {}, { limit: 5 })).toHaveLength(1);
  });

  it('of another account is another key', async () => {
    const trader = trading(new MemoryLedger());
    const mine = await trader.submit({}, keyed('k'));
    const theirs = await trader.submit({ account: BOB }, keyed('k'));
    expect(theirs.replayed).toBe(false);
    expect(theirs.record.id).not.toBe(mine.record.id);
  });

  it('waits until the first request is back from the venue', async () => {
    const { answer, release } = hangs(rests());
    let sent = () => {};
    const arrived = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const paper = new ScriptedExchange({
      place: (order, mayStillSend) => {
        sent();
        return answer(order, mayStillSend);
      },
    });
    const trader = trading(new MemoryLedger(), { paper });
    const first = trader.submit({}, keyed('k'));
    await arrived;
    await expect(trader.submit({}, keyed('k'))).rejects.toThrow(IdempotencyInProgress);
    release();
    expect({ ...(await first), replayed: true }).toEqual(await trader.submit({}, keyed('k')));
    expect(paper.count('place')).toBe(1);
  });

  it('is new again after 30 days on paper', async () => {
    const clock = clockAt(NOON);
    const trader = trading(new MemoryLedger(), { context: anOrderContext({ clock }) });
    const first = await trader.place({}, keyed('k'));
    clock.tick(30 * DAY_MS - 1);
    expect((await trader.submit({}, keyed('k'))).record.id).toBe(first.id);
    clock.tick(1);
    expect((await trader.submit({}, keyed('k'))).record.id).not.toBe(first.id);
  });
});

describe('A live order', () => {
  const mayTradeLive = true;
  const live = { paper: false } as const;

  /** Nothing stands in the way of a live order of this trader but what a test puts there. */
  async function liveTrader({ liveEnabled = true, isOn = true, strategy = {} as Partial<StrategyDraft> } = {}) {
    const ledger = new MemoryLedger();
    const exchange = new ScriptedExchange();
    const paper = new ScriptedExchange();
    const clock = clockAt(NOON);
    const trader = trading(ledger, { paper, live: isOn ? exchange : null, context: anOrderContext({ clock }) });
    await ledger.write({ account: ALICE }, () => ({
      result: null,
      accounts: [{ id: ALICE, liveEnabled, halt: null }],
      balances: [openBalance(ALICE, LIVE_CASH, usdc('100'))],
    }));
    const { id: strategyId } = await trader.strategy({ paperOnly: false, ...strategy });
    return { trader, exchange, paper, strategyId, clock };
  }

  it('goes only to the live venue, and moves only live money', async () => {
    const { trader, exchange, paper, strategyId } = await liveTrader();
    const order = await trader.place({ ...live, strategyId }, { mayTradeLive });
    expect(order.state).toBe('open');
    expect([exchange.count('place'), paper.calls.length]).toEqual([1, 0]);
    expect(await trader.money(order)).toMatchObject({
      balance: { paper: false, cash: usdc('100'), reserved: usdc('10') },
      exposure: { paper: false, committed: usdc('10') },
    });
    expect((await trader.money(await trader.place())).balance).toMatchObject({
      cash: usdc('1000'),
      reserved: usdc('10'),
    });
    expect([exchange.count('place'), paper.count('place')]).toEqual([1, 1]);
  });

  it('is never paid with money that was not deposited', async () => {
    const trader = trading(new MemoryLedger(), { live: new ScriptedExchange() });
    await trader.ledger.write({ account: ALICE }, () => ({
      result: 0,
      accounts: [{ id: ALICE, liveEnabled: true, halt: null }],
    }));
    const order = await trader.place(live, { mayTradeLive });
    expect(order).toMatchObject({ state: 'denied', refusal: { code: 'insufficient_balance' } });
  });

  it('keeps its key for ever', async () => {
    const { trader, clock } = await liveTrader();
    const first = await trader.place(live, { mayTradeLive, ...keyed('k') });
    clock.tick(10_000 * DAY_MS);
    await trader.ledger.forgetExpiredRequests(clock.now());
    expect((await trader.submit(live, { mayTradeLive, ...keyed('k') })).record.id).toBe(first.id);
  });

  it.each([
    ['the server is off', { isOn: false }, 'live trading is off on this server.'],
    ['the account is not enabled', { liveEnabled: false }, 'the account is not enabled for it.'],
    ['the strategy is paper only', { strategy: { paperOnly: true } }, 'the strategy is paper only.'],
  ])('is refused while %s, and leaves and sends nothing', async (_, miss, words) => {
    const { trader, exchange, paper, strategyId } = await liveTrader(miss);
    const refused = trader.place({ ...live, strategyId }, { mayTradeLive, ...keyed('k') });
    await expect(refused).rejects.toThrow(new LiveTradingNotEnabled(words));
    expect(await trader.ledger.listOrders(ALICE, {}, { limit: 5 })).toEqual([]);
    expect([...exchange.calls, ...paper.calls]).toEqual([]);
  });

  it('is refused for credentials that cannot trade live, recording nothing', async () => {
    const { trader, exchange, paper } = await liveTrader();
    const refused = trader.place(live, { mayTradeLive: false });
    await expect(refused).rejects.toThrow(new LiveTradingNotEnabled('these credentials cannot trade live.'));
    expect(await trader.ledger.listOrders(ALICE, {}, { limit: 5 })).toEqual([]);
    expect([...exchange.calls, ...paper.calls]).toEqual([]);
  });
});
