import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/core/ids.js';
import type { Recovery } from '../../../src/core/usecases/orders/background/recover-orders.js';
import type { Restoration } from '../../../src/core/usecases/orders/background/restore-orders.js';
import { ReturningOrders } from '../../../src/server/background/leased-paper.js';
import { createLogger } from '../../../src/server/http/log.js';
import type { MarketSource } from '../../../src/server/wiring/market-source.js';
import { quotedMarkets } from '../../support/quoted-markets.js';
import { ManualTimeline } from '../../support/scripted-market.js';

const FAILURE = { order: 'order-1' as OrderId, error: new Error('the venue is down') };
const NOTHING: Recovery = { recovered: 0, failures: [] };
const DONE: Restoration = { adopted: 1, homeless: 0, failures: [] };

/** A start at the venue, where looking after orders comes to these, one after another. */
function starting(
  restorations: readonly (Restoration | Error)[],
  recoveries: readonly (Recovery | Error)[] = [NOTHING],
) {
  const timeline = new ManualTimeline();
  const never = new Promise<never>(() => {});
  const nothing = async () => {};
  const source: MarketSource = {
    data: quotedMarkets(),
    timeline,
    sports: () => null,
    hasBooks: true,
    recorded: null,
    begins: 'now',
    state: () => 'live',
    ended: never,
    start: nothing,
    goOn: () => {},
    close: nothing,
  };
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const pending = { restore: [...restorations], recover: [...recoveries] };
  const next = async <T>(outcomes: (T | Error)[]): Promise<T> => {
    const outcome = outcomes.shift();
    if (outcome === undefined) throw new Error('asked once too often');
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const useCases = {
    replay: { execute: () => Promise.reject(new Error('there is no tape')) },
    restore: { execute: () => next(pending.restore) },
    recover: { execute: () => next(pending.recover) },
  };
  const returning = new ReturningOrders(useCases, source, logger);
  return { returning, timeline, pending, log: () => lines.join('') };
}

/** Lets work that is not awaited finish. */
const settle = () => new Promise(setImmediate);

describe('Orders on record, after a start', () => {
  it('are retried every 30 seconds until restored and logged once', async () => {
    const failing = { ...DONE, failures: [FAILURE] };
    const { returning, timeline, pending, log } = starting([failing, failing, DONE]);
    await returning.start();
    expect(pending.restore).toHaveLength(2);
    await timeline.pass(29_999);
    expect(pending.restore).toHaveLength(2);
    for (let n = 0; n < 5; n++) {
      await timeline.pass(30_000);
      await settle();
    }
    expect(pending.restore).toEqual([]);
    expect(log().split('"order":"order-1"')).toHaveLength(2);
  });

  it("do not block the server's start when they cannot be read", async () => {
    const { returning, timeline, pending, log } = starting([new Error('no'), DONE], [new Error('no'), NOTHING]);
    await returning.start();
    await timeline.pass(30_000);
    await settle();
    expect(pending).toEqual({ restore: [], recover: [] });
    expect(log()).not.toContain('asked once too often');
  });

  it('are tried again when they were on their way', async () => {
    const { returning, timeline, pending } = starting([DONE], [{ recovered: 0, failures: [FAILURE] }, NOTHING]);
    await returning.start();
    await timeline.pass(30_000);
    await settle();
    expect(pending.recover).toEqual([]);
  });

  it('are left alone once the server stops', async () => {
    const { returning, timeline, pending } = starting([{ ...DONE, failures: [FAILURE] }, DONE]);
    await returning.start();
    returning.end();
    await timeline.pass(60_000);
    await settle();
    expect(pending.restore).toHaveLength(1);
  });
});
