import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import type { AuthScope } from '../../../../src/core/access/principal.js';
import type { AlarmRecord } from '../../../../src/core/alarm/alarm.js';
import { StorageUnavailable } from '../../../../src/core/errors.js';
import type { LimitsChange } from '../../../../src/core/limits/limits.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { ALICE, aDraft, price, shares, usdc } from '../../../support/builders.js';
import { CONDITION } from '../../../support/scripted-market.js';
import { HOME, passing, strategyFixture } from '../../../support/strategy-fixture.js';

/** Backs both sides for 12, so that a sale of one leaves up to 12 at risk; sells what lost a fifth. */
const BOTH: RulesDraft = {
  ...HOME,
  outcome: 'each',
  filter: { minOdds: 1_950_000n, maxOdds: 2_050_000n },
  sizing: { method: 'flat', value: usdc('12') },
  limits: { eventLoss: usdc('12') },
  exit: { stop: { loss: 200_000n } },
};
const SECOND = 1000;

/** A strategy whose stop is reached, and that may lose 2 where it wants to sell 24 shares for which that would have to be 11.9952. */
async function heldBack(ledger?: MemoryLedger) {
  const fixture = await strategyFixture({
    strategy: { name: 'Both sides', rules: BOTH },
    ...(ledger && { ledger }),
  });
  const { show, use, time } = fixture;
  const limit = (change: LimitsChange) => use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
  await show('0.49x1000', '0.50x1000');
  await limit({ eventLossUsdc: usdc('2') });
  const begun = time.now();
  await show('0.38x1000', '0.39x1000');
  return {
    ...fixture,
    limit,
    begun,
    trading: (state: 'halted' | 'active') =>
      use.trading.set.execute({
        change: { scope: 'account', state, stops: 'all', reason: 'a test', until: null, by: 'alice' },
        account: ALICE,
        cancel: false,
        idempotencyKey: null,
        may: new Set<AuthScope>(['orders:cancel', 'risk:write']),
      }),
    settled: () => use.markets.settle.execute({ venue: NO_VENUE, marketId: CONDITION }, YES_WON),
    resets: () => use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null }),
    alarms: () => use.alarms.read.execute(ALICE, false),
    told: async () => {
      const events = await fixture.ledger.log.list(ALICE, { types: ['alarm.raised', 'alarm.cleared'] }, { limit: 100 });
      return events.map(({ type, subject }) => `${type} ${(subject as { alarm: AlarmRecord }).alarm.kind}`);
    },
  };
}

const RAISED = 'alarm.raised exit_held_back';
const CLEARED = 'alarm.cleared exit_held_back';

