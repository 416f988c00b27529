import { describe, expect, it } from 'vitest';
import { balanced, type JournalEntry, line, openBalance, PAPER_CASH } from '../../src/core/account/account.js';
import type { EquityPoint } from '../../src/core/account/portfolio.js';
import { emptyPosition, type Position } from '../../src/core/account/position.js';
import type { AccountId, MarketId, StrategyId } from '../../src/core/ids.js';
import type { Decision } from '../../src/core/ledger/decision.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import { AMOUNT_LIMIT, type Shares, type Usdc } from '../../src/core/money.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import {
  ALICE,
  anExecution,
  BOB,
  countingIds,
  LIVE_CASH,
  NOON,
  newOrderId,
  newStrategyId,
  shares,
  usdc,
  WHERE,
} from '../support/builders.js';
import { accepts, ScriptedExchange } from '../support/scripted-exchange.js';
import { look, trading } from '../support/trading.js';

const MOST = (AMOUNT_LIMIT - 1n) as Usdc;
const minus = <T extends bigint>(amount: T): T => (0n - amount) as T;
const later = (ms: number): Date => new Date(Date.parse(NOON) + ms);

/** A purchase, by default of 1 USDC. */
function anEntry(changes: Partial<JournalEntry> = {}): JournalEntry {
  const held = { ...WHERE, outcome: 'YES' } as const;
  const lines = [
    { ledger: 'position', held, amount: usdc('0.9') } as const,
    line('fees', usdc('0.1')),
    line('cash', minus(usdc('1'))),
  ];
  const entry = { id: countingIds.next(), account: ALICE, paper: true, venue: null, at: new Date(NOON), lines };
  return balanced({ ...entry, cause: 'fill', orderId: newOrderId(), ...changes });
}

function aPoint(changes: Partial<EquityPoint> = {}): EquityPoint {
  const cash = { cash: usdc('990'), redeemable: usdc('4') };
  const worth = { ...cash, positions: usdc('12'), realised: usdc('3'), unrealised: usdc('2') };
  return { account: ALICE, paper: true, strategyId: null, at: new Date(NOON), ...worth, fees: usdc('1'), ...changes };
}

function aPosition(marketId: string, outcome: Position['outcome'], changes: Partial<Position> = {}): Position {
  const key = {
    account: ALICE,
    paper: true,
    venue: NO_VENUE,
    marketId: marketId as MarketId,
    outcome,
    strategyId: null,
  };
  return { ...emptyPosition(key), shares: shares('5'), cost: usdc('2'), ...changes };
}

type Stored = Pick<Decision<unknown>, 'entries' | 'equity' | 'positions'>;

function put(ledger: Ledger, stored: Stored, account = ALICE): Promise<unknown> {
  return ledger.write({ account }, () => ({ result: null, ...stored }));
}

