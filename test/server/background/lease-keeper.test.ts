import { describe, expect, it } from 'vitest';
import { MemoryLeases } from '../../../src/adapters/memory/memory-ledger.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import type { Lease } from '../../../src/core/ledger/lease.js';
import type { Leases } from '../../../src/ports/leases.js';
import {
  AMONG_SERVERS,
  LeaseKeeper,
  type LeaseTimes,
  leaseTimes,
} from '../../../src/server/background/lease-keeper.js';
import { createLogger } from '../../../src/server/http/log.js';
import { ManualTimeline } from '../../support/scripted-market.js';

const { lastsMs, trustedMs, renewEveryMs, againMs } = AMONG_SERVERS;
const DAY_MS = 86_400_000;

/** A store, its clock, and servers that compete for its lease. */
function fixture() {
  const timeline = new ManualTimeline();
  const store = new MemoryLeases(timeline);
  let now = 0;
  const pass = async (ms: number) => {
    now += ms;
    await timeline.pass(ms);
  };
  return {
    store,
    pass,
    server: (owner: string, leases: Leases = store, times: LeaseTimes = AMONG_SERVERS, yields = async () => false) =>
      aServer(owner, leases, { timeline, stopwatch: () => now }, times, yields),
  };
}

function aServer(
  owner: string,
  leases: Leases,
  time: { readonly timeline: ManualTimeline; readonly stopwatch: () => number },
  times: LeaseTimes,
  yields: () => Promise<boolean>,
) {
  const heard: string[] = [];
  const lines: string[] = [];
  let held: Lease | null = null;
  const use = {
    taken: (lease: Lease) => {
      held = lease;
      heard.push(`taken ${lease.fence}`);
    },
    lost: (lease: Lease) => heard.push(`lost ${lease.fence}`),
    yields,
  };
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const wanted = { name: 'paper', owner, times } as const;
  const keeper = new LeaseKeeper(leases, wanted, time, use, logger);
  return { keeper, heard, holds: () => held !== null && keeper.holds(held), log: () => lines.join('') };
}

/** A store whose answers can be suspended. */
function silent(store: Leases) {
  let isSilent = false;
  const ask = <T>(answer: () => Promise<T>): Promise<T> =>
    isSilent ? Promise.reject(new StorageUnavailable()) : answer();
  const leases: Leases = {
    claim: (...asked) => ask(() => store.claim(...asked)),
    renew: (...asked) => ask(() => store.renew(...asked)),
    release: (...asked) => ask(() => store.release(...asked)),
    find: (...asked) => ask(() => store.find(...asked)),
  };
  const fallSilent = (silence: boolean) => {
    isSilent = silence;
  };
  return { leases, fallSilent };
}

