import { describe, expect, it } from 'vitest';
import type { MarketEvent } from '../../../src/core/market/event.js';
import { Matcher } from '../../../src/core/matching/matcher.js';
import { NO_USDC } from '../../../src/core/money.js';
import type { Order } from '../../../src/core/order/order.js';
import { type Fill, fillOf, NO_BASIS, sumFills } from '../../../src/core/order/order.js';
import { price, shares, usdc } from '../../support/builders.js';
import { aFee, anOpenMarket, anOrder, at } from './view.js';

const market = anOpenMarket({ fee: aFee('0.05', { takerOnly: false }) });
const level = { price: price('0.5'), shares: shares('30') };
const sale = { type: 'trade', taker: 'SELL', price: price('0.5') } as const;

/** What the matcher filled since the last call. */
function fillsOf(matcher: Matcher): Fill[] {
  const reports = matcher.drain().flatMap(({ reports }) => reports);
  return reports.flatMap((report) => (report.type === 'fill' ? [fillOf(report.execution, NO_USDC, NO_BASIS)] : []));
}

/** An order of 20 that filled 5.01 at rest, and so is charged 0.06263 for 0.062625. */
function halfWay(): Order {
  const ask = { id: 'a', side: 'BUY', price: price('0.5'), shares: shares('20') } as const;
  const order = anOrder(ask, market, at(0));
  const matcher = new Matcher(market, 0, at(0));
  matcher.apply({ type: 'book', bids: [], asks: [], at: at(0) });
  matcher.enter(order);
  matcher.apply({ ...sale, shares: shares('5.01'), at: at(1) });
  const fills = fillsOf(matcher);
  expect(fills).toMatchObject([{ tradeId: 'paper-a-1', fee: usdc('0.06263') }]);
  return { ...order, state: 'open', venueOrderId: 'paper-a', fills, filled: sumFills(fills) };
}

describe('An order that rested before a restart', () => {
  it('is behind the first book, and continues its trade ids and fee', () => {
    const matcher = new Matcher(market, 0, at(1_000));
    matcher.rest(halfWay());
    matcher.apply({ type: 'book', bids: [level], asks: [], at: at(1_000) });
    matcher.apply({ ...sale, shares: shares('30'), at: at(1_001) });
    expect(fillsOf(matcher)).toEqual([]);
    matcher.apply({ ...sale, shares: shares('5.01'), at: at(1_002) });
    // 10.02 × 0.05 × 0.25 = 0.12525 in all; 0.06263 of it is paid.
    const model = 'queue_traded;ahead=30';
    expect(fillsOf(matcher)).toMatchObject([{ tradeId: 'paper-a-2', fee: usdc('0.06262'), model }]);
  });

  it('fills no more than was left of it', () => {
    const matcher = new Matcher(market, 0, at(1_000));
    matcher.rest(halfWay());
    matcher.rest(halfWay());
    matcher.apply({ type: 'book', bids: [], asks: [{ ...level, price: price('0.4') }], at: at(1_000) });
    expect(fillsOf(matcher)).toMatchObject([{ shares: shares('14.99'), price: price('0.5'), liquidity: 'MAKER' }]);
    // What it took is displayed still, and is remembered until it is gone.
    expect(matcher.busy).toBe(true);
    const gone = { side: 'asks', price: price('0.4'), shares: shares('0') } as const;
    matcher.apply({ type: 'levels', changes: [gone], at: at(1_001) });
    expect(matcher.busy).toBe(false);
  });
});

