import { expect, it } from 'vitest';
import type { VenueName } from '../../src/core/ids.js';
import type { BetRow } from '../../src/core/performance/bet.js';
import { type KeptSums, sumName, sumsByKey } from '../../src/core/performance/kept-sums.js';
import type { BetChange } from '../../src/ports/bet-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { aBetRow, someBets } from '../support/backtest-runs.js';
import { ALICE, BOB } from '../support/builders.js';

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const sumsOf = (bets: readonly BetRow[]) => sumsByKey(bets, dayOf);
const named = (rows: readonly KeptSums[]) => new Map(rows.map((row) => [sumName(row), row]));

const change = (from: number, rows: readonly KeptSums[], anew = false): BetChange => ({
  account: ALICE,
  from,
  head: { seq: from + 1, books: new Map(), sumsForm: '1 UTC' },
  bets: [],
  gone: [],
  sums: { anew, rows },
});

/** What a store promises of the sums that are kept with bets. */
export function ledgerBetSums(opened: () => Pick<Ledger, 'bets'>): void {
  it('keeps sums of bets to the last digit, each account its own', async () => {
    const { bets } = opened();
    const rows = sumsOf([...someBets(30), aBetRow({ id: 'large', profit: -(10n ** 15n) as BetRow['profit'] })]);
    expect(await bets.advance(change(0, rows))).toBe(true);
    expect(named(await bets.sums(ALICE, {}))).toEqual(named(rows));
    expect(await bets.sums(BOB, {})).toEqual([]);
    expect((await bets.head(ALICE))?.sumsForm).toBe('1 UTC');
  });

  it('reads sums by name, by what they are divided by, and by money', async () => {
    const { bets } = opened();
    const rows = sumsOf([aBetRow(), aBetRow({ paper: false, league: null }), aBetRow({ venue: 'other' as VenueName })]);
    await bets.advance(change(0, rows));
    const leagues = rows.filter(({ by }) => by === 'league');
    expect(named(await bets.sums(ALICE, { by: 'league' }))).toEqual(named(leagues));
    const live = await bets.sums(ALICE, { by: 'league', paper: false });
    expect(live.map(({ key, paper }) => [key, paper])).toEqual([[null, false]]);
    const names = leagues.map(sumName);
    expect(named(await bets.sums(ALICE, { names }))).toEqual(named(leagues));
    expect(await bets.sums(ALICE, { names: [] })).toEqual([]);
  });

  it('replaces sums that change, and all of them where they are made anew', async () => {
    const { bets } = opened();
    await bets.advance(change(0, sumsOf([aBetRow({ league: 'another' })])));
    const more = sumsOf(someBets(3));
    await bets.advance(change(1, more));
    const kept = named(await bets.sums(ALICE, {}));
    for (const [name, row] of named(more)) expect(kept.get(name)).toEqual(row);
    expect(kept.size).toBeGreaterThan(more.length);
    await bets.advance(change(2, more, true));
    expect(named(await bets.sums(ALICE, {}))).toEqual(named(more));
  });

  it('stores no sums where another process changed the bets since', async () => {
    const { bets } = opened();
    await bets.advance(change(0, sumsOf([aBetRow()])));
    const before = named(await bets.sums(ALICE, {}));
    expect(await bets.advance(change(0, sumsOf(someBets(3)), true))).toBe(false);
    expect(named(await bets.sums(ALICE, {}))).toEqual(before);
  });

  it('finds the bets of events', async () => {
    const { bets } = opened();
    const [first, second] = someBets(2).map((bet) => ({ ...bet, account: ALICE }));
    if (first === undefined || second === undefined) throw new Error('two bets');
    await bets.advance({ ...change(0, []), bets: [first, second] });
    expect(await bets.find(ALICE, { events: [`${second.venue} event ${second.event?.id}`] })).toEqual([second]);
  });
}
