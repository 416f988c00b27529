import { describe, expect, it } from 'vitest';
import { PaperElsewhere } from '../../src/core/errors.js';
import { underLease } from '../../src/core/ledger/decision.js';
import type { Lease } from '../../src/core/ledger/lease.js';
import { deciderBefore } from '../../src/core/ledger/program.js';
import type { Leasing } from '../../src/ports/leases.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, aStrategy, BOB } from '../support/builders.js';

type Store = Ledger & Leasing;

const LONG = 3_600_000;

const claim = ({ leases }: Store, owner: string, forMs = LONG) => leases.claim('paper', owner, forMs);

/** The lease, where it can be had. */
async function claimed(store: Store, owner: string): Promise<Lease> {
  const lease = await claim(store, owner);
  if (lease === null) throw new Error(`another owner has the lease that ${owner} needs`);
  return lease;
}

/** What a write that names the lease, or none, sees of it. */
const seen = (store: Store, names = true) =>
  store.write({ account: ALICE, ...(names ? { lease: 'paper' as const } : {}) }, (now) => ({
    result: now.lease('paper'),
  }));

export function leases(open: () => Store): void {
  describe('a lease', () => {
    it('belongs to its first claimant alone while it lasts, with number 1', async () => {
      const store = open();
      expect(await store.leases.find('paper')).toBeUndefined();
      const lease = await claim(store, 'one');
      expect(lease).toEqual({ name: 'paper', owner: 'one', fence: 1 });
      expect([await claim(store, 'other'), await claim(store, 'one')]).toEqual([null, null]);
      expect(await store.leases.find('paper')).toEqual(lease);
    });

    it('is free with the next number once expired, lost to its owner', async () => {
      const store = open();
      const early = (await claim(store, 'one', 0)) as Lease;
      expect(await store.leases.find('paper')).toBeUndefined();
      const late = (await claim(store, 'other')) as Lease;
      expect([early.fence, late.fence]).toEqual([1, 2]);
      expect(await store.leases.renew(early, LONG)).toBe(false);
      await store.leases.release(early);
      expect(await store.leases.find('paper')).toEqual(late);
    });

    it('is renewed by its owner, even after expiry, unless another took it', async () => {
      const store = open();
      const lease = (await claim(store, 'one', 0)) as Lease;
      expect(await store.leases.renew(lease, LONG)).toBe(true);
      expect([await claim(store, 'other'), await store.leases.find('paper')]).toEqual([null, lease]);
    });

    it('is lost when the same owner name claims it again', async () => {
      const store = open();
      const early = (await claim(store, 'one', 0)) as Lease;
      const late = (await claim(store, 'one')) as Lease;
      expect(await store.leases.renew(early, LONG)).toBe(false);
      await store.leases.release(early);
      expect(await store.leases.find('paper')).toEqual(late);
    });

    it('is lost to a lease of the same number of another owner', async () => {
      const store = open();
      const lease = (await claim(store, 'one')) as Lease;
      expect(await store.leases.renew({ ...lease, owner: 'other' }, LONG)).toBe(false);
      const write = underLease(store, () => ({ ...lease, owner: 'other' })).write({ account: ALICE }, () => ({
        result: null,
      }));
      await expect(write).rejects.toThrow(PaperElsewhere);
    });

    it('is free at once when it is released, with the next number', async () => {
      const store = open();
      await store.leases.release((await claim(store, 'one')) as Lease);
      expect(await claim(store, 'one')).toMatchObject({ fence: 2 });
    });

    it('is seen by writes that name it, while it lasts', async () => {
      const store = open();
      expect(await seen(store)).toBeUndefined();
      const lease = (await claim(store, 'one')) as Lease;
      expect([await seen(store), await seen(store, false)]).toEqual([lease, undefined]);
      await store.leases.renew(lease, 0);
      expect(await seen(store)).toBeUndefined();
    });

    it('entitles to write until another owner has it', async () => {
      const store = open();
      const held = (await claim(store, 'one')) as Lease;
      const put = async (lease: Lease | null | undefined, strategy = aStrategy()) => {
        await underLease(store, () => lease).write({ account: ALICE }, () => ({ result: 0, strategies: [strategy] }));
        return store.findStrategy(ALICE, strategy.id);
      };
      expect(await put(held)).toBeDefined();
      await store.leases.release(held);
      await expect(put(held)).rejects.toThrow(PaperElsewhere);
      const next = (await claim(store, 'other')) as Lease;
      for (const lease of [held, null]) await expect(put(lease)).rejects.toThrow(PaperElsewhere);
      expect([await put(next), await put(undefined)]).not.toContain(undefined);
      expect(await store.listStrategies(ALICE, {}, { limit: 10 })).toHaveLength(3);
    });
  });
}

