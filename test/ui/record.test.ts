import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/core/ledger/event-log.js';
import { CHANGES, type LogPage, windowBefore } from '../../src/ui/state/record.js';

interface Row {
  readonly seq: string;
}

/** A log of which every thousandth event is a change, as the service answers it: at most two rows, or 5,000 events, at once. */
function aLog(last: number, oldest = 1) {
  const asked: (number | null)[] = [];
  const read = async (after: number | null): Promise<LogPage<Row> | null> => {
    asked.push(after);
    if (after !== null && after < oldest - 1) return null;
    const from = after ?? oldest - 1;
    const to = Math.min(last, from + 5000);
    const all = Array.from({ length: Math.floor(to / 1000) }, (_, at) => (at + 1) * 1000).filter((seq) => seq > from);
    const data = all.slice(0, 2).map((seq) => ({ seq: String(seq) }));
    return { data, next_after: String(all.length > 2 ? all[1] : to) };
  };
  return { asked, read };
}

const seqs = ({ rows }: { readonly rows: readonly Row[] }) => rows.map(({ seq }) => Number(seq));

describe('the record of changes', () => {
  test('is read backwards in windows, newest first, each event once', async () => {
    const { read } = aLog(12_345);
    const found: number[] = [];
    let until = 12_345;
    for (let windows = 0; until > 0; windows += 1) {
      expect(windows).toBeLessThan(3);
      const window = await windowBefore(until, read);
      found.push(...seqs(window));
      until = window.next;
    }
    expect(found).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((thousands) => thousands * 1000));
  });

  test('omits events after its start: the stream sends those', async () => {
    expect(seqs(await windowBefore(1500, aLog(9000).read))).toEqual([1000]);
  });

  test('ends at the oldest event that the log still keeps', async () => {
    const { read, asked } = aLog(9000, 6500);
    const window = await windowBefore(9000, read);
    expect([seqs(window), window.next]).toEqual([[9000, 8000, 7000], 0]);
    expect(asked.slice(0, 2)).toEqual([4000, null]);
  });

  test('of an empty log is empty', async () => {
    expect(await windowBefore(0, aLog(0).read)).toEqual({ rows: [], next: 0 });
  });

  test('covers only existing event types, without orders, decisions or alarms', () => {
    expect([...CHANGES].filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
    expect([...CHANGES].filter((type) => /^(order|decision|alarm)/.test(type))).toEqual([]);
  });
});
