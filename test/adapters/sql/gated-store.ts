import type { GuardedStore, Store, Version } from '../../../src/adapters/sql/store.js';

type Around = (store: () => Promise<void>) => Promise<void>;

/** A store that runs each group's statement through the next of these, while there are any. */
export function gatedStore(store: Store, around: readonly Around[]): Store {
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