/** Programs that share a store, each on a handle of its own. */
export function programs(open: () => readonly Store[]): void {
  describe('programs that share a store', () => {
    const fixture = () => {
      const stores = open();
      const at = (n: number) => stores[n % stores.length] as Store;
      let started = 0;
      return (version: string, automates = true) => {
        const [{ leases }, program] = [at(started), { owner: `${started}`, version, automates }];
        started += 1;
        return {
          look: async (forMs = LONG) => {
            await leases.announce(program, forMs);
            return deciderBefore(program, await leases.alive());
          },
          leave: () => leases.leave(program),
        };
      };
    };

    it('learn of a newer version for as long as that is alive', async () => {
      const start = fixture();
      const older = start('1.9.0');
      expect(await older.look()).toBeNull();
      const [newer, same] = [start('1.10.0'), start('1.9.0')];
      expect(await newer.look()).toBeNull();
      expect([await older.look(), await same.look()]).toEqual(['1.10.0', '1.10.0']);
      await newer.leave();
      expect([await older.look(), await same.look()]).toEqual([null, null]);
      await newer.look(0);
      expect(await older.look()).toBeNull();
      await newer.look();
      expect([await older.look(), await newer.look()]).toEqual(['1.10.0', null]);
    });

    it('learn of another that runs strategies, unless its version is older', async () => {
      const start = fixture();
      const [idle, older, running] = [start('1.9.0', false), start('1.8.0'), start('1.9.0')];
      await older.look();
      expect(await idle.look()).toBeNull();
      await running.look();
      expect([await idle.look(), await older.look(), await running.look()]).toEqual(['1.9.0', '1.9.0', null]);
    });

    it('are listed with owner, version and automation while they are alive', async () => {
      const [store] = open() as [Store];
      const programs = [
        { owner: 'b:1', version: '1.10.0-beta.2', automates: false },
        { owner: 'a:1', version: '1.9.0', automates: true },
      ] as const;
      expect(await store.leases.alive()).toEqual([]);
      for (const program of programs) await store.leases.announce(program, LONG);
      await claimed(store, 'b:1');
      expect(await store.leases.alive()).toEqual([programs[1], programs[0]]);
      await store.leases.announce(programs[0], 0);
      expect(await store.leases.alive()).toEqual([programs[1]]);
      await store.leases.leave(programs[1]);
      expect(await store.leases.alive()).toEqual([]);
    });

    it('see that no newer version migrated the store, and keep its leases', async () => {
      const [store] = open() as [Store];
      const lease = await claimed(store, 'one');
      const program = { owner: 'one', version: '1.0.0', automates: true };
      await store.leases.announce(program, LONG);
      expect(await store.leases.isMigrated()).toBe(false);
      await store.leases.leave(program);
      expect(await store.leases.find('paper')).toEqual(lease);
    });
  });
}

export function leaseRaces(open: () => readonly Store[]): void {
  describe('many claimants of one lease', () => {
    it('are one owner and many who are not, at every number', async () => {
      const stores = open();
      for (let fence = 1; fence <= 10; fence++) {
        const claims = Array.from({ length: 20 }, (_, n) => claim(stores[n % stores.length] as Store, `racer ${n}`));
        const won = (await Promise.all(claims)).filter((lease) => lease !== null);
        expect(won.map((lease) => lease.fence)).toEqual([fence]);
        await stores[0]?.leases.release(won[0] as Lease);
      }
    });

    it('record no write of an earlier owner once another holds the lease', async () => {
      const [one, other = one] = open() as [Store, Store?];
      for (let round = 1; round <= 10; round++) {
        const lease = await claimed(one, 'one');
        const held = underLease(one, () => lease);
        const write = () =>
          held.write({ account: BOB }, () => ({ result: 0, strategies: [aStrategy({ account: BOB })] }));
        let goesOn = true;
        const writing = (async () => {
          while (goesOn) await Promise.allSettled([write(), write()]);
        })();
        await one.leases.renew(lease, 0);
        const next = await claimed(other, 'other').finally(() => {
          goesOn = false;
        });
        const found = await other.listStrategies(BOB, {}, { limit: 100 });
        await writing;
        expect(await other.listStrategies(BOB, {}, { limit: 100 })).toEqual(found);
        await other.leases.release(next);
      }
    });
  });
}
