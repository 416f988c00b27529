import { beforeEach, describe, expect, it } from 'vitest';
import { MarketDataUnavailable } from '../../../../src/core/errors.js';
import type { ApprovalId } from '../../../../src/core/ids.js';
import {
  ApprovalNotFound,
  ApprovalNotWaiting,
  ProgramOutdated,
  ScopeMissing,
} from '../../../../src/core/strategy/rules/strategy-refusals.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { ALICE, BOB, price, usdc } from '../../../support/builders.js';
import { asking, HOME, MAY, MINUTE } from './fixture.js';

let fixture: Awaited<ReturnType<typeof asking>>;

beforeEach(async () => {
  fixture = await asking();
});

const states = async () => (await fixture.approvals()).map(({ state }) => state);
const types = async () => (await fixture.ledger.log.list(ALICE, {}, { limit: 100 })).map(({ type }) => type);

describe('A bet that waits', () => {
  it.each<[string, object]>([
    ['bets by itself', { automation: 'auto' }],
    ['does nothing by itself', { automation: 'off' }],
  ])('is withdrawn once its strategy %s', async (_, patch) => {
    const { show, approvals, approve, orders, change } = fixture;
    await show('0.50x1000');
    const [waiting] = await approvals();
    await change(patch);
    const withdrawn = { state: 'refused', decidedBy: 'service', decision: { code: 'automation_changed' } };
    expect(await approvals()).toMatchObject([withdrawn]);
    await expect(approve(waiting)).rejects.toThrow(ApprovalNotWaiting);
    expect(await orders()).toEqual([]);
  });

  it('is bet once by a strategy that was told to bet by itself', async () => {
    const { show, orders, change, runner } = fixture;
    await show('0.50x1000');
    await change({ automation: 'auto' });
    await runner.refreshStrategies();
    await show('0.49x1000');
    await show('0.50x1000');
    expect((await orders()).map(({ intent }) => intent.price)).toEqual([price('0.49')]);
    expect(await states()).toEqual(['refused']);
  });

  it('is withdrawn with its strategy, which may not be used again', async () => {
    const { show, use, strategy } = fixture;
    await show('0.50x1000');
    await use.strategies.archive.execute({ account: ALICE, strategyId: strategy.id, precondition: null });
    expect(await states()).toEqual(['refused']);
    expect((await types()).slice(-2)).toEqual(['strategy.archived', 'approval.refused']);
  });

  it('is asked for anew once its strategy asks again', async () => {
    const { show, change, runner } = fixture;
    await show('0.50x1000');
    for (const automation of ['off', 'approve']) await change({ automation });
    await runner.refreshStrategies();
    await show('0.501x1000');
    expect(await states()).toEqual(['waiting', 'refused']);
  });
});

