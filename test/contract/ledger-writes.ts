import { describe, expect, it } from 'vitest';
import { openBalance, PAPER_CASH } from '../../src/core/account/account.js';
import { emptyPosition } from '../../src/core/account/position.js';
import type { MarketId } from '../../src/core/ids.js';
import type { Decision } from '../../src/core/ledger/decision.js';
import { scopeOf } from '../../src/core/ledger/decision.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { Usdc } from '../../src/core/money.js';
import { noExposure } from '../../src/core/strategy/strategy.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, anOrderDraft, aStrategy, BOB, History, NOON, shares, usdc, WHERE } from '../support/builders.js';
import { rests, ScriptedExchange } from '../support/scripted-exchange.js';
import { look, trading } from '../support/trading.js';

const KEY = { account: ALICE, route: 'orders.place', key: 'k-1' } as const;
const HELD = { account: ALICE, paper: true, ...WHERE, outcome: 'YES', strategyId: null } as const;
const HALT = { code: 'geoblocked', message: 'The venue takes no orders from here.', at: new Date(NOON) };

export function ledgerWrites(open: () => Ledger & KeyStore): void {
  describe('a write', () => {
    it('stores all that its decision returns, and answers with its result', async () => {
      const ledger = open();
      const strategy = aStrategy();
      const { order, events } = new History(anOrderDraft({ strategyId: strategy.id }), strategy);
      const whole = {
        account: ALICE,
        paper: true,
        venue: NO_VENUE,
        marketId: order.intent.marketId,
        outcome: 'YES',
        strategyId: null,
      } as const;
      const all = {
        accounts: [{ id: ALICE, liveEnabled: true, halt: HALT }],
        balances: [{ ...openBalance(ALICE, PAPER_CASH, usdc('1000')), reserved: usdc('10') }],
        strategies: [strategy],
        exposures: [{ ...noExposure(strategy, true), committed: usdc('10') }],
        orders: [order],
        events,
        positions: [{ ...emptyPosition(whole), shares: shares('5'), reserved: shares('2'), cost: usdc('3') }],
        requests: [{ ...KEY, meaning: '{}', resource: order.id, createdAt: new Date(NOON), expiresAt: null }],
      };
      const scope = { ...scopeOf(order), request: KEY };

      expect(await ledger.write(scope, () => ({ result: 'done', ...all }))).toBe('done');

      const seen = await look(ledger, scope, (now) => ({
        accounts: [now.account],
        balances: [now.balance(PAPER_CASH)],
        strategies: [now.strategy(strategy.id)],
        exposures: [now.exposure(strategy.id, true)],
        orders: [now.order(order.id)],
        positions: [now.position(whole)],
        requests: [now.request(KEY)],
      }));
      expect({ ...seen, events: await ledger.listEvents(ALICE, order.id, { limit: 10 }) }).toEqual(all);
      expect(await ledger.findOrder(ALICE, order.id)).toEqual(order);
      expect(await ledger.findStrategy(ALICE, strategy.id)).toEqual(strategy);
    });

    it('leaves nothing when its decision throws, and does not affect concurrent writes', async () => {
      const ledger = open();
      const kept = [aStrategy(), aStrategy()];
      const failure = new Error('no');
      const [first, thrown, last] = await Promise.allSettled([
        ledger.write({ account: ALICE }, () => ({ result: 1, strategies: kept.slice(0, 1) })),
        ledger.write({ account: ALICE }, (): Decision<number> => {
          throw failure;
        }),
        ledger.write({ account: ALICE }, () => ({ result: 2, strategies: kept.slice(1) })),
      ]);
      expect(first).toEqual({ status: 'fulfilled', value: 1 });
      expect(thrown).toEqual({ status: 'rejected', reason: failure });
      expect(last).toEqual({ status: 'fulfilled', value: 2 });
      const listed = await ledger.listStrategies(ALICE, {}, { limit: 10 });
      expect(listed.map(({ id }) => id)).toEqual([kept[1]?.id, kept[0]?.id]);
    });

    it('finds what the writes before it stored, however many run at once', async () => {
      const ledger = open();
      const strategy = aStrategy();
      const scope = { account: ALICE, strategies: [strategy.id] };
      await ledger.write(scope, () => ({ result: null, strategies: [strategy] }));
      const raise = () =>
        ledger.write(scope, (now) => {
          const committed = ((now.exposure(strategy.id, true)?.committed ?? 0n) + 1n) as Usdc;
          const exposure = { ...noExposure(strategy, true), committed };
          return { result: committed, exposures: [exposure] };
        });
      const seen = await Promise.all(Array.from({ length: 60 }, raise));
      expect(new Set(seen).size).toBe(60);
      expect(await look(ledger, scope, (now) => now.exposure(strategy.id, true)?.committed)).toBe(60n);
    });

    it('records order, events, money and key together before asking the venue', async () => {
      const ledger = open();
      const scope = { account: ALICE, request: KEY };
      let onRecord: unknown;
      const paper = new ScriptedExchange({
        place: async (sent) => {
          const found = await ledger.findOrder(ALICE, sent.id);
          const events = await ledger.listEvents(ALICE, sent.id, { limit: 10 });
          onRecord = {
            state: found?.state,
            events: events.map(({ change }) => change.type),
            reserved: await look(ledger, scope, (now) => now.balance(PAPER_CASH)?.reserved),
            isNamedByKey: await look(ledger, scope, (now) => now.request(KEY)?.resource === sent.id),
          };
          return rests()(sent);
        },
      });
      await trading(ledger, { paper }).place({}, { idempotencyKey: KEY.key });
      const events = ['requested', 'submitting'];
      expect(onRecord).toEqual({ state: 'submitting', events, reserved: usdc('10'), isNamedByKey: true });
    });

    it('keeps the settings of two accounts separate', async () => {
      const ledger = open();
      await ledger.write({ account: ALICE }, () => ({
        result: null,
        accounts: [{ id: ALICE, liveEnabled: true, halt: null }],
      }));
      expect(await look(ledger, { account: ALICE }, (now) => now.account)).toEqual({
        id: ALICE,
        liveEnabled: true,
        halt: null,
      });
      expect(await look(ledger, { account: BOB }, (now) => now.account)).toEqual({
        id: BOB,
        liveEnabled: false,
        halt: null,
      });
    });

    it('halts an account with reason and time, and releases it', async () => {
      const ledger = open();
      const going = { id: ALICE, liveEnabled: true, halt: null };
      const later = { ...HALT, code: 'banned', at: new Date(NOON.replace('.000', '.007')) };
      for (const halt of [HALT, later, null, HALT]) {
        await ledger.write({ account: ALICE }, () => ({ result: null, accounts: [{ ...going, halt }] }));
        expect(await look(ledger, { account: ALICE }, (now) => now.account)).toEqual({ ...going, halt });
      }
      expect(await look(ledger, { account: BOB }, (now) => now.account.halt)).toBeNull();
    });

    it('sees what a concurrent write made, if its scope names all holdings', async () => {
      const ledger = open();
      const position = { ...emptyPosition(HELD), shares: shares('5') };
      const strategy = aStrategy();
      const exposure = { ...noExposure(strategy, true), committed: usdc('1') };
      await ledger.write({ account: ALICE }, () => ({
        result: null,
        strategies: [strategy],
        positions: [position],
        exposures: [exposure],
      }));
      const fresh = { ...position, marketId: 'a-new-market' as MarketId };
      const sold = { ...position, shares: shares('1') };
      const [, seen] = await Promise.all([
        ledger.write({ account: ALICE, positions: [HELD] }, () => ({ result: null, positions: [fresh, sold] })),
        ledger.write({ account: ALICE, holdings: 'paper' }, (now) => ({
          result: [now.positions(true), now.exposures(true)],
        })),
      ]);
      expect(seen.map((list) => new Set<unknown>(list))).toEqual([new Set([fresh, sold]), new Set([exposure])]);
    });

    it('can follow a ping, which resolves while the store reads and writes', async () => {
      await expect(open().ping()).resolves.toBeUndefined();
    });
  });
}
