import assert from 'node:assert/strict';
import { PAPER_CASH } from '../core/account/account.js';
import type { AccountId, OrderId } from '../core/ids.js';
import { YES_WON } from '../core/market/lifecycle.js';
import { NO_VENUE } from '../core/market/market.js';
import { usdc } from '../core/money.js';
import { statusOf } from '../core/order/order.js';
import type { Ledger } from '../ports/ledger.js';
import { TRIAL_MARKET, TRIAL_MOMENT, TRIER, type TrialTrader, trialTrader } from './trial-trader.js';

/** An empty store to be tested. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  /** Another handle on the same store, as another process would have: half of the racers of each race use it. */
  readonly other?: Ledger;
  /** Releases its resources. */
  close?(): Promise<void>;
}

/** One requirement of every store: rejects with the reason when this store violates it. */
export interface LedgerCheck {
  readonly name: string;
  check(): Promise<void>;
}

/**
 * What every `Ledger` must do, as checks for any test runner. Each check opens an empty store of its own and trades on it on
 * paper, through the use cases.
 *
 * @example
 * ```ts
 * for (const { name, check } of ledgerContract(async () => ({ ledger: await OwnLedger.open() }))) it(name, check);
 * ```
 */
export function ledgerContract(open: () => Promise<LedgerUnderTest>): readonly LedgerCheck[] {
  return Object.entries(LEDGER_CHECKS).map(([name, run]) => ({
    name,
    check: async () => {
      const { ledger, other = ledger, close } = await open();
      try {
        await run(trialTrader(ledger), trialTrader(other));
      } finally {
        await close?.();
      }
    },
  }));
}

type Check = (one: TrialTrader, other: TrialTrader) => Promise<void>;

const OTHER = 'other' as AccountId;
const ALL = { limit: 100 } as const;
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;
const caps = { bankrollCap: usdc('100'), stakeCap: usdc('50') };
const draft = {
  name: 'Trial',
  sport: 'soccer',
  ...caps,
  rules: { match: {}, filter: {}, sizing: { method: 'flat', value: usdc('10') } },
} as const;

const TRIAL = { venue: NO_VENUE, marketId: TRIAL_MARKET };

/** Without the members that are undefined: whether a store keeps them or leaves them out is its own affair. */
function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, present(member)]));
}

