import { describe, expect, it } from 'vitest';
import type { JournalEntry, JournalLine } from '../../../../src/core/account/account.js';
import type { Position } from '../../../../src/core/account/position.js';
import { NO_WON, SPLIT, YES_WON } from '../../../../src/core/market/lifecycle.js';
import type { Ledger } from '../../../../src/ports/ledger.js';
import { audited, found, view } from '../../../support/audited.js';
import { ALICE, MARKET, price, shares, usdc, WHERE } from '../../../support/builders.js';
import { busyDay, resetFixture } from '../../../support/reset-fixture.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { seenAs } from '../../../support/seen-as.js';

const YES = `${MARKET} YES`;

/** The ledger with other entries. */
const withEntries = (ledger: Ledger, change: (entry: JournalEntry) => readonly JournalEntry[]) =>
  seenAs(ledger, { listEntries: async (...of) => (await ledger.listEntries(...of)).flatMap(change) });

/** The ledger with other positions of the whole account. */
const withPositions = (ledger: Ledger, change: (position: Position) => Position) =>
  seenAs(ledger, {
    listPositions: async (...of) =>
      (await ledger.listPositions(...of)).map((one) => (one.strategyId === null ? change(one) : one)),
  });

/** An entry that says something else of its cash and what it bought, and still balances. */
const cheaper = (entry: JournalEntry, by: bigint): JournalEntry => {
  const shift: Readonly<Record<string, bigint>> = { cash: by, position: -by };
  const lines = entry.lines.map(
    (line) => ({ ...line, amount: line.amount + (shift[line.ledger] ?? 0n) }) as JournalLine,
  );
  return { ...entry, lines };
};

async function fillEntries(ledger: Ledger) {
  return (await ledger.listEntries(ALICE, true, { limit: 50 })).filter(({ cause }) => cause === 'fill');
}

describe('an entry is compared with the fill that it books', () => {
  it('when cash, cost and journal agree and only the fill differs', async () => {
    const { ledger, bought } = await view();
    const [first] = await fillEntries(ledger);
    const entries = withEntries(ledger, (entry) => [entry.id === first?.id ? cheaper(entry, 3_000_000n) : entry]);
    const positions = withPositions(entries, (one) =>
      one.outcome === 'YES' ? { ...one, cost: (one.cost - 3_000_000n) as typeof one.cost } : one,
    );
    const wrong = seenAs(positions, {
      findBalance: async (...of) => {
        const balance = await ledger.findBalance(...of);
        return balance && { ...balance, cash: (balance.cash + 3_000_000n) as typeof balance.cash };
      },
    });
    const [alice] = await audited(wrong);
    expect(alice?.findings.map(({ message }) => message)).toEqual([
      `Entry ${first?.id} of order ${bought.id}, the cost of ${YES}: on record 7, by the fill 10, 3 too little.`,
      `Entry ${first?.id} of order ${bought.id}, cash: on record -7.1, by the fill -10.1, 3 too much.`,
    ]);
  });

  it('when it books a fill twice, or of an absent order', async () => {
    const { ledger, bought } = await view();
    const [first] = await fillEntries(ledger);
    const id = `${first?.id.slice(0, -1)}f`;
    const twice = withEntries(ledger, (entry) => (entry.id === first?.id ? [entry, { ...entry, id }] : [entry]));
    const messages = (await audited(twice)).flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages).toContain(`Entry ${id} books a fill that order ${bought.id} does not have.`);
    const nobodys = seenAs(ledger, { findOrder: async () => undefined });
    const [alice] = await audited(nobodys);
    expect(alice?.findings[0]?.message).toBe(`Entry ${first?.id} books a fill of no order on record.`);
  });

  it('when a void is missing, or has no voided fill', async () => {
    const { ledger, fill, undo, buying } = await view();
    await fill(buying, { tradeId: 'gone', shares: shares('2'), price: price('0.25') });
    await undo(buying, 'gone', true);
    expect(await found(ledger)).toEqual([]);
    const missing = withEntries(ledger, (entry) => (entry.cause === 'void' ? [] : [entry]));
    const messages = (await audited(missing)).flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages).toContain(`Order ${buying.id}: no entry books the void of fill 2.`);
    const again = withEntries(ledger, (entry) =>
      entry.cause === 'void' ? [entry, { ...entry, id: `${entry.id.slice(0, -1)}f` }] : [entry],
    );
    const [alice] = await audited(again);
    expect(alice?.findings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(`takes back a fill that order ${buying.id} does not have`),
    );
  });

  it('and a late one with an earlier id matches its own fill', async () => {
    const { ledger, fill, buying } = await view();
    await fill(buying, { shares: shares('1'), price: price('0.25') });
    const own = (await fillEntries(ledger)).filter(({ orderId }) => orderId === buying.id);
    expect(own).toHaveLength(2);
    const [one, other] = own;
    const swapped = withEntries(ledger, (entry) => {
      if (entry.id === one?.id && other !== undefined) return [{ ...other, id: entry.id }];
      return [entry.id === other?.id && one !== undefined ? { ...one, id: entry.id } : entry];
    });
    expect(await found(swapped)).toEqual([]);
  });
});