describe('An order that rested while the market went past it', () => {
  const crossed = { type: 'book', bids: [], asks: [{ ...level, price: price('0.45') }], at: at(9_000) } as const;
  const ask = { id: 'a', side: 'BUY', price: price('0.5'), shares: shares('20') } as const;
  const open = { state: 'open', venueOrderId: 'paper-a' } as const;

  /** A matcher that holds this book and is handed the order 10 s after it was placed. */
  function putBack(order: Partial<Order>, own = anOpenMarket(), book: MarketEvent = crossed, draft = {}) {
    const matcher = new Matcher(own, 0, at(9_000));
    matcher.apply(book);
    matcher.advance(at(10_000));
    matcher.rest({ ...anOrder({ ...ask, ...draft }, own, at(0)), ...open, ...order });
    return { matcher, reported: matcher.drain().flatMap(({ reports }) => reports) };
  }

  it('fills at once as a maker at its limit when put back', () => {
    const execution = { shares: shares('20'), price: price('0.5'), liquidity: 'MAKER' };
    expect(putBack({}).reported).toMatchObject([{ type: 'fill', execution, at: at(10_000) }]);
  });

  it('fills no more than is displayed, and rests with what is left', () => {
    const few = { ...crossed, asks: [{ price: price('0.45'), shares: shares('5') }] };
    const { reported, matcher } = putBack({}, anOpenMarket(), few);
    expect(reported).toMatchObject([{ execution: { shares: shares('5') } }]);
    matcher.apply({ ...few, asks: [{ price: price('0.45'), shares: shares('9') }], at: at(11_000) });
    expect(fillsOf(matcher)).toMatchObject([{ shares: shares('4') }]);
  });

  it('does not fill when its cancellation was on its way before', () => {
    expect(putBack({ state: 'cancel_pending' }).reported).toEqual([]);
  });

  it.each([
    ['its own end', {}, anOpenMarket(), { timeInForce: 'GTD', expiresAt: at(9_500) }, 'expired'],
    ['the end of its market', {}, anOpenMarket({}, { status: 'closed' }), {}, 'cancelled'],
  ] as const)('does not fill after %s', (_, order, own, draft, type) => {
    expect(putBack(order, own, crossed, draft).reported).toMatchObject([{ type }]);
  });
});

describe('An order that rested when the server ended before a game', () => {
  it('is cancelled when the game is in play before its scheduled start', () => {
    const early = anOpenMarket({ clearsBookAtStart: true }, { startsAt: at(99_000), status: 'in_play' });
    const matcher = new Matcher(early, 0, at(11_000));
    const draft = { id: 'a', side: 'BUY', price: price('0.5'), shares: shares('10') } as const;
    matcher.rest(anOrder(draft, early, at(9_000)));
    const reports = matcher.drain().flatMap((batch) => batch.reports);
    expect(reports).toMatchObject([{ type: 'cancelled', reason: expect.stringContaining('game_started') }]);
    expect(matcher.next).toBeNull();
  });

  const startsAt = at(10_000);
  const game = (clearsBookAtStart: boolean) => anOpenMarket({ clearsBookAtStart }, { startsAt });
  const ask = { side: 'BUY', price: price('0.5'), shares: shares('10') } as const;

  it('is cancelled when the game has begun before it is put back', () => {
    const matcher = new Matcher(game(true), 0, at(11_000));
    matcher.rest(anOrder({ ...ask, id: 'a' }, game(true), at(9_000)));
    const reports = matcher.drain().flatMap((batch) => batch.reports);
    expect(reports).toMatchObject([{ type: 'cancelled', reason: expect.stringContaining('game_started') }]);
    expect(matcher.busy).toBe(false);
  });

  it.each([
    ['it was placed after the start', 11_000, true],
    ['the venue keeps the book', 9_000, false],
  ])('goes on when %s', (_, placed, clears) => {
    const matcher = new Matcher(game(clears), 0, at(12_000));
    matcher.rest(anOrder({ ...ask, id: 'a' }, game(clears), at(placed)));
    expect(matcher.drain()).toEqual([]);
    expect(matcher.busy).toBe(true);
  });
});

describe('Orders that arrive at one moment', () => {
  const offer = { type: 'book', bids: [], asks: [{ price: price('0.5'), shares: shares('10') }], at: at(0) } as const;
  const ask = { side: 'BUY', price: price('0.5'), shares: shares('10') } as const;
  const [first, second] = [anOrder({ ...ask, id: 'a' }, market, at(0)), anOrder({ ...ask, id: 'b' }, market, at(0))];

  it('are taken in order of their ids, whichever came first', () => {
    const matcher = new Matcher(market, 150, at(0));
    matcher.apply(offer);
    matcher.enter(second);
    matcher.enter(first);
    matcher.advance(at(150));
    expect(fillsOf(matcher)).toMatchObject([{ tradeId: 'paper-a-1' }]);
  });

  it('never precede one already taken: a late one arrives a millisecond later', () => {
    const matcher = new Matcher(market, 150, at(0));
    matcher.apply(offer);
    matcher.enter(second);
    matcher.advance(at(150));
    matcher.enter(first);
    matcher.advance(at(151));
    const reports = matcher.drain().map(({ order, reports: own }) => [order.id, own[0]?.at]);
    expect(reports).toEqual([
      ['b', at(150)],
      ['a', at(151)],
    ]);
  });
});
