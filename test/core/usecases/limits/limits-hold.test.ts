import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { Position } from '../../../../src/core/account/position.js';
import type { MarketId, StrategyId } from '../../../../src/core/ids.js';
import type { Losses } from '../../../../src/core/limits/losses.js';
import { NOTHING_WORKING } from '../../../../src/core/limits/risk.js';
import { worstCase } from '../../../../src/core/limits/worst-case.js';
import { type Market, OUTCOME_SIDES } from '../../../../src/core/market/market.js';
import { NO_WON, YES_WON } from '../../../../src/core/market/resolution.js';
import { NO_VENUE } from '../../../../src/core/market/venue.js';
import { minus, notional, type Price, plus, type Shares, type Usdc } from '../../../../src/core/money.js';
import { type Order, remaining, reservedCash } from '../../../../src/core/order/order.js';
import { found } from '../../../support/audited.js';
import { ALICE, aMarket, anExecution, anOrderContext, clockAt, NOON, usdc } from '../../../support/builders.js';
import { runs } from '../../../support/runs.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

const LIMITS = {
  marketLossUsdc: usdc('6'),
  eventLossUsdc: usdc('8'),
  exposureUsdc: usdc('10'),
  dailyStakeUsdc: usdc('40'),
};
const DAY = 24 * 60 * 60 * 1000;
/** Three markets of a game, of which one wins, and one by itself. */
const MARKETS: readonly Market[] = ['home', 'draw', 'away', 'other'].map((id) =>
  aMarket({
    id: id as MarketId,
    exclusiveSet: id === 'other' ? null : 'game',
    event: { id: id === 'other' ? 'other' : 'game', slug: null, title: null },
  }),
);
const games = Object.assign(new NoMarketData(), { find: async (id: MarketId) => MARKETS.find((one) => one.id === id) });

const where = {
  market: fc.nat({ max: 3 }),
  outcome: fc.constantFrom(...OUTCOME_SIDES),
  cents: fc.integer({ min: 2, max: 98 }),
  byStrategy: fc.boolean(),
};
const pick = fc.nat({ max: 20 });
const aCommand = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('BUY' as const), ...where, lots: fc.integer({ min: 1, max: 1500 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('SELL' as const), ...where, lots: fc.integer({ min: 1, max: 1500 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('fill' as const), pick, part: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('settle' as const), market: fc.nat({ max: 3 }), won: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'reset' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('clock' as const), days: fc.constantFrom(-1, 1, 30, -30) }) },
);
type Command = typeof aCommand extends fc.Arbitrary<infer T> ? T : never;

/** One account under limits, whose orders rest until they are told to fill. */
class Story {
  readonly #clock = clockAt(NOON);
  readonly #trader = new Trading(new MemoryLedger(), {
    context: anOrderContext({ clock: this.#clock }),
    markets: games,
    paper: new ScriptedSimulator(),
  });

  #strategyId: StrategyId | null = null;

  get ledger() {
    return this.#trader.ledger;
  }

  async begin(): Promise<this> {
    await this.#trader.use.limits.change.execute({ account: ALICE, change: LIMITS, mayLoosen: true });
    const caps = { bankrollCap: usdc('1000'), stakeCap: usdc('1000') };
    this.#strategyId = (await this.#trader.strategy(caps)).id;
    return this;
  }

  async play(command: Command): Promise<void> {
    if (command.type === 'BUY' || command.type === 'SELL') return this.#place(command);
    if (command.type === 'clock') return this.#clock.tick(command.days * DAY);
    if (command.type === 'settle') return this.#settle(command);
    if (command.type === 'reset') return this.#reset();
    const working = await this.#working();
    const order = working[command.pick % Math.max(working.length, 1)];
    if (order === undefined) return;
    if (command.type === 'cancel') return this.#cancel(order);
    return this.#fill(order, (remaining(order) / BigInt(command.part)) as Shares);
  }

