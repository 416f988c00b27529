import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POLYMARKET } from '../../../src/adapters/polymarket/http/venue-name.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import type { AccountId, MarketId, OrderId, StrategyId } from '../../../src/core/ids.js';
import { SPLIT, YES_WON } from '../../../src/core/market/lifecycle.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { Order } from '../../../src/core/order/order.js';
import { ManageAccounts } from '../../../src/core/usecases/accounts/manage-accounts.js';
import { SettleMarket } from '../../../src/core/usecases/markets/background/settle-market.js';
import { audited, found } from '../../support/audited.js';
import { ALICE, anExecution, anOrderContext, BOB, clockAt, price, shares, usdc } from '../../support/builders.js';
import { EACH_OLD_DATABASE } from '../../support/old-databases.js';
import { accepts, rests, ScriptedSimulator, SigningExchange, takes } from '../../support/scripted-exchange.js';
import { Trading } from '../../support/trading.js';

const CAROL = 'carol' as AccountId;
const LISTED = '0xc0dea' as MarketId;
const UNLISTED = 'will-it-rain' as MarketId;
const HOME_FAVOURITES = '019c9f00-0000-7000-8000-000000000001' as StrategyId;
const ARCHIVED = '019c9f00-0000-7000-8000-000000000003' as StrategyId;
const PAGE = { limit: 500 };

/** How many orders were in each state. */
const PAPER = {
  pending: 2,
  submitting: 1,
  unknown: 2,
  delayed: 2,
  open: 10,
  cancel_pending: 2,
  filled: 15,
  cancelled: 5,
  expired: 2,
  denied: 3,
  rejected: 2,
  failed: 2,
};
const LIVE = { pending: 1, unknown: 2, delayed: 1, open: 1, cancel_pending: 1, filled: 5, cancelled: 1, rejected: 1 };

