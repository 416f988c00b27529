import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type {
  WireBook,
  WireHolding,
  WireMarket,
  WireOrderEventWithChange,
  WireStrategy,
  WireTradingState,
} from '../../src/adapters/http/answers.js';
import { formatMicro } from '../../src/core/money.js';
import {
  dollarText,
  gain,
  microOf,
  ODDS_FORMATS,
  oddsInFormat,
  percentOf,
  plainDecimal,
  sumOf,
} from '../../src/ui/state/amounts.js';
import { sha256Hex, verifyEvents } from '../../src/ui/state/chain.js';
import { changesBetween } from '../../src/ui/state/changes.js';
import { dateIn } from '../../src/ui/state/day.js';
import { groupsOf } from '../../src/ui/state/outcomes.js';
import { accountStop, afterHalt } from '../../src/ui/state/stops.js';
import { EMPTY, labelAt, piecesOf, stakeBounds, valueTyped, withValue } from '../../src/ui/state/strategy-draft.js';
import { mostAffordable, ownShares, ticketFigures } from '../../src/ui/state/ticket.js';
import { webhookPlace } from '../../src/ui/state/webhook-place.js';

describe('amounts', () => {
  test.each([
    ['1204.1', '1,204.10'],
    ['0', '0.00'],
    ['0.005', '0.01'],
    ['0.004999', '0.00'],
    ['-0.004', '0.00'],
    ['-3', '−3.00'],
    ['999999.999999', '1,000,000.00'],
    ['9007199254.740991', '9,007,199,254.74'],
  ])('%s dollars are shown as %s', (text, shown) => {
    expect(dollarText(microOf(text))).toBe(shown);
  });

  test.each([
    ['2.439024', '2.439', '+144', '41.0 %'],
    ['1.747274', '1.747', '−134', '57.2 %'],
    ['2', '2', '+100', '50.0 %'],
    ['101', '101', '+10000', '1.0 %'],
    ['1', '1', '1', '1'],
  ])('odds of %s are %s, %s or %s', (odds, ...shown) => {
    expect(ODDS_FORMATS.map((format) => oddsInFormat(odds, format))).toEqual(shown);
  });

  test('a gain has its sign before it, and nothing has none', () => {
    expect(['9.51', '-9.51', '0', '0.001'].map((text) => gain(microOf(text)))).toEqual([
      '+9.51',
      '−9.51',
      '0.00',
      '0.00',
    ]);
  });

  test('are summed exactly, where numbers would not', () => {
    expect(sumOf(['0.1', '0.2', null, '-0.3'])).toBe(0n);
    expect(sumOf(['9007199254.740991', '0.000001'])).toBe(9_007_199_254_740_992n);
  });

  test('a decimal keeps all of its digits', () => {
    expect(['0.57', '23', '1000.123456', '-1'].map(plainDecimal)).toEqual(['0.57', '23.00', '1,000.123456', '−1.00']);
  });

  test('what is no decimal is refused', () => {
    for (const text of ['', '1e3', 'NaN', '0.1234567', '1.']) expect(() => microOf(text)).toThrow(TypeError);
  });

  test('a bar is never longer than the whole', () => {
    expect([percentOf('50', '100'), percentOf('3', '2'), percentOf('-1', '2'), percentOf('1', '0')]).toEqual([
      50, 100, 0, 100,
    ]);
  });
});

const held = (market_id: string, token: 'YES' | 'NO', shares: string, cost_usdc: string): WireHolding =>
  ({
    market_id,
    token,
    shares,
    cost_usdc,
    venue: 'v',
    realised_usdc: '0',
    fees_usdc: '0.5',
    question: market_id,
  }) as WireHolding;

const aMarket = (id: string, set: string | null): WireMarket =>
  ({
    id,
    question: `${id}?`,
    exclusive_set: set,
    starts_at: null,
    event: { id: 'game', title: 'A game', slug: null },
  }) as WireMarket;

describe('positions', () => {
  const profits = (positions: WireHolding[], markets: WireMarket[]) =>
    groupsOf(positions, new Map(markets.map((market) => [market.id, market]))).map(({ title, outcomes }) => [
      title,
      Object.fromEntries(outcomes.map(({ label, profit }) => [label, gain(profit)])),
    ]);

  test('of one market bring what either of its outcomes pays', () => {
    expect(profits([held('a', 'YES', '20', '8'), held('a', 'NO', '5', '2')], [])).toEqual([
      ['a', { YES: '+9.00', NO: '−6.00' }],
    ]);
  });

  test('of markets of which exactly one resolves YES hedge each other', () => {
    const positions = [held('home', 'YES', '20', '8'), held('away', 'NO', '10', '6')];
    expect(profits(positions, [aMarket('home', 's'), aMarket('away', 's')])).toEqual([
      ['A game', { 'home?': '+15.00', 'away?': '−15.00', 'Any other': '−5.00' }],
    ]);
  });

  test('of other markets of an event are questions of their own', () => {
    const positions = [held('goals', 'YES', '10', '5'), held('cards', 'YES', '10', '5')];
    const [[, outcomes] = []] = profits(positions, [aMarket('goals', null), aMarket('cards', null)]);
    expect(outcomes).toEqual({ YES: '+4.50', NO: '−5.50' });
  });
});

