import { describe, expect, it } from 'vitest';
import { uuidV7 } from '../../src/adapters/system/index.js';
import type { AccountId, ApprovalId, MarketId, OrderId, StrategyId } from '../../src/core/ids.js';
import { type Approval, approvalAt } from '../../src/core/strategy/record/approval.js';
import { completeRules } from '../../src/core/strategy/rules/complete-rules.js';
import { ChangeStrategy } from '../../src/core/usecases/strategies/change-strategy.js';
import type { ApprovalFilter } from '../../src/ports/approval-store.js';
import { aStrategy, clockAt } from '../support/builders.js';
import { ALICE, aBet, anApproval, BOB } from '../support/builders-of-bets.js';
import { EVERYTHING } from '../support/grown-rules.js';
import { logOf } from './ledger-log.js';
import type { TestedLedger } from './opened.js';

const FOOTBALL = uuidV7.next() as StrategyId;
const TENNIS = uuidV7.next() as StrategyId;
const ALL = { limit: 100 };
const NOON = new Date('2026-12-05T12:00:00.000Z');
const LATER = new Date(NOON.getTime() + 60_000);

/** One of a market of its own, which expires a minute after noon. */
function waitingOn(market: string, changes: Partial<Approval> & { readonly strategyId?: StrategyId } = {}): Approval {
  const { strategyId = FOOTBALL, account = ALICE, ...others } = changes;
  const decision = aBet({ account, strategyId, marketId: market as MarketId, orderId: null });
  return anApproval({ account, decision, expiresAt: LATER, ...others });
}

const put = (ledger: TestedLedger, ...approvals: readonly Approval[]) =>
  ledger.write({ account: approvals[0]?.account ?? ALICE }, () => ({ result: null, approvals }));

const CHANGE = { precondition: null, route: 'strategies.change' } as const;
const by = { decidedBy: 'key:4f1c', decidedAt: NOON };

