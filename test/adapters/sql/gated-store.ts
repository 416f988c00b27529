import type { GuardedStore, Store, Version } from '../../../src/adapters/sql/store.js';
import type { AccountId } from '../../../src/core/ids.js';

type Around = (store: () => Promise<void>) => Promise<void>;

type Claim = NonNullable<GuardedStore['claimHomes']>;

/** A store that runs each group's statement through the next of these, while there are any. */
export function gatedStore(store: Store, around: readonly Around[], claimHomes?: Claim): Store {
  const { guarded } = store;
  if (guarded === undefined) throw new Error('this store has no guarded groups');
  const left = [...around];
  const gated: GuardedStore = {
    isByAccount: guarded.isByAccount,
    versions: (accounts) => guarded.versions(accounts),
    mayHold: (version) => guarded.mayHold(version),
    needsTransaction: (scope) => guarded.needsTransaction(scope),
    read: (wanted) => guarded.read(wanted),
    aside: (sql, json) => guarded.aside(sql, json),
    async store(changes, versions) {
      let version: Version | null = null;
      const run = async () => {
        version = await guarded.store(changes, versions);
      };
      await (left.shift() ?? ((store) => store()))(run);
      return version;
    },
    ...(claimHomes !== undefined && { claimHomes }),
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'guarded') return gated;
      const member: unknown = Reflect.get(target, name);
      const isMethod = typeof member === 'function' && Reflect.has(Object.getPrototypeOf(target), name);
      return isMethod ? member.bind(target) : member;
    },
  });
}

/** A store that says anything about homes: they are here, elsewhere, visited, for long or not at all; or it does not answer. */
export const lyingStore = (store: Store): Store =>
  gatedStore(store, [], async (accounts: readonly AccountId[]) => {
    if (Math.random() < 0.2) throw new Error('no answer');
    const lie = () => Math.floor(Math.max(0, Math.random() - 0.5) * 4000);
    const all = accounts.map((account) => ({ account, isOwn: Math.random() < 0.7, lastsMs: lie(), visitedMs: lie() }));
    return all.filter(() => Math.random() < 0.8);
  });
