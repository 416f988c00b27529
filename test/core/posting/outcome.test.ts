import { describe, expect, it } from 'vitest';
import { InvariantBroken, StorageUnavailable } from '../../../src/core/errors.js';
import {
  booked,
  contradictionOf,
  recordCancelResult,
  recordExecutions,
  recordStatusReport,
} from '../../../src/core/posting/outcome.js';
import type { OrderStatusReport } from '../../../src/ports/exchange.js';
import { anExecution, shares, usdc } from '../../support/builders.js';
import { newsOf, placed, shown } from './sent-order.js';

const TAKEN = { type: 'accepted', venueOrderId: '0x1', delayed: false } as const;
const LOST = { type: 'unknown', refusal: { code: 'outcome_unknown', message: 'Nobody knows.' } } as const;
const refused = (code: string) =>
  ({ type: 'rejected', refusal: { code, message: 'No.' }, presumed: PRESUMED.includes(code) }) as const;
const PRESUMED = ['fak_no_match', 'fok_not_filled', 'dropped_after_delay', 'never_arrived'];
const half = anExecution({ tradeId: 't1', shares: shares('10') });
const whole = anExecution({ tradeId: 't1' });

describe('An order that never rests', () => {
  it('is accepted once, also when it fills after being held', async () => {
    const seen = await (await placed({ timeInForce: 'FOK' }, LOST)).sees(shown('open'), shown('none', [whole]));
    // requested, submitting, unknown, accepted, fill
    expect(seen).toMatchObject({ state: 'filled', seq: 5 });
  });

  it.each([
    ['FAK', []],
    ['FOK', [LOST]],
  ] as const)('(%s) is never open, and keeps its reservation until it has ended', async (timeInForce, before) => {
    const it = await placed({ timeInForce }, ...before);
    expect(await it.sees(shown('open'))).toMatchObject({ state: 'delayed', venueOrderId: '0x1' });
    expect(await it.reserved()).toBe(usdc('10'));
    expect(await it.sees(shown('open', [half]))).toMatchObject({
      state: 'delayed',
      filled: { shares: shares('10') },
    });
    expect(await it.reserved()).toBe(usdc('5'));
    expect(await it.sees(shown('cancelled', [half]))).toMatchObject({ state: 'cancelled' });
    expect(await it.reserved()).toBe(0n);
  });

  it.each(['none', 'cancelled'] as const)('and is reported at once was never held: %s', async (rest) => {
    const it = await placed({ timeInForce: 'FAK' });
    await it.sees(shown(rest, [half]));
    expect(await it.changes()).toContainEqual(TAKEN);
  });

  it('is not news while the venue has not yet reported its end', async () => {
    const { order, sees } = await placed({ timeInForce: 'FAK' });
    const held = await sees(shown('open'));
    expect([newsOf(order, shown('open')), newsOf(held, shown('open')), newsOf(held, shown('cancelled'))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('has its fills confirmed and undone before its end is reported', async () => {
    const it = await placed({ timeInForce: 'FAK' });
    const other = { ...half, tradeId: 't2', shares: shares('4') };
    const seen = shown('open', [half, other]);
    const order = await it.sees(seen, shown('open', [{ ...half, confirmed: true }], ['t2']));
    expect(order).toMatchObject({ state: 'delayed', filled: { shares: shares('10'), confirmed: shares('10') } });
  });

  it('keeps a partial fill when the venue refuses it after all', async () => {
    const it = await placed({ timeInForce: 'FAK' });
    const order = await it.sees(shown('open', [half]), { kind: 'rejected', refusal: refused('fak_no_match').refusal });
    expect(order).toMatchObject({ state: 'cancelled', refusal: null, filled: { shares: shares('10') } });
    expect(await it.reserved()).toBe(0n);
  });

  it('that is held is cancelled when the venue reports it so', async () => {
    const it = await placed({ timeInForce: 'FAK' });
    await it.sees(shown('open'));
    const cancelled = await it.book((posting) => recordCancelResult(posting, { kind: 'cancelled' }));
    expect(cancelled).toMatchObject({ state: 'cancelled' });
  });
});

describe('A rejected order', () => {
  const LIFELESS = [shown('cancelled'), shown('none')];
  it.each([
    ['FAK', 'fak_no_match', [...LIFELESS, shown('open')]],
    ['FOK', 'fok_not_filled', [...LIFELESS, shown('open')]],
    ['FAK', 'dropped_after_delay', [...LIFELESS, shown('open')]],
    ['FAK', 'venue_rejected', [...LIFELESS, shown('open')]],
    ['GTC', 'never_arrived', LIFELESS],
    ['GTC', 'price_off_grid', LIFELESS],
  ] as const)('(%s, %s) is not restored by a report of its end alone', async (timeInForce, code, reports) => {
    const it = await placed({ timeInForce }, refused(code));
    for (const report of reports) {
      expect([newsOf(it.order, report), contradictionOf(it.order, report)]).toEqual([false, null]);
      expect(await it.sees(report)).toEqual(it.order);
    }
  });

  it.each([
    ['FAK', 'fak_no_match', shown('cancelled', [half])],
    ['FAK', 'fak_no_match', shown('delayed')],
    ['FOK', 'fok_not_filled', shown('open', [half])],
    ['GTC', 'never_arrived', shown('open')],
    ['GTC', 'never_arrived', shown('delayed')],
    ['GTC', 'never_arrived', shown('cancelled', [], ['t1'])],
  ] as const)(
    '(%s, %s) that was only presumed is restored once it shows activity',
    async (timeInForce, code, report) => {
      const it = await placed({ timeInForce }, refused(code));
      expect(newsOf(it.order, report)).toBe(true);
      expect((await it.sees(report)).state).not.toBe('rejected');
    },
  );

  it.each([shown('open'), shown('delayed'), shown('cancelled', [half]), shown('cancelled', [], ['t1'])])(
    'reported by the venue contradicts it when it shows life',
    async (report) => {
      const { order } = await placed({}, refused('price_off_grid'));
      expect(contradictionOf(order, report)).toBe('it was rejected, but the venue shows it');
    },
  );

  it.each([shown('open'), shown('delayed')])(
    'reported by the venue stays so: it is for an operator',
    async (report) => {
      const it = await placed({}, refused('price_off_grid'));
      expect(newsOf(it.order, report)).toBe(false);
      expect(await it.sees(report)).toEqual(it.order);
    },
  );
});

describe('An answer that cannot be stored', () => {
  it('is not taken for an answer that contradicts the order', async () => {
    const asked: OrderStatusReport[] = [];
    const store = async (answer: OrderStatusReport) => {
      asked.push(answer);
      throw new StorageUnavailable();
    };
    await expect(booked(shown('open'), store)).rejects.toBeInstanceOf(StorageUnavailable);
    expect(asked).toEqual([shown('open')]);
  });

  it('because it contradicts the order is stored as unknown', async () => {
    const store = async (answer: OrderStatusReport) => {
      if (answer.kind !== 'unknown') throw new InvariantBroken('a trade counts once');
      return answer;
    };
    expect(await booked(shown('open'), store)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('once'),
    });
  });
});

describe('An order that was taken under another identity', () => {
  it('stays unknown and keeps its money, even if its owner cancels it', async () => {
    const refusal = { code: 'identity_mismatch', message: 'It named another order.' };
    const it = await placed({}, { type: 'unknown', refusal });
    const order = await it.book((posting) => {
      recordStatusReport(posting, { kind: 'absent' });
      posting.record({ type: 'cancel_requested' });
      recordStatusReport(posting, { kind: 'absent' });
    });
    expect(order).toMatchObject({ state: 'unknown', refusal });
    expect(await it.reserved()).toBe(usdc('10'));
  });
});

describe('A trade that failed', () => {
  it('returns a resting order to the book with all its money reserved', async () => {
    const it = await placed({ timeInForce: 'GTC' }, TAKEN, whole);
    expect(await it.reserved()).toBe(0n);
    expect(await it.sees(shown('open', [], ['t1']))).toMatchObject({ state: 'open', filled: { shares: 0n } });
    expect(await it.reserved()).toBe(usdc('10'));
  });

  it.each([
    ['GTC', 'cancelled'],
    ['FAK', 'open'],
  ] as const)('leaves a %s whose rest is %s without fills or reserved money', async (timeInForce, rest) => {
    const it = await placed({ timeInForce }, TAKEN, whole);
    const refusal = { code: 'fill_failed', message: 'the venue could not settle the trade' };
    expect(await it.sees(shown(rest, [], ['t1']))).toMatchObject({ state: 'failed', refusal });
    expect(await it.reserved()).toBe(0n);
  });

  it('is news although another trade failed before', async () => {
    const it = await placed({}, TAKEN, half, { ...half, tradeId: 't2' });
    const once = await it.sees(shown('open', [{ ...half, tradeId: 't2' }], ['t1']));
    expect([newsOf(once, shown('open', [], ['t1'])), newsOf(once, shown('open', [], ['t1', 't2']))]).toEqual([
      false,
      true,
    ]);
  });

  it('contradicts its record when reported confirmed, or failed after confirmation', async () => {
    const it = await placed({}, TAKEN, half);
    const [failed, confirmed] = [shown('open', [], ['t1']), shown('open', [{ ...half, confirmed: true }])];
    expect(contradictionOf(await it.sees(failed), confirmed)).toContain('t1 had failed');
    const other = await placed({}, TAKEN, half);
    expect(contradictionOf(await other.sees(confirmed), failed)).toContain('t1 was confirmed');
    expect(contradictionOf(await it.sees(failed), shown('open', [half]))).toBeNull();
    expect(contradictionOf(it.order, confirmed)).toBeNull();
  });

  it('contradicts nothing while reported as before, or not at all', async () => {
    const other = { ...half, tradeId: 't2', shares: shares('4') };
    const it = await placed({}, TAKEN, half, other);
    const before = shown('open', [{ ...half, confirmed: true }], ['t2']);
    const order = await it.sees(before);
    const absent = { kind: 'absent' } as const;
    const unsure = { kind: 'unknown', reason: 'no answer' } as const;
    const noneFailed = { kind: 'accepted', venueOrderId: '0x1', executions: [], failed: [], rest: 'open' } as const;
    for (const report of [before, shown('cancelled'), noneFailed, absent, unsure])
      expect(contradictionOf(order, report)).toBeNull();
  });
});

describe('A report about a real-money order that is being cancelled', () => {
  it('confirms its fills, undoes failed ones and ends it', async () => {
    const it = await placed(
      {},
      TAKEN,
      half,
      { ...half, tradeId: 't2', shares: shares('4') },
      { type: 'cancel_requested' },
    );
    const seen = shown('cancelled', [{ ...half, confirmed: true }], ['t2']);
    const order = await it.book((posting) => recordExecutions(posting, seen));
    expect(order).toMatchObject({ state: 'cancelled', filled: { shares: shares('10'), confirmed: shares('10') } });
    expect(await it.reserved()).toBe(0n);
  });
});