/** Bets that wait for a person: what every store promises of them. */
export function ledgerApprovals(open: () => TestedLedger): void {
  describe('bets that wait for a person', () => {
    it('are read back exactly, and by their owner alone', async () => {
      const ledger = open();
      const approval = anApproval({ eventId: null, paper: false });
      await put(ledger, approval);
      expect(await ledger.approvals.find(ALICE, approval.id)).toEqual(approval);
      expect(await ledger.approvals.find(BOB, approval.id)).toBeUndefined();
      expect(await ledger.approvals.find(ALICE, uuidV7.next() as ApprovalId)).toBeUndefined();
      expect(await ledger.approvals.list(BOB, { at: NOON }, ALL)).toEqual([]);
      const orderId = uuidV7.next() as OrderId;
      const decision = aBet({ orderId, approvalId: approval.id });
      const approved: Approval = { ...approval, ...by, state: 'approved', decision, orderId };
      await put(ledger, approved);
      expect(await ledger.approvals.find(ALICE, approval.id)).toEqual(approved);
    });

    it('are listed newest first, by page and by state at a moment', async () => {
      const ledger = open();
      const first = waitingOn('a');
      const second = waitingOn('b', { ...by, state: 'rejected' });
      const third = waitingOn('c', { expiresAt: NOON });
      const fourth = waitingOn('d', { state: 'expired' });
      await put(ledger, first, second, third, fourth);
      const ids = async (
        state?: ApprovalFilter['state'],
        at = NOON,
        page: { limit: number; after?: ApprovalId } = ALL,
      ) => (await ledger.approvals.list(ALICE, { at, ...(state && { state }) }, page)).map(({ id }) => id);
      expect(await ids()).toEqual([fourth.id, third.id, second.id, first.id]);
      expect(await ids(undefined, NOON, { limit: 2, after: fourth.id })).toEqual([third.id, second.id]);
      expect(await ids('rejected')).toEqual([second.id]);
      expect(await ids('waiting')).toEqual([first.id]);
      expect(await ids('expired')).toEqual([fourth.id, third.id]);
      expect(await ids('waiting', LATER)).toEqual([]);
      expect(await ids('expired', LATER)).toEqual([fourth.id, third.id, first.id]);
    });

    it('are found by whoever lets them expire, of all accounts', async () => {
      const ledger = open();
      const [mine, theirs, early] = [
        waitingOn('a'),
        waitingOn('a', { account: BOB }),
        waitingOn('b', { expiresAt: NOON }),
      ];
      await put(ledger, mine, early, waitingOn('c', { state: 'expired' }));
      await put(ledger, theirs);
      const ids = async (limit: number) => (await ledger.approvals.listWaiting(limit)).map(({ id }) => id);
      expect(await ids(1)).toEqual([early.id]);
      const [first, ...later] = await ids(10);
      expect(first).toBe(early.id);
      expect(later.sort()).toEqual([mine.id, theirs.id].sort());
    });

    it('are loaded by scope: the waiting ones, and all of the market', async () => {
      const ledger = open();
      const [here, elsewhere] = [waitingOn('here'), waitingOn('elsewhere')];
      const before = waitingOn('here', { ...by, state: 'rejected' });
      const others = [waitingOn('gone', { ...by, state: 'rejected' }), waitingOn('here', { strategyId: TENNIS })];
      await put(ledger, here, elsewhere, before, ...others);
      const seen = (account: AccountId, marketId: string) => {
        const approvals = { strategyId: FOOTBALL, venue: here.decision.venue, marketId: marketId as MarketId };
        return ledger.read({ account, approvals }, (now) =>
          now
            .approvals()
            .map(({ id }) => id)
            .sort(),
        );
      };
      expect(await seen(ALICE, 'here')).toEqual([here.id, elsewhere.id, before.id].sort());
      expect(await seen(ALICE, 'nowhere')).toEqual([here.id, elsewhere.id].sort());
      expect(await seen(BOB, 'here')).toEqual([]);
      expect(await ledger.read({ account: ALICE }, (now) => now.approvals())).toEqual([]);
    });

    it('are events of the log, as they were right after', async () => {
      const ledger = open();
      const waiting = waitingOn('a');
      const rejected: Approval = { ...waiting, ...by, state: 'rejected' };
      await put(ledger, waiting);
      await put(ledger, rejected);
      expect((await logOf(ledger)).map(({ type, subject }) => [type, subject])).toEqual([
        ['approval.waiting', { kind: 'approval', approval: waiting }],
        ['approval.rejected', { kind: 'approval', approval: rejected }],
      ]);
    });

    it('add no bet event to the log while they wait', async () => {
      const ledger = open();
      const waiting = waitingOn('a');
      const { decision } = { decision: { ...waiting.decision, approvalId: waiting.id } };
      await ledger.write({ account: ALICE }, () => ({ result: null, decisions: [decision], approvals: [waiting] }));
      expect((await logOf(ledger)).map(({ type }) => type)).toEqual(['approval.waiting']);
    });

    it('are withdrawn, on record, in the write that ends the asking', async () => {
      const ledger = open();
      const strategy = aStrategy({ rules: completeRules(EVERYTHING, 'soccer'), automation: 'approve' });
      const { id: strategyId } = strategy;
      await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
      const [one, two, other] = [waitingOn('a', { strategyId }), waitingOn('b', { strategyId }), waitingOn('a')];
      await put(ledger, one, two, other, waitingOn('c', { strategyId, ...by, state: 'rejected' }));
      const clock = clockAt(NOON.toISOString());
      const change = new ChangeStrategy(ledger, { clock, wallClock: clock, ids: uuidV7 });
      const patched = (patch: object) =>
        change.execute({ account: ALICE, strategyId, patch, ...CHANGE, idempotencyKey: null });
      await patched({ name: 'Renamed' });
      expect(await ledger.approvals.list(ALICE, { at: NOON, state: 'waiting' }, ALL)).toHaveLength(3);
      await patched({ automation: 'auto' });
      const refused = await ledger.approvals.list(ALICE, { at: NOON, state: 'refused' }, ALL);
      expect(refused.map(({ id }) => id)).toEqual([two.id, one.id]);
      for (const { id, decision, decidedBy } of refused) {
        expect([decision.code, decision.approvalId, decidedBy]).toEqual(['automation_changed', id, 'service']);
        expect(await ledger.decisions.find(ALICE, decision.id)).toEqual(decision);
      }
      const log = (await logOf(ledger)).map(({ type }) => type);
      expect(log.slice(-3)).toEqual(['strategy.changed', 'approval.refused', 'approval.refused']);
      expect((await ledger.approvals.find(ALICE, other.id))?.state).toBe('waiting');
    });

    it('make room for the next one in the write that closes them', async () => {
      const ledger = open();
      const [first, second] = [waitingOn('a'), waitingOn('a')];
      await put(ledger, first);
      await put(ledger, second, approvalAt(first, LATER));
      expect((await ledger.approvals.list(ALICE, { at: NOON, state: 'waiting' }, ALL)).map(({ id }) => id)).toEqual([
        second.id,
      ]);
    });
  });
}

/** Handles on one store that answer at once: one answer counts. */
export function approvalRaces(open: () => readonly TestedLedger[]): void {
  it('concurrent answers decide a waiting approval only once', async () => {
    const ledgers = open();
    const [first = ledgers[0]] = ledgers;
    const waiting = waitingOn('a');
    await put(first as TestedLedger, waiting);
    const answer = (ledger: TestedLedger, nth: number) =>
      ledger.write({ account: ALICE, approvals: waiting.decision }, (now) => {
        const [found] = now.approvals();
        if (found?.state !== 'waiting') return { result: null };
        const approved: Approval = { ...found, ...by, state: 'approved', decidedBy: `${nth}` };
        return { result: nth, approvals: [approved] };
      });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => ledgers.map((one) => answer(one, nth))).flat(),
    );
    const winners = answers.filter((one) => one !== null);
    expect(winners).toHaveLength(1);
    expect((await first?.approvals.find(ALICE, waiting.id))?.decidedBy).toBe(`${winners[0]}`);
  });
}
