import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/memory-ledger.js';
import { InvariantBroken } from '../../../src/core/errors.js';
import { ledgerHistories } from '../../contract/ledger-histories.js';
import { ALICE, anExecution, price, shares, usdc, WHERE } from '../../support/builders.js';
import { restingFixture } from '../../support/resting-fixture.js';
import { runs } from '../../support/runs.js';
import { delays, ScriptedExchange } from '../../support/scripted-exchange.js';
import { trading } from '../../support/trading.js';

describe('A purchase', () => {
  it('keeps back what it may spend, and spends it share by share', async () => {
    const { trader, fill } = restingFixture();
    const order = await trader.place({ size: usdc('10'), price: price('0.5') });
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('1000'), reserved: usdc('10') });
    await fill(order, { shares: shares('8') });
    expect(await trader.money(order)).toMatchObject({
      balance: { cash: usdc('996'), reserved: usdc('6') },
      position: { shares: shares('8'), cost: usdc('4'), reserved: 0n },
    });
  });

  it('gives back what a better price saved', async () => {
    const { trader, done } = restingFixture();
    const order = await done({ size: usdc('10'), price: price('0.5') }, { price: price('0.4') });
    expect(await trader.money(order)).toMatchObject({
      balance: { cash: usdc('992'), reserved: 0n },
      position: { shares: shares('20'), cost: usdc('8') },
    });
  });

  it('pays its fee on top of what the shares cost', async () => {
    const { trader, done } = restingFixture();
    const order = await done({ size: usdc('10') }, { fee: usdc('0.2') });
    expect(await trader.money(order)).toMatchObject({
      balance: { cash: usdc('989.8') },
      position: { cost: usdc('10'), fees: usdc('0.2') },
    });
  });

  it.each([
    ['rejected', 'rejected'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
  ] as const)('gives everything back when it is %s', async (_, type) => {
    const trader = trading(new MemoryLedger(), { paper: new ScriptedExchange({ place: delays() }) });
    const order = await trader.place();
    const refusal = { code: 'no', message: 'no' };
    await trader.book(order, (p) =>
      p.record(type === 'rejected' ? { type, refusal, presumed: false } : { type, reason: 'as it happens' }),
    );
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('1000'), reserved: 0n });
  });

  it('in parts at an indivisible price never takes more than reserved', async () => {
    // 3 shares at 0.333333 are exactly 0.999999; each half, rounded by itself, would cost 0.5.
    const { trader, fill } = restingFixture('0.999999');
    const order = await trader.place({ size: usdc('0.999999'), price: price('0.333333') });
    expect((await trader.money(order)).balance?.reserved).toBe(usdc('0.999999'));
    const half = { shares: shares('1.5'), price: price('0.333333') };
    await fill(order, half);
    await fill(order, half);
    expect(await trader.money(order)).toMatchObject({
      balance: { cash: 0n, reserved: 0n },
      position: { shares: shares('3'), cost: usdc('0.999999') },
    });
  });

  it('in three hundred parts spends no more than its size', async () => {
    const { trader, fill } = restingFixture();
    const order = await trader.place({ size: usdc('1'), price: price('0.333333') });
    const lots = Array.from({ length: 300 }, () => ({ shares: shares('0.01'), price: price('0.333333') }));
    const filled = await fill(order, ...lots);
    expect(filled).toMatchObject({ state: 'filled', filled: { shares: shares('3'), notional: usdc('0.999999') } });
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('999.000001'), reserved: 0n });
  });

  it('that filled after it was cancelled is booked all the same', async () => {
    const { trader, fill } = restingFixture();
    const order = await trader.place();
    await trader.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });
    const late = await fill(order, { shares: shares('5') });
    expect(late.state).toBe('cancelled');
    expect(await trader.money(order)).toMatchObject({
      balance: { cash: usdc('997.5'), reserved: 0n },
      position: { shares: shares('5'), cost: usdc('2.5') },
    });
  });
});

