import { describe, expect, it } from 'vitest';
import { PAPER_CASH } from '../../src/core/account/account.js';
import { emptyPosition, type PositionKey } from '../../src/core/account/position.js';
import type { AccountId } from '../../src/core/ids.js';
import { scopeOf } from '../../src/core/ledger/decision.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import { AMOUNT_LIMIT, type Shares, type Usdc } from '../../src/core/money.js';
import { replay } from '../../src/core/order/apply.js';
import type { OrderEvent } from '../../src/core/order/event.js';
import type { Order } from '../../src/core/order/order.js';
import { type Fill, fillOf, NO_BASIS, sumFills } from '../../src/core/order/order.js';
import { noExposure } from '../../src/core/strategy/strategy.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import {
  ALICE,
  anExecution,
  anOrderDraft,
  aStrategy,
  clockAt,
  countingIds,
  History,
  MARKET,
  NOON,
  price,
  shares,
  usdc,
} from '../support/builders.js';
import { accepts, ScriptedExchange } from '../support/scripted-exchange.js';
import { look, trading } from '../support/trading.js';

const MOST = AMOUNT_LIMIT - 1n;

/** Texts that a careless store bends: decomposed letters, signs outside the first plane, every kind of quote. */
const TEXTS = [
  'Cafe\u0301 decomposed, caf\u00e9 composed',
  '👩🏽‍🚀 🇺🇦 𝒜',
  `'; DROP TABLE orders; -- "quoted" \`ticks\` $$ $1 ? :name`,
  'C:\\temp\\new %s {"a": [1]}',
  'שלום \u200f mixed\u00a0blanks\u2028and\u2029lines\r\n\ttabs',
  '  blanks at both ends  ',
];

function storeOrder(ledger: Ledger, order: Order, events: readonly OrderEvent[]): Promise<unknown> {
  return ledger.write(scopeOf(order), () => ({ result: null, orders: [order], events }));
}

