import { type Json, memberLabel, memberText, type Path } from './strategy-draft.js';

/** One member that differs between two versions. */
export interface MemberChange {
  /** Where it stands, such as `rules.filter.min_odds`. */
  readonly member: string;
  /** What its field is called. */
  readonly label: string;
  /** Null where it was absent. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Members that differ between any two versions, or follow from others. */
const LEFT_OUT: ReadonlySet<string> = new Set(['version', 'updated_at', 'warnings', 'created_at', 'id']);

/** What a version of a strategy changed, member by member, in the words of the form. */
export function changesBetween(before: object, after: object): readonly MemberChange[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  const paths = new Map([...was.values(), ...is.values()].map(({ path }) => [path.join('.'), path] as const));
  const textOf = (member: Member | undefined) => (member === undefined ? null : memberText(member.path, member.value));
  return [...paths].flatMap(([member, path]) => {
    const [one, other] = [was.get(member), is.get(member)];
    if (JSON.stringify(one?.value) === JSON.stringify(other?.value)) return [];
    return [{ member, label: memberLabel(path), before: textOf(one), after: textOf(other) }];
  });
}

interface Member {
  readonly path: Path;
  readonly value: Json;
}

function membersOf(strategy: object): ReadonlyMap<string, Member> {
  const found = new Map<string, Member>();
  const visit = (value: Json, path: Path): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      found.set(path.join('.'), { path, value });
      return;
    }
    for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name]);
  };
  visit(Object.fromEntries(Object.entries(strategy).filter(([name]) => !LEFT_OUT.has(name))), []);
  return found;
}
