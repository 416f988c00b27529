import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../src/core/market/side.js';
import { Matcher } from '../../../src/core/matching/matcher.js';
import { notional, type Shares } from '../../../src/core/money.js';
import type { Report } from '../../../src/ports/exchange.js';
import { ALICE } from '../../support/builders.js';
import { runs } from '../../support/runs.js';
import { Oracle } from './oracle.js';
import { marketOf, play } from './player.js';
import { aBook, aPrice, aStory, type Story, someShares } from './stories.js';
import { anOrder, at } from './view.js';

const RUNS = { numRuns: runs(400) };

/** What rounding to 0.00001 USDC explains for two orders in the place of one: half a step each, and the one that is the least. */
const A_STEP_EACH = 20n;

describe('Whatever happens at the venue', () => {
  it('fills respect displayed size, their limit price and their queue position', async () => {
    let [stories, fills] = [0, 0];
    const story = fc.asyncProperty(aStory, async (drawn) => {
      const oracle = new Oracle();
      await play(drawn, oracle);
      stories += 1;
      fills += oracle.fills;
    });
    await fc.assert(story, RUNS);
    expect(fills).toBeGreaterThan(stories);
  });

  it('the same story gives the same reports, byte for byte', async () => {
    const story = fc.asyncProperty(aStory, async (drawn) => {
      expect(await transcript(drawn)).toBe(await transcript(drawn));
    });
    await fc.assert(story, { numRuns: runs(100) });
  });

  it('one order in two parts gets no better total than rounding explains', () => {
    const parts = fc.integer({ min: 1, max: 5_999 });
    const rates = fc.constantFrom('0', '0.03', '0.05', '0.07');
    const sides = fc.constantFrom('BUY' as const, 'SELL' as const);
    const split = fc.property(
      aBook,
      sides,
      aPrice,
      someShares,
      parts,
      rates,
      (book, side, limit, whole, lots, rate) => {
        const part = BigInt(lots) * 10_000n;
        fc.pre(part < whole);
        const trade = (...sizes: bigint[]) => totalOf({ ...QUIET, rate }, book, side, limit, sizes as Shares[]);
        const [one, two] = [trade(whole), trade(part, whole - part)];
        expect(two.shares).toBe(one.shares);
        expect(one.cost - two.cost <= A_STEP_EACH).toBe(true);
      },
    );
    fc.assert(split, RUNS);
  });
});

const QUIET: Story = { latencyMs: 0, delaySeconds: 0, startsAt: 1_000_000, rate: '0', takerOnly: true, steps: [] };

async function transcript(story: Story): Promise<string> {
  const lines: unknown[] = [];
  await play(story, {
    reported: (batches) => {
      for (const { order, reports } of batches) lines.push([order.id, reports]);
    },
  });
  return JSON.stringify(lines, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

type Book = typeof aBook extends fc.Arbitrary<infer T> ? T : never;
type Limit = Parameters<typeof notional>[1];

/** What orders of these sizes, one right after the other, cost (or, negative, brought), fees included. */
function totalOf(story: Story, book: Book, side: Side, limit: Limit, sizes: readonly Shares[]) {
  const market = marketOf(story);
  const matcher = new Matcher(market, 0, at(0));
  matcher.apply({ ...book, at: at(0) });
  for (const [index, shares] of sizes.entries()) {
    const ask = { id: `part-${index}`, account: ALICE, side, price: limit, shares, timeInForce: 'FAK' as const };
    matcher.enter(anOrder(ask, market, at(1 + index)));
    matcher.advance(at(1 + index));
  }
  const reports = matcher.drain().flatMap((batch): readonly Report[] => batch.reports);
  let [shares, cost] = [0n, 0n];
  for (const report of reports) {
    if (report.type !== 'fill') continue;
    const { execution } = report;
    shares += execution.shares;
    if (side === 'BUY') cost += notional(execution.shares, execution.price, 'ceil') + execution.fee;
    else cost += execution.fee - notional(execution.shares, execution.price, 'floor');
  }
  return { shares, cost };
}
