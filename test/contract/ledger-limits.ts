import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAPER_CASH } from '../../src/core/account/account.js';
import type { AccountId, MarketId, OrderId } from '../../src/core/ids.js';
import type { Payout } from '../../src/core/market/lifecycle.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import { least, notional, ONE, type Price, type Shares, type Usdc } from '../../src/core/money.js';
import type { OrderDraft } from '../../src/core/order/draft.js';
import { isWorking } from '../../src/core/order/lifecycle.js';
import { type Order, remaining } from '../../src/core/order/order.js';
import type { Strategy } from '../../src/core/strategy/strategy.js';
import { SampleEquity } from '../../src/core/usecases/accounts/background/sample-equity.js';
import { anExecution, anOrderContext, anOrderDraft, clockAt, NOON, usdc } from '../support/builders.js';
import { runs } from '../support/runs.js';
import { accepts, rests, ScriptedExchange } from '../support/scripted-exchange.js';
import { seenAs } from '../support/seen-as.js';
import { Trading } from '../support/trading.js';
import { checkAudit } from './history-oracle.js';
import type { OpenedLedger } from './opened.js';

/** About as many shares as one order may bring into an empty account. */
const A_LOT = 2_250_000_000_000_000n as Shares;
const PAYOUTS = [
  [ONE, 0n],
  [0n, ONE],
  [ONE / 2n, ONE / 2n],
] as const;

const aMarket = fc.constantFrom('one', 'two', 'three');
/** Where a little money is worth the most, and in the middle. */
const aPrice = fc.constantFrom(1n, 1n, 2n, 500_000n, 999_998n, 999_999n, 999_999n) as fc.Arbitrary<Price>;
/** Thousandths of all that there is. */
const aPart = fc.constantFrom(1n, 333n, 999n, 1000n, 1000n);

const anAct = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('trade' as const),
      market: aMarket,
      outcome: fc.constantFrom('YES' as const, 'NO' as const),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      price: aPrice,
      part: aPart,
      byStrategy: fc.boolean(),
      resting: fc.constantFrom(false, false, true),
      fee: fc.constantFrom(0n, 0n, 1n, 40n),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('fill' as const), pick: fc.nat(20), part: aPart }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('settle' as const),
      market: aMarket,
      payout: fc.constantFrom(...PAYOUTS),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'sample' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'reset' as const }) },
);
type Act = typeof anAct extends fc.Arbitrary<infer T> ? T : never;

/** One rich account that follows commands, at a venue that fills at once or on command. */
class Gambler {
  readonly #clock = clockAt(NOON);
  readonly #context = anOrderContext({ clock: this.#clock, openingCash: usdc('999999999') });
  readonly #exchange = new ScriptedExchange();
  readonly #trading: Trading;
  #strategy: Strategy | undefined;
  denials = new Set<string>();

  constructor(
    private readonly ledger: OpenedLedger['ledger'],
    readonly account: AccountId,
  ) {
    this.#trading = new Trading(ledger, { context: this.#context, paper: this.#exchange });
  }

  async do(act: Act): Promise<void> {
    this.#clock.tick(60_000);
    if (act.type === 'trade') await this.#trade(act);
    else if (act.type === 'fill') await this.#fill(act.pick, act.part);
    else if (act.type === 'settle')
      await this.#trading.use.markets.settle.execute(
        { venue: NO_VENUE, marketId: this.#own(act.market) },
        act.payout as Payout,
      );
    else if (act.type === 'sample') await this.sample();
    else if ((await this.ledger.findBalance(this.account, PAPER_CASH)) !== undefined) await this.reset();
  }

