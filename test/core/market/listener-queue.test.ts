import { describe, expect, it } from 'vitest';
import type { MarketEvent } from '../../../src/core/market/event.js';
import { ListenerQueue } from '../../../src/core/market/listener-queue.js';

const gap = (reason: string, at = 0): MarketEvent => ({ type: 'gap', reason, at: new Date(at) });
const reasonOf = (event: MarketEvent) => (event.type === 'gap' ? event.reason : event.type);

/** A listener that takes an event when the test says so. */
function slow() {
  const taken: string[] = [];
  const releases: (() => void)[] = [];
  const listener = (event: MarketEvent) => {
    taken.push(reasonOf(event));
    return new Promise<void>((resolve) => releases.push(resolve));
  };
  return { taken, listener, next: () => releases.shift()?.() };
}

describe('A listener', () => {
  it('gets the next event when it has taken the one before', async () => {
    const { taken, listener, next } = slow();
    const queue = new ListenerQueue(listener);
    const first = queue.hand(gap('first'));
    const second = queue.hand(gap('second'));
    expect([taken, queue.size, queue.isBusy]).toEqual([['first'], 1, true]);
    next();
    await first;
    expect(taken).toEqual(['first', 'second']);
    next();
    await second;
    expect(queue.isBusy).toBe(false);
  });

  it('that takes an event at once has nobody wait, and what it causes comes after it', async () => {
    const taken: string[] = [];
    const queue: ListenerQueue = new ListenerQueue((event) => {
      if (reasonOf(event) === 'first') void queue.hand(gap('caused'));
      taken.push(reasonOf(event));
    });
    expect([queue.hand(gap('first')), taken, queue.isBusy]).toEqual([undefined, ['first', 'caused'], true]);
    await Promise.resolve();
    expect([queue.hand(gap('last')), taken, queue.isBusy]).toEqual([undefined, ['first', 'caused', 'last'], false]);
  });

  it('that throws fails that event alone', async () => {
    const taken: string[] = [];
    const queue = new ListenerQueue((event) => {
      taken.push(reasonOf(event));
      if (taken.length === 1) throw new Error('no');
    });
    const [first, second] = [queue.hand(gap('first')), queue.hand(gap('second'))];
    await expect(first).rejects.toThrow('no');
    await second;
    expect(taken).toEqual(['first', 'second']);
  });

  it('never receives a time before the last one', async () => {
    const times: number[] = [];
    const queue = new ListenerQueue(({ at }) => void times.push(at.getTime()));
    for (const at of [5, 3, 7]) await queue.hand(gap('tick', at));
    expect(times).toEqual([5, 5, 7]);
  });

  it.each(['clear', 'stop'] as const)('gets no waiting event after %s, and no caller waits for one', async (end) => {
    const { taken, listener, next } = slow();
    const queue = new ListenerQueue(listener);
    const first = queue.hand(gap('first'));
    const second = queue.hand(gap('second'));
    queue[end]();
    await second;
    next();
    await first;
    void queue.hand(gap('third'));
    expect(taken).toEqual(end === 'stop' ? ['first'] : ['first', 'third']);
  });
});