  async #working(): Promise<readonly Order[]> {
    return (await this.orders()).filter(({ state }) => state === 'open');
  }

  async #settle({ market, won }: Extract<Command, { type: 'settle' }>): Promise<void> {
    const ref = { venue: NO_VENUE, marketId: MARKETS[market]?.id as MarketId };
    await this.#trader.use.markets.settle.execute(ref, won ? YES_WON : NO_WON);
  }

  async #reset(): Promise<void> {
    // An account of which no order was taken has nothing to reset.
    if ((await this.orders()).every(({ state }) => state === 'denied')) return;
    for (const order of await this.#working()) await this.#cancel(order);
    await this.#trader.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
  }

  async #fill(order: Order, shares: Shares): Promise<void> {
    if (shares === 0n) return;
    const fill = {
      ...anExecution({ shares, price: order.intent.price, confirmed: true }),
      tradeId: `${order.id} ${order.seq}`,
    };
    await this.#trader.book(order, (posting) => posting.fill(fill));
  }

  /** A sale that is refused for a worst case would have raised one. */
  async #place({
    type: side,
    market,
    outcome,
    cents,
    lots,
    byStrategy,
  }: Extract<Command, { type: 'BUY' | 'SELL' }>): Promise<void> {
    const marketId = MARKETS[market]?.id as MarketId;
    const price = (BigInt(cents) * 10_000n) as Price;
    const before = await this.positions();
    const held = before.find((one) => one.marketId === marketId && one.outcome === outcome);
    const free = held === undefined ? 0n : held.shares - held.reserved;
    const wanted = (BigInt(lots) * 10_000n) as Shares;
    const shares = (side === 'SELL' && wanted > free ? free - (free % 10_000n) : wanted) as Shares;
    if (shares <= 0n) return;
    const strategyId = byStrategy ? this.#strategyId : null;
    const size = notional(shares, price, 'ceil');
    const order = await this.#trader.place({ marketId, outcome, side, price, size, strategyId });
    const isOfWorstCase = /_loss_exceeded|exposure/.test(order.refusal?.code ?? '');
    if (side === 'BUY' || !isOfWorstCase || held === undefined) return;
    const { group, working } = held.risk ?? { group: undefined, working: NOTHING_WORKING };
    if (group === undefined) return;
    const more = {
      ...held,
      risk: { group, working: { ...working, selling: plus(working.selling, order.intent.shares) } },
    };
    const after = worstCase(before.map((one) => (one === held ? more : one)));
    expect(raised(worstCase(before), after)).toBe(true);
  }

  async #cancel({ id: orderId }: Order): Promise<void> {
    await this.#trader.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
  }

  orders(): Promise<readonly Order[]> {
    return this.ledger.listOrders(ALICE, {}, { limit: 200 });
  }

  positions(): Promise<readonly Position[]> {
    return this.ledger.listPositions(ALICE, { paper: true, strategyId: null }, { limit: 100 });
  }

  /** What purchases of each day spent since the last reset, and may still spend. */
  async stakes(since: ReadonlySet<string>): Promise<readonly bigint[]> {
    const sums = new Map<string, bigint>();
    for (const order of await this.orders()) {
      if (order.intent.side === 'SELL' || order.state === 'denied' || since.has(order.id)) continue;
      const { day = '' } = order.intent;
      const stake = order.filled.notional + order.filled.fees + reservedCash(order);
      sums.set(day, (sums.get(day) ?? 0n) + stake);
    }
    return [...sums.values()];
  }
}

const figuresOf = ({ markets, events, exposure }: Losses) => ({
  market: [...markets.values()].reduce((most, one) => (one > most ? one : most), 0n as Usdc),
  event: [...events.values()].reduce((most, one) => (one > most ? one : most), 0n as Usdc),
  exposure,
});

/** Which are above their limits, and higher than they were. */
const above = (is: ReturnType<typeof figuresOf>, was: ReturnType<typeof figuresOf>): readonly string[] =>
  (
    [
      ['market', LIMITS.marketLossUsdc],
      ['event', LIMITS.eventLossUsdc],
      ['exposure', LIMITS.exposureUsdc],
    ] as const
  ).flatMap(([name, limit]) => (is[name] > limit && is[name] > was[name] ? [`${name} ${is[name]}`] : []));

function raised(before: Losses, after: Losses): boolean {
  const more = (is: ReadonlyMap<string, Usdc>, was: ReadonlyMap<string, Usdc>) =>
    [...is].some(([name, loss]) => minus(loss, was.get(name) ?? (0n as Usdc)) > 0n);
  return more(after.markets, before.markets) || more(after.events, before.events) || after.exposure > before.exposure;
}

describe('The limits of an account', () => {
  it('hold at every moment, unless a result made it otherwise; and then nothing raises a worst case', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aCommand, { minLength: 10, maxLength: 40, size: 'max' }), async (commands) => {
        const story = await new Story().begin();
        let before = worstCase([]);
        let gone: ReadonlySet<string> = new Set();
        for (const command of commands) {
          await story.play(command);
          const now = worstCase(await story.positions());
          if (command.type !== 'settle') expect(above(figuresOf(now), figuresOf(before))).toEqual([]);
          if (command.type === 'reset') gone = new Set((await story.orders()).map(({ id }) => id));
          const most = (await story.stakes(gone)).filter((stake) => stake > LIMITS.dailyStakeUsdc);
          expect(most).toEqual([]);
          before = now;
        }
        expect(await found(story.ledger)).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });
});
