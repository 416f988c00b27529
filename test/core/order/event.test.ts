import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/adapters/system/system.js';
import type { MarketId, StrategyId, VenueName } from '../../../src/core/ids.js';
import type { Price, Shares, Usdc } from '../../../src/core/money.js';
import type { OrderChange } from '../../../src/core/order/event.js';
import { chainText, decodeChange, encodeChange } from '../../../src/core/order/event.js';
import type { Fill, Intent, Liquidity } from '../../../src/core/order/order.js';
import { historyTo } from '../../support/life-samples.js';
import { runs } from '../../support/runs.js';

const micro = <T extends bigint>() => fc.bigInt({ min: 0n, max: 9_007_199_254_740_991n }).map((amount) => amount as T);
/** Texts that could be taken for an amount or a moment are among them. */
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('10', '0', '2026-03-01T12:00:00.000Z', 'null'));
const nullable = fc.option(text);
const moment = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
const refusal = fc.record({ code: text, message: text });

const intent: fc.Arbitrary<Intent> = fc.record({
  marketId: text.map((id) => id as MarketId),
  marketSlug: nullable,
  conditionId: nullable,
  question: nullable,
  outcomeLabel: nullable,
  outcome: fc.constantFrom('YES', 'NO'),
  side: fc.constantFrom('BUY', 'SELL'),
  price: micro<Price>(),
  size: micro<Usdc>(),
  shares: micro<Shares>(),
  timeInForce: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK'),
  expiresAt: fc.option(moment),
  postOnly: fc.boolean(),
  feeSchedule: fc.option(
    fc.record({ rate: micro<bigint>(), exponent: fc.nat({ max: 4 }), takerOnly: fc.boolean(), asOf: moment }),
  ),
  paper: fc.boolean(),
  strategy: fc.option(fc.record({ id: text.map((id) => id as StrategyId), version: fc.nat() })),
  envelope: fc.option(
    fc.record({ content: text, sendBy: moment, spends: fc.option(micro<Usdc>()), dust: micro<Shares>() }),
  ),
  spends: fc.option(micro<Usdc>()),
  arrivesAt: fc.option(moment),
  venue: text.map((name) => name as VenueName),
});

const certain = {
  tradeId: text,
  shares: micro<Shares>(),
  price: micro<Price>(),
  notional: micro<Usdc>(),
  fee: micro<Usdc>(),
  liquidity: fc.constantFrom<Liquidity>('MAKER', 'TAKER'),
  settlement: fc.constantFrom<Fill['settlement']>('provisional', 'confirmed', 'voided'),
  model: nullable,
  basis: fc.record({ cost: micro<Usdc>(), strategyShares: micro<Shares>(), strategyCost: micro<Usdc>() }),
};
const taken = fc.record({ price: micro<Price>(), shares: micro<Shares>(), displayed: micro<Shares>(), at: moment });
const fill: fc.Arbitrary<Fill> = fc.oneof(fc.record(certain), fc.record({ ...certain, taken }));

const type = <T extends string>(name: T) => fc.constant(name);
const change: fc.Arbitrary<OrderChange> = fc.oneof(
  fc.record({ type: type('requested'), intent }),
  fc.record({ type: fc.constantFrom('denied', 'unknown'), refusal }),
  fc.record({ type: type('rejected'), refusal, presumed: fc.boolean() }),
  fc.record({ type: type('submitting') }),
  fc.record({ type: type('cancel_requested'), arrivesAt: moment }, { requiredKeys: ['type'] }),
  fc.record({ type: type('accepted'), venueOrderId: text, delayed: fc.boolean() }),
  fc.record({ type: type('fill'), fill }),
  fc.record({ type: type('fill_confirmed'), tradeId: text }),
  fc.record({ type: type('fill_voided'), tradeId: text, resting: fc.boolean(), reason: text }),
  fc.record({ type: fc.constantFrom('cancel_refused', 'cancelled', 'expired'), reason: text }),
  fc.record({ type: fc.constantFrom('settled', 'amended'), returned: micro<Usdc>() }),
);

describe('An event', () => {
  it('comes back from its text with equal amounts, moments and texts', () => {
    fc.assert(
      fc.property(change, (event) => {
        expect(decodeChange(encodeChange(event))).toEqual(event);
      }),
      { numRuns: runs(500) },
    );
  });

  it('has one text only, so that its hash can be checked', () => {
    fc.assert(
      fc.property(change, (event) => {
        const encoded = encodeChange(event);
        const read = decodeChange(encoded);
        expect(encodeChange(read)).toBe(encoded);
        expect(encodeChange({ ...read })).toBe(encoded);
      }),
    );
  });

  it('is written as JSON with amounts as strings, as in every version', () => {
    const odd = fc.string({ unit: 'binary' });
    const always = (event: object) =>
      JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
    const more = fc.record({
      absent: fc.option(odd, { nil: undefined }),
      note: odd,
      of: fc.double(),
      at: moment,
    });
    fc.assert(
      fc.property(change, more, (event, members) => {
        expect(encodeChange(event)).toBe(always(event));
        const longer = { ...event, ...members, amount: -1n, nothing: null, nested: { ...members } };
        expect(encodeChange(longer)).toBe(always(longer));
      }),
      { numRuns: runs(400) },
    );
  });

  it('keeps its hashed text, with only the members of its version', () => {
    const old = '{"type":"requested","intent":{"marketId":"m","size":"10","price":"5","expiresAt":null,"paper":true}}';
    const change = decodeChange(old);
    expect(change).toEqual({
      type: 'requested',
      intent: { marketId: 'm', size: 10n, price: 5n, expiresAt: null, paper: true },
    });
    expect(encodeChange(change)).toBe(old);
  });

  it('writes how an order was counted under the word of every version', () => {
    const text = '{"type":"requested","intent":{"marketId":"m","bet":{"reset":0,"n":1,"start":"5"}}}';
    const change = decodeChange(text);
    const counted = { reset: 0, n: 1, start: 5n };
    expect(change).toEqual({ type: 'requested', intent: { marketId: 'm', counted } });
    expect(encodeChange({ ...change })).toBe(text);
  });

  it('is not read when it is of an unknown kind', () => {
    expect(() => decodeChange('{"type":"forgiven"}')).toThrow('of a known kind; got forgiven');
  });

  it('is hash-chained: after any alteration the hashes no longer match', () => {
    const { events } = historyTo('filled');
    const addsUp = (history: typeof events) =>
      history.every((event, i) => event.hash === sha256(chainText(history[i - 1]?.hash ?? '', event)));
    expect(addsUp(events)).toBe(true);
    for (const [i, event] of events.entries()) {
      const altered = [
        { ...event, change: { type: 'cancelled', reason: 'altered' } as const },
        { ...event, at: new Date(event.at.getTime() + 1) },
        { ...event, seq: event.seq + 1 },
        { ...event, orderId: `${event.orderId}0` as typeof event.orderId },
      ];
      for (const wrong of altered) expect(addsUp(events.with(i, wrong))).toBe(false);
    }
    expect(addsUp(events.toSpliced(1, 1))).toBe(false);
  });
});
