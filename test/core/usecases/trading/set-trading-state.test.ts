import { describe, expect, it } from 'vitest';
import { AUTH_SCOPES, type AuthScope } from '../../../../src/core/access/principal.js';
import type { StrategyId } from '../../../../src/core/ids.js';
import type { TradingChange, TradingScope } from '../../../../src/core/trading/state.js';
import { ALICE, BOB, newStrategyId, usdc } from '../../../support/builders.js';
import { type Fixture, fixture, marketsOf } from './trading-fixture.js';

const without = (...scopes: AuthScope[]) => AUTH_SCOPES.filter((scope) => !scopes.includes(scope));
const codeOf = async (placed: Promise<{ refusal: { code: string } | null }>) => (await placed).refusal?.code ?? null;

/** What a paper order and one with real money of Alice come to. */
async function both({ trading, sends }: Fixture): Promise<string[]> {
  const words = (done: Promise<{ state: string }>) =>
    done.then(
      ({ state }) => state,
      (error: { code: string }) => error.code,
    );
  return [await words(trading.place()), await words(sends())];
}

describe('A state of trading', () => {
  it.each<[string, Partial<TradingChange>, string[]]>([
    ['nothing', { state: 'active' }, ['open', 'open']],
    ['a halt', {}, ['denied', 'live_trading_not_enabled']],
    ['a halt of real money', { stops: 'live' }, ['open', 'live_trading_not_enabled']],
    ['a halt of the service', { scope: 'service' }, ['denied', 'live_trading_not_enabled']],
    ['a reduction', { state: 'reducing' }, ['denied', 'denied']],
    ['a reduction of real money', { state: 'reducing', stops: 'live' }, ['open', 'denied']],
    ['a halt of a sport', { scope: 'sport:soccer' }, ['denied', 'live_trading_not_enabled']],
    ['a halt of another sport', { scope: 'sport:tennis' }, ['open', 'open']],
  ])('that is %s stops these', async (_, change, expected) => {
    const it = await fixture({ markets: marketsOf('Soccer') });
    await it.ask(change);
    expect(await both(it)).toEqual(expected);
  });

  it('says who set it, when, and why', async () => {
    const it = await fixture();
    await it.ask({ until: new Date('2026-03-01T13:00:00.000Z') });
    expect((await it.trading.place()).refusal).toEqual({
      code: 'trading_halted',
      message:
        'Trading is halted for the account until 2026-03-01T13:00:00.000Z, by key-1 since 2026-03-01T12:00:00.000Z: Enough.',
    });
    await expect(it.sends()).rejects.toThrow('No live order was sent: trading is halted for the account until');
    await it.ask({ state: 'reducing' });
    expect(await codeOf(it.trading.place())).toBe('trading_reducing');
  });

  it('of a strategy stops its orders alone', async () => {
    const it = await fixture();
    const strategy = await it.trading.strategy();
    await it.ask({ scope: `strategy:${strategy.id}` });
    expect(await codeOf(it.trading.place({ strategyId: strategy.id }))).toBe('trading_halted');
    expect(await codeOf(it.trading.place())).toBeNull();
  });

  it('of one account does not bind another; one of the service does', async () => {
    const it = await fixture();
    await it.ask();
    expect(await codeOf(it.trading.place({ account: BOB }))).toBeNull();
    await it.ask({ scope: 'service' });
    expect(await codeOf(it.trading.place({ account: BOB }))).toBe('trading_halted');
  });

  it('ends by itself, by the clock', async () => {
    const it = await fixture();
    await it.ask({ until: new Date(it.clock.now().getTime() + 1000) });
    it.clock.tick(999);
    expect(await codeOf(it.trading.place())).toBe('trading_halted');
    it.clock.tick(1);
    expect(await codeOf(it.trading.place())).toBeNull();
    expect(await it.read.now(ALICE)).toEqual({ liveEnabled: true, effective: 'active', states: [] });
  });

  it('that is the strictest counts', async () => {
    const it = await fixture();
    await it.ask({ state: 'reducing', scope: 'service' });
    await it.ask({ state: 'halted' });
    expect(await codeOf(it.trading.place())).toBe('trading_halted');
    expect((await it.read.now(ALICE)).effective).toBe('halted');
    await it.ask({ state: 'active' });
    expect(await codeOf(it.trading.place())).toBe('trading_reducing');
  });

  it('lets a cancellation pass', async () => {
    const it = await fixture();
    const { id: orderId } = await it.trading.place();
    await it.ask();
    const { record } = await it.trading.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
    expect(record.state).toBe('cancelled');
  });

  it('keeps an order that was replayed as it is', async () => {
    const it = await fixture();
    const first = await it.trading.submit({}, { idempotencyKey: 'one' });
    await it.ask();
    const again = await it.trading.submit({}, { idempotencyKey: 'one' });
    expect([again.replayed, again.record.id, again.record.state]).toEqual([true, first.record.id, 'open']);
  });

  it("and its release are in the account's log and history", async () => {
    const it = await fixture();
    await it.ask({ reason: 'Odd prices' });
    await it.ask({ state: 'active', reason: 'They are right' });
    const seen = ['halted Odd prices', 'active They are right'];
    const events = await it.ledger.log.list(ALICE, { types: ['trading.state'] }, { limit: 9 });
    const words = events.map(({ subject }) => (subject.kind === 'trading' ? subject.state : null));
    expect(words.map((state) => `${state?.state} ${state?.reason}`)).toEqual(seen);
    const { items } = await it.read.history(ALICE, { limit: 9 });
    expect(items.map(({ state }) => `${state.state} ${state.reason}`)).toEqual(seen.toReversed());
    expect((await it.read.history('service', { limit: 9 })).items).toEqual([]);
  });

  it("of the service is in its own history and its setter's log", async () => {
    const it = await fixture();
    await it.ask({ scope: 'service' });
    expect(await it.ledger.log.list(ALICE, { types: ['trading.state'] }, { limit: 9 })).toHaveLength(1);
    expect((await it.read.history('service', { limit: 9 })).items).toHaveLength(1);
    expect((await it.read.history(ALICE, { limit: 9 })).items).toEqual([]);
  });

  it('that is asked for again with the same key is the same', async () => {
    const it = await fixture();
    const asked = { until: new Date('2026-03-01T13:00:00.000Z'), idempotencyKey: 'once' };
    const first = await it.ask(asked);
    it.clock.tick(1000);
    const second = await it.ask(asked);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(second.record).toEqual(first.record);
    await expect(it.ask({ ...asked, state: 'reducing' })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it.each<[string, Partial<TradingChange>, string]>([
    ['that has ended', { until: new Date('2026-03-01T12:00:00.000Z') }, 'trading_state_invalid'],
    ['that stops nothing, with an end', { state: 'active', until: new Date('2027-01-01') }, 'trading_state_invalid'],
    ['of a strategy that is not there', { scope: `strategy:${newStrategyId()}` }, 'strategy_not_found'],
  ])('%s is refused', async (_, change, code) => {
    const it = await fixture();
    await expect(it.ask(change)).rejects.toMatchObject({ code });
    expect((await it.read.now(ALICE)).states).toEqual([]);
  });

  it('of a strategy of another account is refused', async () => {
    const it = await fixture();
    const { id } = await it.trading.strategy({}, BOB);
    const scope: TradingScope = `strategy:${id as StrategyId}`;
    await expect(it.ask({ scope })).rejects.toMatchObject({ code: 'strategy_not_found' });
  });
});

describe('Who may set it', () => {
  it.each<[string, AuthScope[], Partial<TradingChange>, Partial<TradingChange>, boolean]>([
    ['halting', ['orders:cancel'], { state: 'active' }, {}, true],
    ['halting without the scope', without('orders:cancel'), { state: 'active' }, {}, false],
    ['tightening', ['orders:cancel'], { state: 'reducing' }, { state: 'halted' }, true],
    ['loosening', ['risk:write'], { state: 'halted' }, { state: 'reducing' }, true],
    ['loosening without the scope', without('risk:write'), { state: 'halted' }, { state: 'reducing' }, false],
    ['an earlier end without the scope', without('risk:write'), {}, { until: new Date('2027-01-01') }, false],
    ['resuming', ['risk:write'], {}, { state: 'active' }, true],
    ['resuming without the scope', without('risk:write'), {}, { state: 'active' }, false],
    ['the service', ['admin'], {}, { scope: 'service' }, true],
    ['the service without the scope', without('admin'), {}, { scope: 'service' }, false],
    ['a sport without the scope', without('admin'), {}, { scope: 'sport:soccer' }, false],
    ['resuming the service without the scope', without('admin'), {}, { scope: 'service', state: 'active' }, false],
  ])('%s: %s', async (_, scopes, before, change, allowed) => {
    const it = await fixture();
    await it.ask(before);
    const seen = await it.read.now(ALICE);
    const asked = it.ask(change, scopes);
    if (allowed) expect((await asked).record.state).toMatchObject(change);
    else {
      await expect(asked).rejects.toMatchObject({ code: 'trading_scope_missing' });
      expect(await it.read.now(ALICE)).toEqual(seen);
    }
  });

  it('only an admin releases a halt by operator, venue or contradiction', async () => {
    const it = await fixture();
    await it.operator.halt(ALICE, 'A drill');
    const halt = { scope: 'account', state: 'halted', stops: 'live', reason: 'A drill', by: 'operator' };
    expect(await it.read.now(ALICE)).toMatchObject({
      effective: 'halted',
      states: [{ ...halt, code: 'halted_by_operator' }],
    });
    await expect(it.ask({ state: 'active' }, without('admin'))).rejects.toMatchObject({
      code: 'trading_scope_missing',
      scope: 'admin',
    });
    await it.ask({ state: 'active' }, ['admin']);
    expect(await it.operator.show(ALICE)).toMatchObject({ halt: null });
    expect(await both(it)).toEqual(['open', 'open']);
    const { items } = await it.read.history(ALICE, { limit: 9 });
    expect(items.map(({ state }) => `${state.state} ${state.by}`)).toEqual([
      'active key-1',
      'active operator',
      'halted operator',
    ]);
  });

  it('lifting a client’s halt leaves an operator’s halt in force', async () => {
    const it = await fixture();
    await it.operator.halt(ALICE, 'A drill');
    await it.ask();
    await it.ask({ state: 'active' }, ['risk:write']);
    expect(await both(it)).toEqual(['open', 'live_trading_not_enabled']);
  });
});

describe('Between the record of an order and its being sent', () => {
  it.each<[string, Partial<TradingChange>, string]>([
    ['the account is halted', {}, 'trading_halted'],
    ['the service is halted', { scope: 'service' }, 'trading_halted'],
    ['the sport is halted', { scope: 'sport:soccer' }, 'trading_halted'],
    ['only what lowers a worst case is taken', { state: 'reducing', stops: 'live' }, 'trading_reducing'],
  ])('%s: it is denied without a venue request, its money freed', async (_, change, code) => {
    const it = await fixture({ markets: marketsOf('soccer') });
    it.meanwhile(() => it.ask(change));
    expect(await it.sends()).toMatchObject({ state: 'denied', refusal: { code } });
    expect(it.live.count('place')).toBe(0);
    expect((await it.operator.show(ALICE)).balance).toMatchObject({ cash: usdc('100'), reserved: 0n });
  });

  it('another sport is halted: it is sent', async () => {
    const it = await fixture({ markets: marketsOf('soccer') });
    it.meanwhile(() => it.ask({ scope: 'sport:tennis' }));
    expect(await it.sends()).toMatchObject({ state: 'open' });
  });
});