describe.each(EACH_OLD_DATABASE)('a database on %s that the version before venues wrote', (_, written) => {
  let database: { url: string; remove: () => Promise<void> | void };
  let ledger: SqlLedger;
  beforeEach(async () => {
    database = await written('d6bed80');
    ledger = await openSqlLedger(database.url);
  });
  afterEach(async () => {
    await ledger.close();
    await database.remove();
  });

  /** A server of today on that ledger, weeks later: paper rests what it gets, and the real venue takes it. */
  function today(paper = new ScriptedSimulator({ place: rests() })) {
    const clock = clockAt('2026-03-20T12:00:00.000Z');
    const live = Object.assign(new SigningExchange({ place: takes() }), { venue: POLYMARKET });
    live.sendBy = new Date('2026-03-20T12:00:15.000Z');
    // What counts its envelopes anew may not give an order the identity of an old one.
    live.envelopes = 1000;
    return new Trading(ledger, { paper, live, context: anOrderContext({ clock }) });
  }

  const orders = (paper: boolean) => ledger.listVenueOrders({ paper }, PAGE);
  const inState = async (paper: boolean, state: Order['state']) =>
    (await orders(paper)).filter((order) => order.state === state);

  it('holds together: every order is its events, whose hashes still chain, and every book is what was booked', async () => {
    expect(await audited(ledger)).toMatchObject([
      { account: ALICE, paper: true, orders: 42, events: 147, entries: 40, findings: [], busy: false },
      { account: ALICE, paper: false, orders: 9, events: 34, entries: 7, findings: [], busy: false },
      { account: BOB, paper: true, orders: 5, events: 16, entries: 6, findings: [], busy: false },
      { account: BOB, paper: false, orders: 1, events: 3, entries: 1, findings: [], busy: false },
      { account: CAROL, paper: false, orders: 3, events: 15, entries: 9, findings: [], busy: false },
      { account: 'dora', paper: true, orders: 1, events: 2, entries: 0, findings: [], busy: false },
    ]);
  });

  it('has each order in its state, with what it was asked for', async () => {
    const count = (found: readonly Order[]) => {
      const counts: Partial<Record<Order['state'], number>> = {};
      for (const { state } of found) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    };
    expect(count(await orders(true))).toEqual(PAPER);
    expect(count(await orders(false))).toEqual(LIVE);
    const [first] = await orders(true);
    expect(first?.intent).toMatchObject({
      marketId: LISTED,
      conditionId: LISTED,
      question: 'Will the Otters win?',
      outcomeLabel: 'Herons',
      side: 'BUY',
      price: price('0.5'),
      size: usdc('10'),
      shares: shares('20'),
      timeInForce: 'GTC',
      feeSchedule: { rate: 30_000n, exponent: 1, takerOnly: true, asOf: new Date('2026-02-27T11:00:00.000Z') },
    });
    const [sent] = await ledger.listByVenueOrderId(POLYMARKET, ['0x2']);
    expect(sent?.intent.envelope).toMatchObject({ content: '2', spends: usdc('10') });
    const arriving = await inState(true, 'cancel_pending');
    const asked = await ledger.listEvents(ALICE, arriving[0]?.id as OrderId, PAGE);
    expect(asked.at(-1)?.change).toMatchObject({ type: 'cancel_requested', arrivesAt: expect.any(Date) });
  });

  it('has the money where it was', async () => {
    expect(await ledger.listBalances(PAGE)).toMatchObject([
      {
        account: ALICE,
        paper: true,
        cash: usdc('937.1034'),
        reserved: usdc('129.03518'),
        outstanding: shares('470.68'),
      },
      { account: ALICE, paper: false, cash: usdc('495.996'), reserved: usdc('46.834549') },
      { account: BOB, paper: true, cash: usdc('970'), reserved: 0n, outstanding: shares('60') },
      { account: BOB, paper: false, cash: usdc('200'), reserved: usdc('10.15002') },
      { account: CAROL, paper: false, cash: usdc('64.96'), reserved: 0n },
    ]);
    expect(await ledger.listRedeemable(PAGE)).toMatchObject([
      { account: CAROL, marketId: '0xc0dec', redeemable: usdc('10') },
      { account: CAROL, marketId: 'a-market-that-was-delisted', redeemable: usdc('20') },
    ]);
    const worth = await ledger.listEquity(ALICE, { paper: true, strategyId: HOME_FAVOURITES }, PAGE);
    expect(worth).toMatchObject([{ cash: null, positions: usdc('28.67'), realised: usdc('1.38325') }]);
  });

  it('has the strategies with every version, and what clients, operators and servers had put down', async () => {
    expect((await ledger.listStrategies(ALICE, {}, PAGE)).map(({ name, version }) => [name, version])).toEqual([
      ['Away at "odds" – ½', 2],
      ['Home favourites', 3],
    ]);
    const versions = await ledger.listVersions(ALICE, HOME_FAVOURITES, PAGE);
    expect(versions[0]?.rules.filter).toEqual({ minOdds: 1_500_000n, maxOdds: 3_250_000n, side: 'LAY' });
    expect((await ledger.listVersions(ALICE, ARCHIVED, PAGE)).map(({ version }) => version)).toEqual([2, 1]);
    const manage = new ManageAccounts(ledger, anOrderContext());
    expect((await manage.list()).map(({ account, halt }) => [account, halt?.code])).toEqual([
      [ALICE, undefined],
      [BOB, 'identity_mismatch'],
      [CAROL, 'halted_by_operator'],
    ]);
    expect((await ledger.listKeys(PAGE)).map(({ account, revokedAt }) => [account, revokedAt !== null])).toEqual([
      [ALICE, false],
      ['erin', true],
    ]);
    expect(await ledger.findBookmark('tape of february')).toEqual(new Date('2026-02-27T13:00:00.000Z'));
    const strangers = (await ledger.listExternalOrders(PAGE)).map(({ venueOrderId, resting }) => [
      venueOrderId,
      resting,
    ]);
    expect(strangers).toEqual([
      ['0xstranger-1', true],
      ['0xstranger-2', false],
      ['0xstranger-3', true],
    ]);
  });

  it('answers an old key from its record, and hands out the unfinished jobs', async () => {
    const draft = { marketId: UNLISTED, strategyId: HOME_FAVOURITES, size: usdc('20') };
    const again = await today().submit(draft, { idempotencyKey: 'paper-1-will-it-rain' });
    expect(again).toMatchObject({ replayed: true, record: { state: 'filled', intent: { marketId: UNLISTED } } });
    const jobs = await ledger.claimJobs(10, 1000);
    const left = [
      ...(await inState(false, 'pending')),
      ...(await inState(false, 'unknown')),
      ...(await inState(false, 'delayed')),
    ];
    expect(jobs.map(({ orderId }) => orderId)).toEqual(expect.arrayContaining(left.map(({ id }) => id)));
    expect(jobs.every(({ fence }) => fence === 2)).toBe(true);
  });

  it('goes on: orders of then are filled, cancelled and settled, new ones are placed, and all still holds together', async () => {
    const trader = today();
    const fill = (order: Order, count: string) =>
      trader.book(order, (posting) => posting.fill(anExecution({ shares: shares(count), confirmed: true })));
    for (const marketId of [LISTED, UNLISTED]) {
      const strategyId = marketId === LISTED ? null : HOME_FAVOURITES;
      const placed = await trader.place({ marketId, strategyId });
      expect((await fill(placed, '20')).state).toBe('filled');
      const sold = await trader.place({ marketId, strategyId, side: 'SELL' });
      expect(await fill(sold, '20')).toMatchObject({ state: 'filled' });
    }
    const resting = (await inState(true, 'open')).filter(({ intent }) => intent.side === 'BUY');
    expect((await fill(resting[0] as Order, '1')).filled.shares).toBeGreaterThan(0n);
    for (const { account, id } of resting.slice(1))
      await trader.cancelOrder.execute({ account, orderId: id, idempotencyKey: null });
    expect((await inState(true, 'open')).length).toBeLessThan(10);
    const live = await trader.place({ paper: false, marketId: LISTED }, { mayTradeLive: true });
    expect(await fill(live, '20')).toMatchObject({ state: 'filled', venueOrderId: '0x1001' });
    const [working] = await inState(false, 'open');
    expect((await fill(working as Order, '2')).filled.shares).toBe(shares('10'));
    const settle = new SettleMarket(ledger, trader.ports.venues, trader.context);
    expect(await settle.execute({ venue: NO_VENUE, marketId: UNLISTED }, YES_WON)).toBeGreaterThan(5);
    expect(await settle.execute({ venue: NO_VENUE, marketId: 'was-it-dry' as MarketId }, SPLIT)).toBe(4);
    expect(await found(ledger)).toEqual([]);
  });

  it('finishes the paper orders that were in flight', async () => {
    const trader = today(new ScriptedSimulator({ place: rests(), find: accepts([], 'open') }));
    expect(await trader.recoverOrders.execute()).toMatchObject({ recovered: 5, failures: [] });
    for (const state of ['pending', 'submitting', 'unknown'] as const) expect(await inState(true, state)).toEqual([]);
    expect(await found(ledger)).toEqual([]);
  });
});
