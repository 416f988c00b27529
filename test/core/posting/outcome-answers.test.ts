import { describe, expect, it } from 'vitest';
import { answerOf, recordStatusReport } from '../../../src/core/posting/outcome.js';
import type { OrderStatusReport, PlaceResult } from '../../../src/ports/exchange.js';
import { anExecution, History, shares, usdc } from '../../support/builders.js';
import { ScriptedExchange, takes } from '../../support/scripted-exchange.js';
import { fixture } from '../usecases/orders/background/worker-fixture.js';
import { newsOf, placed, shown } from './sent-order.js';

const REFUSAL = { code: 'no_book', message: 'There is no book.' };
const TAKEN = { type: 'accepted', venueOrderId: '0x1', delayed: false } as const;
const HELD = { ...TAKEN, delayed: true } as const;
const LOST = { type: 'unknown', refusal: { code: 'outcome_unknown', message: 'Nobody knows.' } } as const;
const ended = { type: 'cancelled', reason: 'the venue ended the order' } as const;
const half = anExecution({ tradeId: 't1', shares: shares('10') });

describe('A venue that throws', () => {
  const exchange = new ScriptedExchange();
  const asked = (error: unknown) => answerOf(exchange, () => Promise.reject(error));

  it('leaves the order unknown, and its error is named if possible', async () => {
    const named = Object.assign(new Error('secret words'), { name: 'TimeoutError' });
    expect(await asked(named)).toEqual({ kind: 'unknown', reason: 'none did not answer (TimeoutError)' });
    expect(await asked(new Error('secret words'))).toEqual({ kind: 'unknown', reason: 'none did not answer' });
    expect(await asked('secret words')).toEqual({ kind: 'unknown', reason: 'none did not answer' });
  });
});

describe('An answer to an order', () => {
  const denied = { kind: 'denied', refusal: REFUSAL } as const;
  const rejected = { kind: 'rejected', refusal: REFUSAL } as const;
  const unsure = { kind: 'unknown', reason: 'The connection broke.' } as const;

  it.each([
    ['is a rejection once it counts as sent', [], denied, 'rejected'],
    ['is a rejection where it was unknown whether it was sent', [LOST], denied, 'rejected'],
    ['ends one that was held', [HELD], rejected, 'rejected'],
    ['says nothing of what we lack once it was held', [HELD], denied, 'delayed'],
    ['refuses no order that was taken', [TAKEN], rejected, 'open'],
    ['says nothing of what we lack once it was taken', [TAKEN], denied, 'open'],
    ['that is none leaves one on its way unknown', [], unsure, 'unknown'],
    ['that is none takes nothing back', [TAKEN], unsure, 'open'],
    ['brings no order back that has ended', [TAKEN, half, ended], shown('open'), 'cancelled'],
  ] as const)('%s', async (_name, before, answer, state) => {
    const it = await placed({}, ...before);
    expect(await it.book((posting) => recordStatusReport(posting, answer as PlaceResult))).toMatchObject({ state });
  });

  it('explains an unknown order, and keeps a report of another identity', async () => {
    const it = await placed({});
    expect(await it.sees(unsure)).toMatchObject({ refusal: { code: 'outcome_unknown', message: unsure.reason } });
    const other = await placed({});
    const halt = { code: 'identity_mismatch', message: 'Look.' };
    expect(await other.sees({ ...unsure, halt })).toMatchObject({ refusal: { code: 'identity_mismatch' } });
    const third = await placed({});
    expect(await third.sees({ ...unsure, halt: { ...halt, code: 'forbidden' } })).toMatchObject({
      refusal: { code: 'outcome_unknown' },
    });
  });
});

describe('A look that finds no trace', () => {
  it.each([
    ['gives up what was on its way', [], 'rejected'],
    ['gives up an unknown order', [LOST], 'rejected'],
    ['says nothing of what was held', [HELD], 'delayed'],
    ['says nothing of what was taken', [TAKEN], 'open'],
  ] as const)('%s', async (_name, before, state) => {
    const it = await placed({}, ...before);
    const order = await it.sees({ kind: 'absent' });
    expect(order).toMatchObject({ state });
    const refusal = { code: 'never_arrived', message: 'The venue never received the order.' };
    expect(order.refusal).toEqual(state === 'rejected' ? refusal : null);
    expect(await it.reserved()).toBe(state === 'rejected' ? 0n : usdc('10'));
  });
});

