import type { GuardedStore, Store } from '../../../src/adapters/sql/store.js';

type Around = (store: () => Promise<void>) => Promise<void>;

/** A store that runs each group's statement through the next of these, while there are any. */
export function gatedStore(store: Store, around: readonly Around[]): Store {
  const { guarded } = store;
  if (guarded === undefined) throw new Error('this store has no guarded groups');
  const left = [...around];
  const gated: GuardedStore = {
    version: () => guarded.version(),
    mayHold: (version) => guarded.mayHold(version),
    read: (wanted) => guarded.read(wanted),
    aside: (sql, json) => guarded.aside(sql, json),
    store(changes, version) {
      const run = () => guarded.store(changes, version);
      const next = left.shift();
      return next === undefined ? run() : next(run);
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

/** Something that others wait for. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
