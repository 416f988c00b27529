import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import type { Position } from '../../src/core/account/position.js';
import type { AccountId, MarketId, StrategyId } from '../../src/core/ids.js';
import { type Page, type PositionCursor, whole } from '../../src/core/ledger/query.js';
import { NO_LIMITS } from '../../src/core/limits/limits.js';
import { type Market, OUTCOME_SIDES, type OutcomeSide } from '../../src/core/market/market.js';
import type { Price, Usdc } from '../../src/core/money.js';
import { type Order, remaining } from '../../src/core/order/order.js';
import { aMarket, anExecution, anOrderContext, clockAt, NOON, usdc } from '../support/builders.js';
import { runs } from '../support/runs.js';
import { ScriptedSimulator } from '../support/scripted-exchange.js';
import { Trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

/** Three markets of a game, of which one wins; a total of the same game; a game of its own. */
const MARKETS: readonly Market[] = ['home', 'draw', 'away', 'total', 'other'].map((id) => {
  const isExclusive = ['home', 'draw', 'away'].includes(id);
  const event = id === 'other' ? 'other' : 'game';
  return aMarket({
    id: id as MarketId,
    sport: 'soccer',
    league: 'epl',
    exclusiveSet: isExclusive ? 'game' : null,
    event: { id: event, slug: null, title: null },
  });
});
const games = Object.assign(new NoMarketData(), { find: async (id: MarketId) => MARKETS.find((m) => m.id === id) });

const where = { market: fc.nat({ max: 4 }), outcome: fc.constantFrom(...OUTCOME_SIDES) };
const cents = fc.integer({ min: 2, max: 98 });
const pick = fc.nat({ max: 20 });
const aCommand = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('buy' as const),
      ...where,
      cents,
      size: fc.integer({ min: 1, max: 90 }),
      byStrategy: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('sell' as const), ...where, cents }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('fill' as const), pick, part: fc.constantFrom(2n, 1n) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reset' as const) }) },
);
type Command = typeof aCommand extends fc.Arbitrary<infer T> ? T : never;

/** An account with limits that bind nothing, and a strategy of it. */
class Holder {
  readonly #trader: Trading;
  strategyId: StrategyId | null = null;

  constructor(
    readonly ledger: OpenedLedger['ledger'],
    readonly account: AccountId,
  ) {
    const context = anOrderContext({ clock: clockAt(NOON) });
    this.#trader = new Trading(ledger, { context, markets: games, paper: new ScriptedSimulator() });
  }

  async begin(): Promise<this> {
    const { account } = this;
    const change = { ...NO_LIMITS, exposureUsdc: usdc('100000') };
    await this.#trader.use.limits.change.execute({ account, change, mayLoosen: true });
    const rules = { match: {}, filter: {}, sizing: { method: 'flat', value: usdc('1') } } as const;
    const draft = { rules: { ...rules, limits: { eventLoss: usdc('9000') } }, bankrollCap: usdc('9000') };
    this.strategyId = (await this.#trader.strategy({ ...draft, stakeCap: usdc('900') }, account)).id;
    await this.#trader.place({ account, marketId: 'other' as MarketId, size: usdc('1') });
    return this;
  }

  async play(command: Command): Promise<void> {
    const { account } = this;
    if (command.type === 'reset') {
      for (const order of await this.#working()) await this.#cancel(order);
      await this.#trader.use.accounts.resetPaper.execute({ by: account, account, idempotencyKey: null });
      return;
    }
    if (command.type === 'buy' || command.type === 'sell') return this.#place(command);
    const working = await this.#working();
    const order = working[command.pick % Math.max(working.length, 1)];
    if (order === undefined) return;
    if (command.type === 'cancel') return this.#cancel(order);
    const shares = remaining(order) / command.part;
    const execution = anExecution({ shares: shares as Order['intent']['shares'], price: order.intent.price });
    await this.#trader.book(order, (posting) => posting.fill({ ...execution, tradeId: `${order.id} ${order.seq}` }));
  }

  async #place(command: Extract<Command, { type: 'buy' | 'sell' }>): Promise<void> {
    const { market, outcome } = command;
    const marketId = MARKETS[market]?.id as MarketId;
    const price = (BigInt(command.cents) * 10_000n) as Price;
    const draft = { account: this.account, marketId, outcome, price } as const;
    if (command.type === 'sell') {
      const held = (await this.positions(null)).find((one) => one.marketId === marketId && one.outcome === outcome);
      const size = ((((held?.shares ?? 0n) - (held?.reserved ?? 0n)) / 2n) * price) / 1_000_000n;
      if (size > 0n) await this.#trader.place({ ...draft, side: 'SELL', size: size as Usdc });
      return;
    }
    const strategyId = command.byStrategy ? this.strategyId : null;
    await this.#trader.place({ ...draft, strategyId, size: (BigInt(command.size) * 100_000n) as Usdc });
  }

  async #cancel({ account, id: orderId }: Order): Promise<void> {
    await this.#trader.cancelOrder.execute({ account, orderId, idempotencyKey: null });
  }