describe('What is news of an order', () => {
  const rest = shown('open', [half]);
  it.each([
    ['a doubt about what is on its way', [], { kind: 'unknown', reason: 'no' }, true],
    ['no absence of what is held', [HELD], { kind: 'absent' }, false],
    ['our own refusal of what is on its way', [], { kind: 'denied', refusal: REFUSAL }, true],
    ['no refusal of ours of what is held', [HELD], { kind: 'denied', refusal: REFUSAL }, false],
    ['nothing that is unsure', [LOST], { kind: 'unknown', reason: 'no' }, false],
    ['an absence of an unknown order', [LOST], { kind: 'absent' }, true],
    ['an absence of what is on its way', [], { kind: 'absent' }, true],
    ['a refusal of what was held', [HELD], { kind: 'rejected', refusal: REFUSAL }, true],
    ['no refusal of what was taken', [TAKEN], { kind: 'rejected', refusal: REFUSAL }, false],
    ['that it was held no longer', [HELD], shown('open'), true],
    ['not that it is still held', [HELD], shown('delayed'), false],
    ['not what is on record', [TAKEN, half], rest, false],
    ['a trade', [TAKEN], rest, true],
    ['a confirmation', [TAKEN, half], shown('open', [{ ...half, confirmed: true }]), true],
    [
      'no second confirmation',
      [TAKEN, { ...half, confirmed: true }],
      shown('open', [{ ...half, confirmed: true }]),
      false,
    ],
    ['a trade that failed', [TAKEN, half], shown('open', [], ['t1']), true],
    ['not the failure of a trade that is not on record', [TAKEN], shown('open', [], ['t1']), false],
    ['its end', [TAKEN, half], shown('cancelled', [half]), true],
    ['that nothing of it is left', [TAKEN, half], shown('none', [half]), true],
    ['not its end once it has ended', [TAKEN, half, ended], shown('cancelled', [half]), false],
  ] as const)('%s', async (_name, before, report, isOne) => {
    const it = await placed({}, ...before);
    expect(newsOf(it.order, report as OrderStatusReport)).toBe(isOne);
    const after = await it.book((posting) => recordStatusReport(posting, report as OrderStatusReport));
    expect(after.seq > it.order.seq).toBe(isOne);
  });
});

describe('A reported end of an order', () => {
  const later = (seconds: number) => new Date(new History().order.placedAt.getTime() + seconds * 1000);

  it.each([
    [
      'by its owner is a cancellation on request',
      {},
      [TAKEN, { type: 'cancel_requested' }],
      'cancelled',
      'cancelled on request',
    ],
    ['is that of the venue', {}, [TAKEN], 'cancelled', 'the venue ended the order'],
    [
      'of what fills at once is its own',
      { timeInForce: 'FAK' },
      [HELD],
      'cancelled',
      'FAK: what did not fill at once is cancelled',
    ],
    [
      'before its time is that of the venue',
      { timeInForce: 'GTD', expiresAt: later(600) },
      [TAKEN],
      'cancelled',
      'the venue ended the order',
    ],
  ] as const)('%s', async (_name, draft, before, state, reason) => {
    const it = await placed(draft, ...before);
    expect(await it.sees(shown('cancelled'))).toMatchObject({ state });
    expect(await it.last()).toMatchObject({ type: 'cancelled', reason });
  });

  it('does not end an order that was filled in full', async () => {
    const it = await placed({}, TAKEN, half, { ...half, tradeId: 't2' });
    expect(await it.sees(shown('cancelled', [half, { ...half, tradeId: 't2' }]))).toEqual(it.order);
  });
});

describe('An unknown order whose owner wants it cancelled', () => {
  it('is to be cancelled once it rests, and not once it ended', async () => {
    const it = await placed({}, LOST, { type: 'cancel_requested' });
    expect(await it.sees(shown('open', [half]))).toMatchObject({
      state: 'cancel_pending',
      filled: { shares: half.shares },
    });
    const other = await placed({}, LOST, { type: 'cancel_requested' });
    expect(await other.sees(shown('cancelled', [half]))).toMatchObject({ state: 'cancelled' });
  });
});

describe('A trade that comes in place of one that failed', () => {
  it('has room, whichever of them is reported first', async () => {
    const all = anExecution({ tradeId: 't1' });
    const it = await placed({}, TAKEN, all);
    const order = await it.sees(shown('none', [{ ...all, tradeId: 't2' }], ['t1']));
    expect(order).toMatchObject({ state: 'filled', filled: { shares: shares('20') } });
  });

  it('covers shares that were sold before the first one failed', async () => {
    const it = await fixture({ place: takes([half]) });
    const purchase = await it.place();
    it.live.script.place = takes([{ ...half, tradeId: 's1' }], 'none');
    expect(await it.place({ side: 'SELL', size: usdc('5') })).toMatchObject({ state: 'filled' });
    const order = await it.trading.book(purchase, (posting) =>
      recordStatusReport(posting, shown('cancelled', [{ ...half, tradeId: 't2' }], ['t1'])),
    );
    expect(order).toMatchObject({ state: 'cancelled', filled: { shares: shares('10') } });
  });
});
