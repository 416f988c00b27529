import { describe, expect, it } from 'vitest';
import { ON_WIRE } from '../../src/adapters/http/order-wire.js';
import {
  accountId,
  createStakeport,
  InputInvalid,
  marketId,
  OrderInvalid,
  type OrderRequest,
  orderId,
  strategyId,
} from '../../src/index.js';
import { ORDER, ORDERS, STRATEGIES, STRATEGY, startApp } from '../support/app.js';

const ASK: OrderRequest = { account: 'dev', market: 'will-it-rain', outcome: 'YES', price: 0.5, usdc: 10 };
const CALLED = { market: 'marketId', usdc: 'size', strategy: 'strategyId' } as const;
const onWire = (member: string) => {
  const names: Readonly<Record<string, string>> = ON_WIRE;
  return names[CALLED[member as keyof typeof CALLED] ?? member] ?? member;
};

/** What a member may and may not hold, over HTTP and from a program. */
const VALUES: readonly (readonly [member: string, ...values: unknown[]])[] = [
  ['price', 0.57, '0.57', '0', 0, 1, '1', -0.5, '-0.5', 0.1234567, '0.1234567', ' 0.5', '0.5 ', '', '5e-1', null, true],
  ['usdc', 20, '20', '0.000001', 0, '0', -1, 1e9, '1000000000', 0.0000001, 'NaN', '1,5', [], null],
  ['market', 'a', 'epl:1', '', 'a b', 'ä', 'a'.repeat(128), 'a'.repeat(129), 5, null],
  ['outcome', 'YES', 'NO', 'yes', 'Arsenal', '', null, 1],
  ['side', 'BUY', 'SELL', 'buy', 'BACK', '', null],
  ['timeInForce', 'GTC', 'FOK', 'FAK', 'GTD', 'IOC', '', null],
  ['postOnly', true, false, 'true', 1, null],
  ['paper', true, 'false', 0, null],
  ['strategy', null, 'nonsense', 5, ''],
  ['papre', false],
];

describe('What HTTP refuses is refused to a program, too', async () => {
  const { client } = await startApp();
  const stakeport = createStakeport();

  for (const [member, ...values] of VALUES) {
    for (const value of values) {
      it(`${member} ${JSON.stringify(value)}`, async () => {
        const { status } = await client.post(ORDERS, { ...ORDER, [onWire(member)]: value });
        const asked: OrderRequest = { ...ASK, [member]: value };
        const refusal = await stakeport.orders.place(asked).then(
          () => null,
          (error: unknown) => error,
        );
        expect(refusal === null ? 201 : 422, String(refusal)).toBe(status);
        if (refusal === null) return;
        expect(refusal instanceof OrderInvalid || refusal instanceof InputInvalid).toBe(true);
        expect(refusal).toMatchObject({ member: member === 'timeInForce' && value === 'GTD' ? 'expiresAt' : member });
      });
    }
  }

  const caps = { bankroll_cap: 'bankrollCap', stake_cap: 'stakeCap' } as const;
  const strategyValues = [
    ['name', 'Home', '', '  ', 'a\u0000', 'a'.repeat(81), 5],
    ['sport', 'soccer', '', null],
    ['bankroll_cap', 100, '100', 0, -1, '1e3', null],
    ['stake_cap', 0.5, 0, 0.1234567],
    ['is_pausd', true],
  ] as const;
  for (const [member, ...values] of strategyValues) {
    for (const value of values) {
      it(`a strategy with ${member} ${JSON.stringify(value)}`, async () => {
        const { status } = await client.post(STRATEGIES, { ...STRATEGY, [member]: value });
        const { bankroll_cap: bankrollCap, stake_cap: stakeCap, name, sport } = STRATEGY;
        const rules = { sizing: { method: 'flat', value: 10 } } as const;
        const named = caps[member as keyof typeof caps] ?? member;
        const asked = { account: 'dev', name, sport, rules, bankrollCap, stakeCap, [named]: value };
        const refusal = await stakeport.strategies.create(asked).then(
          () => null,
          (error: unknown) => error,
        );
        expect(refusal === null ? 201 : 422, String(refusal)).toBe(status);
        if (refusal !== null) expect(refusal).toMatchObject({ code: 'input_invalid', member: named });
      });
    }
  }
});

describe('A misspelt member is refused, and not taken for one that is absent, in', () => {
  const { orders, strategies, markets, portfolio } = createStakeport();
  const ORDER_ID = '0197f1b0-0000-7000-8000-000000000000';
  const reads: Readonly<Record<string, (asked: object) => Promise<unknown>>> = {
    'orders.list': (asked) => orders.list('me', asked),
    'orders.events': (asked) => orders.events('me', ORDER_ID, asked),
    'strategies.list': (asked) => strategies.list('me', asked),
    'strategies.versions': (asked) => strategies.versions('me', ORDER_ID, asked),
    'markets.search': (asked) => markets.search(asked),
    'portfolio.of': (asked) => portfolio.of('me', asked),
    'portfolio.history': (asked) => portfolio.history('me', asked),
  };
  it.each(Object.entries(reads))('%s', async (_, read) => {
    await expect(read({ papre: false })).rejects.toMatchObject({ code: 'input_invalid', member: 'papre' });
  });
});

describe('An id', () => {
  it('is checked, and is the text that it was', () => {
    expect(accountId('me@example.com')).toBe('me@example.com');
    expect(marketId('epl-ars-che-2026-12-05')).toBe('epl-ars-che-2026-12-05');
    expect(orderId('0197F1B0-0000-7000-8000-000000000000')).toBe('0197f1b0-0000-7000-8000-000000000000');
  });

  it('that is malformed is refused with the expected format', () => {
    expect(() => accountId('')).toThrow(
      "account must be 1 to 128 letters, digits and . _ - @ + :, beginning with a letter or digit; got ''.",
    );
    expect(() => marketId('two words')).toThrow(InputInvalid);
    expect(() => orderId('5')).toThrow("order must be the UUID that it was given; got '5'.");
    expect(() => strategyId('')).toThrow(InputInvalid);
  });
});
