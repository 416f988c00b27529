import { describe, expect, it } from 'vitest';
import type { AccountId, MarketId, VenueName } from '../../src/core/ids.js';
import type { Signal, SignalKey, SignalName } from '../../src/core/signal/signal.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, BOB, NOON } from '../support/builders.js';
import { AT_ONE, aSignal, MODEL, probability } from '../support/signals.js';

type Store = Pick<Ledger, 'signals'>;

const ALL = { limit: 100 } as const;
const later = (signal: Signal, changes: Partial<Signal> = {}): Signal => ({
  ...signal,
  first: { label: 'Bucks', probability: probability('0.6') },
  second: { label: 'Thunder', probability: probability('0.400001') },
  expiresAt: new Date('2026-03-01T14:00:00.000Z'),
  source: null,
  updatedAt: AT_ONE,
  ...changes,
});
const of = (market: string, changes: Partial<Signal> = {}) => aSignal({ marketId: market as MarketId, ...changes });
const named = (name: string, market = 'm') => of(market, { name: name as SignalName });

/** A part of the key that could be confused, each with what else it could be. */
const OTHERS: readonly Partial<SignalKey>[] = [
  { account: BOB },
  { account: 'Alice' as AccountId },
  { name: 'elo-3' as SignalName },
  { name: 'ELO-2' as SignalName },
  { venue: 'elsewhere' as VenueName },
  { marketId: 'Will-it-rain' as MarketId },
];

export function signals(open: () => Store): void {
  describe('a signal', () => {
    it('is found as it was put, and not before', async () => {
      const store = open().signals;
      const signal = aSignal();
      expect(await store.find(signal)).toBeUndefined();
      await store.put([signal]);
      expect(await store.find(signal)).toEqual(signal);
    });

    it('takes the place of the one before, with all its members', async () => {
      const store = open().signals;
      const signal = aSignal();
      for (const one of [signal, later(signal), signal, signal]) {
        await store.put([one]);
        expect(await store.find(signal)).toEqual(one);
      }
      expect(await store.count(ALICE)).toBe(1);
    });

    it('is kept separately per account, model, venue and market, matched exactly', async () => {
      const store = open().signals;
      const signal = aSignal();
      const others = OTHERS.map((part) => later(signal, part));
      await store.put([signal]);
      for (const other of others) expect(await store.find(other)).toBeUndefined();
      await store.put(others);
      for (const one of [signal, ...others]) expect(await store.find(one)).toEqual(one);
      expect([await store.count(ALICE), await store.count(BOB)]).toEqual([5, 1]);
    });

    it('keeps labels of any letters, and probabilities to the millionth', async () => {
      const store = open().signals;
      const signal = aSignal({
        first: { label: `Köln's "1." ? $1`, probability: probability('0.000001') },
        second: { label: '🏀 — \\', probability: probability('0.999999') },
      });
      await store.put([signal]);
      expect(await store.find(signal)).toEqual(signal);
    });

    it('is gone once it is removed, and only that one', async () => {
      const store = open().signals;
      const [signal, other] = [of('one'), of('other')];
      await store.put([signal, other]);
      expect(await store.remove(signal)).toEqual(signal);
      expect([await store.find(signal), await store.remove(signal)]).toEqual([undefined, undefined]);
      expect(await store.list(ALICE, {}, ALL)).toEqual([other]);
    });
  });

  describe('signals', () => {
    it('are listed by name, venue and market, a page at a time', async () => {
      const store = open().signals;
      const all = [
        named('A'),
        named('A-1'),
        named('a', 'k'),
        named('a', 'm'),
        named('a.b'),
        of('m', { name: 'b' as SignalName, venue: 'other' as VenueName }),
      ];
      await store.put([...all.toReversed(), of('m', { account: BOB })]);
      expect(await store.list(ALICE, {}, ALL)).toEqual(all);
      const pages: Signal[] = [];
      for (let after: Signal | undefined; pages.length < all.length; after = pages.at(-1)) {
        const page = await store.list(ALICE, {}, { limit: 2, ...(after && { after }) });
        expect(page).toHaveLength(2);
        pages.push(...page);
      }
      expect(pages).toEqual(all);
      expect(await store.list(ALICE, {}, { limit: 2, after: all.at(-1) as Signal })).toEqual([]);
    });

    it('are listed by model and by market, and by both', async () => {
      const store = open().signals;
      const all = [named('a', 'k'), named('a', 'm'), named('b', 'm')] as const;
      await store.put(all);
      const [name, marketId] = ['a' as SignalName, 'm' as MarketId];
      expect(await store.list(ALICE, { name }, ALL)).toEqual(all.slice(0, 2));
      expect(await store.list(ALICE, { marketId }, ALL)).toEqual(all.slice(1));
      expect(await store.list(ALICE, { name, marketId }, ALL)).toEqual([all[1]]);
      expect(await store.list(BOB, { name }, ALL)).toEqual([]);
    });

    it('are forgotten the moment they expire, for one account or all', async () => {
      const store = open().signals;
      const at = (ms: number) => new Date(AT_ONE.getTime() + ms);
      const [early, late] = [of('early', { expiresAt: at(0) }), of('late', { expiresAt: at(1) })];
      const others = [early, late].map((one) => ({ ...one, account: BOB }));
      await store.put([early, late, ...others]);
      expect(await store.forgetExpired(at(-1))).toBe(0);
      expect(await store.forgetExpired(AT_ONE, BOB)).toBe(1);
      expect(await store.list(BOB, {}, ALL)).toEqual([{ ...late, account: BOB }]);
      expect(await store.forgetExpired(AT_ONE)).toBe(1);
      expect(await store.list(ALICE, {}, ALL)).toEqual([late]);
      expect(await store.forgetExpired(at(1))).toBe(2);
    });

    it('are forgotten among many, and no others', async () => {
      const store = open().signals;
      const many = Array.from({ length: 2500 }, (_, n) =>
        of(`market-${n}`, n % 2 === 0 ? {} : { expiresAt: new Date(NOON) }),
      );
      await store.put(many);
      expect(await store.count(ALICE)).toBe(2500);
      expect(await store.forgetExpired(new Date(NOON))).toBe(1250);
      expect(await store.count(ALICE)).toBe(1250);
      const [first] = await store.list(ALICE, {}, { limit: 1 });
      expect(first).toEqual(of('market-0'));
    });
  });
}

export function signalRaces(open: () => readonly Store[]): void {
  describe('many models that speak at once', () => {
    it('lose nothing: each market keeps the last stored signal', async () => {
      const stores = open().map((one) => one.signals);
      const markets = Array.from({ length: 20 }, (_, n) => `market-${n}`);
      const puts = Array.from({ length: 40 }, (_, n) => {
        const said = markets.map((market) => of(market, { source: `put ${n}` }));
        return stores[n % stores.length]?.put(n % 2 === 0 ? said : said.toReversed());
      });
      await Promise.all(puts);
      for (const store of stores) {
        const found = await store.list(ALICE, { name: MODEL }, ALL);
        expect(found).toHaveLength(markets.length);
        // Each put is stored as one: all markets have what the last one said.
        expect(new Set(found.map(({ source }) => source)).size).toBe(1);
      }
    });

    it('reach every handle at once', async () => {
      const [one, other = one] = open() as [Store, Store?];
      for (const [writer, reader] of [
        [one, other],
        [other, one],
      ] as const) {
        const signal = of('m', { source: `by ${writer === one}` });
        await writer.signals.put([signal]);
        expect(await reader.signals.find(signal)).toEqual(signal);
      }
    });
  });
}