/** The requirements of every store, each named by a sentence. */
const LEDGER_CHECKS: Readonly<Record<string, Check>> = {
  'an order, its events, its money and its key are there together, on every handle': async (one, other) => {
    const order = await one.place({}, 'key');
    assert.deepEqual(present(await other.ledger.findOrder(TRIER, order.id)), present(order));
    const events = await other.ledger.listEvents(TRIER, order.id, ALL);
    assert.deepEqual(
      events.map(({ seq, change }) => [seq, change.type]),
      [
        [1, 'requested'],
        [2, 'accepted'],
        [3, 'fill'],
      ],
    );
    assert.equal((await other.ledger.findBalance(TRIER, PAPER_CASH))?.cash, usdc('90'));
    const [position] = await other.ledger.listPositions(TRIER, { paper: true, strategyId: null }, ALL);
    assert.equal(position?.shares, order.filled.shares);
    assert.equal((await other.place({}, 'key')).id, order.id);
  },

  'nothing is kept of a decision that throws': async (one, other) => {
    const order = await one.place({ postOnly: true });
    const thrown = new Error('no');
    const write = one.ledger.write({ account: TRIER, orders: [order.id] }, (now) => {
      assert.deepEqual(present(now.order(order.id)), present(order));
      throw thrown;
    });
    await assert.rejects(write, (error) => error === thrown);
    assert.deepEqual(present(await other.ledger.findOrder(TRIER, order.id)), present(order));
  },

  'what belongs to another account does not exist': async (one, other) => {
    const order = await one.place();
    const { record: strategy } = await one.use.strategies.create.execute({
      account: TRIER,
      draft,
      idempotencyKey: null,
    });
    const { ledger } = other;
    assert.equal(await ledger.findOrder(OTHER, order.id), undefined);
    assert.equal(await ledger.findStrategy(OTHER, strategy.id), undefined);
    assert.deepEqual(await ledger.listOrders(OTHER, {}, ALL), []);
    assert.deepEqual(await ledger.listEvents(OTHER, order.id, ALL), []);
    assert.equal(await ledger.findBalance(OTHER, PAPER_CASH), undefined);
  },

  'of many orders that spend the same money at once, none spends it twice': async (one, other) => {
    const places = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? one : other).place());
    const orders = await Promise.all(places);
    const filled = orders.filter((order) => statusOf(order) === 'filled');
    assert.equal(filled.length, 10);
    const balance = await one.ledger.findBalance(TRIER, PAPER_CASH);
    assert.deepEqual([balance?.cash, balance?.reserved], [0n, 0n]);
  },

  'one key is one order, however many ask at once': async (one, other) => {
    const orders = await Promise.all([one, other, one, other, one].map((trader) => trader.place({}, 'the same')));
    assert.equal(new Set(orders.map(({ id }) => id)).size, 1);
    assert.equal((await one.ledger.listOrders(TRIER, {}, ALL)).length, 1);
  },

  'keys are forgotten once they have expired, and not before': async (one) => {
    await one.place({}, 'key');
    assert.equal(await one.ledger.forgetExpiredRequests(TRIAL_MOMENT), 0);
    assert.equal(await one.ledger.forgetExpiredRequests(new Date(TRIAL_MOMENT.getTime() + MONTH_MS)), 1);
  },

  'orders are listed newest first, and a page goes on where the one before ended': async (one, other) => {
    const placed: OrderId[] = [];
    for (let count = 0; count < 5; count++) placed.unshift((await one.place()).id);
    const first = await other.use.orders.read.many(TRIER, {}, { limit: 2 });
    const after = first.next ?? undefined;
    assert.ok(after !== undefined, 'there is more');
    const second = await other.use.orders.read.many(TRIER, {}, { limit: 9, after });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      placed,
    );
    assert.equal(second.next, null);
  },

  'every version of a strategy stays, and the highest is the strategy': async (one, other) => {
    const { record } = await one.use.strategies.create.execute({ account: TRIER, draft, idempotencyKey: null });
    const named = { account: TRIER, strategyId: record.id, precondition: null, idempotencyKey: null };
    const change = { ...named, route: 'strategies.change', patch: { stakeCap: usdc('25') } } as const;
    const { record: changed } = await other.use.strategies.change.execute(change);
    assert.deepEqual(await one.ledger.findStrategy(TRIER, record.id), changed);
    assert.deepEqual(await one.ledger.listVersions(TRIER, record.id, ALL), [changed, record]);
    await one.use.strategies.archive.execute(named);
    assert.equal(await other.ledger.findStrategy(TRIER, record.id), undefined);
  },

  'caps hold against all that was written before, on every handle': async (one, other) => {
    const { record } = await one.use.strategies.create.execute({
      account: TRIER,
      idempotencyKey: null,
      draft: { ...draft, bankrollCap: usdc('30') },
    });
    const places = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? one : other).place({ strategyId: record.id }));
    const placed = (await Promise.all(places)).map(statusOf);
    assert.equal(placed.filter((status) => status === 'filled').length, 3);
  },

  'a resting order keeps its money back, and gives it free when it is cancelled': async (one, other) => {
    const { id } = await one.place({ postOnly: true });
    assert.equal((await other.ledger.findBalance(TRIER, PAPER_CASH))?.reserved, usdc('10'));
    await other.use.orders.cancel.execute({ account: TRIER, orderId: id, idempotencyKey: null });
    const balance = await one.ledger.findBalance(TRIER, PAPER_CASH);
    assert.deepEqual([balance?.cash, balance?.reserved], [usdc('100'), 0n]);
  },

  'amounts come back to the millionth': async (one, other) => {
    const { manage } = one.use.accounts;
    await manage.allowLive(TRIER, true);
    await manage.deposit(TRIER, NO_VENUE, usdc('900000000.000001'));
    assert.equal((await other.use.accounts.manage.show(TRIER)).balance.cash, usdc('900000000.000001'));
  },

  'a result is booked once, and the books hold together after all of it': async (one, other) => {
    const order = await one.place();
    await one.place({ postOnly: true, outcome: 'NO' });
    assert.deepEqual(await other.ledger.listMarketsInUse(TRIAL_MOMENT, ALL), [TRIAL]);
    assert.ok((await one.use.markets.settle.execute(TRIAL, YES_WON)) > 0);
    await other.use.markets.settle.execute(TRIAL, YES_WON);
    const settled = await other.use.orders.read.one(TRIER, order.id);
    assert.equal(settled.settlement?.returned, usdc('20'));
    for await (const { findings } of other.use.accounts.audit.execute()) assert.deepEqual(findings, []);
  },
};
