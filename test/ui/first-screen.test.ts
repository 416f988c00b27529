import { describe, expect, test } from 'vitest';
import type {
  WireBook,
  WireHolding,
  WireLoggedEvent,
  WireMarket,
  WireOrder,
  WireTradingState,
} from '../../src/adapters/http/answers.js';
import { formatMicro } from '../../src/core/money.js';
import { roundTimes } from '../../src/report/thinning.js';
import { tickText } from '../../src/report/words.js';
import { happenings } from '../../src/ui/state/happened.js';
import { withNews } from '../../src/ui/state/listed-orders.js';
import { withMarks } from '../../src/ui/state/marks.js';
import { planSale, saleCommand } from '../../src/ui/state/sale.js';
import { afterTrading } from '../../src/ui/state/stops.js';

describe('what happened', () => {
  const newestFirst = (...data: readonly object[]) =>
    data.map((one, at) => ({ seq: `${data.length - at}`, text: `${at}`, data: one }) as unknown as WireLoggedEvent);
  const bet = { decision: { id: 'd', order_id: 'o', approval_id: 'a', strategy_id: 's' } };
  const waiting = { approval: { id: 'a', order_id: null } };

  test('is one row a bet, by the newest sentence of its order', () => {
    const events = newestFirst(bet, { order: { id: 'o' } }, { order: { id: 'o' } }, waiting, { strategy: { id: 's' } });
    expect(happenings(events).map(({ event, to }) => [event.text, to])).toEqual([
      ['1', ['orders', 'o']],
      ['4', ['strategies', 's']],
    ]);
  });

  test('of what has no market has the time of the machine', () => {
    const rows = happenings(newestFirst(waiting, { trading: {} }));
    expect(rows.map(({ isOfMachine, to }) => [isOfMachine, to])).toEqual([
      [false, ['approvals', 'a']],
      [true, null],
    ]);
  });
});

describe('the sale of a position', () => {
  const held = { market_id: 'm', token: 'YES', venue: 'example', shares: '30' } as WireHolding;
  const market = { id: 'm', lot: '0.01', terms: null } as WireMarket;
  const bookOf = (...bids: readonly (readonly [string, string])[]) =>
    ({ fresh: true, asks: [], bids: bids.map(([price, size]) => ({ price, size })) }) as unknown as WireBook;

  test('is limited to the lowest bid that it needs', () => {
    const plan = planSale(held, market, bookOf(['0.5', '10'], ['0.4', '25'], ['0.1', '99']));
    expect(plan).toMatchObject({ price: '0.4', sizeUsdc: '12', left: 0n });
    if (typeof plan === 'string') throw new Error(plan);
    expect(saleCommand(held, plan)).toBe(
      'stakeport sell m YES --usdc 12 --price 0.4 --time-in-force FAK --venue example --live',
    );
  });

  test('leaves the shares that nobody bids for', () => {
    const plan = planSale(held, market, bookOf(['0.5', '10']));
    expect(typeof plan === 'string' ? plan : [plan.shares, formatMicro(plan.left)]).toEqual(['10', '20']);
    expect(planSale(held, market, bookOf())).toBe('Nobody bids for it now.');
  });
});

describe('a list of orders, with what happened since it was read', () => {
  const order = (id: string, changes: object = {}) =>
    ({ id, paper: true, status: 'open', strategy_id: null, placed_at: '2026-03-01', ...changes }) as WireOrder;
  const asked = { paper: 'true', status: '', strategy_id: '', placed_after: '', placed_before: '' } as const;
  const page = { data: [order('2'), order('3')], next_cursor: 'more' };
  const news = ['1', '3', '4'].map((id) => [id, order(id, { status: 'filled' })] as const);
  const shown = (way: '' | 'oldest', data = page.data) =>
    withNews({ ...page, data }, new Map(news), { ...asked, order: way }).map(({ id, status }) => `${id} ${status}`);

  test('takes in newer ones where the newest come first', () => {
    expect(shown('', page.data.toReversed())).toEqual(['4 filled', '3 filled', '2 open']);
  });

  test('takes in none beyond its page where the oldest come first', () => {
    expect(shown('oldest')).toEqual(['1 filled', '2 open', '3 filled']);
  });
});

test('a list of orders up to a moment takes in none of that moment', () => {
  const order = { id: '1', paper: true, status: 'open', placed_at: '2026-03-01T00:00:00Z' } as WireOrder;
  const asked = { paper: 'true', status: '', strategy_id: '', placed_after: '', placed_before: '', order: '' } as const;
  const page = { data: [order], next_cursor: null };
  const shown = (bounds: object) => withNews(page, new Map(), { ...asked, ...bounds }).length;
  const [at, after] = ['2026-03-01T00:00:00Z', '2026-03-01T00:00:01Z'];
  expect([shown({ placed_before: at }), shown({ placed_before: after })]).toEqual([0, 1]);
  expect([shown({ placed_after: at }), shown({ placed_before: after, placed_after: '2026-02-28' })]).toEqual([0, 1]);
});

test('a mark of other shares changes nothing before the position is read again', () => {
  const position = {
    market_id: 'm',
    token: 'YES',
    venue: 'v',
    shares: '10',
    cost_usdc: '5',
    mark_price: '0.5',
    value_usdc: '5',
  };
  const held = { ...position, unrealised_usdc: '0' } as WireHolding;
  const mark = { ...position, mark_price: '0.6', value_usdc: '6' } as WireHolding;
  expect(withMarks([held], [mark])).toEqual([{ ...held, mark_price: '0.6', value_usdc: '6', unrealised_usdc: '1' }]);
  expect(withMarks([held], [{ ...mark, shares: '4' }])).toEqual([held]);
});

test('a stop of all orders takes the place of one of real money alone', () => {
  const stop = {
    scope: 'account',
    state: 'halted',
    stops: 'live',
    reason: 'r',
    by: 'me',
    since: '',
    until: null,
    code: null,
  };
  const [live, all] = [stop, { ...stop, stops: 'all' }] as WireTradingState[];
  expect(afterTrading(afterTrading([], live as WireTradingState), all as WireTradingState)).toEqual([all]);
  expect(afterTrading(afterTrading([], all as WireTradingState), live as WireTradingState)).toEqual([all, live]);
  const reducing = { ...live, state: 'reducing' } as WireTradingState;
  expect(afterTrading([live as WireTradingState], reducing)).toEqual([reducing]);
});

describe('an axis of time', () => {
  const at = (text: string) => Date.parse(`2026-03-0${text}:00Z`);

  test.each([
    ['1T12:03', '1T12:52', ['03-01 12:10', '12:20', '12:30', '12:40', '12:50']],
    ['1T20:10', '2T05:50', ['03-01 22:00', '03-02', '02:00', '04:00']],
    ['1T05:00', '9T05:00', ['2026-03-02', '2026-03-04', '2026-03-06', '2026-03-08']],
  ])('from %s to %s has round times', (from, to, shown) => {
    const times = roundTimes({ low: at(from), high: at(to) }, 5);
    expect(times.map((ms, place) => tickText(ms, times, place))).toEqual(shown);
  });
});