describe('A person who approves', () => {
  it('places the order at current prices, and is recorded', async () => {
    const { show, approvals, approve, orders, clock } = fixture;
    await show('0.50x1000');
    await clock.pass(MINUTE);
    await show('0.49x1000');
    const approved = await approve((await approvals())[0]);
    const [order] = await orders();
    expect(order?.intent).toMatchObject({ price: price('0.49'), size: usdc('10'), paper: true, side: 'BUY' });
    expect(approved).toMatchObject({ state: 'approved', decidedBy: 'ann', decidedAt: clock.now(), orderId: order?.id });
    expect(approved.decision).toMatchObject({
      orderId: order?.id,
      approvalId: approved.id,
      price: price('0.49'),
      slot: 1,
    });
    expect((await approvals())[0]).toEqual(approved);
    expect((await types()).slice(-3)).toContain('approval.approved');
    expect(await types()).toContain('decision.bet');
  });

  it('makes one order, however many approve at once', async () => {
    const { show, approvals, approve, orders } = fixture;
    await show('0.50x1000');
    const [waiting] = await approvals();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => approve(waiting, `person ${nth}`)));
    expect(await orders()).toHaveLength(1);
    expect(new Set(answers.map(({ orderId, decidedBy }) => `${orderId} ${decidedBy}`)).size).toBe(1);
  });

  it('uses up the slot: the same bet is not asked for again', async () => {
    const { show, approvals, approve, clock } = fixture;
    await show('0.50x1000');
    await approve((await approvals())[0]);
    await clock.pass(6 * MINUTE);
    for (const asks of ['0.60x1000', '0.48x1000', '0.50x1000']) await show(asks);
    expect(await states()).toEqual(['approved']);
  });

  it('gets the same answer again with the same key', async () => {
    const { show, approvals, use, orders } = fixture;
    await show('0.50x1000');
    const approvalId = (await approvals())[0]?.id as ApprovalId;
    const command = { account: ALICE, approvalId, by: 'ann', idempotencyKey: 'k', mayTradeLive: true };
    const yes = () => use.approvals.approve.execute({ ...command, may: new Set(['orders:paper'] as const) });
    const [first, second] = [await yes(), await yes()];
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(second.record).toEqual(first.record);
    expect(await orders()).toHaveLength(1);
  });

  it('is refused, on record, once the price is worse by over 0.02', async () => {
    const { show, approvals, approve, orders, strategy, ledger } = fixture;
    await show('0.50x1000');
    await show('0.53x1000');
    const refused = await approve((await approvals())[0]);
    expect(refused).toMatchObject({ state: 'refused', decidedBy: 'ann', orderId: null });
    expect(refused.decision).toMatchObject({ verdict: 'skip', code: 'price_drifted', approvalId: refused.id });
    expect(await orders()).toEqual([]);
    expect(await ledger.decisions.list(ALICE, strategy.id, {}, { limit: 10 })).toContainEqual(refused.decision);
    expect((await types()).at(-1)).toBe('approval.refused');
  });

  it.each<[string, object]>([
    ['odds_out_of_range', { rules: { ...HOME, filter: { minOdds: 2_100_000n } } }],
    ['strategy_paused', { isPaused: true }],
    ['below_minimum', { stakeCap: usdc('1') }],
  ])('is refused with %s where the version in force does not bet', async (code, patch) => {
    const { show, approvals, approve, orders, change } = fixture;
    await show('0.50x1000');
    await change(patch);
    expect((await approve((await approvals())[0])).decision).toMatchObject({ verdict: 'skip', code });
    expect(await orders()).toEqual([]);
    expect(await states()).toEqual(['refused']);
  });

  it('is refused where a limit denies the order, which is on record', async () => {
    const { halt, show, approvals, approve, orders } = fixture;
    await show('0.50x1000');
    await halt();
    const refused = await approve((await approvals())[0]);
    const [order] = await orders();
    expect([refused.state, refused.decision.code, refused.orderId]).toEqual(['refused', 'trading_halted', order?.id]);
    expect(order?.refusal?.code).toBe('trading_halted');
  });

  it('cannot approve on a server outdated by a newer version', async () => {
    const { show, approvals, ports, orders } = fixture;
    await show('0.50x1000');
    const outdated = () => 'version 2.0.0 works on it';
    const { approve } = useCases({ ...ports, outdated }).approvals;
    const approvalId = (await approvals())[0]?.id as ApprovalId;
    const answer = { account: ALICE, approvalId, by: 'ann', idempotencyKey: null, may: MAY, mayTradeLive: true };
    await expect(approve.execute(answer)).rejects.toThrow(ProgramOutdated);
    expect([await states(), await orders()]).toEqual([['waiting'], []]);
  });

  it('waits on while the book cannot be read', async () => {
    const { show, approvals, approve, market } = fixture;
    await show('0.50x1000');
    market.shown = undefined;
    await expect(approve((await approvals())[0])).rejects.toThrow(MarketDataUnavailable);
    expect(await states()).toEqual(['waiting']);
  });

  it('needs the scope for the money of the bet', async () => {
    const { show, approvals, use, orders } = fixture;
    await show('0.50x1000');
    const approvalId = (await approvals())[0]?.id as ApprovalId;
    const command = { account: ALICE, approvalId, by: 'ann', idempotencyKey: null, mayTradeLive: true };
    const live = use.approvals.approve.execute({ ...command, may: new Set(['orders:live'] as const) });
    await expect(live).rejects.toThrow(ScopeMissing);
    expect(await states()).toEqual(['waiting']);
    expect(await orders()).toEqual([]);
  });

  it('knows no approval of another account', async () => {
    const { show, approvals, use } = fixture;
    await show('0.50x1000');
    const approvalId = (await approvals())[0]?.id as ApprovalId;
    const answer = { account: BOB, approvalId, by: 'bob', idempotencyKey: null };
    await expect(use.approvals.reject.execute(answer)).rejects.toThrow(ApprovalNotFound);
    const may = new Set(['orders:paper'] as const);
    await expect(use.approvals.approve.execute({ ...answer, may, mayTradeLive: true })).rejects.toThrow(
      ApprovalNotFound,
    );
  });
});
