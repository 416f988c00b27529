import type { GuardedStore, Store } from '../../../src/adapters/sql/store.js';

type Around = (store: () => Promise<void>) => Promise<void>;

/** A store that runs the statement which stores each group through the next of these, while there are any. */
export function gatedStore(store: Store, around: readonly Around[]): Store {
  const left = [...around];
  async function through<T>(run: () => Promise<T>): Promise<T> {
    const results: T[] = [];
    await (left.shift() ?? ((store) => store()))(async () => void results.push(await run()));
    return results[0] as T;
  }
  const { guarded } = store;
  const gated: GuardedStore | undefined = guarded && {
    versions: (accounts) => guarded.versions(accounts),
    needsTransaction: (scope) => guarded.needsTransaction(scope),
    read: (wanted) => guarded.read(wanted),
    store: (changes, versions) => through(() => guarded.store(changes, versions)),
  };
  const transaction: Store['transaction'] = (work) =>
    store.transaction((tx) =>
      work({
        introduce: (ids) => tx.introduce(ids),
        lock: (ids) => tx.lock(ids),
        read: (wanted) => tx.read(wanted),
        store: (changes) => (guarded === undefined ? through(() => tx.store(changes)) : tx.store(changes)),
      }),
    );
  return new Proxy(store, {
    get(target, name) {
      if (name === 'guarded') return gated;
      if (name === 'transaction') return transaction;
      const member: unknown = Reflect.get(target, name);
      const isMethod = typeof member === 'function' && Reflect.has(Object.getPrototypeOf(target), name);
      return isMethod ? member.bind(target) : member;
    },
  });
}
