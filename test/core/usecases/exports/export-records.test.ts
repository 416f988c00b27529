import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { NO_WON, YES_WON } from '../../../../src/core/market/lifecycle.js';
import { formatMicro } from '../../../../src/core/money.js';
import type { BookedMove } from '../../../../src/core/performance/booked-moves.js';
import type { ExportFilter } from '../../../../src/core/usecases/exports/export-records.js';
import { ALICE, anOrderContext, BOB, clockAt, NOON, price, shares, usdc } from '../../../support/builders.js';
import { liveFixture } from '../../../support/live-fixture.js';
import { Trading } from '../../../support/trading.js';

async function rowsOf<Row>(pieces: AsyncGenerator<readonly Row[], void>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const piece of pieces) rows.push(...piece);
  return rows;
}

const inText = ({ entry, side, shares, price, fee, proceeds, cost, profit }: BookedMove) =>
  [entry.cause, side, ...[shares, price, fee, proceeds, cost, profit].map((one) => one && formatMicro(one))].join(' ');

/** Money that was traded with fees on both sides. */
async function traded(confirmed = true) {
  const fixture = await liveFixture();
  const { fill, place, trading, record } = fixture;
  await fill(await place(), { fee: usdc('0.2'), tradeId: 'b', confirmed: true });
  const sale = await place({ side: 'SELL', price: price('0.6'), size: usdc('3') });
  const sold = await fill(sale, { price: price('0.6'), fee: usdc('0.05'), tradeId: 's', confirmed });
  const journal = (filter: ExportFilter = {}) => rowsOf(trading.use.accounts.export.journal(ALICE, filter));
  return { ...fixture, sold, journal, undo: () => record(sold, { ...UNDONE, tradeId: 's' }) };
}

const UNDONE = { type: 'fill_voided', resting: false, reason: 'it failed on the chain' } as const;

describe('The exported journal', () => {
  it('gives each sale and result its profit by average cost, fees included', async () => {
    const { settle, journal } = await traded();
    await settle(YES_WON);
    expect((await journal()).map(inText)).toEqual([
      'opening    0   0',
      'fill BUY 20 0.5 0.2   0',
      // A quarter of what 20 shares cost, 10.2: 2.55.
      'fill SELL 5 0.6 0.05 3 2.55 0.4',
      'settlement  15 1 0 15 7.65 7.35',
    ]);
  });

  it('names the market by its question and outcome, of a result too', async () => {
    const { settle, journal } = await traded();
    await settle(YES_WON);
    const [, bought, , paid] = await journal();
    expect(bought?.of).toMatchObject({ outcome: 'YES', venue: 'none' });
    expect(paid?.of).toEqual(bought?.of);
  });

  it('gives each entry its own trade, after one too small to have an entry', async () => {
    const { trading, place, fill } = await liveFixture();
    const order = await place({ price: price('0.001'), size: usdc('0.01') });
    const part = (tradeId: string, size: string, fee = '0') =>
      fill(order, { price: price('0.001'), shares: shares(size), fee: usdc(fee), tradeId });
    await part('rounded up to a millionth', '0.0001');
    await part('in that millionth', '0.0002');
    await part('of some worth', '9', '0.002');
    const moves = await rowsOf(trading.use.accounts.export.journal(ALICE, {}));
    expect(moves.map(inText).slice(1)).toEqual(['fill BUY 0.0001 0.001 0   0', 'fill BUY 9 0.001 0.002   0']);
  });

  it('takes back what an undone sale earned', async () => {
    const { undo, journal } = await traded(false);
    await undo();
    expect((await journal()).map(inText).slice(2)).toEqual([
      'fill SELL 5 0.6 0.05 3 2.55 0.4',
      'void SELL -5 0.6 -0.05 -3 -2.55 -0.4',
    ]);
  });

  it('takes back what an amended result paid', async () => {
    const { settle, journal } = await traded();
    await settle(YES_WON);
    await settle(NO_WON);
    expect((await journal()).map(inText).slice(4)).toEqual(['reversal    0 -15  -15']);
  });

  it('begins anew with the paper money', async () => {
    const trading = new Trading(new MemoryLedger());
    await trading.place({ size: usdc('10') });
    await trading.place({ side: 'SELL', price: price('0.6'), size: usdc('6') });
    await trading.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
    const moves = await rowsOf(trading.use.accounts.export.journal(ALICE, { paper: true }));
    expect(moves.map(({ entry, profit }) => [entry.cause, profit])).toEqual([
      ['opening', 0n],
      ['fill', 0n],
      ['fill', usdc('1')],
      ['reset', -usdc('1')],
    ]);
  });

  it('leaves out what was before, and counts it for what comes after', async () => {
    const clock = clockAt(NOON);
    const trading = new Trading(new MemoryLedger(), { context: anOrderContext({ clock }) });
    await trading.place({ size: usdc('10') });
    clock.tick(1000);
    await trading.place({ side: 'SELL', price: price('0.6'), size: usdc('6') });
    const moves = async (filter: ExportFilter) => rowsOf(trading.use.accounts.export.journal(ALICE, filter));
    const sale = clock.now();
    expect((await moves({ from: sale })).map(inText)).toEqual(['fill SELL 10 0.6 0 6 5 1']);
    expect((await moves({ before: sale })).map(({ entry }) => entry.cause)).toEqual(['opening', 'fill']);
  });

  it('of one kind of money, or another account, has nothing of this', async () => {
    const { journal, trading } = await traded();
    expect(await journal({ paper: true })).toEqual([]);
    const [paidIn, ...rest] = await rowsOf(trading.use.accounts.export.journal(BOB, {}));
    expect([paidIn?.entry.cause, rest]).toEqual(['opening', []]);
  });
});

describe('Exported bets and orders', () => {
  it('are the bets that ended in the period', async () => {
    const { settle, trading, fill, place } = await traded();
    await settle(YES_WON);
    await fill(await place({ outcome: 'NO' }), { tradeId: 'n', shares: shares('20') });
    const bets = await rowsOf(trading.use.accounts.export.bets(ALICE, {}));
    expect(bets.map(({ result, profit }) => [result, profit])).toEqual([['won', usdc('7.75')]]);
    const [{ settledAt = null } = {}] = bets;
    const later = { from: new Date((settledAt?.getTime() ?? 0) + 1) };
    expect(await rowsOf(trading.use.accounts.export.bets(ALICE, later))).toEqual([]);
  });

  it('are the orders placed from one moment until before another', async () => {
    const { trading, sold } = await traded();
    const ids = async (filter: ExportFilter) =>
      (await rowsOf(trading.use.accounts.export.orders(ALICE, filter))).map(({ id }) => id);
    expect((await ids({})).length).toBe(2);
    expect(await ids({ from: sold.placedAt })).toContain(sold.id);
    expect(await ids({ before: sold.placedAt })).not.toContain(sold.id);
    expect(await ids({ paper: true })).toEqual([]);
  });
});
