import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scopeOf } from '../../src/core/ledger/decision.js';
import type { Order } from '../../src/core/order/order.js';
import { Posting } from '../../src/core/posting/posting.js';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { ALICE, anOrderContext, usdc } from '../support/builders.js';
import { answers, hangsUp } from '../support/fake-venue/faults.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { listeningAt } from './user-stream.js';

const CODES = { FOK: 'fok_not_filled', FAK: 'fak_no_match' } as const;
type Immediate = keyof typeof CODES;
/** With what the venue was seen to say of its size, and with what one would expect. */
const KILLS = (['FOK', 'FAK'] as const).flatMap((timeInForce) =>
  (['', '0'] as const).map((killedSize) => [timeInForce, killedSize] as const),
);

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader();
});
afterEach(async () => {
  expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
  expect(await live.operator.show(ALICE)).toMatchObject({ halt: null });
  expect(await live.wrong()).toEqual([]);
  await live.close();
});

/** The state of the order at each sweep of this server, or of another one on the same record, until it works no more. */
async function swept(order: Order, reconcile = live.reconcile): Promise<string[]> {
  const states: string[] = [];
  for (let sweep = 0; sweep < 8; sweep++) {
    live.time.now += 30_000;
    expect(await reconcile.execute(live.began)).toMatchObject({ contradictions: [], failures: [] });
    states.push((await live.now(order)).state);
  }
  return states;
}

const another = () => live.reconcilerAt(live.restarted());

/** Held for the delay of a live game, while what it would have met is taken by another trader. */
async function delayed(timeInForce: Immediate): Promise<Order> {
  live.venue.market().delaying = true;
  live.venue.offer(YES, 'SELL', '0.5', '30');
  const order = await live.place({ timeInForce });
  expect(order).toMatchObject({ state: 'delayed' });
  live.venue.offer(YES, 'BUY', '0.5', '30');
  return order;
}

describe.each(KILLS)('A %s that the venue killed, which names its size as “%s”', (timeInForce, killedSize) => {
  const dead = { state: 'rejected', refusal: { code: CODES[timeInForce] } };
  beforeEach(() => {
    live.venue.habits.killedSize = killedSize;
  });

  it('is rejected by its answer, after the stream reported it', async () => {
    const stream = await listeningAt(live);
    const held = live.venue.hold('POST /order', 'answer');
    const placing = live.place({ timeInForce });
    await held.arrived;
    await stream.caughtUp(1);
    held.release();
    expect(await placing).toMatchObject(dead);
    expect(stream.found).toMatchObject([{ changed: 0, contradictions: [] }]);
  });

  it('stays rejected when the stream repeatedly reports it after its answer', async () => {
    live.venue.user.copies = 3;
    const stream = await listeningAt(live);
    live.venue.user.keep();
    const order = await live.place({ timeInForce });
    live.venue.user.letGo();
    await stream.caughtUp();
    expect(stream.found.map(({ changed, contradictions }) => [changed, contradictions])).toEqual(
      Array(3).fill([0, []]),
    );
    expect(await live.now(order)).toMatchObject(dead);
    expect(await live.types(order)).toEqual(['requested', 'submitting', 'rejected']);
    expect(new Set(await swept(order))).toEqual(new Set(['rejected']));
  });

  it('is rejected by the stream where its answer is lost', async () => {
    const stream = await listeningAt(live);
    live.venue.user.keep();
    live.venue.script('POST /order', hangsUp());
    const order = await live.place({ timeInForce });
    expect(order).toMatchObject({ state: 'unknown' });
    live.venue.user.letGo();
    await stream.caughtUp();
    expect(await live.now(order)).toMatchObject(dead);
    expect(stream.found).toMatchObject([{ contradictions: [] }]);
  });

  it('ends by sweeps alone with a silent stream and after a restart', async () => {
    live.venue.script('POST /order', hangsUp());
    const order = await live.place({ timeInForce });
    await live.sweep();
    const states = await swept(order, another());
    expect([states[0], states.at(-1)]).toEqual(['unknown', 'rejected']);
    expect(await live.now(order)).toMatchObject({ refusal: { code: 'never_arrived' } });
  });

  it('after it was held is rejected by the stream', async () => {
    const stream = await listeningAt(live);
    const order = await delayed(timeInForce);
    live.venue.release(order.venueOrderId ?? '');
    await stream.caughtUp();
    expect(await live.now(order)).toMatchObject(dead);
    expect(stream.found.flatMap(({ contradictions }) => contradictions)).toEqual([]);
  });

  it('after it was held ends by sweeps alone, also after a restart', async () => {
    const order = await delayed(timeInForce);
    live.venue.release(order.venueOrderId ?? '');
    const states = await swept(order, another());
    expect([...new Set(states)]).toEqual(['delayed', 'rejected']);
    expect(await live.now(order)).toMatchObject({ refusal: { code: 'dropped_after_delay' } });
  });

  it('ends although lookups at the venue keep showing it that way', async () => {
    live.venue.script('POST /order', hangsUp());
    const order = await live.place({ timeInForce });
    const shown = live.venue.user.sent.find(({ type }) => type === 'CANCELLATION');
    live.venue.always('GET /data/order/', answers(200, shown));
    const states = await swept(order);
    expect(states).not.toContain('open');
    expect(['cancelled', 'rejected']).toContain(states.at(-1));
  });

  it.each(['by sweeps', 'by the wish of its owner', 'after a restart'])(
    'ends, %s, although an older version has it on record as open',
    async (how) => {
      const { id } = await live.place({ timeInForce });
      const stuck = await openedAgain(id);
      expect(await live.balance()).toMatchObject({ reserved: usdc('10') });
      if (how === 'by the wish of its owner') await live.cancel(stuck);
      const states = await swept(stuck, how === 'after a restart' ? another() : live.reconcile);
      expect(states.at(-1)).toBe('cancelled');
    },
  );
});

/** As the message of the kill left the order until its empty size was understood. */
async function openedAgain(id: Order['id']): Promise<Order> {
  const order = await live.ledger.findOrder(ALICE, id);
  if (order === undefined) throw new Error('it is not on record');
  return live.ledger.write(scopeOf(order), (now) => {
    const posting = Posting.resume(now, anOrderContext(), order);
    posting.record({ type: 'accepted', venueOrderId: `${order.venueOrderId}`, delayed: false });
    return posting.decision(posting.order);
  });
}

describe('A FAK that was matched', () => {
  afterEach(async () => {
    // Undone, so that the account has its money again.
    live.venue.settleAll('FAILED');
    await live.sweep();
  });

  it('is delayed, not open or cancellable, until its trades are reported', async () => {
    live.venue.offer(YES, 'SELL', '0.5', '8');
    const told = live.venue.always('GET /data/trades', answers(200, { data: [], next_cursor: 'LTE=' }));
    const order = await live.place({ timeInForce: 'FAK' });
    expect(order).toMatchObject({ state: 'delayed', filled: { shares: 0n } });
    await expect(live.cancel(order)).rejects.toMatchObject({ code: 'order_not_cancellable' });
    told();
    await live.lookAfter(1);
    expect(await live.now(order)).toMatchObject({ state: 'delayed', filled: { shares: 8_000_000n } });
    await expect(live.cancel(order)).rejects.toThrow('An order that is delayed cannot be cancelled.');
    expect(await live.balance()).toMatchObject({ cash: usdc('96'), reserved: usdc('6') });
    await live.lookAfter(6, 30_000);
    expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: 8_000_000n } });
  });
});
