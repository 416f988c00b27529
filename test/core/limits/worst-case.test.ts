import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPosition, type Position } from '../../../src/core/account/position.js';
import type { MarketId } from '../../../src/core/ids.js';
import { NO_GROUP, NOTHING_WORKING, type RiskGroup, sumOfRisks, worstCase } from '../../../src/core/limits/risk.js';
import { NO_VENUE, OUTCOME_SIDES } from '../../../src/core/market/market.js';
import type { Price, Shares, Usdc } from '../../../src/core/money.js';
import { workingRisk } from '../../../src/core/order/order.js';
import { ALICE, anOrderDraft, History, price, shares, usdc } from '../../support/builders.js';
import { runs } from '../../support/runs.js';

/** A working order of some outcome of some market, by its place. */
interface Resting {
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly price: Price;
  readonly shares: Shares;
}

/** Shares held and what they cost. */
type Holding = Pick<Resting, 'market' | 'outcome' | 'shares'> & { readonly cost: Usdc };

const someShares = fc.integer({ min: 1, max: 200 }).map((lots) => (BigInt(lots) * 10_000n) as Shares);
const somePrice = fc.integer({ min: 1, max: 99 }).map((cents) => (BigInt(cents) * 10_000n) as Price);
const where = { market: fc.nat({ max: 2 }), outcome: fc.constantFrom(...OUTCOME_SIDES) };
const resting = fc.record({
  ...where,
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price: somePrice,
  shares: someShares,
});
const holding = fc.record({
  ...where,
  shares: someShares,
  cost: fc.nat({ max: 2_000_000 }).map((n) => BigInt(n) as Usdc),
});
const GAME: RiskGroup = { ...NO_GROUP, event: 'e', exclusiveSet: 'game' };

function orderOf({ market, outcome, side, price: limit, shares: wanted }: Resting) {
  const size = ((wanted * limit) / 1_000_000n) as Usdc;
  return new History(anOrderDraft({ outcome, side, price: limit, size, marketId: `m${market}` as MarketId })).order;
}

/** The positions with the sums of their working orders, as the books keep them. */
function positionsOf(held: readonly Holding[], working: readonly Resting[], group: RiskGroup): Position[] {
  const all = [0, 1, 2].flatMap((market) => OUTCOME_SIDES.map((outcome) => ({ market, outcome })));
  return all.flatMap(({ market, outcome }) => {
    const isHere = (one: Pick<Resting, 'market' | 'outcome'>) => one.market === market && one.outcome === outcome;
    const own = held.filter(isHere);
    const orders = working.filter(isHere);
    if (own.length + orders.length === 0) return [];
    const key = { account: ALICE, paper: true, venue: NO_VENUE, marketId: `m${market}` as MarketId, outcome };
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    const risk = { group, working: sumOfRisks(orders.map((order) => workingRisk(orderOf(order)))) };
    return {
      ...emptyPosition({ ...key, strategyId: null }),
      shares: sum(own.map((one) => one.shares)) as Shares,
      cost: sum(own.map(({ cost }) => cost)) as Usdc,
      risk,
    };
  });
}

/** Every result: one market of the set resolves YES, or none of those here, or every share pays one half. In millionths. */
const SET_RESULTS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0, 0, 0],
  [0.5, 0.5, 0.5],
];

const isSame = (one: Pick<Resting, 'market' | 'outcome'>, other: Pick<Resting, 'market' | 'outcome'>): boolean =>
  one.market === other.market && one.outcome === other.outcome;

/** What is held, summed: a sale takes out its part of all that was bought of the outcome. */
function byOutcome(held: readonly Holding[]): readonly Holding[] {
  return held
    .filter((one, place) => held.findIndex((other) => isSame(one, other)) === place)
    .map((one) => {
      const own = held.filter((other) => isSame(one, other));
      const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
      return {
        ...one,
        shares: sum(own.map(({ shares: many }) => many)) as Shares,
        cost: sum(own.map(({ cost }) => cost)) as Usdc,
      };
    });
}

/** The worst of all results and of all choices of working orders that are filled, one by one. */
function enumerated(held: readonly Holding[], working: readonly Resting[], results: readonly number[][]): bigint {
  const choices = Array.from({ length: 2 ** working.length }, (_, filled) =>
    working.filter((__, place) => (filled & (1 << place)) !== 0),
  );
  const all = results.flatMap((result) => choices.map((trades) => -moneyOf(result, byOutcome(held), trades)));
  return all.reduce((worst, loss) => (loss > worst ? loss : worst), 0n);
}