export function ledgerPrecision(open: () => Ledger & KeyStore): void {
  describe('what was stored', () => {
    it('comes back to the micro-unit at the storage limit', async () => {
      const ledger = open();
      const strategy = aStrategy({ bankrollCap: MOST as Usdc, stakeCap: (MOST - 1n) as Usdc });
      const key: PositionKey = {
        account: ALICE,
        paper: true,
        venue: NO_VENUE,
        marketId: MARKET,
        outcome: 'NO',
        strategyId: null,
      };
      const [cash, count] = [MOST as Usdc, MOST as Shares];
      const all = {
        strategies: [strategy],
        balances: [
          { account: ALICE, ...PAPER_CASH, cash, reserved: (MOST - 1n) as Usdc, outstanding: (MOST - 5n) as Shares },
        ],
        positions: [{ ...emptyPosition(key), shares: count, reserved: (MOST - 2n) as Shares, cost: cash }],
        exposures: [{ ...noExposure(strategy, true), committed: cash }],
      };
      const scope = { account: ALICE, strategies: [strategy.id], positions: [key] };
      await ledger.write(scope, () => ({ result: null, ...all }));
      const seen = await look(ledger, scope, (now) => ({
        strategies: [now.strategy(strategy.id)],
        balances: [now.balance(PAPER_CASH)],
        positions: [now.position(key)],
        exposures: [now.exposure(strategy.id, true)],
      }));
      expect(seen).toEqual(all);
      expect(await ledger.findStrategy(ALICE, strategy.id)).toEqual(strategy);
    });

    it('comes back to the micro-unit in fills and order history', async () => {
      const ledger = open();
      const { order: begun, events } = new History(anOrderDraft({ size: MOST as Usdc, price: price('0.999999') }));
      const execution = { shares: begun.intent.shares, price: price('0.999999') };
      const { tradeId, liquidity, model } = anExecution();
      const money = { ...execution, notional: (MOST - 3n) as Usdc, fee: 7n as Usdc };
      const fill: Fill = { tradeId, liquidity, model, settlement: 'provisional', basis: NO_BASIS, ...money };
      const fills = [fill];
      const order: Order = { ...begun, state: 'filled', venueOrderId: 'v-1', fills, filled: sumFills(fills) };
      const basis = { cost: MOST as Usdc, strategyShares: MOST as Shares, strategyCost: (MOST - 1n) as Usdc };
      const change = { type: 'fill', fill: { ...fill, basis } } as const;
      const history = [...events, ...events.map((event) => ({ ...event, seq: 2, change }))];
      await storeOrder(ledger, order, history);
      expect(await ledger.findOrder(ALICE, order.id)).toEqual(order);
      expect(await ledger.listEvents(ALICE, order.id, { limit: 10 })).toEqual(history);
    });

    it('comes back with the fee schedule that an order was placed under', async () => {
      const ledger = open();
      const asOf = new Date('2026-02-28T23:59:59.999Z');
      const feeSchedule = { rate: 999_999n, exponent: 4, takerOnly: false, asOf };
      const rounding = { step: 100n, to: 'up', each: 'fill', balanceStep: 10_000n } as const;
      const ofBoth = { ...feeSchedule, makerRate: 17_500n, rounding };
      for (const schedule of [feeSchedule, { ...feeSchedule, rate: 0n, takerOnly: true }, ofBoth, null]) {
        const { order, events } = new History();
        const charged: Order = { ...order, intent: { ...order.intent, feeSchedule: schedule } };
        const requested = { type: 'requested', intent: charged.intent } as const;
        const history = events.map((event) => ({ ...event, change: requested }));
        await storeOrder(ledger, charged, history);
        expect(await ledger.findOrder(ALICE, order.id)).toEqual(charged);
        expect(await ledger.listEvents(ALICE, order.id, { limit: 1 })).toEqual(history);
      }
    });

    it('comes back with the envelope that an order is sent in', async () => {
      const ledger = open();
      const sendBy = new Date('2026-03-01T12:00:09.999Z');
      const envelope = { content: '{"salt":"1"}', sendBy, spends: MOST as Usdc, dust: MOST as Shares };
      for (const sent of [envelope, { ...envelope, spends: 1n as Usdc }, { ...envelope, spends: null }, null]) {
        const { order, events } = new History();
        const enveloped: Order = { ...order, intent: { ...order.intent, envelope: sent } };
        const requested = { type: 'requested', intent: enveloped.intent } as const;
        const history = events.map((event) => ({ ...event, change: requested }));
        await storeOrder(ledger, enveloped, history);
        expect(await ledger.findOrder(ALICE, order.id)).toEqual(enveloped);
        expect(await ledger.listEvents(ALICE, order.id, { limit: 1 })).toEqual(history);
      }
    });

    it('comes back with the dollars that a purchase on paper spends', async () => {
      const ledger = open();
      for (const spends of [MOST as Usdc, 1n as Usdc, null]) {
        const { order, events } = new History();
        const spending: Order = { ...order, intent: { ...order.intent, spends } };
        const requested = { type: 'requested', intent: spending.intent } as const;
        const history = events.map((event) => ({ ...event, change: requested }));
        await storeOrder(ledger, spending, history);
        expect(await ledger.findOrder(ALICE, order.id)).toEqual(spending);
        expect(await ledger.listEvents(ALICE, order.id, { limit: 1 })).toEqual(history);
      }
    });

    it('comes back with the arrival times of orders and cancellations', async () => {
      const ledger = open();
      for (const arrivesAt of [new Date('2026-03-01T12:00:00.150Z'), null]) {
        const { order, events } = new History();
        const sent: Order = { ...order, intent: { ...order.intent, arrivesAt } };
        const requested = { type: 'requested', intent: sent.intent } as const;
        const asked = { type: 'cancel_requested', ...(arrivesAt !== null && { arrivesAt }) } as const;
        const history = events.flatMap((event) => [
          { ...event, change: requested },
          { ...event, seq: event.seq + 1, change: asked },
        ]);
        await storeOrder(ledger, sent, history);
        expect(await ledger.findOrder(ALICE, order.id)).toEqual(sent);
        expect(await ledger.listEvents(ALICE, order.id, { limit: 5 })).toEqual(history);
      }
    });

    it('comes back to the millisecond', async () => {
      const ledger = open();
      const moments = ['2024-02-29T23:59:59.999Z', '2026-03-29T01:00:00.001Z', '2038-01-19T03:14:08.123Z'];
      for (const moment of moments) {
        const draft = anOrderDraft({ timeInForce: 'GTD', expiresAt: new Date('2099-12-31T23:59:59.001Z') });
        const { order, events } = new History(draft, null, clockAt(moment));
        const strategy = aStrategy({ createdAt: new Date(moment), updatedAt: new Date(moment) });
        await storeOrder(ledger, order, events);
        await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
        const found = await ledger.findOrder(ALICE, order.id);
        expect(found?.placedAt.toISOString()).toBe(moment);
        expect(found?.intent.expiresAt?.toISOString()).toBe('2099-12-31T23:59:59.001Z');
        expect((await ledger.findStrategy(ALICE, strategy.id))?.updatedAt.toISOString()).toBe(moment);
        expect(await ledger.listEvents(ALICE, order.id, { limit: 1 })).toEqual(events);
      }
    });

    it.each(TEXTS)('comes back byte for byte: %j', async (text) => {
      const ledger = open();
      const strategy = aStrategy({ name: text, sport: text });
      const { order, events } = new History(anOrderDraft({ account: text.replace(/\s/g, ' ') as AccountId }));
      const refusal = { code: 'rejected_by_venue', message: text };
      const intent = { ...order.intent, question: text, outcomeLabel: text, marketSlug: text, conditionId: text };
      const change = { type: 'rejected', refusal, presumed: false } as const;
      const stored: Order = { ...order, intent, state: 'rejected', refusal };
      const history = [...events, ...events.map((event) => ({ ...event, seq: 2, change }))];
      const key = { account: stored.account, route: 'orders.place', key: `k ~!"'\\` } as const;
      const request = { ...key, meaning: text, resource: order.id, createdAt: new Date(NOON), expiresAt: null };
      const scope = { ...scopeOf(stored), request: key };
      await ledger.write(scope, () => ({ result: null, orders: [stored], events: history, requests: [request] }));
      await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
      expect(await ledger.findOrder(stored.account, stored.id)).toEqual(stored);
      expect(await ledger.listEvents(stored.account, stored.id, { limit: 10 })).toEqual(history);
      expect(await look(ledger, scope, (now) => now.request(key))).toEqual(request);
      expect(await ledger.findStrategy(ALICE, strategy.id)).toEqual(strategy);
      expect(await ledger.listStrategies(ALICE, { sport: text }, { limit: 10 })).toEqual([strategy]);
      expect(await ledger.listStrategies(ALICE, { sport: text.normalize('NFC') }, { limit: 10 })).toHaveLength(
        text === text.normalize('NFC') ? 1 : 0,
      );
    });

    it('keeps the fills of an order in order of arrival', async () => {
      const ledger = open();
      const names = ['z', 'a', '10', '9', 'B', 'b', 'é', '2', '1', '11', 'm', 'k'];
      const executions = names.map((tradeId) => anExecution({ tradeId, shares: shares('1') }));
      const paper = new ScriptedExchange({ place: accepts(executions, 'open') });
      const fixture = trading(ledger, { paper });
      const order = await fixture.place();
      const voided = await fixture.book(order, (posting) => {
        posting.record({ type: 'fill_confirmed', tradeId: '9' });
        posting.record({ type: 'fill_voided', tradeId: 'B', resting: true, reason: 'reverted' });
      });
      const found = await ledger.findOrder(ALICE, order.id);
      expect(found).toEqual(voided);
      expect(found?.fills.map((fill) => fill.tradeId)).toEqual(names);
      expect(found?.filled).toMatchObject({ shares: shares('11'), confirmed: shares('1'), notional: usdc('5.5') });
      expect(await ledger.listOrders(ALICE, {}, { limit: 1 })).toEqual([voided]);
    });

    it('keeps a trade id shared by two orders separate for each', async () => {
      const ledger = open();
      const paper = new ScriptedExchange({ place: accepts([anExecution({ tradeId: 'shared' })], 'none') });
      const fixture = trading(ledger, { paper });
      const [one, other] = [await fixture.place(), await fixture.place()];
      expect(await ledger.findOrder(ALICE, one.id)).toEqual(one);
      expect(await ledger.findOrder(ALICE, other.id)).toEqual(other);
    });

    it('keeps how much each fill took of a displayed level, if any', async () => {
      const ledger = open();
      const [at, most] = [new Date('2026-03-01T11:59:59.999Z'), MOST as Shares];
      const taken = { price: price('0.000001'), shares: most, displayed: most, at };
      const order = await trading(ledger, {
        paper: new ScriptedExchange({
          place: accepts([anExecution({ shares: shares('1'), taken }), anExecution({ shares: shares('2') })], 'open'),
        }),
      }).place();
      expect(order.fills.map((fill) => fill.taken)).toEqual([taken, undefined]);
      expect(await ledger.findOrder(ALICE, order.id)).toEqual(order);
      const { marketId, venue } = order.intent;
      expect(await ledger.listMarketOrders({ marketId, venue, paper: true }, { limit: 5 })).toEqual([order]);
      const events = await ledger.listEvents(ALICE, order.id, { limit: 10 });
      expect(replay(events)).toEqual(order);
    });

    it('keeps the settlement of an order', async () => {
      const ledger = open();
      const history = new History(anOrderDraft(), null, clockAt(NOON), countingIds.next() as Order['id']);
      const fill = fillOf(anExecution({ confirmed: true }), usdc('10'), NO_BASIS);
      history.add(
        { type: 'submitting' },
        { type: 'accepted', venueOrderId: 'v-1', delayed: false },
        { type: 'fill', fill },
        { type: 'settled', returned: MOST as Usdc },
      );
      await storeOrder(ledger, history.order, history.events);
      expect(await ledger.findOrder(ALICE, history.order.id)).toEqual(history.order);
      expect(await ledger.listOrders(ALICE, { status: 'settled' }, { limit: 5 })).toEqual([history.order]);
    });
  });
}
