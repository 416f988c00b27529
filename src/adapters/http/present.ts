type Named<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Omits the members that are undefined; null stays, where it says that there is no bound. */
export function named<T extends object>(source: T): Named<T> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined)) as Named<T>;
}