describe('A sale', () => {
  it('of all shares brings their price, and leaves no cost', async () => {
    const { trader, done } = restingFixture();
    await done({ size: usdc('10') });
    const sale = await done({ side: 'SELL', price: price('0.75'), size: usdc('15') }, { fee: usdc('0.1') });
    expect(await trader.money(sale)).toMatchObject({
      balance: { cash: usdc('1004.9'), reserved: 0n },
      position: { shares: 0n, reserved: 0n, cost: 0n, realised: usdc('5'), fees: usdc('0.1') },
    });
  });

  it('reserves its shares at once, and releases those it does not sell', async () => {
    const { trader, done, fill } = restingFixture();
    await done({ size: usdc('10') });
    const sale = await trader.place({ side: 'SELL', size: usdc('6') });
    expect((await trader.money(sale)).position).toMatchObject({ shares: shares('20'), reserved: shares('12') });
    await fill(sale, { shares: shares('5') });
    expect((await trader.money(sale)).position).toMatchObject({
      shares: shares('15'),
      reserved: shares('7'),
      cost: usdc('7.5'),
    });
    await trader.cancelOrder.execute({ account: ALICE, orderId: sale.id, idempotencyKey: null });
    expect((await trader.money(sale)).position).toMatchObject({ shares: shares('15'), reserved: 0n });
  });

  it('rounds its proceeds down', async () => {
    const { trader, done } = restingFixture();
    await done({ size: usdc('10') });
    const sale = await done({ side: 'SELL', price: price('0.333333'), size: usdc('0.5') });
    expect(sale.intent.shares).toBe(shares('1.5'));
    expect(sale.filled.notional).toBe(usdc('0.499999'));
    expect((await trader.money(sale)).balance?.cash).toBe(usdc('990.499999'));
  });

  it('of more than is held is never booked', async () => {
    const { trader, done, fill } = restingFixture();
    await done({ size: usdc('1') });
    const sale = await trader.place({ side: 'SELL', size: usdc('1') });
    const before = await trader.money(sale);
    await expect(fill(sale, { shares: shares('2.01') })).rejects.toThrow(InvariantBroken);
    expect(await trader.money(sale)).toEqual(before);
  });
});

describe('A fill that the venue undoes', () => {
  it('returns the cash and the shares of a purchase exactly', async () => {
    const { trader, undo } = restingFixture();
    const order = await trader.place({ size: usdc('0.5'), price: price('0.333333') });
    const before = await trader.money(order);
    const bought = await trader.book(order, (p) => {
      p.fill(anExecution({ tradeId: 't', shares: shares('1.5'), price: price('0.333333'), fee: usdc('0.01') }));
    });
    await undo(bought, 't', true);
    expect(await trader.money(order)).toEqual(before);
  });

  it('returns the cash, shares and cost of a sale exactly', async () => {
    const { trader, done, undo } = restingFixture();
    const first = await done({ size: usdc('1'), price: price('0.333333') });
    await done({ size: usdc('2'), price: price('0.7') });
    const before = await trader.money(first);
    const sale = await done(
      { side: 'SELL', size: usdc('1.234567'), price: price('0.9') },
      { tradeId: 's', fee: usdc('0.02') },
    );
    await undo(sale, 's');
    expect(await trader.money(first)).toEqual(before);
  });

  it('leaves no cost behind when the last shares go', async () => {
    const { trader, done, undo } = restingFixture();
    await done({ size: usdc('6'), price: price('0.6') });
    const cheap = await done({ size: usdc('2'), price: price('0.2') }, { tradeId: 'cheap' });
    await done({ side: 'SELL', size: usdc('5'), price: price('0.5') });
    await undo(cheap, 'cheap');
    const { position, balance } = await trader.money(cheap);
    // 10 bought at 0.60 and sold at 0.50: a loss of 1, regardless of the average while the cheap ones were there.
    expect(position).toMatchObject({ shares: 0n, cost: 0n, realised: -usdc('1') });
    expect(balance?.cash).toBe(usdc('999'));
  });

  it('keeps the money of shares that are back on the book reserved', async () => {
    const { trader, done, undo } = restingFixture();
    const order = await done({ size: usdc('10') }, { tradeId: 't' });
    await undo(order, 't', true);
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('1000'), reserved: usdc('10') });
  });
});

describe('The journal', () => {
  it('opens with the first cash, with an entry per fill and void', async () => {
    const { trader, done, undo } = restingFixture();
    await done({ size: usdc('10') }, { fee: usdc('0.2') });
    const sale = await done(
      { side: 'SELL', price: price('0.75'), size: usdc('15') },
      { tradeId: 's', fee: usdc('0.1') },
    );
    await undo(sale, 's');
    const entries = await trader.ledger.listEntries(ALICE, true, { limit: 10 });
    const held = { ...WHERE, outcome: 'YES' };
    const sold = [usdc('14.9'), usdc('0.1'), -usdc('10'), -usdc('5')];
    const names = ['cash', 'fees', 'position', 'realised'];
    const lines = (ledgers: readonly string[], amounts: readonly bigint[]) =>
      ledgers.map((ledger, i) => ({ ledger, held: ledger === 'position' ? held : null, amount: amounts[i] }));
    expect(entries.map(({ cause, lines }) => [cause, lines])).toEqual([
      ['opening', lines(['cash', 'capital'], [usdc('1000'), -usdc('1000')])],
      ['fill', lines(['position', 'fees', 'cash'], [usdc('10'), usdc('0.2'), -usdc('10.2')])],
      ['fill', lines(names, sold)],
      [
        'void',
        lines(
          names,
          sold.map((amount) => -amount),
        ),
      ],
    ]);
    expect(entries.at(-1)?.orderId).toBe(sale.id);
  });
});

describe('The books', () => {
  ledgerHistories(() => new MemoryLedger(), runs(60));
});