export function ledgerMoney(open: () => Ledger & KeyStore): void {
  describe('of money, a ledger', () => {
    it('keeps an entry of every kind with its lines in their order', async () => {
      const ledger = open();
      const opening = [line('cash', MOST), line('capital', minus(MOST))];
      const entries = [
        anEntry({ cause: 'opening', orderId: null, lines: opening }),
        anEntry(),
        anEntry({ cause: 'void', lines: anEntry().lines.toReversed() }),
        anEntry({ cause: 'settlement', at: later(7), lines: [line('realised', minus(MOST)), line('cash', MOST)] }),
        anEntry({ cause: 'redemption', at: later(8), lines: [line('redeemable', minus(MOST)), line('cash', MOST)] }),
      ];
      await put(ledger, { entries: entries.slice(0, 3) });
      await put(ledger, { entries: entries.slice(3) });
      expect(await ledger.listEntries(ALICE, true, { limit: 10 })).toEqual(entries);
    });

    it('lists entries of one account in order, separately for paper and live', async () => {
      const ledger = open();
      const made = Array.from({ length: 12 }, () => anEntry());
      const live = anEntry({ paper: false });
      const foreign = anEntry({ account: BOB });
      const empty = anEntry({ lines: [] });
      await put(ledger, { entries: [...made.toReversed(), live, empty] });
      await put(ledger, { entries: [foreign] }, BOB);
      expect(await ledger.listEntries(ALICE, true, { limit: 5 })).toEqual(made.slice(0, 5));
      const after = made[4]?.id ?? '';
      expect(await ledger.listEntries(ALICE, true, { limit: 5, after })).toEqual(made.slice(5, 10));
      expect(await ledger.listEntries(ALICE, true, { limit: 50, after })).toEqual(made.slice(5));
      expect(await ledger.listEntries(ALICE, false, { limit: 5 })).toEqual([live]);
      expect(await ledger.listEntries(BOB, true, { limit: 5 })).toEqual([foreign]);
      expect(await ledger.listEntries(BOB, false, { limit: 5 })).toEqual([]);
    });

    it('stores an order with its entries, whose cash sums to the balance', async () => {
      const ledger = open();
      const paper = new ScriptedExchange({ place: accepts([anExecution({ fee: usdc('0.2') })], 'none') });
      const order = await trading(ledger, { paper }).place();
      const entries = await ledger.listEntries(ALICE, true, { limit: 10 });
      expect(entries.map(({ cause, orderId }) => [cause, orderId])).toEqual([
        ['opening', null],
        ['fill', order.id],
      ]);
      const cash = entries.flatMap(({ lines }) => lines.filter(({ ledger: name }) => name === 'cash'));
      const balance = await ledger.findBalance(ALICE, PAPER_CASH);
      expect(cash.reduce((sum, { amount }) => sum + amount, 0n)).toBe(balance?.cash);
    });

    it('keeps every member of a position, at storage limits and below zero', async () => {
      const ledger = open();
      const settled = (AMOUNT_LIMIT - 1n) as Shares;
      const first = aPosition('m', 'YES', {
        fees: MOST,
        realised: minus(MOST),
        settled,
        returned: MOST,
        redeemable: MOST,
      });
      const scope = { account: ALICE, positions: [first] };
      await put(ledger, { positions: [first] });
      expect(await look(ledger, scope, (now) => now.position(first))).toEqual(first);
      const changed = {
        ...first,
        fees: usdc('1'),
        realised: usdc('2'),
        settled: shares('3'),
        returned: usdc('4'),
        redeemable: usdc('2'),
      };
      await put(ledger, { positions: [changed] });
      expect(await look(ledger, scope, (now) => now.position(first))).toEqual(changed);
    });

    it('keeps cash below what is reserved, and below zero', async () => {
      const ledger = open();
      const short = { account: ALICE, ...PAPER_CASH, cash: minus(MOST), reserved: usdc('5'), outstanding: shares('0') };
      await ledger.write({ account: ALICE }, () => ({ result: null, balances: [short] }));
      expect(await look(ledger, { account: ALICE }, (now) => now.balance(PAPER_CASH))).toEqual(short);
      expect(await ledger.findBalance(ALICE, PAPER_CASH)).toEqual(short);
      expect(await ledger.findBalance(ALICE, LIVE_CASH)).toBeUndefined();
      expect(await ledger.findBalance(BOB, PAPER_CASH)).toBeUndefined();
    });

    it('lists accounts that may trade live by name, page by page', async () => {
      const ledger = open();
      for (const id of ['carol', 'alice', 'dave', 'bob', 'erin'] as AccountId[]) {
        const enabled = { id, liveEnabled: id !== 'dave', halt: null };
        await ledger.write({ account: id }, () => ({ result: null, accounts: [enabled] }));
      }
      await ledger.write({ account: 'bob' as AccountId }, ({ account }) => ({
        result: null,
        accounts: [{ ...account, liveEnabled: false }],
      }));
      expect(await ledger.listAccounts({ liveEnabled: true }, { limit: 2 })).toEqual(['alice', 'carol']);
      expect(await ledger.listAccounts({ liveEnabled: true }, { limit: 2, after: 'alice' as AccountId })).toEqual([
        'carol',
        'erin',
      ]);
      expect(await ledger.listAccounts({ liveEnabled: true }, { limit: 2, after: 'erin' as AccountId })).toEqual([]);
    });

    it('lists the balances of all accounts, paper first', async () => {
      const ledger = open();
      const names = ['carol', 'alice', 'bob', 'bo'] as AccountId[];
      for (const account of names) {
        const balances = [false, true].map((paper) =>
          openBalance(account, paper ? PAPER_CASH : LIVE_CASH, usdc(paper ? '2' : '1')),
        );
        const own = account === 'bob' ? balances.slice(0, 1) : balances;
        await ledger.write({ account }, () => ({ result: null, balances: own }));
      }
      const all = await ledger.listBalances({ limit: 50 });
      expect(all.map(({ account, paper, cash }) => [account, paper, cash])).toEqual([
        ['alice', true, usdc('2')],
        ['alice', false, usdc('1')],
        ['bo', true, usdc('2')],
        ['bo', false, usdc('1')],
        ['bob', false, usdc('1')],
        ['carol', true, usdc('2')],
        ['carol', false, usdc('1')],
      ]);
      for (const [i, after] of all.entries()) {
        expect(await ledger.listBalances({ limit: 2, after })).toEqual(all.slice(i + 1, i + 3));
      }
    });

    it('lists positions by market and token, of all or of one strategy', async () => {
      const ledger = open();
      const strategyId: StrategyId = newStrategyId();
      const sorted = [aPosition('a', 'NO'), aPosition('a', 'YES'), aPosition('a b', 'NO'), aPosition('b', 'YES')];
      const gone = aPosition('c', 'NO', { shares: shares('0'), cost: usdc('0'), realised: minus(usdc('1')) });
      const part = aPosition('a', 'YES', { strategyId, shares: shares('1') });
      const live = aPosition('a', 'YES', { paper: false });
      const foreign = aPosition('a', 'YES', { account: BOB });
      await put(ledger, { positions: [gone, ...sorted.toReversed(), part, live] });
      await put(ledger, { positions: [foreign] }, BOB);
      const all = [...sorted, gone];
      const whole = { paper: true, strategyId: null };
      expect(await ledger.listPositions(ALICE, whole, { limit: 50 })).toEqual(all);
      for (const [i, after] of all.entries()) {
        expect(await ledger.listPositions(ALICE, whole, { limit: 2, after })).toEqual(all.slice(i + 1, i + 3));
      }
      expect(await ledger.listPositions(ALICE, { paper: true, strategyId }, { limit: 5 })).toEqual([part]);
      expect(await ledger.listPositions(ALICE, { paper: false, strategyId: null }, { limit: 5 })).toEqual([live]);
      expect(await ledger.listPositions(BOB, whole, { limit: 5 })).toEqual([foreign]);
    });

    it('lists equity newest first, separately for an account and its strategies', async () => {
      const ledger = open();
      const strategyId: StrategyId = newStrategyId();
      const points = [5, 4, 3, 2, 1].map((ms) => aPoint({ at: later(ms), positions: usdc(`${ms}`) }));
      const debts = { realised: minus(MOST), unrealised: minus(MOST), positions: MOST, fees: MOST, redeemable: MOST };
      const lost = aPoint({ at: later(9), cash: minus(MOST), ...debts });
      const part = aPoint({ strategyId, cash: null });
      const live = aPoint({ paper: false });
      await put(ledger, { equity: [...points.toReversed(), lost, part, live] });
      await put(ledger, { equity: [aPoint({ account: BOB })] }, BOB);
      const all = [lost, ...points];
      const whole = { paper: true, strategyId: null };
      expect(await ledger.listEquity(ALICE, whole, { limit: 50 })).toEqual(all);
      expect(await ledger.listEquity(ALICE, whole, { limit: 2, after: later(5) })).toEqual(points.slice(1, 3));
      expect(await ledger.listEquity(ALICE, { paper: true, strategyId }, { limit: 5 })).toEqual([part]);
      expect(await ledger.listEquity(ALICE, { paper: false, strategyId: null }, { limit: 5 })).toEqual([live]);
      expect(await ledger.listEquity(BOB, whole, { limit: 5 })).toEqual([aPoint({ account: BOB })]);
    });

    it('replaces an equity point by a later one of the same moment', async () => {
      const ledger = open();
      const whole = { paper: true, strategyId: null };
      const [first, second] = [aPoint(), aPoint({ cash: usdc('1'), positions: usdc('2'), fees: usdc('3') })];
      await put(ledger, { equity: [first, second] });
      expect(await ledger.listEquity(ALICE, whole, { limit: 5 })).toEqual([second]);
      const third = aPoint({ cash: minus(usdc('1')), realised: usdc('7'), unrealised: minus(usdc('8')) });
      await put(ledger, { equity: [third] });
      expect(await ledger.listEquity(ALICE, whole, { limit: 5 })).toEqual([third]);
    });
  });
}
