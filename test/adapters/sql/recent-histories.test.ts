import { describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { RecentHistories } from '../../../src/adapters/sql/recent-histories.js';
import type { OrderId } from '../../../src/core/ids.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import type { OrderEvent } from '../../../src/core/order/event.js';
import { ALICE, BOB, WHERE } from '../../support/builders.js';
import { migratedSqliteFile } from '../../support/databases.js';
import { Trading } from '../../support/trading.js';

const ORDER = 'order' as OrderId;

const events = (from: number, to: number, orderId = ORDER): readonly OrderEvent[] =>
  Array.from({ length: to - from + 1 }, (_, at) => {
    const change = { type: 'cancel_refused', reason: 'too late' } as const;
    return { orderId, account: ALICE, seq: from + at, at: new Date(0), change, hash: '' };
  });

const seqs = (found: readonly OrderEvent[] | undefined) => found?.map(({ seq }) => seq);

describe('The histories that a process stored last', () => {
  it('are given in part, to their account alone', () => {
    const recent = new RecentHistories();
    for (const event of events(1, 4)) recent.stored([event]);
    expect(seqs(recent.part(ALICE, { id: ORDER, after: 1, upTo: 3 }))).toEqual([2, 3]);
    expect(recent.part(BOB, { id: ORDER, after: 1, upTo: 3 })).toBeUndefined();
  });

  it('are not given where an event before or after is missing', () => {
    const recent = new RecentHistories();
    recent.stored([...events(1, 2), ...events(4, 5)]);
    expect(recent.part(ALICE, { id: ORDER, after: 0, upTo: 2 })).toBeUndefined();
    expect(recent.part(ALICE, { id: ORDER, after: 2, upTo: 5 })).toBeUndefined();
    expect(recent.part(ALICE, { id: ORDER, after: 3, upTo: 6 })).toBeUndefined();
    expect(seqs(recent.part(ALICE, { id: ORDER, after: 3, upTo: 5 }))).toEqual([4, 5]);
  });

  it('are those of bounded orders, each with bounded events', () => {
    const recent = new RecentHistories();
    const names = Array.from({ length: 20_000 }, (_, at) => `order ${at}` as OrderId);
    for (const name of names) recent.stored(events(1, 1, name));
    const known = names.filter((id) => recent.part(ALICE, { id, after: 0, upTo: 1 }) !== undefined);
    expect([known.length <= 10_000, known.includes(names.at(-1) as OrderId)]).toEqual([true, true]);
    recent.stored(events(1, 1000));
    expect(recent.part(ALICE, { id: ORDER, after: 0, upTo: 1000 })).toBeUndefined();
  });

  it('have what another process added meanwhile', async () => {
    const { url } = await migratedSqliteFile();
    const [own, other] = [await openSqlLedger(url), await openSqlLedger(url)];
    const order = await new Trading(own).place();
    await new Trading(other).use.markets.settle.execute(WHERE, YES_WON);
    const history = await other.listEvents(ALICE, order.id, { limit: 100 });
    const ranges = [{ id: order.id, after: 0, upTo: history.length }];
    expect(await own.log.histories(ALICE, ranges)).toEqual(history);
    expect(history.at(-1)?.change.type).toBe('settled');
    await Promise.all([own.close(), other.close()]);
  });
});