describe('a ticket', () => {
  const market = {
    id: 'm',
    lot: '0.01',
    terms: { fee: { rate: '0.05', exponent: 1, taker_only: true, maker_rate: '0', as_of: '2026-01-01T00:00:00Z' } },
  } as WireMarket;
  const level = (price: string, size: string) => ({ price, size });
  const book = {
    fresh: true,
    bids: [level('0.5', '100')],
    asks: [level('0.55', '10'), level('0.58', '100')],
  } as WireBook;

  test('shows worst price and fee of immediate fills and the maximum cost', () => {
    const figures = ticketFigures({ side: 'BUY', price: '0.6', sizeUsdc: '14' }, market, book);
    expect(figures).toMatchObject({
      shares: 23_330_000n,
      filledNow: 23_330_000n,
      worstPrice: 580_000n,
      feeNow: 286_110n,
    });
    expect(figures).toMatchObject({ bound: 13_998_000n + 279_960n + 20n });
  });

  test('counts the rounding of fees by the venue', () => {
    const rounding = { step: '0.0001', to: 'up', each: 'fill', balance_step: '0.01' };
    const rounded = { ...market, terms: { fee: { ...market.terms?.fee, rounding } } } as WireMarket;
    const input = { side: 'BUY', price: '0.5', sizeUsdc: '10' } as const;
    // 0.25 for 20 shares, and 0.0101 for each of them and one more.
    expect(ticketFigures(input, rounded, book)).toMatchObject({ bound: 10_000_000n + 250_000n + 21n * 10_100n });
  });

  test('shows odds after fees, and what becomes of what does not fill at once', () => {
    const input = { side: 'BUY', price: '0.5', sizeUsdc: '10' } as const;
    // 20 shares pay 20 dollars; with the most that fees may be they cost 10.25002.
    expect(ticketFigures(input, market, book)).toMatchObject({ odds: 1_951_215n, bound: 10_250_020n });
    expect(ticketFigures({ ...input, side: 'SELL' }, market, book)).toMatchObject({ odds: null });
    const rest = (more: object, of: { price: string; sizeUsdc: string } = input) => {
      const figures = ticketFigures({ ...input, ...of, ...more }, market, book);
      return typeof figures === 'string' ? figures : figures.rest;
    };
    const many = { price: '0.6', sizeUsdc: '600' };
    expect([rest({ postOnly: true }), rest({ postOnly: true }, many)]).toEqual([
      'All of it waits in the book.',
      'It would match at once, so the venue refuses it.',
    ]);
    expect(rest({}, { price: '0.6', sizeUsdc: '14' })).toBe('Nothing is left over.');
    expect(['GTC', 'FAK', 'FOK'].map((timeInForce) => rest({ timeInForce }, many))).toEqual([
      'What the book lacks waits there.',
      'What the book lacks is dropped.',
      'The book has too little: nothing of it is filled.',
    ]);
  });

  test.each(['0', '0.5', '10', '999999.99'])('fills in the most that %s dollars of cash pay for, with fees', (cash) => {
    const input = { side: 'BUY', price: '0.57', sizeUsdc: '' } as const;
    const boundOf = (sizeUsdc: string) => {
      const figures = ticketFigures({ ...input, sizeUsdc }, market, book);
      return typeof figures === 'string' ? null : figures.bound;
    };
    const size = mostAffordable(input, market, cash);
    if (size === '') return expect(microOf(cash)).toBeLessThan(600_000n);
    expect(boundOf(size)).toBeLessThanOrEqual(microOf(cash));
    // Some cents more are too much: a lot costs less than a cent.
    expect(boundOf(formatMicro(microOf(size) + 20_000n))).toBeGreaterThan(microOf(cash));
  });

  test('shows own orders at their price, those for the other outcome at its complement', () => {
    const order = (token: 'YES' | 'NO', side: 'BUY' | 'SELL', price: string, filled = '0') => ({
      token,
      side,
      price,
      shares: '10',
      filled_shares: filled,
    });
    const orders = [order('YES', 'BUY', '0.5', '4'), order('YES', 'BUY', '0.50'), order('NO', 'SELL', '0.5')];
    const others = [order('NO', 'BUY', '0.4'), order('YES', 'SELL', '0.7')];
    expect([...ownShares([...orders, ...others], 'YES', 'BUY')]).toEqual([['0.5', 26_000_000n]]);
    expect([...ownShares([...orders, ...others], 'YES', 'SELL')]).toEqual([
      ['0.6', 10_000_000n],
      ['0.7', 10_000_000n],
    ]);
  });

  test('takes nothing from a book that is stale, or beyond its limit', () => {
    const input = { side: 'BUY', price: '0.6', sizeUsdc: '14' } as const;
    expect(ticketFigures(input, market, { ...book, fresh: false })).toMatchObject({ filledNow: 0n, worstPrice: null });
    expect(ticketFigures({ ...input, price: '0.5' }, market, book)).toMatchObject({ filledNow: 0n });
    expect(ticketFigures({ side: 'SELL', price: '0.4', sizeUsdc: '4' }, market, book)).toMatchObject({
      worstPrice: 500_000n,
    });
  });

  test.each([
    ['1', '5'],
    ['0', '5'],
    ['', '5'],
    ['0.5', ''],
    ['0.5', '0'],
    ['0.5', '-1'],
    ['abc', '5'],
    ['0.5', '0.0001'],
  ])('says what is wrong with %s for %s', (price, sizeUsdc) => {
    expect(ticketFigures({ side: 'BUY', price, sizeUsdc }, market, book)).toEqual(expect.any(String));
  });
});

