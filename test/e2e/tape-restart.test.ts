import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import { PAPER_CASH } from '../../src/core/account/account.js';
import type { Market } from '../../src/core/market/market.js';
import { encodeChange } from '../../src/core/order/event.js';
import type { Ledger } from '../../src/ports/ledger.js';
import type { Ids } from '../../src/ports/system.js';
import { described, pastNoon, tape } from '../adapters/tape/tapes.js';
import { marketOf } from '../core/matching/player.js';
import { aStory, type Story } from '../core/matching/stories.js';
import { ALICE, BOB } from '../support/builders.js';
import { runs } from '../support/runs.js';
import { type Action, dyingLedger, TapeSession } from '../support/tape-session.js';

const ACCOUNTS = [ALICE, BOB];

/**
 * A story as a tape, and what its traders do at which moments of it. They act at odd milliseconds, all else happens at even
 * ones: what is on record up to a moment then says whether a deed of that moment was lost.
 */
function staged(story: Story): { path: string; actions: Action[]; latencyMs: number } {
  const market: Market = marketOf(story);
  const lines = [{ at: pastNoon(0), type: 'change', marketId: market.id, change: described(market) } as const];
  const actions: Action[] = [];
  const events: TapeLine[] = [...lines];
  let now = 0;
  for (const [index, step] of story.steps.entries()) {
    now += 2 * Math.max(1, step.after);
    const at = pastNoon(step.type === 'event' ? now : now + 1);
    const orders = actions.filter((action) => action.type === 'order');
    if (step.type === 'event') events.push({ at, type: 'change', marketId: market.id, change: step.change });
    else if (step.type === 'order') actions.push({ at, key: `deed-${index}`, type: 'order', ask: step.ask });
    else {
      const placed = orders[step.order % Math.max(1, orders.length)];
      if (placed === undefined) continue;
      actions.push({ at, key: `deed-${index}`, type: 'cancel', placedAt: placed.at, account: placed.ask.account });
    }
  }
  events.push({ at: pastNoon(now + 5_000), type: 'alive' });
  const atOnce = story.latencyMs === 0 && story.delaySeconds === 0;
  return { path: tape(...events), actions: actions, latencyMs: atOnce ? 0 : story.latencyMs + 1 };
}

/** Identifiers that begin anew with each use, so that the same run makes the same ones. */
function ids(): Ids {
  let made = 0;
  return {
    next: () => {
      made += 1;
      return `019573a0-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
    },
  };
}

/** Every order's history and every balance; without `hashes` nothing that depends on how the orders were numbered. */
async function accounts(ledger: Ledger, hashes: boolean): Promise<string> {
  const history: unknown[] = [];
  for (const account of ACCOUNTS) {
    const { cash, reserved } = (await ledger.findBalance(account, PAPER_CASH)) ?? {};
    const positions = await ledger.listPositions(account, { paper: true, strategyId: null }, { limit: 10 });
    history.push(
      account,
      `${cash} ${reserved}`,
      positions.map(({ outcome, shares, cost }) => `${outcome} ${shares} ${cost}`),
    );
    for (const { id } of (await ledger.listOrders(account, {}, { limit: 1000 })).toReversed()) {
      const events = await ledger.listEvents(account, id, { limit: 1000 });
      const lines = events.map(({ at, change, hash }) => `${at.toISOString()} ${encodeChange(change)} ${hash}`);
      history.push(hashes ? lines : lines.map((line) => line.replaceAll(id, 'ID').replace(/ \w+$/, '')));
    }
  }
  return JSON.stringify(history, null, 1);
}

const fillsIn = (transcript: string): number => transcript.split('tradeId').length - 1;

describe('The same tape', () => {
  it('gives the same orders, fills and balances, byte for byte', async () => {
    let fills = 0;
    const story = fc.asyncProperty(aStory, async (steps) => {
      const { path, actions, latencyMs } = staged(steps);
      const play = async () => {
        const ledger = new MemoryLedger();
        await new TapeSession(ledger, path, ids(), latencyMs).play(actions);
        return accounts(ledger, true);
      };
      const once = await play();
      expect(await play()).toBe(once);
      fills += fillsIn(once);
    });
    await fc.assert(story, { numRuns: runs(30) });
    expect(fills).toBeGreaterThan(30);
  });

  it('leads to the same accounts despite kills and restarts at any point', async () => {
    let [stories, kills] = [0, 0];
    const kill = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      last: fc.constantFrom('lost' as const, 'kept' as const),
    });
    const story = fc.asyncProperty(aStory, fc.array(kill, { minLength: 1, maxLength: 3 }), async (steps, deaths) => {
      const { path, actions, latencyMs } = staged(steps);
      const undisturbed = dyingLedger(new MemoryLedger(), Number.POSITIVE_INFINITY, 'kept');
      await new TapeSession(undisturbed.ledger, path, ids(), latencyMs).play(actions);
      const expected = await accounts(undisturbed.ledger, false);

      const ledger = new MemoryLedger();
      const numbered = ids();
      for (const { at, last } of deaths) {
        const dying = dyingLedger(ledger, 1 + Math.floor(at * undisturbed.written()), last);
        const session = new TapeSession(dying.ledger, path, numbered, latencyMs, 300);
        const died = await Promise.race([dying.died.then(() => true), session.play(actions).then(() => false)]);
        if (died) kills += 1;
      }
      const session = new TapeSession(ledger, path, numbered, latencyMs);
      await session.play(actions);
      expect(await accounts(ledger, false)).toBe(expected);
      expect(session.faults).toEqual([]);
      stories += 1;
    });
    await fc.assert(story, { numRuns: runs(60) });
    // A slow machine has time for fewer of them.
    expect(kills).toBeGreaterThanOrEqual(stories);
  });
});
