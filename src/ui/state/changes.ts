/** One member that differs between two versions. */
export interface MemberChange {
  readonly member: string;
  /** Null where it was absent. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Members that differ between any two versions, or follow from others. */
const LEFT_OUT: ReadonlySet<string> = new Set(['version', 'updated_at', 'warnings', 'created_at', 'id']);

/** What a version of a strategy changed, member by member. */
export function changesBetween(before: object, after: object): readonly MemberChange[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  return names.map((member) => ({ member, before: was.get(member) ?? null, after: is.get(member) ?? null }));
}

function membersOf(strategy: object): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      found.set(path, JSON.stringify(value));
      return;
    }
    for (const [name, inner] of Object.entries(value)) visit(inner, path === '' ? name : `${path}.${name}`);
  };
  visit(Object.fromEntries(Object.entries(strategy).filter(([name]) => !LEFT_OUT.has(name))), '');
  return found;
}
