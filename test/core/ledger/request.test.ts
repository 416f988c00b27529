import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src/core/account/position.js';
import { IdempotencyKeyReused } from '../../../src/core/errors.js';
import type { Snapshot } from '../../../src/core/ledger/decision.js';
import { earlierResult } from '../../../src/core/ledger/decision.js';
import { keyed, type RequestRecord, requestRecords } from '../../../src/core/ledger/request.js';
import { HeldRisks } from '../../../src/core/limits/risk.js';
import { parseMicro } from '../../../src/core/money.js';
import { ALICE, anOrderDraft, NOON, price } from '../../support/builders.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const noon = new Date(NOON);

function meaning(command: object): string | undefined {
  return keyed(ALICE, 'orders.place', 'k', command)?.meaning;
}

/** A snapshot in which these requests, and nothing else, are on record. */
function remembering(...records: readonly RequestRecord[]): Snapshot {
  const nothing = () => undefined;
  const empty = {
    balance: nothing,
    balances: () => [],
    strategy: nothing,
    exposure: nothing,
    order: nothing,
    position: nothing,
  };
  const none = {
    slots: () => [],
    sales: () => [],
    approvals: () => [],
    endpoints: () => [],
    endpoint: () => undefined,
    key: () => undefined,
    job: () => undefined,
    lease: () => undefined,
    positions: () => [],
    risks: () => new HeldRisks<Position>(),
    exposures: () => [],
    automated: () => [],
    automatedBy: () => [],
  };
  return {
    account: { id: ALICE, liveEnabled: false, halt: null },
    ...empty,
    ...none,
    request: ({ key }) => records.find((r) => r.key === key),
  };
}

describe('What a request means', () => {
  it('does not depend on the order of its members, at any depth', () => {
    const nested = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.bigInt(), fc.boolean(), fc.constant(null), tie('object')),
      object: fc.dictionary(fc.string(), tie('value')),
    })).object;
    fc.assert(
      fc.property(nested, (command) => {
        expect(meaning(reversed(command) as object)).toBe(meaning(command as object));
      }),
    );
  });

  it('is the same for 0.5 and "0.50", or one moment written differently', () => {
    const one = anOrderDraft({ price: price('0.5'), expiresAt: new Date('2026-03-02T00:00:00Z') });
    const other = anOrderDraft({ price: price('0.50'), expiresAt: new Date('2026-03-02T01:00:00+01:00') });
    expect(meaning(other)).toBe(meaning(one));
  });

  it('is another as soon as one member is another', () => {
    const draft = anOrderDraft();
    for (const name of Object.keys(draft)) {
      expect(meaning({ ...draft, [name]: 'something else' })).not.toBe(meaning(draft));
    }
    expect(meaning({ amount: parseMicro('10') })).not.toBe(meaning({ amount: parseMicro('1') }));
    expect(meaning({ scopes: ['a', 'b'] })).not.toBe(meaning({ scopes: ['b', 'a'] }));
  });

  it('is nothing without a key', () => {
    expect(keyed(ALICE, 'orders.place', null, anOrderDraft())).toBeNull();
    expect(requestRecords(null, 'order-1', false, noon)).toEqual([]);
    expect(earlierResult(remembering(), null, noon)).toBeUndefined();
  });
});

describe('A key that was used', () => {
  const request = keyed(ALICE, 'orders.place', 'k', { size: 1n });
  const onPaper = requestRecords(request, 'order-1', false, noon);
  const live = requestRecords(request, 'order-1', true, noon);
  const nowPlus = (ms: number) => new Date(noon.getTime() + ms);

  it('gives back what the first request made', () => {
    expect(earlierResult(remembering(...onPaper), request, noon)).toBe('order-1');
  });

  it('is refused for a request that means something else', () => {
    const other = keyed(ALICE, 'orders.place', 'k', { size: 2n });
    expect(() => earlierResult(remembering(...onPaper), other, noon)).toThrow(IdempotencyKeyReused);
  });

  it('is new again after 30 days', () => {
    expect(earlierResult(remembering(...onPaper), request, nowPlus(30 * DAY_MS - 1))).toBe('order-1');
    expect(earlierResult(remembering(...onPaper), request, nowPlus(30 * DAY_MS))).toBeUndefined();
  });

  it('is kept for ever when real money moved', () => {
    expect(live[0]?.expiresAt).toBeNull();
    expect(earlierResult(remembering(...live), request, nowPlus(36_500 * DAY_MS))).toBe('order-1');
  });
});

function reversed(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
