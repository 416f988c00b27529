import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { emptyPosition, type Position } from '../../../src/core/account/position.js';
import { OUTCOME_SIDES } from '../../../src/core/market/market.js';
import type { Price, Shares, Usdc } from '../../../src/core/money.js';
import { intentOf } from '../../../src/core/order/draft.js';
import { mostCost } from '../../../src/core/order/order.js';
import { lowersWorstCase } from '../../../src/core/posting/trading-stop.js';
import { found } from '../../support/audited.js';
import { ALICE, aMarket, anExecution, anOrderDraft, price, usdc, WHERE } from '../../support/builders.js';
import { runs } from '../../support/runs.js';
import { ScriptedSimulator } from '../../support/scripted-exchange.js';
import { trading } from '../../support/trading.js';

const lots = (most: number) => fc.integer({ min: 0, max: most }).map((n) => BigInt(n) * 1_000_000n);
const anOutcome = fc.constantFrom(...OUTCOME_SIDES);
const aSide = fc.constantFrom('BUY' as const, 'SELL' as const);
const anOrder = fc.record({
  outcome: anOutcome,
  side: aSide,
  cents: fc.integer({ min: 1, max: 99 }),
  shares: lots(30),
});
type Resting = typeof anOrder extends fc.Arbitrary<infer T> ? T : never;

/** What is held of each outcome, and the money that came or went. */
interface Held {
  readonly YES: bigint;
  readonly NO: bigint;
  readonly cash: bigint;
}

const filled = (
  held: Held,
  { outcome, side, cents, shares }: Resting,
  cost = (shares * BigInt(cents)) / 100n,
): Held => {
  const sign = side === 'BUY' ? 1n : -1n;
  return { ...held, [outcome]: held[outcome] + sign * shares, cash: held.cash - sign * cost };
};
const worst = ({ YES, NO, cash }: Held): bigint => (YES < NO ? YES : NO) + cash;

/** Each choice of orders that rest, filled, half filled, or not. */
function everyFill(held: Held, [next, ...rest]: readonly Resting[]): readonly Held[] {
  if (next === undefined) return [held];
  const half = { ...next, shares: next.shares / 2n };
  return [held, filled(held, half), filled(held, next)].flatMap((one) => everyFill(one, rest));
}

function positionOf(outcome: 'YES' | 'NO', shares: bigint, resting: readonly Resting[]): Position {
  const sum = (side: 'BUY' | 'SELL') =>
    resting.reduce((all, one) => (one.outcome === outcome && one.side === side ? all + one.shares : all), 0n);
  const key = { account: ALICE, paper: true, ...WHERE, outcome, strategyId: null };
  return {
    ...emptyPosition(key),
    shares: shares as Shares,
    reserved: sum('SELL') as Shares,
    wanted: sum('BUY') as Shares,
  };
}

describe('In reducing mode', () => {
  it('each accepted order raises the least return, whichever resting orders fill', () => {
    const seen = { BUY: 0, SELL: 0 };
    const story = fc.record({
      YES: lots(60),
      NO: lots(60),
      resting: fc.array(anOrder, { maxLength: 3 }),
      order: anOrder,
    });
    fc.assert(
      fc.property(story, ({ YES, NO, resting, order }) => {
        const [yes, no] = [positionOf('YES', YES, resting), positionOf('NO', NO, resting)];
        fc.pre(order.shares > 0n && yes.shares >= yes.reserved && no.shares >= no.reserved);
        const { outcome, side, cents } = order;
        const size = (order.shares * BigInt(cents)) / 100n;
        const draft = anOrderDraft({ outcome, side, price: (BigInt(cents) * 10_000n) as Price, size: size as Usdc });
        const intent = intentOf(draft, aMarket(), null);
        if (!lowersWorstCase(intent, { role: null, YES: yes, NO: no })) return;
        seen[side] += 1;
        const cost = side === 'BUY' ? mostCost(intent) : size;
        for (const held of everyFill({ YES, NO, cash: 0n }, resting))
          expect(worst(filled(held, { ...order, shares: intent.shares }, cost))).toBeGreaterThan(worst(held));
      }),
      { numRuns: runs(2000) },
    );
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(50);
  });

  it('orders at rest count from when they are recorded until they end', async () => {
    const ledger = new MemoryLedger();
    const trader = trading(ledger, { paper: new ScriptedSimulator() });
    const place = async (side: 'BUY' | 'SELL', outcome: 'YES' | 'NO', dollars: string) =>
      trader.place({ side, outcome, price: price('0.5'), size: usdc(dollars) });
    const bought = await place('BUY', 'YES', '10');
    await trader.book(bought, (posting) => posting.fill(anExecution({ confirmed: true })));
    const change = {
      scope: 'account',
      state: 'reducing',
      stops: 'all',
      reason: 'Enough',
      by: 'ann',
      until: null,
    } as const;
    const may = new Set(AUTH_SCOPES);
    await trader.use.trading.set.execute({ account: ALICE, change, cancel: false, may, idempotencyKey: null });
    const codeOf = async (...of: Parameters<typeof place>) => (await place(...of)).refusal?.code ?? 'placed';
    // Twenty shares of YES: a NO for each, once.
    const hedge = await place('BUY', 'NO', '6');
    expect(hedge.refusal).toBeNull();
    expect(await codeOf('BUY', 'NO', '5')).toBe('trading_reducing');
    // Twelve of them may be needed for pairs.
    expect(await codeOf('SELL', 'YES', '4.5')).toBe('trading_reducing');
    expect(await codeOf('SELL', 'YES', '4')).toBe('placed');
    await trader.cancelOrder.execute({ account: ALICE, orderId: hedge.id, idempotencyKey: null });
    expect(await codeOf('SELL', 'YES', '6')).toBe('placed');
    expect(await found(ledger)).toEqual([]);
  });
});