describe('shares are compared with the fills', () => {
  it.each([
    ['shares', ['outstanding', 'shares']],
    ['settled', ['outstanding', 'settled']],
    ['returned', ['outstanding', 'returned']],
  ] as const)('%s that were invented are found', async (member, checks) => {
    const { ledger } = await view();
    const wrong = withPositions(ledger, (one) =>
      one.outcome === 'YES' ? { ...one, [member]: one[member] + 1n } : one,
    );
    expect((await audited(wrong)).flatMap(({ findings }) => findings.map(({ check }) => check))).toEqual(checks);
  });

  it('and those of a strategy too', async () => {
    const { ledger, strategy } = await view();
    const wrong = seenAs(ledger, {
      listPositions: async (...of) =>
        (await ledger.listPositions(...of)).map((one) =>
          one.strategyId === null || one.outcome === 'NO' ? one : { ...one, shares: shares('1') },
        ),
    });
    const [alice] = await audited(wrong);
    expect(alice?.findings.map(({ message }) => message)).toEqual([
      `The shares of ${YES} of strategy ${strategy.id}, with a result or not: on record 1, by its fills 17, 16 too little.`,
    ]);
  });

  it('after a result: what it paid, and for how many', async () => {
    const { ledger, settle } = await view(new ScriptedSimulator());
    await settle.execute(WHERE, YES_WON);
    expect(await found(ledger)).toEqual([]);
    const held = withPositions(ledger, (one) =>
      one.outcome === 'NO' ? { ...one, shares: one.settled, settled: shares('0') } : one,
    );
    expect(await found(held)).toEqual([`shares ${MARKET} NO`, `settled ${MARKET} NO`]);
    const paid = withPositions(ledger, (one) => (one.outcome === 'NO' ? { ...one, returned: usdc('1') } : one));
    expect(await found(paid)).toEqual(['outstanding account', 'returned account']);
  });

  it('hold after resets, amended results and later fills', async () => {
    const { trading, ledger, reset, settle, fill } = await busyDay();
    await settle(SPLIT);
    await settle(NO_WON);
    expect(await found(ledger)).toEqual([]);
    await reset();
    expect(await found(ledger)).toEqual([]);
    const order = await trading.place();
    await fill(order, { shares: shares('20') });
    await settle(YES_WON);
    await fill(await trading.place(), { shares: shares('5'), fee: usdc('0.01') });
    expect(await found(ledger)).toEqual([]);
    await settle(YES_WON);
    await settle(SPLIT);
    expect(await found(ledger)).toEqual([]);
  });

  it('hold where a strategy’s shares were sold by hand before the result', async () => {
    const { trading, ledger, settle, fill } = resetFixture(new ScriptedSimulator());
    const strategy = await trading.strategy();
    const bought = await trading.place({ strategyId: strategy.id });
    await fill(bought, { shares: shares('20'), fee: usdc('0.25') });
    const sale = await trading.place({ side: 'SELL', price: price('0.6'), size: usdc('12') });
    await fill(sale, { shares: shares('20'), price: price('0.6'), fee: usdc('0.05') });
    expect(await found(ledger)).toEqual([]);
    await settle(YES_WON);
    expect(await found(ledger)).toEqual([]);
    await settle(SPLIT);
    expect(await found(ledger)).toEqual([]);
  });

  it('hold after a reset that leaves no entry', async () => {
    const { trading, ledger, reset, settle, books } = resetFixture();
    await trading.place({ price: price('0.5'), size: usdc('10') });
    await settle(SPLIT);
    expect(await books()).toMatchObject({ settled: shares('20'), returned: usdc('10') });
    await reset();
    expect((await ledger.listEntries(ALICE, true, { limit: 9 })).at(-1)).toMatchObject({ cause: 'settlement' });
    expect(await found(ledger)).toEqual([]);
  });
});
