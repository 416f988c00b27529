import { afterEach, describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { StorageUnavailable } from '../../src/core/errors.js';
import { EventsGone } from '../../src/core/ledger/event-log.js';
import { createStakeport, type LoggedEvent, type Stakeport } from '../../src/index.js';

let stakeport: Stakeport;
afterEach(() => stakeport.close());

const ORDER = { account: 'me', market: 'rain', outcome: 'YES', price: '0.5', usdc: 10 } as const;
const seqs = (events: readonly LoggedEvent[]) => events.map(({ seq }) => seq);

/** With one order on record, and what a listener heard. */
async function fixture(ledger = new MemoryLedger()) {
  stakeport = createStakeport({ ledger });
  await stakeport.orders.place(ORDER);
  const heard: LoggedEvent[] = [];
  let changed = () => {};
  const hears = async (event: LoggedEvent): Promise<void> => {
    heard.push(event);
    changed();
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds())
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
  };
  const { head } = await stakeport.events.list('me');
  return { heard, hears, until, head };
}

describe('a listener', () => {
  test('gets new events of its kinds and account in order until removed', async () => {
    const { heard, hears, until } = await fixture();
    const leave = await stakeport.on('order.fill', hears, { account: 'me' });
    await stakeport.orders.place({ ...ORDER, account: 'you' });
    await stakeport.orders.place(ORDER);
    await stakeport.orders.place(ORDER);
    await until(() => heard.length === 2);
    const { items } = await stakeport.events.list('me', { types: ['order.fill'] });
    expect(heard).toEqual(items.slice(1));
    leave();
    await stakeport.orders.place(ORDER);
    await stakeport.accounts.resetPaper('me');
    expect(heard).toHaveLength(2);
  });

  test('that begins after an event gets all that came after it first', async () => {
    const { heard, hears, until, head } = await fixture();
    const types = ['requested', 'fill'].map((type) => `order.${type}` as const) as ['order.requested', 'order.fill'];
    await stakeport.on(types, hears, { account: 'me', after: 1 });
    await stakeport.orders.place(ORDER);
    await until(() => heard.some(({ seq }) => seq > head));
    const { items } = await stakeport.events.list('me', { types });
    expect(seqs(heard)).toEqual(seqs(items.slice(1, 1 + heard.length)));
  });

  test('that throws gets the next event, and a slow one delays nobody', async () => {
    const { heard, hears, until } = await fixture();
    const faults: unknown[] = [];
    const throws = async (event: LoggedEvent) => {
      await hears(event);
      throw new Error(`not ${event.seq}`);
    };
    await stakeport.on('order.fill', () => new Promise(() => {}), { account: 'me' });
    await stakeport.on('order.fill', throws, { account: 'me', onFault: (error) => faults.push(error) });
    await stakeport.orders.place(ORDER);
    await stakeport.orders.place(ORDER);
    await until(() => heard.length === 2);
    expect(seqs(heard)).toHaveLength(2);
    expect(faults[0]).toEqual(new Error(`not ${heard[0]?.seq}`));
  });

  test('goes on where it was after the store did not answer', async () => {
    const ledger = new MemoryLedger();
    const { heard, hears, until } = await fixture(ledger);
    await stakeport.on('order.fill', hears, { account: 'me' });
    const { list } = ledger.log;
    ledger.log.list = async () => {
      ledger.log.list = list;
      throw new StorageUnavailable();
    };
    await stakeport.orders.place(ORDER);
    await until(() => heard.length === 1);
    expect(heard[0]?.type).toBe('order.fill');
  });

  test('with an unavailable position or an unknown event kind is refused', async () => {
    const { hears } = await fixture();
    await expect(stakeport.on('order.fill', hears, { account: 'me', after: 900 })).rejects.toThrow(EventsGone);
    const stranger = 'order.fil' as 'order.fill';
    await expect(stakeport.on(stranger, hears, { account: 'me' })).rejects.toThrow(/types must be of .*order\.fil/);
  });
});
