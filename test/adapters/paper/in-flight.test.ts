import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { anOpenMarket } from '../../core/matching/view.js';
import { ALICE, countingIds, price, shares } from '../../support/builders.js';
import { type Action, dyingLedger, TapeSession } from '../../support/tape-session.js';
import { described, level, line, pastNoon, tape } from '../tape/tapes.js';

const market = anOpenMarket();
const offered = (at: string, size: string) => ({ type: 'book', bids: [], asks: [level(at, size)] }) as const;

/** Wants 20 shares at up to 0.5, a second after noon, and is taken back at three. */
const order: Action = {
  type: 'order',
  at: pastNoon(1000),
  key: 'one',
  ask: { account: ALICE, outcome: 'YES', side: 'BUY', price: price('0.5'), shares: shares('20'), timeInForce: 'GTC' },
};
const cancel: Action = { type: 'cancel', at: pastNoon(3000), key: 'back', placedAt: order.at, account: ALICE };

/** Ten shares are offered at 0.4 from 1.1 to 1.3 seconds after noon, and ten at 0.5 from 3.2 on. */
const played = tape(
  line(0, described(market), market),
  line(1, offered('0.6', '10'), market),
  line(1100, offered('0.4', '10'), market),
  line(1300, offered('0.6', '10'), market),
  line(3200, offered('0.5', '10'), market),
  line(9000, offered('0.6', '10'), market),
);

/** Kills the process at one of its writes, which is lost, and continues from the recorded position of the tape. */
async function afterKill(actions: readonly Action[], write: number, playedTo: number, latencyMs = 150) {
  const ledger = new MemoryLedger();
  const dying = dyingLedger(ledger, write, 'lost');
  const killed = new TapeSession(dying.ledger, played, countingIds, 150);
  await Promise.race([dying.died, killed.play(actions)]);
  await ledger.setBookmark(played, pastNoon(playedTo));
  const session = new TapeSession(ledger, played, countingIds, latencyMs);
  await session.play(actions);
  const placed = (await ledger.listOrders(ALICE, {}, { limit: 10 }))[0];
  const events = placed === undefined ? [] : await ledger.listEvents(ALICE, placed.id, { limit: 100 });
  const history = events.map(({ at, change: { type } }) => `${at.getTime() - pastNoon(0).getTime()} ${type}`);
  return { history, fills: placed?.fills ?? [], faults: session.faults };
}

const ARRIVES = 2;
const CANCELLED = 5;

describe('What was on its way when the process was killed', () => {
  it.each([
    ['the tape was not played to its arrival', 1050],
    ['the tape was played a second past its arrival', 2150],
  ])('meets the book of its arrival, where %s', async (_, playedTo) => {
    const { history, fills, faults } = await afterKill([order], ARRIVES, playedTo);
    expect(history).toEqual(['1000 requested', '1150 accepted', '1150 fill', '3200 fill']);
    expect(fills.map((fill) => fill.price)).toEqual([price('0.4'), price('0.5')]);
    expect(faults).toEqual([]);
  });

  it('arrives at the moment on record, regardless of the present latency', async () => {
    const { history, fills } = await afterKill([order], ARRIVES, 1050, 400);
    expect(history).toContain('1150 fill');
    expect(fills[0]?.model).toBe('book_walk;latency_ms=150;delay_s=0');
  });

  it.each([
    ['the tape was not played to its arrival', 3050, 150],
    ['the tape was played a second past its arrival', 4150, 150],
    ['the latency is another by then', 3050, 400],
  ])('takes an order back when the cancellation arrives, where %s', async (_, playedTo, latencyMs) => {
    const { history, faults } = await afterKill([order, cancel], CANCELLED, playedTo, latencyMs);
    expect(history).toEqual([
      '1000 requested',
      '1150 accepted',
      '1150 fill',
      '3000 cancel_requested',
      '3150 cancelled',
    ]);
    expect(faults).toEqual([]);
  });
});
