import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { emptyPosition } from '../../../../src/core/account/position.js';
import { LEASE_MS } from '../../../../src/core/ledger/job.js';
import type { Order } from '../../../../src/core/order/order.js';
import { liveUseCases } from '../../../../src/core/usecases/compose.js';
import { ALICE, anOrderContext, LIVE_CASH, MARKET, shares, usdc, WHERE } from '../../../support/builders.js';
import { breaks, hangs, ReportingExchange, rejects, takes } from '../../../support/scripted-exchange.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../../support/scripted-market.js';
import { Trading } from '../../../support/trading.js';
import { fixture, types } from './background/worker-fixture.js';

describe('An order with real money', () => {
  it('is on record with its venue identity before the venue is asked', async () => {
    const seen: (Order | undefined)[] = [];
    const it = await fixture();
    it.live.script.place = async (order) => {
      seen.push(await it.ledger.findOrder(ALICE, order.id));
      return takes()(order);
    };
    const order = await it.place();
    expect(seen).toMatchObject([{ state: 'submitting', venueOrderId: '0x1', intent: { envelope: { content: '1' } } }]);
    expect(order).toMatchObject({ state: 'open', venueOrderId: '0x1' });
    expect(await types(it)).toEqual(['requested', 'submitting', 'accepted']);
  });

  it('that the venue cannot express is denied without asking it', async () => {
    const it = await fixture();
    let signed = 0;
    Object.assign(it.live.signing, { identify: async () => `0x${++signed}` });
    it.live.refusal = { code: 'invalid_amounts', message: 'No.' };
    expect(await it.place()).toMatchObject({ state: 'denied', refusal: { code: 'invalid_amounts' } });
    expect([signed, it.live.calls]).toEqual([0, []]);
  });

  it('is denied above the maximum order value on every venue', async () => {
    const it = await fixture({ place: takes() }, { liveOrderCap: usdc('10') });
    const message = expect.stringContaining('size 10.000001, cap 10');
    const larger = await it.place({ size: usdc('10.000001') });
    expect(larger).toMatchObject({ state: 'denied', refusal: { code: 'order_cap_exceeded', message } });
    expect(it.live.calls).toEqual([]);
    expect(await it.place({ size: usdc('10') })).toMatchObject({ state: 'open' });
    expect(await it.place({ size: usdc('11'), paper: true })).toMatchObject({ state: 'filled' });
  });

  it('leaves nothing to look after once the venue has answered', async () => {
    const it = await fixture();
    await it.place();
    it.live.script.place = rejects('no_funds');
    await it.place();
    it.pass(10 * LEASE_MS);
    expect(await it.worker.execute()).toBe(0);
  });

  it('is queried when the venue was silent, and never sent again', async () => {
    const it = await fixture({ place: breaks(), find: takes() });
    expect(await it.place()).toMatchObject({ state: 'unknown', venueOrderId: '0x1' });
    it.pass(4_999);
    expect(await it.worker.execute()).toBe(0);
    it.pass(1);
    expect(await it.worker.execute()).toBe(1);
    expect(await it.first()).toMatchObject({ state: 'open', venueOrderId: '0x1' });
    expect([it.live.count('place'), it.live.count('find')]).toEqual([1, 1]);
  });

  it('keeps its reservation and is queried again while it is unknown', async () => {
    const it = await fixture({ place: breaks() });
    await it.place();
    for (let turn = 0; turn < 3; turn++) {
      it.pass(5_000);
      expect(await it.worker.execute()).toBe(1);
    }
    expect(await it.first()).toMatchObject({ state: 'unknown' });
    expect(await it.ledger.findBalance(ALICE, LIVE_CASH)).toMatchObject({ reserved: usdc('10') });
  });

  it('is left unknown by an answer with another identity', async () => {
    const it = await fixture({ place: (order) => ({ ...takes()(order), venueOrderId: '0xother' }) });
    expect(await it.place()).toMatchObject({ state: 'unknown', venueOrderId: '0x1' });
  });
});

