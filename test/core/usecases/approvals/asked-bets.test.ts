import { beforeEach, describe, expect, it } from 'vitest';
import type { Market } from '../../../../src/core/market/market.js';
import { ApprovalNotWaiting } from '../../../../src/core/strategy/rules/strategy-refusals.js';
import { ALICE, price, usdc } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { asking, HOME, MINUTE, START } from './fixture.js';

/** A start so near that windows that end 5 minutes before it have closed. */
const NEAR = new Date(START.getTime() - 119 * MINUTE);

let fixture: Awaited<ReturnType<typeof asking>>;

beforeEach(async () => {
  fixture = await asking();
});

const states = async () => (await fixture.approvals()).map(({ state }) => state);
const types = async () => (await fixture.ledger.log.list(ALICE, {}, { limit: 100 })).map(({ type }) => type);

describe('A strategy that asks before each bet', () => {
  it('puts the bet on record to wait, and orders nothing', async () => {
    const { show, approvals, orders, strategy, ledger } = fixture;
    await show('0.50x1000');
    const [approval, ...others] = await approvals();
    expect(others).toEqual([]);
    expect(approval).toMatchObject({ state: 'waiting', decidedBy: null, decidedAt: null, orderId: null, paper: true });
    expect(approval?.decision).toMatchObject({ verdict: 'bet', price: price('0.5'), size: usdc('10'), orderId: null });
    expect(approval?.decision.approvalId).toBe(approval?.id);
    const [decision] = await ledger.decisions.list(ALICE, strategy.id, {}, { limit: 10 });
    expect(decision).toEqual(approval?.decision);
    expect(await orders()).toEqual([]);
    expect(await types()).toEqual(['strategy.created', 'approval.waiting']);
  });

  it('asks once for the same bet, whatever the market does meanwhile', async () => {
    const { show, approvals, runner } = fixture;
    for (const asks of ['0.50x1000', '0.51x1000', '0.49x1000', '0.56x1000', '0.50x1000']) await show(asks);
    await runner.refreshMarkets();
    expect(await approvals()).toHaveLength(1);
  });

  it('counts a waiting bet against its limits, except for that bet', async () => {
    const rules = { ...HOME, outcome: 'each' as const };
    const free = await asking({ rules });
    await free.show('0.50x1000');
    expect(await free.approvals()).toHaveLength(2);
    for (const limits of [{ maxBetsPerMarket: 1 }, { maxBetsPerEvent: 1 }, { maxBetsPerDay: 1 }]) {
      const { show, approvals, approve, market } = await asking({ rules: { ...rules, limits } });
      await show('0.50x1000');
      // The other outcome was asked for at the first book.
      const [waiting, ...others] = await approvals();
      expect(others).toEqual([]);
      market.shown = { bids: levels('0.58x1000'), asks: levels('0.60x1000') };
      expect((await approve(waiting)).state).toBe('approved');
    }
  });

  it('asks nothing while trading is halted', async () => {
    const { halt, show, approvals } = fixture;
    await halt();
    await show('0.50x1000');
    expect(await approvals()).toEqual([]);
  });
});

describe('A person who rejects', () => {
  it('is on record, and nothing is ordered', async () => {
    const { show, approvals, reject, approve, orders, clock } = fixture;
    await show('0.50x1000');
    const [waiting] = await approvals();
    const rejected = await reject(waiting, 'bob');
    expect(rejected).toEqual({ ...waiting, state: 'rejected', decidedBy: 'bob', decidedAt: clock.now() });
    expect(await reject(waiting, 'ann')).toEqual(rejected);
    await expect(approve(waiting)).rejects.toThrow(ApprovalNotWaiting);
    expect(await orders()).toEqual([]);
    expect((await types()).at(-1)).toBe('approval.rejected');
  });

  it('is asked again only once the price has moved', async () => {
    const { show, approvals, reject } = fixture;
    await show('0.50x1000');
    await reject((await approvals())[0]);
    for (const asks of ['0.501x1000', '0.56x1000']) await show(asks);
    expect(await states()).toEqual(['rejected']);
    await show('0.49x1000');
    expect(await states()).toEqual(['waiting', 'rejected']);
  });
});

describe('A bet that no person answers', () => {
  it('expires after 10 minutes, is logged, and cannot be approved', async () => {
    const { show, approvals, approve, clock, use } = fixture;
    await show('0.50x1000');
    const [waiting] = await approvals();
    await clock.pass(10 * MINUTE);
    expect(await states()).toEqual(['expired']);
    await expect(approve(waiting)).rejects.toThrow(ApprovalNotWaiting);
    for (let round = 0; round < 2; round++) expect(await use.approvals.expire.execute()).toBeNull();
    expect(await states()).toEqual(['expired']);
    expect((await types()).filter((type) => type.startsWith('approval'))).toEqual([
      'approval.waiting',
      'approval.expired',
    ]);
  });

  it('expires when its window ends', async () => {
    const { show, approvals, clock, runner } = await asking({
      rules: { ...HOME, window: { toMs: -5 * MINUTE } },
    });
    await clock.pass(START.getTime() - 8 * MINUTE - clock.now().getTime());
    await runner.refreshMarkets();
    await show('0.50x1000');
    expect((await approvals())[0]?.expiresAt).toEqual(new Date(START.getTime() - 5 * MINUTE));
  });

  it.each<[string, string, string | null, Partial<Market>]>([
    ['its game begins before its time', 'pre', 'in_play_not_allowed', { status: 'in_play' }],
    ['its window has closed by a start that was moved', 'any', 'too_close_to_start', { startsAt: NEAR }],
    ['its game is over', 'any', 'not_matched:status', { status: 'closed' }],
    ['its market is only suspended', 'any', null, { status: 'suspended' }],
  ])('waits no longer, and says why, once %s', async (_, phase, code, now) => {
    const rules = { ...HOME, phase: phase as 'pre' | 'any', window: { toMs: -5 * MINUTE } };
    const { show, approvals, market, use } = await asking({ rules });
    await show('0.50x1000');
    await use.approvals.expire.compare();
    expect((await approvals()).map(({ state }) => state)).toEqual(['waiting']);
    Object.assign(market, { market: { ...market.market, ...now } });
    await use.approvals.expire.compare();
    const ended = { state: 'expired', decidedBy: 'service', decision: { verdict: 'skip', code } };
    expect(await approvals()).toMatchObject([code === null ? { state: 'waiting' } : ended]);
  });

  it('makes room for the next one once the price has moved', async () => {
    const { show, clock } = fixture;
    await show('0.50x1000');
    await clock.pass(10 * MINUTE);
    await show('0.49x1000');
    expect(await states()).toEqual(['waiting', 'expired']);
    expect((await types()).filter((type) => type.startsWith('approval'))).toEqual([
      'approval.waiting',
      'approval.expired',
      'approval.waiting',
    ]);
  });
});
