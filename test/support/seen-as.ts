/** The same, with some of its members replaced: a ledger as a reader would see it had the store been tampered with. */
export function seenAs<Real extends object>(real: Real, changed: Partial<Real>): Real {
  return new Proxy(real, {
    get: (target, name) => {
      if (Reflect.has(changed, name)) return Reflect.get(changed, name);
      const member: unknown = Reflect.get(target, name);
      // A query builder is a function, too, and no method.
      const isMethod = typeof member === 'function' && name in Object.getPrototypeOf(target);
      return isMethod ? member.bind(target) : member;
    },
  });
}