  async sample(): Promise<void> {
    const markets = { find: async () => undefined, book: async () => undefined };
    const balance = await this.ledger.findBalance(this.account, PAPER_CASH);
    const own = seenAs(this.ledger, { listBalances: async () => (balance === undefined ? [] : [balance]) });
    const { failures, skipped } = await new SampleEquity(own, markets, this.#clock).execute(60_000);
    expect({ failures, skipped }).toEqual({ failures: [], skipped: 0 });
  }

  async reset(): Promise<void> {
    await this.#trading.use.accounts.resetPaper.execute({
      by: this.account,
      account: this.account,
      idempotencyKey: null,
    });
  }

  async #trade({
    market,
    outcome,
    side,
    price,
    part,
    byStrategy,
    resting,
    fee,
  }: Act & { type: 'trade' }): Promise<void> {
    const held = side === 'BUY' ? A_LOT : await this.#held(this.#own(market), outcome);
    const worth = notional(held, price, 'floor');
    const most = side === 'BUY' ? least(worth, await this.#cash()) : worth;
    const size = ((least(most, usdc('999999999')) * part) / 1000n) as Usdc;
    if (size <= 0n) return;
    this.#strategy ??= await this.#trading.strategy(
      { bankrollCap: usdc('999999999'), stakeCap: usdc('999999999') },
      this.account,
    );
    this.#exchange.script.place = resting ? rests() : (order) => accepts([all(order, fee as Usdc)], 'none')(order);
    const strategyId = byStrategy ? this.#strategy.id : null;
    const draft: OrderDraft = {
      ...anOrderDraft(),
      account: this.account,
      marketId: this.#own(market),
      outcome,
      side,
      price,
      size,
      strategyId,
    };
    const order = await this.#trading.place(draft);
    expect(['filled', 'open', 'denied']).toContain(order.state);
    if (order.refusal !== null) this.denials.add(order.refusal.code);
    if (side === 'SELL') expect(order.refusal?.code).not.toBe('account_full');
  }

  /** Markets of its own, so that a result settles no other account. */
  #own(market: string): MarketId {
    return `${market}-${this.account}` as MarketId;
  }

  async #fill(pick: number, part: bigint): Promise<void> {
    const orders = await this.ledger.listOrders(this.account, { status: 'open' }, { limit: 100 });
    const order = orders[pick % Math.max(1, orders.length)];
    if (order === undefined || !isWorking(order.state)) return;
    const shares = ((remaining(order) * part) / 1000n) as Shares;
    if (shares > 0n) await this.#trading.book(order, (posting) => posting.fill({ ...all(order, 0n as Usdc), shares }));
  }

  async #cash(): Promise<Usdc> {
    const balance = await this.ledger.findBalance(this.account, PAPER_CASH);
    return balance === undefined ? this.#context.openingCash : ((balance.cash - balance.reserved) as Usdc);
  }

  async #held(market: MarketId, token: string): Promise<Shares> {
    const all = await this.ledger.listPositions(this.account, { paper: true, strategyId: null }, { limit: 100 });
    const position = all.find((one) => one.marketId === market && one.outcome === token);
    return ((position?.shares ?? 0n) - (position?.reserved ?? 0n)) as Shares;
  }
}

/** The whole order at its limit; the fee is no more than a sale brings, and than is reserved for a purchase. */
function all({ id, intent }: Pick<Order, 'intent'> & { readonly id: OrderId }, fee: Usdc) {
  const { shares, price, side } = intent;
  const most = side === 'SELL' ? notional(shares, price, 'floor') : (0n as Usdc);
  return anExecution({ tradeId: `trade-${id}-${shares}`, shares, price, fee: least(fee, most), confirmed: true });
}

/** Buys for all that there is, and sells what it has for nearly a dollar a share. */
async function goRound(gambler: Gambler, round: number): Promise<void> {
  const outcome = { market: round % 2 === 0 ? 'one' : 'two', outcome: round % 3 === 0 ? 'NO' : 'YES' } as const;
  const trade = { type: 'trade', ...outcome, part: 1000n, byStrategy: true, resting: false, fee: 0n } as const;
  await gambler.do({ ...trade, side: 'BUY', price: (round % 5 === 0 ? 1n : 499_999n) as Price });
  for (let sale = 0; sale < 4; sale++) await gambler.do({ ...trade, side: 'SELL', price: 999_999n as Price });
  await gambler.sample();
}

/** However much is ordered, filled and settled, no amount arises that the store cannot hold. */
export function ledgerLimits(open: () => OpenedLedger['ledger'], numRuns = runs(10)): void {
  describe('an account that is played to the limit of what can be stored', () => {
    it('has orders denied beyond its room, and all other steps booked', async () => {
      const ledger = open();
      let played = 0;
      const acts = fc.array(anAct, { minLength: 20, maxLength: 60, size: 'max' });
      await fc.assert(
        fc.asyncProperty(acts, async (story) => {
          played += 1;
          const gambler = new Gambler(ledger, `gambler-${played}` as AccountId);
          for (const act of story) await gambler.do(act);
          await gambler.sample();
          if ((await ledger.findBalance(gambler.account, PAPER_CASH)) !== undefined) await gambler.reset();
        }),
        { numRuns },
      );
      await checkAudit(ledger, played);
    });

    it('grows until it is denied more, sells everything, and starts again', async () => {
      const gambler = new Gambler(open(), 'a-gambler' as AccountId);
      for (let round = 0; round < 24; round++) await goRound(gambler, round);
      expect(gambler.denials).toContain('account_full');
      await gambler.reset();
      await checkAudit(open(), 1);
    });
  });
}