test('versions of a strategy differ in the members that were changed', () => {
  const one = {
    id: 'x',
    version: 1,
    stake_cap: '5',
    is_paused: false,
    rules: { filter: { min_odds: 1.5 }, phase: 'pre' },
    warnings: [],
  } as never as WireStrategy;
  const rules = { filter: { min_odds: 2, max_odds: 3 }, phase: 'in_play' };
  const warnings = [{ pointer: '/rules/filter', detail: 'is odd' }];
  const other = { ...one, version: 2, is_paused: true, rules, warnings } as unknown as WireStrategy;
  expect(changesBetween(one, other)).toEqual([
    { member: 'is_paused', label: 'Paused', before: 'no', after: 'yes' },
    { member: 'rules.filter.min_odds', label: 'Min odds', before: '1.5', after: '2' },
    { member: 'rules.phase', label: 'Before or during the game', before: 'before it starts', after: 'while it is on' },
    { member: 'rules.filter.max_odds', label: 'Max odds', before: null, after: '3' },
  ]);
});

test('paper is not stopped by what stops real money alone', () => {
  const halt = afterHalt([], { code: 'contradiction', message: 'm', at: '2026-01-01T00:00:00Z' });
  expect(accountStop(halt, 0, true)).toBeNull();
  expect(accountStop(halt, 0, false)?.state).toBe('halted');
  expect(afterHalt(halt, null)).toEqual([]);
  const brief = { ...halt[0], stops: 'all', until: '2026-01-01T00:00:00Z' } as WireTradingState;
  expect(accountStop([brief], Date.parse('2026-01-02'), true)).toBeNull();
});

describe('the events of an order', () => {
  const ID = '01a207d9-da42-73bb-9d41-aa261dd23749';
  /** Three events, chained as the service does it. */
  const chain = (): WireOrderEventWithChange[] => {
    let previous = '';
    return ['requested', 'accepted', 'fill'].map((type, at) => {
      const [seq, moment] = [at + 1, `2026-03-01T12:00:0${at}.000Z`];
      const change = JSON.stringify({ type, price: '580000' });
      previous = createHash('sha256').update(`${previous}\n${ID}\n${seq}\n${moment}\n${change}`).digest('hex');
      return { seq, type, at: moment, reason: null, data: {}, hash: previous, change };
    });
  };
  const changed = (at: number, change: Partial<WireOrderEventWithChange>) =>
    chain().map((event, n) => (n === at ? { ...event, ...change } : event));

  test('are verified where each hash covers its event and the hash before', async () => {
    expect(await verifyEvents(ID, chain(), sha256Hex)).toEqual({ verified: 3, fault: null });
  });

  test.each([
    ['whose amount was changed', changed(1, { change: '{"type":"accepted","price":"590000"}' }), 1, /event 2 .* hash/],
    ['whose time was changed', changed(2, { at: '2026-03-01T12:00:09.000Z' }), 2, /event 3 .* hash/],
    ['that is shown as another kind', changed(2, { type: 'settled' }), 2, /event 3 is shown as another/],
    ['whose hash was made anew', changed(0, { hash: 'ab'.repeat(32) }), 0, /event 1 .* hash/],
    ['of which one is missing', chain().filter(({ seq }) => seq !== 2), 1, /event 2 is missing/],
    ['without what was hashed', changed(0, { change: undefined }), 0, /event 1/],
  ])('are not where there is one %s', async (_, events, verified, fault) => {
    const found = await verifyEvents(ID, events as WireOrderEventWithChange[], sha256Hex);
    expect(found).toEqual({ verified, fault: expect.stringMatching(fault) });
  });
});