describe('A server that wants a lease', () => {
  it('keeps the lease while it runs, and others wait', async () => {
    const { pass, server } = fixture();
    const [one, other] = [server('one'), server('other')];
    await one.keeper.start();
    await other.keeper.start();
    for (let ms = 0; ms < 5 * lastsMs; ms += 500) {
      await pass(500);
      expect([one.holds(), other.holds()]).toEqual([true, false]);
    }
    expect([one.heard, other.heard]).toEqual([['taken 1'], []]);
    expect(other.log().split('another server has the lease')).toHaveLength(2);
    expect(other.log()).toContain('"owner":"one"');
  });

  it('stops acting before an unrenewed lease expires, and resumes if still free', async () => {
    const { store, pass, server } = fixture();
    const { leases, fallSilent } = silent(store);
    const one = server('one', leases);
    await one.keeper.start();
    fallSilent(true);
    await pass(trustedMs - 1);
    expect(one.holds()).toBe(true);
    await pass(1);
    expect(one.holds()).toBe(false);
    expect(await store.find('paper')).toMatchObject({ owner: 'one' });
    await pass(lastsMs);
    expect(await store.find('paper')).toBeUndefined();
    fallSilent(false);
    await pass(againMs);
    expect([one.holds(), one.heard]).toEqual([true, ['taken 1']]);
    fallSilent(true);
    await pass(renewEveryMs + againMs);
    expect(one.log().split('could not claim the lease')).toHaveLength(3);
  });

  it('loses it to another server and takes it again afterwards', async () => {
    const { store, pass, server } = fixture();
    const { leases, fallSilent } = silent(store);
    const [one, other] = [server('one', leases), server('other')];
    await one.keeper.start();
    await other.keeper.start();
    fallSilent(true);
    await pass(lastsMs + againMs);
    expect([one.holds(), other.holds()]).toEqual([false, true]);
    fallSilent(false);
    await pass(againMs);
    expect(one.heard).toEqual(['taken 1', 'lost 1']);
    await other.keeper.stop();
    expect(other.holds()).toBe(false);
    await pass(againMs);
    expect([one.holds(), one.heard]).toEqual([true, ['taken 1', 'lost 1', 'taken 3']]);
  });

  it('counts from before it asked: what took long may be nearly over', async () => {
    const { store, pass, server } = fixture();
    const slow: Leases = {
      ...silent(store).leases,
      claim: async (...asked) => {
        const lease = await store.claim(...asked);
        await pass(trustedMs);
        return lease;
      },
    };
    const one = server('one', slow);
    await one.keeper.start();
    expect(one.holds()).toBe(false);
    await pass(renewEveryMs);
    expect(one.holds()).toBe(true);
  });

  it('releases a claim granted during its stop and claims no more', async () => {
    const { store, pass, server } = fixture();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow: Leases = {
      ...silent(store).leases,
      claim: async (...asked) => {
        await answered;
        return store.claim(...asked);
      },
      release: async (lease) => {
        await new Promise(setImmediate);
        await store.release(lease);
      },
    };
    const one = server('one', slow);
    const starting = one.keeper.start();
    const stopping = one.keeper.stop();
    answer();
    await Promise.all([starting, stopping]);
    expect(await store.find('paper')).toBeUndefined();
    await pass(lastsMs);
    expect([one.heard, one.holds(), await store.find('paper')]).toEqual([['taken 1'], false, undefined]);
  });

  it('hands it to a better server and claims none until that changes', async () => {
    const { store, pass, server } = fixture();
    let isBetter = false;
    const one = server('one', store, AMONG_SERVERS, async () => isBetter);
    const other = server('other', store, AMONG_SERVERS, async () => !isBetter);
    await one.keeper.start();
    await other.keeper.start();
    await pass(2 * lastsMs);
    expect([one.holds(), other.heard]).toEqual([true, []]);
    isBetter = true;
    await pass(renewEveryMs + againMs);
    expect([one.holds(), other.holds(), one.heard, other.heard]).toEqual([
      false,
      true,
      ['taken 1', 'lost 1'],
      ['taken 2'],
    ]);
    await pass(2 * lastsMs);
    expect([one.holds(), other.holds()]).toEqual([false, true]);
    await other.keeper.stop();
    await pass(2 * lastsMs);
    expect([one.holds(), await store.find('paper')]).toEqual([false, undefined]);
    isBetter = false;
    await pass(againMs);
    expect(one.holds()).toBe(true);
  });

  it("stops although its store is silent and logs the lease's fate", async () => {
    const { store, server } = fixture();
    const { leases, fallSilent } = silent(store);
    const [one, other] = [server('one', leases), server('other', leases)];
    await one.keeper.start();
    await other.keeper.start();
    fallSilent(true);
    for (const { keeper } of [one, other]) await keeper.stop();
    expect(other.log()).not.toContain('could not release');
    expect(one.log()).toContain('could not release the lease; it will expire');
    expect(one.log()).toContain('"fence":1,"msg":"could not');
  });

  it('takes none after it was stopped', async () => {
    const { store, pass, server } = fixture();
    const one = server('one');
    await one.keeper.start();
    await one.keeper.stop();
    await pass(2 * lastsMs);
    expect([one.heard, await store.find('paper')]).toEqual([['taken 1'], undefined]);
  });

  it.each([{ kind: 'memory' }, { kind: 'sql', url: 'sqlite:data/one.db' }] as const)(
    'in its own store ($kind) keeps it for days without renewing',
    async (database) => {
      const { store, pass, server } = fixture();
      const { leases, fallSilent } = silent(store);
      const one = server('one', leases, leaseTimes(database));
      await one.keeper.start();
      fallSilent(true);
      await pass(DAY_MS);
      expect([one.holds(), await store.claim('paper', 'other', lastsMs), one.log()]).toEqual([
        true,
        null,
        expect.not.stringContaining('could not ask'),
      ]);
    },
  );

  it('shares a Postgres with others, and so has it for seconds', () => {
    expect(leaseTimes({ kind: 'sql', url: 'postgres://localhost/shared' })).toBe(AMONG_SERVERS);
    expect(trustedMs + renewEveryMs).toBeLessThanOrEqual(lastsMs);
  });
});
