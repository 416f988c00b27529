import { afterEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { OrderId } from '../../../src/core/ids.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { Order } from '../../../src/core/order/order.js';
import type { Reconciliation } from '../../../src/core/order/reconciliation.js';
import { ManageAccounts } from '../../../src/core/usecases/accounts/manage-accounts.js';
import type { AccountListener, MassStatus } from '../../../src/ports/venue-adapter.js';
import { LiveWork } from '../../../src/server/background/live-work.js';
import { createLogger } from '../../../src/server/http/log.js';
import type { LiveVenue } from '../../../src/server/wiring/live-venue.js';
import { ALICE, usdc } from '../../support/builders.js';
import { rejects, SigningExchange, takes } from '../../support/scripted-exchange.js';
import { ManualTimeline } from '../../support/scripted-market.js';
import { Trading } from '../../support/trading.js';

const NOTHING = { changed: 0, external: [], contradictions: [], failures: [] };
const WHOLE: Reconciliation = { complete: true, unread: null, ...NOTHING };
const PART: Reconciliation = { complete: false, unread: 'half a page', ...NOTHING };
const opened: LiveWork[] = [];

afterEach(async () => {
  for (const work of opened.splice(0)) await work.close();
});

/** Lets work that is not awaited finish. */
const settle = () => new Promise(setImmediate);
const message = (name: string) => ({ kind: 'mass_status', named: [], name }) as unknown as MassStatus;

/** Live work whose sweeps come to these, one after another and then whole; everything that it does is noted in order. */
function aFixture(sweeps: (Reconciliation | Error)[] = [], ledger = new MemoryLedger()) {
  const timeline = new ManualTimeline();
  const [done, since, lines]: [string[], Date[], string[]] = [[], [], []];
  const listeners: AccountListener[] = [];
  const takes = new Map<string, Promise<Reconciliation>>();
  /** What the next sweeps wait for. */
  const held: Promise<void>[] = [];
  const withheld: (() => boolean)[] = [];
  const others: string[] = [];
  const venue = {
    exchange: { venue: 'polymarket' },
    wallet: {
      address: '0xa11ce',
      chosenBy: 'the key and POLYMARKET_FUNDER',
      isOwn: ({ id }: Order) => !others.includes(id),
    },
    withholdWhile: (isWithheld: () => boolean) => void withheld.push(isWithheld),
    listen: (listener: AccountListener) => void listeners.push(listener),
    close: async () => void done.push('left'),
  } as unknown as LiveVenue;
  const reconcile = {
    execute: async (from: Date) => {
      done.push('sweep');
      since.push(from);
      await settle();
      await held.shift();
      const found = sweeps.shift() ?? WHOLE;
      if (found instanceof Error) throw found;
      return found;
    },
    take: async (massStatus: MassStatus) => {
      const { name } = massStatus as unknown as { name: string };
      done.push(name);
      return (await takes.get(name)) ?? WHOLE;
    },
  };
  const lookAfter = { execute: async () => done.push('look after') - done.length };
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const work = new LiveWork(venue, { reconcile, lookAfter, ledger, bookmarks: ledger }, timeline, logger);
  opened.push(work);
  const said = (words: string) => lines.filter((line) => line.includes(words)).length;
  const report = (name: string) => listeners[0]?.received(message(name));
  return {
    work,
    timeline,
    done,
    since,
    takes,
    held,
    ledger,
    said,
    report,
    withheld,
    others,
    gap: () => listeners[0]?.gap(),
  };
}

const BOOKMARK = 'reconciled polymarket 0xa11ce';
const MINUTE = 60_000;

describe('At the start', () => {
  it('nothing is begun where the orders on record belong to another wallet', async () => {
    const { work, ledger, others, done } = aFixture([]);
    const trading = new Trading(ledger, { live: new SigningExchange({ place: takes() }) });
    const operator = new ManageAccounts(ledger, trading.context);
    await operator.allowLive(ALICE, true);
    await operator.deposit(ALICE, NO_VENUE, usdc('100'));
    await trading.place({});
    others.push((await trading.place({ paper: false }, { mayTradeLive: true })).id);
    await expect(work.start()).rejects.toThrow('belong to another wallet than 0xa11ce');
    expect(done).toEqual([]);
  });

  it('orders that no exchange ever took say nothing of the wallet', async () => {
    const { work, ledger, others } = aFixture([]);
    const trading = new Trading(ledger, { live: new SigningExchange({ place: rejects('wallet_type_refused') }) });
    const operator = new ManageAccounts(ledger, trading.context);
    await operator.allowLive(ALICE, true);
    await operator.deposit(ALICE, NO_VENUE, usdc('100'));
    others.push((await trading.place({ paper: false }, { mayTradeLive: true })).id);
    await expect(work.start()).resolves.toBeUndefined();
  });

  it('and afterwards, five minutes without a complete sweep withhold orders', async () => {
    const failed = new Error('the venue is silent');
    const { work, timeline, withheld } = aFixture([WHOLE, ...Array.from({ length: 400 }, () => failed)]);
    await work.start();
    expect([work.isStale, withheld[0]?.()]).toEqual([false, false]);
    for (let step = 0; step < 320 && !work.isStale; step++) {
      expect(work.sinceSweepSeconds).toBeLessThanOrEqual(300);
      await timeline.planned();
      await timeline.pass(1000);
    }
    expect([work.isStale, withheld[0]?.()]).toEqual([true, true]);
    expect(work.sinceSweepSeconds).toBeGreaterThan(300);
  });

  it('five minutes without any complete sweep since then count as late', async () => {
    const { work, timeline } = aFixture(Array.from({ length: 400 }, () => new Error('the venue is silent')));
    work.start().catch(() => {});
    await timeline.planned();
    expect([work.isLate, work.isStale]).toEqual([false, false]);
    for (let step = 0; step < 320 && !work.isLate; step++) {
      await timeline.planned();
      await timeline.pass(1000);
    }
    expect([work.isLate, work.isStale]).toEqual([true, false]);
  });

  it('nothing is sent before a complete sweep, and one line says so', async () => {
    const { work, timeline, done, said } = aFixture([PART, new Error('the venue is silent'), PART]);
    let ready = false;
    const starting = work.start().then(() => {
      ready = true;
    });
    for (const sweeps of [1, 2, 3]) {
      await timeline.planned();
      expect([done, ready]).toEqual([Array.from({ length: sweeps }, () => 'sweep'), false]);
      await timeline.pass(1000);
    }
    await starting;
    expect(done).toEqual(['sweep', 'sweep', 'sweep', 'sweep', 'look after']);
    expect([said('could not reconcile the orders'), said('could reconcile the orders')]).toEqual([1, 1]);
  });

  it('the first sweep covers a day, later ones overlap by ten minutes', async () => {
    const first = aFixture([PART]);
    const began = first.timeline.now().getTime();
    const starting = first.work.start();
    await first.timeline.planned();
    expect(await first.ledger.findBookmark(BOOKMARK)).toBeUndefined();
    await first.timeline.pass(1000);
    await starting;
    expect(first.since.map((from) => began - from.getTime())).toEqual([24 * 60 * MINUTE, 24 * 60 * MINUTE - 1000]);
    expect(await first.ledger.findBookmark(BOOKMARK)).toEqual(new Date(began + 1000));
    const second = aFixture([], first.ledger);
    await second.work.start();
    expect(second.since).toEqual([new Date(began + 1000 - 10 * MINUTE)]);
  });

  it('ends when it is interrupted, and then nothing is sent', async () => {
    const { work, timeline, done } = aFixture([PART]);
    const starting = work.start();
    await timeline.planned();
    await work.close();
    await expect(starting).rejects.toThrow('The start was aborted.');
    await timeline.pass(10 * MINUTE);
    expect(done).toEqual(['sweep', 'left']);
  });
});

describe('From then on', () => {
  it('in-flight orders are checked every second and everything swept every 30', async () => {
    const { work, timeline, done } = aFixture();
    await work.start();
    await timeline.planned();
    done.length = 0;
    for (let second = 0; second < 30; second += 1) {
      await timeline.pass(1000);
      await settle();
    }
    await settle();
    expect(done.filter((what) => what === 'look after')).toHaveLength(30);
    expect(done.filter((what) => what === 'sweep')).toHaveLength(1);
  });

  it('a stream gap triggers a sweep, and more gaps during it another', async () => {
    const { work, done, held, timeline, gap } = aFixture();
    await work.start();
    await timeline.planned();
    done.length = 0;
    let finish = () => {};
    held.push(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    gap();
    await expect.poll(() => done).toEqual(['sweep']);
    for (let times = 0; times < 3; times += 1) gap();
    await settle();
    expect(done).toEqual(['sweep']);
    finish();
    await expect.poll(() => done).toEqual(['sweep', 'sweep']);
    for (let turn = 0; turn < 10; turn += 1) await settle();
    expect(done).toEqual(['sweep', 'sweep']);
  });

  it('messages are processed one after another, in order of arrival', async () => {
    const { work, done, takes, report } = aFixture();
    await work.start();
    done.length = 0;
    let finish = (_: Reconciliation) => {};
    takes.set(
      'first',
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    report('first');
    report('second');
    await settle();
    expect(done).toEqual(['first']);
    finish(WHOLE);
    await settle();
    expect(done).toEqual(['first', 'second']);
  });

  it('a message that cannot be processed is logged and triggers a sweep', async () => {
    const { work, timeline, done, takes, report, said } = aFixture();
    await work.start();
    await timeline.planned();
    done.length = 0;
    takes.set('lost', Promise.reject(new Error('the store is down')));
    report('lost');
    await expect.poll(() => done).toEqual(['lost', 'sweep']);
    expect(said('could not process what the venue reported')).toBe(1);
  });

  it('each contradiction and each order placed elsewhere is logged once', async () => {
    const contradictions = [{ orderId: 'order-1' as OrderId, message: 'it is cancelled, but rests at the venue' }];
    const stranger = { venue: 'polymarket', venueOrderId: '0x5', marketId: '0xc' };
    const external = [stranger] as unknown as Reconciliation['external'];
    const found = { ...WHOLE, contradictions };
    const { work, done, timeline, said, gap } = aFixture([{ ...found, external }, found]);
    await work.start();
    await timeline.planned();
    gap();
    gap();
    await expect.poll(() => done.filter((what) => what === 'sweep').length).toBe(2);
    await work.close();
    expect([said('contradicts the record'), said('not placed here')]).toEqual([1, 1]);
  });

  it('an unknown order is logged once while it stays unknown', async () => {
    const orders = ['unknown', 'open'].map((state, index) => ({
      id: `order-${index}`,
      state,
      account: 'alice',
      intent: { envelope: null },
    }));
    const ledger = Object.assign(new MemoryLedger(), { listVenueOrders: async () => orders as never });
    const { work, done, timeline, said, gap } = aFixture([], ledger);
    await work.start();
    await timeline.planned();
    gap();
    await expect.poll(() => done.filter((what) => what === 'sweep').length).toBe(2);
    await work.close();
    expect([said('it is not known yet whether'), said('order-0'), said('order-1')]).toEqual([1, 1, 0]);
  });

  it('closing waits for work in progress and disconnects the venue last', async () => {
    const { work, done, takes, report } = aFixture();
    await work.start();
    done.length = 0;
    let finish = (_: Reconciliation) => {};
    takes.set(
      'slow',
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    report('slow');
    report('never begun');
    await settle();
    const closing = work.close();
    await settle();
    expect(done).toEqual(['slow']);
    finish(WHOLE);
    await closing;
    expect(done).toEqual(['slow', 'left']);
  });
});