describe('An order whose server ended', () => {
  /** Leaves an order behind: the server is gone while it waits for the signature, or for the venue. */
  async function leftBehind(at: 'signing' | 'place', goodForMs = 15_000) {
    const it = await fixture();
    it.live.sendBy = new Date(it.clock.now().getTime() + goodForMs);
    const hanging = hangs(takes());
    if (at === 'place') it.live.script.place = hanging.answer;
    else it.live.whileSigning = () => new Promise(() => {});
    void it.place();
    while ((await it.first())?.state !== (at === 'signing' ? 'pending' : 'submitting')) await Promise.resolve();
    it.live.whileSigning = async () => {};
    it.live.script.place = takes();
    it.live.script.find = takes();
    return { ...it, hanging };
  }

  it('is left to it for as long as its lease', async () => {
    const it = await leftBehind('signing');
    it.pass(LEASE_MS - 1);
    expect(await it.worker.execute()).toBe(0);
  });

  it('is sent by another server under the same identity if still unsent', async () => {
    const it = await leftBehind('signing', LEASE_MS);
    it.pass(LEASE_MS);
    expect(await it.worker.execute()).toBe(1);
    expect(await it.first()).toMatchObject({ state: 'open', venueOrderId: '0x1' });
    expect([it.live.envelopes, it.live.count('place')]).toEqual([1, 1]);
  });

  it('is not sent any more when it is too late', async () => {
    const it = await leftBehind('signing');
    it.pass(LEASE_MS);
    expect(await it.worker.execute()).toBe(1);
    expect(await it.first()).toMatchObject({ state: 'expired' });
    expect(it.live.count('place')).toBe(0);
    expect(await it.ledger.findBalance(ALICE, LIVE_CASH)).toMatchObject({ cash: usdc('1000'), reserved: 0n });
  });

  it('is queried, and not sent, when it may have been sent', async () => {
    const it = await leftBehind('place');
    it.pass(LEASE_MS);
    expect(await it.worker.execute()).toBe(1);
    expect(await types(it)).toEqual(['requested', 'submitting', 'unknown', 'accepted']);
    expect([it.live.count('place'), it.live.count('find')]).toEqual([1, 1]);
  });

  it('keeps what its server still records while another takes it over', async () => {
    const it = await leftBehind('place');
    it.pass(LEASE_MS);
    const { findOrder } = it.ledger;
    it.ledger.findOrder = async (...which) => {
      const before = await findOrder.apply(it.ledger, which);
      it.hanging.release();
      while ((await it.first()).state !== 'open') await Promise.resolve();
      return before;
    };
    expect(await it.worker.execute()).toBe(1);
    expect(await types(it)).toEqual(['requested', 'submitting', 'accepted']);
  });

  it('may not be sent by a frozen server past its lease', async () => {
    const it = await fixture();
    let allowed: boolean | undefined;
    it.live.script.place = (_order, mayStillSend) => {
      it.pass(LEASE_MS);
      allowed = mayStillSend();
      return { kind: 'unknown', reason: 'it was not sent' };
    };
    await it.place();
    expect(allowed).toBe(false);
  });

  it('is not sent by it when another server has its job', async () => {
    const it = await fixture();
    it.live.whileSigning = async () => {
      it.pass(LEASE_MS);
      await it.ledger.claimJobs(1, LEASE_MS);
      it.pass(-LEASE_MS);
    };
    expect(await it.place()).toMatchObject({ state: 'pending' });
    expect(it.live.count('place')).toBe(0);
  });
});

describe('Looking after orders', () => {
  it('ends in time at a slow venue, leaving the rest for later', async () => {
    const it = await fixture({ place: breaks() });
    const held = { ...emptyPosition({ account: ALICE, paper: false, ...WHERE, outcome: 'YES', strategyId: null }) };
    // While so many are unknown, only what lowers a worst case is sent.
    await it.ledger.write({ account: ALICE }, () => ({
      result: null,
      positions: [{ ...held, shares: shares('999') }],
    }));
    for (let order = 0; order < 12; order++) await it.place({ side: 'SELL' });
    it.pass(5_000);
    it.live.script.find = () => {
      it.pass(2_000);
      return { kind: 'unknown', reason: 'slow' };
    };
    expect(await it.worker.execute()).toBe(10);
    expect(await it.worker.execute()).toBeGreaterThan(0);
  });
});