test('a day begins at midnight of its zone', () => {
  const late = '2026-11-23T23:30:00.000Z';
  expect(['UTC', 'Europe/Berlin', 'America/New_York'].map((zone) => dateIn(zone, late))).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-23',
  ]);
  expect(dateIn('America/New_York', '2026-11-23T04:59:00.000Z')).toBe('2026-11-22');
});

test('a webhook is named by its address or its chat or topic', () => {
  expect([
    webhookPlace({ url: 'https://example.org/hook' }),
    webhookPlace({ kind: 'telegram', chat_id: '4711' }),
    webhookPlace({ kind: 'ntfy', topic: 'bets' }),
  ]).toEqual(['https://example.org/hook', 'telegram 4711', 'ntfy bets']);
});

describe('the body of a strategy that is being written', () => {
  test.each([
    ['odds', '1.9', 1.9],
    ['odds', '1.90', '1.90'],
    ['odds', 'two', 'two'],
    ['count', '3', 3],
    ['count', '-3', '-3'],
    ['flag', 'false', false],
    ['names', 'epl, laliga ,', ['epl', 'laliga']],
    ['names', 'epl', 'epl'],
    ['texts', 'one-game', ['one-game']],
    ['offset', '-24h', '-24h'],
    ['odds', '  ', undefined],
    ['odds', '+140', 2.4],
    ['odds', '−150', 1.666667],
    ['odds', '41 %', 2.439024],
    ['odds', '+99', '+99'],
    ['odds', '0 %', '0 %'],
  ] as const)('has %s typed as %j as %j', (kind, typed, value) => {
    expect(valueTyped(kind, typed)).toEqual(value);
  });

  test('loses a member that is taken away, and the object that is empty then', () => {
    const body = withValue(withValue({ name: 'x' }, ['rules', 'filter', 'min_odds'], 2), ['rules', 'phase'], 'any');
    expect(body).toEqual({ name: 'x', rules: { filter: { min_odds: 2 }, phase: 'any' } });
    expect(withValue(body, ['rules', 'filter', 'min_odds'], undefined)).toEqual({ name: 'x', rules: { phase: 'any' } });
    expect(withValue({ rules: { phase: 'any' } }, ['rules', 'phase'], undefined)).toEqual({});
  });
});

describe('the form of a strategy', () => {
  test.each([
    ['/stake_cap', 'Most a bet, in USDC'],
    ['/rules/filter/min_odds', 'Min odds'],
    ['/rules/outcome', 'Outcome to bet on'],
    ['/rules/sizing/value', 'Sizing value'],
    ['/rules/exit/stop/loss', 'Stop loss'],
    ['/rules/match/league/0', 'League'],
    ['/rules/exit', 'Exit'],
  ])('names %s by the label of its field', (pointer, label) => {
    expect(labelAt(pointer)).toBe(label);
  });

  test('has the labels of fields in the sentences of the service', () => {
    const sentence = 'is 10, above the stake_cap of 5 and limits/event_loss, while phase is in_play';
    expect(
      piecesOf(sentence)
        .map(({ text, pointer }) => (pointer === null ? text : `[${text}]`))
        .join(''),
    ).toBe('is 10, above the [Most a bet, in USDC] of 5 and [Event loss], while phase is in_play');
  });

  test('says what bounds a bet, the least first, defaults too', () => {
    const bounds = (changes: object, orderLimit: string | null = null) =>
      stakeBounds({ ...EMPTY, ...changes }, orderLimit).map(
        ({ pointer, most }) => `${formatMicro(most)} by ${pointer ?? 'the account'}`,
      );
    expect(bounds({ stake_cap: '10' }, '7')).toEqual([
      '5 by /rules/limits/event_loss',
      '7 by the account',
      '10 by /stake_cap',
      '100 by /bankroll_cap',
    ]);
    const rules = { limits: { event_loss: null } };
    expect(bounds({ rules })).toEqual(['5 by /stake_cap', '100 by /bankroll_cap']);
    expect(bounds({ automation: 'off', stake_cap: 'ten' })).toEqual(['100 by /bankroll_cap']);
  });
});
