import { describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import type { ApprovalId } from '../../../../src/core/ids.js';
import type { Slot } from '../../../../src/core/strategy/record/decision-record.js';
import { ALICE, BOB } from '../../../support/builders.js';
import { aSlot } from '../../../support/builders-of-bets.js';
import { levels } from '../../../support/scripted-market.js';
import { HOME, strategyFixture } from '../../../support/strategy-fixture.js';

type Limits = NonNullable<typeof HOME.limits>;

/** A strategy whose home team is offered at 0.50, and an operator who resets its account. */
async function fixtureOf(limits: Limits = {}, automation: 'auto' | 'approve' = 'auto') {
  const rules = { ...HOME, limits: { eventLoss: null, cooldownMs: null, ...limits } };
  const fixture = await strategyFixture({ strategy: { rules, automation } });
  const { game, strategy, ledger, use, orders, decisions } = fixture;
  const { id: marketId, venue, event } = game.market;
  const slots = { strategyId: strategy.id, venue, marketId, eventId: event?.id ?? null, day: '' };
  const offered = async (...asks: readonly string[]) => {
    for (const ask of asks) await game.show('0.48x1000', `${ask}x1000`);
  };
  return {
    ...fixture,
    offered,
    bets: async () => (await orders()).filter(({ intent }) => intent.side === 'BUY').length,
    /** Which slots the bets on record used, in the order of the decisions. */
    numbers: async () => (await decisions()).flatMap(({ slot }) => slot ?? []).toReversed(),
    /** The slots on record, as reset and number. */
    slots: async () =>
      (await ledger.read({ account: ALICE, slots }, (now) => now.slots()))
        .map(({ reset, n }) => `${reset}/${n}`)
        .sort(),
    reset: () => use.accounts.resetPaper.execute({ by: BOB, account: ALICE, idempotencyKey: null }),
    put: (slot: Partial<Slot>) => {
      const used = aSlot({ ...slots, outcome: 'YES', at: fixture.time.now(), ...slot });
      return ledger.write({ account: ALICE }, () => ({ result: null, slots: [used] }));
    },
  };
}

describe('A reset of a paper account', () => {
  it('frees the slots of its paper bets at the next market search', async () => {
    const { offered, reset, refresh, bets, slots, numbers } = await fixtureOf();
    await offered('0.50', '0.56', '0.50');
    await refresh();
    expect(await bets()).toBe(1);
    await reset();
    await refresh();
    expect([await bets(), await numbers()]).toEqual([2, [1, 1]]);
    expect(await slots()).toEqual(['0/1', '1/1']);
  });

  it('gets the next number each time and keeps earlier slots on record', async () => {
    const { offered, reset, refresh, bets, slots } = await fixtureOf();
    await offered('0.50');
    for (let resets = 0; resets < 2; resets++) {
      await reset();
      await refresh();
    }
    expect([await bets(), await slots()]).toEqual([3, ['0/1', '1/1', '2/1']]);
    await offered('0.56', '0.50');
    await refresh();
    expect(await bets()).toBe(3);
  });

  it('frees no slot of a bet with real money', async () => {
    const { offered, put, reset, refresh, place, bets } = await fixtureOf();
    await place({ outcome: 'NO' });
    const before = await bets();
    await put({ reset: -1 });
    await reset();
    await offered('0.50', '0.56', '0.50');
    await refresh();
    expect(await bets()).toBe(before);
  });

  it('lets no bet reuse the number of a later real-money bet', async () => {
    const { offered, put, reset, refresh, numbers, slots } = await fixtureOf({ maxBetsPerOutcome: 2 });
    await offered('0.50');
    await put({ reset: -1, n: 2 });
    await reset();
    await offered('0.56', '0.50');
    await refresh();
    await offered('0.56', '0.50');
    expect([await numbers(), await slots()]).toEqual([
      [1, 3],
      ['-1/2', '0/1', '1/3'],
    ]);
  });

  it.each([
    ['cooldown', { maxBetsPerOutcome: 2, cooldownMs: 3_600_000 }],
    ['bets on an event', { maxBetsPerOutcome: 2, maxBetsPerEvent: 1 }],
    ['bets of a day', { maxBetsPerOutcome: 2, maxBetsPerDay: 1 }],
    ['open bets', { maxBetsPerOutcome: 2, maxOpen: 1 }],
  ] satisfies [string, Limits][])('counts nothing of before for limits: %s', async (_, limits) => {
    const { offered, reset, refresh, bets } = await fixtureOf(limits);
    await offered('0.50', '0.56', '0.50');
    expect(await bets()).toBe(1);
    await reset();
    await refresh();
    expect(await bets()).toBe(2);
  });

  it('keeps a pending approval, whose bet is placed once approved', async () => {
    const { offered, place, reset, refresh, use, game, ledger, time, bets, numbers } = await fixtureOf({}, 'approve');
    await place({ outcome: 'NO' });
    const byHand = await bets();
    await offered('0.50');
    const waiting = () => ledger.approvals.list(ALICE, { at: time.now(), state: 'waiting' }, { limit: 10 });
    const before = await waiting();
    expect(before).toHaveLength(1);
    await reset();
    await refresh();
    expect(await waiting()).toEqual(before);
    game.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
    const approvalId = before[0]?.id as ApprovalId;
    const answer = { account: ALICE, approvalId, by: 'somebody', idempotencyKey: null };
    await use.approvals.approve.execute({ ...answer, may: new Set(AUTH_SCOPES), mayTradeLive: false });
    expect([(await bets()) - byHand, await numbers()]).toEqual([1, [1, 1]]);
  });

  it('leaves decisions as they were', async () => {
    const { offered, reset, decisions } = await fixtureOf();
    await offered('0.50');
    const before = await decisions();
    await reset();
    expect(await decisions()).toEqual(before);
  });
});