/** What comes out of what is left, less its part of the cost, and of what was bought. */
function moneyOf(result: readonly number[], held: readonly Holding[], trades: readonly Resting[]): bigint {
  const worth = ({ market, outcome }: Pick<Resting, 'market' | 'outcome'>, many: bigint) => {
    const yes = BigInt((result[market] ?? 0) * 1_000_000);
    return (many * (outcome === 'YES' ? yes : 1_000_000n - yes)) / 1_000_000n;
  };
  let money = 0n;
  for (const one of held) {
    const sales = trades.filter((sale) => sale.side === 'SELL' && isSame(sale, one));
    const sold = sales.reduce((sum, sale) => sum + sale.shares, 0n);
    const rest = sold < one.shares ? one.shares - sold : 0n;
    money += worth(one, rest) - (one.cost * rest + one.shares - 1n) / one.shares;
  }
  for (const one of trades)
    if (one.side === 'BUY') money += worth(one, one.shares) - (one.shares * one.price) / 1_000_000n;
  return money;
}

describe('The worst case of an event', () => {
  it('equals an enumeration of every result and every choice of fills', () => {
    fc.assert(
      fc.property(fc.array(holding, { maxLength: 4 }), fc.array(resting, { maxLength: 6 }), (held, working) => {
        const { events, exposure } = worstCase(positionsOf(held, working, GAME));
        expect(exposure).toBe(enumerated(held, working, SET_RESULTS));
        expect(events.get(`${NO_VENUE} e`) ?? 0n).toBe(exposure);
      }),
      { numRuns: runs(300) },
    );
  });

  it('of markets without an exclusive set is their sum, never netted', () => {
    fc.assert(
      fc.property(fc.array(holding, { maxLength: 4 }), fc.array(resting, { maxLength: 6 }), (held, working) => {
        const { events } = worstCase(positionsOf(held, working, { ...GAME, exclusiveSet: null }));
        const each = [0, 1, 2].map((market) => {
          const isHere = (one: { readonly market: number }) => one.market === market;
          return enumerated(held.filter(isHere), working.filter(isHere), SET_RESULTS);
        });
        expect(events.get(`${NO_VENUE} e`) ?? 0n).toBe(each.reduce((sum, loss) => sum + loss));
      }),
      { numRuns: runs(100) },
    );
  });

  it('counts an unheld outcome as possible, unless the set is complete', () => {
    const held = [0, 1, 2].map((market) => ({
      market,
      outcome: 'YES' as const,
      shares: shares('10'),
      cost: usdc('3'),
    }));
    const plain = positionsOf(held, [], GAME);
    expect(worstCase(plain).exposure).toBe(usdc('9'));
    const roles = (['home', 'draw', 'away'] as const).map((role, place) => {
      const position = plain[place] as Position;
      return { ...position, risk: { group: { ...GAME, role }, working: NOTHING_WORKING } };
    });
    expect(worstCase(roles).exposure).toBe(0n);
    expect(worstCase(roles.slice(0, 2)).exposure).toBe(usdc('6'));
  });

  it('of a market with unknown group is an event of its own', () => {
    const [position] = positionsOf(
      [{ market: 0, outcome: 'YES', shares: shares('10'), cost: usdc('4') }],
      [],
      NO_GROUP,
    );
    const { risk: _, ...unknown } = { ...(position as Position), fees: usdc('0.9'), heldFees: usdc('0.5') };
    const { events, exposure } = worstCase([unknown]);
    expect([...events]).toEqual([[`${NO_VENUE}/m0`, usdc('4.5')]]);
    expect(exposure).toBe(usdc('4.5'));
  });

  it('counts a sale by what it leaves, a purchase by its cost', () => {
    const sale = { market: 0, outcome: 'YES', side: 'SELL', price: price('0.1'), shares: shares('10') } as const;
    const pair = OUTCOME_SIDES.map((outcome) => ({ market: 0, outcome, shares: shares('10'), cost: usdc('5') }));
    expect(worstCase(positionsOf(pair, [], NO_GROUP)).exposure).toBe(0n);
    expect(worstCase(positionsOf(pair, [sale], NO_GROUP)).exposure).toBe(usdc('5'));
    expect(worstCase(positionsOf([], [{ ...sale, side: 'BUY' }], NO_GROUP)).exposure).toBe(usdc('1'));
  });
});