describe('An exit that no limit lets pass', () => {
  it('raises an alarm after one minute of market time', async () => {
    const { time, alarms, told, strategy, begun, sales } = await heldBack();
    await passing(time, 59 * SECOND);
    expect(await alarms()).toEqual([]);
    await passing(time, SECOND);
    const [alarm, ...others] = await alarms();
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({
      kind: 'exit_held_back',
      scope: 'account',
      since: begun,
      until: null,
      subject: expect.stringContaining(strategy.id),
      detail:
        'Both sides cannot sell Bucks against Thunder: Bucks, paper, as exit/stop wants. event_loss_exceeded: ' +
        'event_loss_usdc leaves 4 of 24 shares, and the venue takes no fewer than 5. For all of them it has to be 11.9952 or more.',
    });
    await passing(time, 180 * SECOND);
    expect(await told()).toEqual([RAISED]);
    expect(await sales()).toEqual([]);
  });

  it('counts the minute across different limits in succession', async () => {
    const { time, alarms, limit, codes } = await heldBack();
    await passing(time, 20 * SECOND);
    await limit({ eventLossUsdc: null, openOrders: 0 });
    await passing(time, 39 * SECOND);
    expect(await alarms()).toEqual([]);
    await passing(time, SECOND);
    expect(await alarms()).toMatchObject([{ detail: expect.stringMatching(/max_open_exceeded: .*orders=0, cap=0/) }]);
    expect(new Set(await codes())).toEqual(new Set([null, 'max_open_exceeded', 'event_loss_exceeded']));
  });

  it('raises no alarm for a trading state, paused strategy or unknown prices', async () => {
    const { time, alarms, change, refresh, limit, game, told, trading } = await heldBack();
    await limit({ eventLossUsdc: null });
    await trading('halted');
    await passing(time, 200 * SECOND);
    await change({ isPaused: true });
    await trading('active');
    await refresh();
    await passing(time, 200 * SECOND);
    expect(await alarms()).toEqual([]);
    await change({ isPaused: false });
    await game.tell({ type: 'gap', reason: 'a test' });
    await refresh();
    await passing(time, 200 * SECOND);
    expect(await told()).toEqual([]);
  });

  it.each([
    ['the price goes back', async ({ show }: Fixture) => show('0.49x1000', '0.50x1000'), 0],
    ['the limit is raised', async ({ limit }: Fixture) => limit({ eventLossUsdc: usdc('12') }), 60 * SECOND],
    ['it is settled', async ({ settled }: Fixture) => settled(), SECOND],
    ['nothing is held', async ({ resets }: Fixture) => resets(), 60 * SECOND],
    ['the strategy is switched off', async ({ change }: Fixture) => change({ automation: 'off' }), 0],
    ['the strategy wants no exit', async ({ change }: Fixture) => change({ rules: { ...BOTH, exit: {} } }), 0],
  ])('is over once %s', async (_, act, ms) => {
    const fixture = await heldBack();
    const { time, told, refresh, alarms } = fixture;
    await passing(time, 60 * SECOND);
    expect(await told()).toEqual([RAISED]);
    await act(fixture);
    await refresh();
    await passing(time, ms);
    expect(await alarms()).toEqual([]);
    expect(await told()).toEqual([RAISED, CLEARED]);
    await passing(time, 200 * SECOND);
    expect(await told()).toEqual([RAISED, CLEARED]);
  });

  it('clears its alarm on a partial exit and raises it again later', async () => {
    const { time, told, limit, sales } = await heldBack();
    await passing(time, 60 * SECOND);
    await limit({ eventLossUsdc: usdc('9') });
    await passing(time, 60 * SECOND);
    expect((await sales()).map(({ filled }) => filled.shares)).toEqual([shares('18')]);
    expect(await told()).toEqual([RAISED, CLEARED]);
    await passing(time, 62 * SECOND);
    expect(await told()).toEqual([RAISED, CLEARED, RAISED]);
  });

  it('restarts its minute when the price recovered in between', async () => {
    const { time, show, told } = await heldBack();
    await passing(time, 40 * SECOND);
    await show('0.49x1000', '0.50x1000');
    await show('0.38x1000', '0.39x1000');
    // The attempt before was at 31 s, the next one is at 63.
    await passing(time, (23 + 59) * SECOND);
    expect(await told()).toEqual([]);
    await passing(time, SECOND);
    expect(await told()).toEqual([RAISED]);
  });

  it('remains one alarm across gaps in the market data', async () => {
    const { time, told, game, show } = await heldBack();
    await passing(time, 60 * SECOND);
    await game.tell({ type: 'gap', reason: 'a test' });
    await passing(time, 60 * SECOND);
    await show('0.38x1000', '0.39x1000');
    await passing(time, 60 * SECOND);
    expect(await told()).toEqual([RAISED]);
  });

  it.each([
    ['the next server', async () => {}, async ({ show }: Fixture) => show('0.49x1000', '0.50x1000')],
    ['the next server at its start', async ({ settled }: Fixture) => settled(), async () => {}],
    ['the next server at its start', async ({ change }: Fixture) => change({ automation: 'off' }), async () => {}],
  ])('is one alarm over a restart, and cleared by %s', async (_, between, then) => {
    const fixture = await heldBack();
    const { time, told, after, runner, serve } = fixture;
    await passing(time, 60 * SECOND);
    after.stop();
    runner.stop();
    await between(fixture);
    const next = serve();
    await next.refresh();
    if (between.length === 0) {
      await passing(time, 200 * SECOND);
      expect(await told()).toEqual([RAISED]);
    }
    await then(fixture);
    expect(await told()).toEqual([RAISED, CLEARED]);
  });

  it("keeps one alarm over a restart that clears another strategy's alarm", async () => {
    const fixture = await strategyFixture({
      strategy: { rules: { ...BOTH, exit: { stop: { price: price('0.40') } } } },
    });
    const { show, use, time, after, runner, serve, refresh, ledger } = fixture;
    const rules = { ...HOME, exit: { stop: { price: price('0.45') } } };
    const draft = aDraft({ sport: 'nba', automation: 'auto', rules });
    const { record: other } = await use.strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
    await refresh();
    await show('0.49x1000', '0.50x1000');
    await use.limits.change.execute({ account: ALICE, change: { openOrders: 0 }, mayLoosen: true });
    await show('0.38x1000', '0.39x1000');
    await passing(time, 60 * SECOND);
    const alarms = () => use.alarms.read.execute(ALICE, false);
    expect(await alarms()).toHaveLength(2);
    after.stop();
    runner.stop();
    await show('0.42x1000', '0.43x1000');
    await serve().refresh();
    expect(await alarms()).toMatchObject([{ subject: expect.stringContaining(other.id) }]);
    const cleared = await ledger.log.list(ALICE, { types: ['alarm.cleared'] }, { limit: 9 });
    expect(cleared).toHaveLength(1);
  });

  it('raises its alarm once storage accepts writes again', async () => {
    const ledger = new FailingLedger();
    const { time, told, faults, show, refresh } = await heldBack(ledger);
    await passing(time, 59 * SECOND);
    ledger.failing = true;
    await passing(time, 10 * SECOND);
    ledger.failing = false;
    expect(faults).not.toEqual([]);
    await passing(time, 60 * SECOND);
    expect(await told()).toEqual([RAISED]);
    ledger.failing = true;
    await show('0.49x1000', '0.50x1000');
    expect(await told()).toEqual([RAISED]);
    ledger.failing = false;
    await refresh();
    expect(await told()).toEqual([RAISED, CLEARED]);
  });
});

/** Takes no alarms while it fails. */
class FailingLedger extends MemoryLedger {
  failing = false;

  override write: MemoryLedger['write'] = (scope, decide) =>
    super.write(scope, (now) => {
      const decision = decide(now);
      if (this.failing && decision.accounts !== undefined) throw new StorageUnavailable();
      return decision;
    });
}

type Fixture = Awaited<ReturnType<typeof heldBack>>;
