import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { InBackground } from '../../../../src/ports/system.js';
import { AT_EVENS, crowdedMarket } from '../../../support/crowded-market.js';
import { eventually } from '../../../support/eventually.js';
import { gate } from '../../../support/gate.js';

/** As on a live feed: it goes on while bets wait for their venue. */
const inBackground: InBackground = async (work) => {
  void work();
};

describe('While bets wait for the answer of their venue', () => {
  async function held(strategies: number) {
    const answer = gate();
    const fixture = await crowdedMarket({ strategies, ports: { inBackground }, beforeBet: () => answer.opened });
    await fixture.show('0.50x100000');
    return { ...fixture, answer };
  }

  it('the market goes on, and queued strategies bet at the current price', async () => {
    const { show, answer, orders, faults } = await held(100);
    for (let cents = 51; cents < 99; cents++) await show(`0.${cents}x100000`);
    await show('0.49x100000');
    answer.open();
    await eventually(async () => expect(await orders()).toHaveLength(100));
    expect(faults).toEqual([]);
  });

  it('and does not where it is no longer', async () => {
    const { show, answer, orders } = await held(100);
    await show('0.49x100000');
    await show('0.60x100000');
    answer.open();
    await eventually(async () => expect(await orders()).toHaveLength(64));
    await setImmediate();
    expect(await orders()).toHaveLength(64);
  });
});

describe('While strategies ask for their signal', () => {
  /** The signal says 0.7 of the first outcome, once it may. */
  async function asking() {
    const answer = gate();
    let asked = 0;
    let isHeld = false;
    const rules = { ...AT_EVENS, signal: { name: 'elo', required: true } };
    const fixture = await crowdedMarket({
      strategies: 20,
      rules,
      ports: {
        inBackground,
        signals: {
          async find({ market: _, ...key }) {
            asked += 1;
            if (isHeld) await answer.opened;
            const of = (label: string, probability: bigint) => ({ label, probability: probability as never });
            const expiresAt = new Date('2027-01-01T00:00:00Z');
            const both = { first: of('Home', 600_000n), second: of('Away', 400_000n) };
            return { ...key, ...both, expiresAt, source: null, updatedAt: new Date(0) };
          },
        },
      },
    });
    isHeld = true;
    await fixture.show('0.50x100000');
    asked = 0;
    return { ...fixture, answer, asked: () => asked };
  }

  it('only the newest state of a fast market is evaluated, once', async () => {
    const { show, answer, asked, orders, faults } = await asking();
    for (let shares = 100_001; shares < 100_010; shares++) await show(`0.50x${shares}`);
    await show('0.495x100000');
    answer.open();
    await eventually(async () => expect(await orders()).toHaveLength(20));
    expect(asked()).toBeLessThanOrEqual(20);
    expect(faults).toEqual([]);
  });

  it('nothing is bet on the book of before', async () => {
    const { show, answer, orders, use, strategy } = await asking();
    await show('0.52x100000');
    answer.open();
    const skips = async () => use.strategies.decisions.many('alice' as never, strategy.id, {}, { limit: 5 });
    await eventually(async () => expect((await skips()).items[0]?.code).toBe('odds_out_of_range'));
    expect(await orders()).toEqual([]);
  });
});
