import { expect, test } from 'vitest';
import { ALARM_MEANINGS } from '../../src/core/alarm/meanings.js';
import { EVENT_TYPES } from '../../src/core/ledger/event-log.js';
import { meaningOfSkip } from '../../src/core/refusals/decision-reason.js';
import { ORDER_REFUSALS } from '../../src/core/refusals/order-refusals.js';
import { SKIP_REASONS } from '../../src/core/strategy/rules/skip-reasons.js';
import { eventName, factsText, onPage, refusalOnPage } from '../../src/ui/state/words.js';

/** A path, a member or a code of the API. */
const OF_API = /`|\/v1\/|[a-z]_[a-z]/;

test('no reason or advice on the page names a path or member of the API', () => {
  const reasons = [...Object.keys(SKIP_REASONS), ...Object.keys(ORDER_REFUSALS)].map(meaningOfSkip);
  const advice = Object.values(ALARM_MEANINGS).flatMap(({ title, whatToDo }) => [title, whatToDo]);
  const helps = Object.values(ORDER_REFUSALS).map(([, help]) => help);
  expect([...reasons, ...advice].filter((text) => OF_API.test(onPage(text)))).toEqual([]);
  expect(helps.filter((text) => onPage(text).includes('/v1/'))).toEqual([]);
  expect(onPage(meaningOfSkip('trading_halted'))).toContain('by whom and why, and Trading on the overview');
});

test('every kind of event has a name in words', () => {
  expect(EVENT_TYPES.map(eventName).filter((name) => !/^[A-Z][a-z]+( [a-z]+)+$/.test(name))).toEqual([]);
  expect(['approval.refused', 'order.fill', 'key.created'].map(eventName)).toEqual([
    'Bet not placed',
    'Order filled',
    'Key created',
  ]);
});

test('what an event adds is a line in words', () => {
  const fill = {
    trade_id: 't-1',
    shares: '8.37',
    price: '0.59',
    size_usdc: '4.9383',
    fee_usdc: '0.06074',
    liquidity: 'TAKER',
    settlement: 'confirmed',
  };
  const money = 'trade t-1, 8.37 shares, at 0.59, 4.9383 USDC, fee 0.06074 USDC, taken from the book';
  expect(factsText(fill)).toBe(money);
  expect(factsText({ ...fill, settlement: 'provisional', fill_model: 'book_walk;latency_ms=150;delay_s=3' })).toBe(
    `${money}, provisional, by the book 150 ms after it was sent and 3 s of delay`,
  );
  expect(factsText({ liquidity: 'MAKER', fill_model: 'queue_traded;ahead=12;evidence=l2_no_trades' })).toBe(
    'it had waited in the book, once trades had served the 12 shares before it, as far as l2 no trades show',
  );
  expect(factsText({ clob_order_id: 'paper-1', delayed: false })).toBe('id at the venue paper-1');
  expect(factsText({ return_usdc: '8.37', delayed: true })).toBe(
    '8.37 USDC came back, the venue holds it back for a moment',
  );
});

test('moments, ids, members and codes in a sentence are as the page has them', () => {
  const id = '01a22187-3a88-700f-8972-ce3e55d6263b';
  expect(
    refusalOnPage(`trading_halted: Trading is halted for the strategy ${id}, by me since 2026-11-28T09:49:00.020Z`),
  ).toBe('Trading is halted for the strategy 55d6263b, by me since 2026-11-28 09:49 UTC');
  expect(onPage('BUY 5 A at 0.5 denied: The book may be out of date (market_data_stale), paper')).toBe(
    'BUY 5 A at 0.5 denied: The book may be out of date, paper',
  );
  expect(onPage('`size_usdc` is above `stake_cap` of epl_ars_che')).toBe(
    '“Size in USDC” is above “Most a bet, in USDC” of epl_ars_che',
  );
});
