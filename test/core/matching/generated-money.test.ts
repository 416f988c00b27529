import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/memory-ledger.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import type { AccountId, OrderId } from '../../../src/core/ids.js';
import type { BookSides } from '../../../src/core/market/book.js';
import type { OutcomeSide } from '../../../src/core/market/market.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { quoteAmount } from '../../../src/core/order/draft.js';
import { isWorking } from '../../../src/core/order/lifecycle.js';
import { type Order, reservedCash, reservedShares } from '../../../src/core/order/order.js';
import { overAccount, unplaceable } from '../../../src/core/posting/order-checks.js';
import { Posting } from '../../../src/core/posting/posting.js';
import { RecordReports } from '../../../src/core/usecases/orders/background/record-reports.js';
import {
  ALICE,
  anOrderContext,
  BOB,
  clockAt,
  countingIds,
  MARKET,
  NOON,
  price,
  shares,
  usdc,
} from '../../support/builders.js';
import { runs } from '../../support/runs.js';
import { marketOf, play, type Witness } from './player.js';
import { aStory, type Step, type Story } from './stories.js';
import { sinceNoon } from './view.js';

const OPENING = usdc('80');

/** Puts the orders of a story and their outcomes on record, as a server does. */
class Office implements Witness {
  readonly ledger = new MemoryLedger();
  readonly #clock = clockAt(NOON);
  readonly #context = anOrderContext({ clock: this.#clock, openingCash: OPENING });
  readonly #recordReports = new RecordReports(this.ledger, this.#context);

  constructor(private readonly story: Story) {}

  async placed({ intent: asked, account, placedAt }: Order): Promise<Order | null> {
    const spends = quoteAmount(asked, marketOf(this.story).terms ?? {}) || null;
    const intent = { ...asked, spends };
    this.#clock.tick(sinceNoon(placedAt) - sinceNoon(this.#clock.now()));
    const { paper, venue: NO_VENUE, marketId, outcome } = intent;
    const scope = { account, positions: [{ account, paper, venue: NO_VENUE, marketId, outcome, strategyId: null }] };
    const order = await this.ledger.write(scope, (now) => {
      const posting = Posting.begin(now, this.#context, countingIds.next() as OrderId, account, intent);
      const refusal = unplaceable(intent, posting.books, placedAt) ?? overAccount(intent, posting.books);
      if (refusal === null) posting.reserve();
      else posting.deny(refusal);
      return posting.decision(posting.order);
    });
    return order.state === 'pending' ? order : null;
  }

  async reported(batches: Parameters<Witness['reported']>[0]): Promise<void> {
    for (const { order, reports } of batches) {
      await this.#recordReports.execute(order, reports);
      await this.balances(order.account);
    }
  }

  /** Every micro-dollar of an account's opening cash is accounted for, and the reservations are what working orders need. */
  async balances(account: AccountId): Promise<number> {
    const balance = await this.ledger.findBalance(account, PAPER_CASH);
    if (balance === undefined) return 0;
    const orders = await this.ledger.listOrders(account, {}, { limit: 1000 });
    const positions = await this.ledger.listPositions(account, { paper: true, strategyId: null }, { limit: 10 });
    const held = positions.reduce((sum, { cost, fees, realised }) => sum + cost + fees - realised, 0n);
    expect(balance.cash + held).toBe(OPENING);
    expect(balance.reserved).toBe(orders.reduce((sum, order) => sum + reservedCash(order), 0n));
    expect(balance.cash >= balance.reserved).toBe(true);
    for (const { outcome, reserved, shares: count } of positions) {
      const promised = orders.filter(({ intent }) => intent.outcome === outcome).map(reservedShares);
      expect(reserved).toBe(promised.reduce((sum, part) => sum + part, 0n));
      expect(count >= reserved).toBe(true);
    }
    return orders.reduce((sum, { fills }) => sum + fills.length, 0);
  }
}

/** Two accounts that hold something of either outcome before the story begins, so that they can sell. */
function withHoldings(story: Story): Story {
  const level = [{ price: price('0.5'), shares: shares('60') }];
  const bought = (outcome: OutcomeSide, book: BookSides): Step[] => [
    { type: 'event', after: 0, change: { type: 'book', ...book } },
    ...[ALICE, BOB].map((account): Step => {
      const amounts = { side: 'BUY', price: price('0.5'), shares: shares('30'), timeInForce: 'FAK' } as const;
      return { type: 'order', after: 1, ask: { account, outcome, ...amounts } };
    }),
  ];
  // One book with both would be crossed, which nothing fills against.
  const holdings = [...bought('YES', { bids: [], asks: level }), ...bought('NO', { bids: level, asks: [] })];
  return { ...story, steps: [...holdings, ...story.steps] };
}

describe('Whatever fills', () => {
  it('leaves every micro-dollar accounted for, and reserves what working orders need', async () => {
    let [stories, fills] = [0, 0];
    const story = fc.asyncProperty(aStory, async (drawn) => {
      stories += 1;
      const office = new Office(drawn);
      await play(withHoldings(drawn), office);
      for (const account of [ALICE, BOB]) fills += await office.balances(account);
      const left = await office.ledger.listMarketOrders(
        { venue: NO_VENUE, marketId: MARKET, working: true },
        { limit: 1000 },
      );
      expect(left.every(({ state }) => isWorking(state))).toBe(true);
    });
    await fc.assert(story, { numRuns: runs(150) });
    expect(fills).toBeGreaterThan(stories * 3);
  });
});