  async #working(): Promise<readonly Order[]> {
    const orders = await this.ledger.listOrders(this.account, {}, { limit: 100 });
    return orders.filter(({ state }) => state === 'open');
  }

  positions(strategyId: StrategyId | null): Promise<readonly Position[]> {
    const filter = { paper: true, strategyId };
    return whole(
      (page: Page<PositionCursor>) => this.ledger.listPositions(this.account, filter, page),
      (position) => position,
    );
  }

  /** The sums as a write sees them. */
  sums(
    strategyId: StrategyId | null,
  ): Promise<{ readonly exposure: Usdc; readonly orders: number; readonly game: Usdc }> {
    const holder = { paper: true, strategyId };
    return this.ledger.write({ account: this.account, risks: [holder] }, (now) => {
      const { losses, openOrders: orders } = now.risks(holder);
      const game = [...losses.events].find(([name]) => name.endsWith(' game'))?.[1] ?? (0n as Usdc);
      return { result: { exposure: losses.exposure, orders, game } };
    });
  }
}

/** The worst of every result of every set of markets: one wins, none does, or every share pays one half. */
function enumerated(positions: readonly Position[]) {
  const worst = (ids: readonly string[]): bigint => {
    const own = positions.filter(({ marketId }) => ids.includes(marketId));
    const results = [...ids, 'none', 'split'].map((winner) => own.reduce((sum, one) => sum + worth(one, winner), 0n));
    const least = results.reduce((a, b) => (a < b ? a : b), 0n);
    return -least;
  };
  const game = worst(['home', 'draw', 'away']) + worst(['total']);
  const orders = positions.reduce((sum, { risk }) => sum + (risk?.working.orders ?? 0), 0);
  return { exposure: game + worst(['other']), orders, game };
}

function worth({ marketId, outcome, shares, cost, heldFees = 0n as Usdc, risk }: Position, winner: string): bigint {
  if (risk === undefined) return 0n;
  const { selling, lost, split, won } = risk.working;
  const paid = cost + heldFees;
  const rest = selling < shares ? shares - selling : 0n;
  const restPaid = shares === 0n ? paid : (paid * rest + shares - 1n) / shares;
  const worse = (all: bigint, left: bigint) => (all - paid < left - restPaid ? all - paid : left - restPaid);
  if (winner === 'split') return worse(shares / 2n, rest / 2n) - split;
  const pays: OutcomeSide = marketId === winner ? 'YES' : 'NO';
  return outcome === pays ? worse(shares, rest) - won : -paid - lost;
}

/**
 * Plays generated histories of an account with limits and of its strategy, in five markets, and after every step compares what
 * is kept as sums with what every result of every market would take.
 */
export function ledgerHeldRisks(open: () => OpenedLedger['ledger'], numRuns = 12): void {
  describe('in any history of an account with limits', () => {
    it('the running sum of possible losses equals that of enumerating every result', async () => {
      let story = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(aCommand, { minLength: 5, maxLength: 25, size: 'max' }), async (commands) => {
          story += 1;
          const holder = await new Holder(open(), `risks-${story}` as AccountId).begin();
          for (const command of commands) {
            await holder.play(command);
            for (const strategyId of [null, holder.strategyId])
              expect(await holder.sums(strategyId)).toEqual(enumerated(await holder.positions(strategyId)));
          }
        }),
        { numRuns: runs(numRuns) },
      );
    });
  });
}