describe('What happens between an order and its being sent', () => {
  it('stops it: the account is no longer enabled', async () => {
    const it = await fixture();
    it.live.whileSigning = () => {
      const accounts = [{ id: ALICE, liveEnabled: false, halt: null }];
      return it.ledger.write({ account: ALICE }, () => ({ result: null, accounts }));
    };
    expect(await it.place()).toMatchObject({ state: 'denied', refusal: { code: 'live_disabled' } });
    expect(it.live.count('place')).toBe(0);
    expect(await it.ledger.findBalance(ALICE, LIVE_CASH)).toMatchObject({ cash: usdc('1000'), reserved: 0n });
  });
});

describe('An order by hand with real money', () => {
  /** An account at a venue that shows another book before it answers, and a market that can be followed. */
  async function followedFixture() {
    const timeline = new ManualTimeline();
    const market = new ScriptedMarket(aMarket({}, { id: MARKET }), timeline, '0.48x100', '0.50x100');
    const live = new ReportingExchange();
    live.script.place = async (order) => {
      await market.show('0.49x100', '0.51x100');
      return takes()(order);
    };
    const context = anOrderContext({ clock: timeline });
    const trading = new Trading(new MemoryLedger(), { live, markets: market, context });
    await trading.use.accounts.manage.allowLive(ALICE, true);
    await trading.use.accounts.manage.deposit(ALICE, market.venue, usdc('1000'));
    const user = { changed: () => undefined };
    const watched = trading.followed.use(market.market, user);
    return {
      market,
      live,
      trading,
      follow: () => trading.followed.follow(watched, user),
      /** The prices of an order: at its decision, and on arrival. */
      async prices(draft: Parameters<typeof trading.place>[0] = {}) {
        const order = await trading.place({ paper: false, ...draft }, { mayTradeLive: true });
        return [order.intent.decidedOn?.quoted, order.atArrival];
      },
    };
  }

  it('has the prices of a followed market, at the decision and the answer', async () => {
    const { follow, market, prices } = await followedFixture();
    await follow();
    const [decided, arrived] = [
      { best: 500_000n, mid: 490_000n },
      { best: 510_000n, mid: 500_000n },
    ];
    expect(await prices()).toEqual([decided, arrived]);
    await market.show('0.48x100', '');
    expect(await prices({ outcome: 'NO' })).toEqual([
      { best: 520_000n, mid: null },
      { best: 510_000n, mid: 500_000n },
    ]);
  });

  it('has those of the message that comes before the answer', async () => {
    const { follow, live, market, trading, prices } = await followedFixture();
    const ledger = new MemoryLedger();
    const { reconcile } = liveUseCases(trading.ports, { exchange: live, jobs: ledger, externals: ledger });
    const unread = { tokenId: null, side: null, price: null, shares: null };
    live.script.place = async (order) => {
      const named = [{ ...unread, venueOrderId: `${order.venueOrderId}`, marketId: MARKET, resting: true }];
      const reportOf = async (one: Order) => takes()(one);
      await market.show('0.55x100', '0.57x100');
      await reconcile.take({ kind: 'mass_status', unread: null, named, reportOf });
      await market.show('0.60x100', '0.62x100');
      return takes()(order);
    };
    await follow();
    expect((await prices())[1]).toEqual({ best: 570_000n, mid: 560_000n });
  });

  it('has none where its market is not followed, and in a gap', async () => {
    const { follow, market, prices } = await followedFixture();
    expect(await prices()).toEqual([null, undefined]);
    await follow();
    await market.tell({ type: 'gap', reason: 'no connection' });
    expect((await prices())[0]).toBeNull();
  });
});
