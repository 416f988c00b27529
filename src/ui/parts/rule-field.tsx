import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { PlainMember, RuleKind, RuleMember } from '../../core/strategy/rules/rule-member.js';
import {
  choicesOf,
  choiceText,
  type DraftBody,
  type Json,
  labelAt,
  labelOf,
  membersInside,
  ONE_OF,
  type Path,
  plainWords,
  pointerTo,
  typedOf,
  valueAt,
  valueTyped,
} from '../state/strategy-draft.js';

/** A strategy that is being written, for the fields of its form. */
export interface Draft {
  readonly body: DraftBody;
  /** Changes with every body that was not typed into fields, which then show it. */
  readonly source: number;
  readonly set: (path: Path, value: Json | undefined) => void;
  /** What is wrong, by the pointer of the member. */
  readonly errors: ReadonlyMap<string, string>;
  /** Words that fields suggest, by the kind of the member. */
  readonly suggestions: { readonly [Kind in RuleKind | 'sport']?: readonly string[] };
}

/** The strategy of the form around a field. */
export const DraftContext = createContext<Draft | null>(null);

/** The strategy of the form around this. @throws Error outside of one */
export function useDraft(): Draft {
  const draft = useContext(DraftContext);
  if (draft === null) throw new Error('there is no form of a strategy here');
  return draft;
}

/** The id of the field of a member. */
export const fieldId = (pointer: string): string => `at${pointer}`;

/** Shows the field of a member, or the nearest one, and gives it the focus. */
function jumpTo(pointer: string): void {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const id = fieldId(at);
    const found = document.getElementById(id) ?? document.querySelector<HTMLElement>(`[id^="${id}/"]`);
    if (found === null) continue;
    const section = found.closest('details');
    if (section !== null) section.open = true;
    const field = found.matches('fieldset') ? found.querySelector('input') : found;
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
    return;
  }
}

/** Names a member by the label of its field, and leads there. */
export const FieldLink = ({ pointer }: { readonly pointer: string }) => (
  <button type="button" class="asLink" onClick={() => jumpTo(pointer)}>
    {labelAt(pointer)}
  </button>
);

/** Leads to the field of a rule of a decision, or of what the rule is a part of; nothing where this page has no such field. */
export function RuleLink({ rule }: { readonly rule: string }) {
  const pointers = [rule, rule.replace(/\/.*/, '')].map((name) => `/rules/${name}`);
  const pointer = pointers.find((at) => document.getElementById(fieldId(at)) !== null);
  if (pointer === undefined) return null;
  return (
    <>
      {' '}
      Change <FieldLink pointer={pointer} />.
    </>
  );
}

/** A member of the rules: its value, what it means, and what is wrong with it. */
export function RuleField(props: {
  readonly path: Path;
  readonly member: RuleMember | PlainMember;
  readonly label?: string;
}) {
  const { path, member, label = labelOf(props.member) } = props;
  const { body } = useDraft();
  const { kind } = member;
  if (ONE_OF.has(kind)) return <OneOfField path={path} member={member} />;
  // The reference edge is of one method of sizing.
  const isProportional = valueAt(body, [...path, 'method']) === 'edge_proportional';
  const inner = membersInside(kind).filter(({ shown }) => shown !== 'reference_edge' || isProportional);
  if (inner.length > 0)
    return (
      <>
        {inner.map((one) => (
          <RuleField
            key={one.shown}
            path={[...path, one.shown]}
            member={one}
            label={`${label} ${labelOf(one).toLowerCase()}`}
          />
        ))}
      </>
    );
  return <PlainField path={path} member={member} label={label} />;
}

/** A value that is typed or chosen. */
function PlainField(props: { readonly path: Path; readonly member: RuleMember | PlainMember; readonly label: string }) {
  const { path, member, label } = props;
  const { body, set } = useDraft();
  const isAny = valueAt(body, path) === null;
  return (
    <TypedField
      path={path}
      kind={member.kind}
      label={label}
      meaning={member.meaning}
      hint={member.example ?? ''}
      isOff={isAny}
    >
      {member.orNull === true ? (
        <label class="tick">
          <input
            type="checkbox"
            checked={isAny}
            onChange={({ currentTarget }) => set(path, currentTarget.checked ? null : undefined)}
          />{' '}
          No limit
        </label>
      ) : null}
    </TypedField>
  );
}

/** What a field is for, and how it is read. */
export interface TypedFieldProps {
  readonly path: Path;
  readonly kind: RuleKind | 'sport';
  readonly label: string;
  readonly meaning: string;
  /** Shown in grey while nothing is typed. */
  readonly hint?: string;
  readonly isOff?: boolean;
  readonly children?: preact.ComponentChildren;
}

/** A labelled field whose value stands at a place in the body. */
export function TypedField(props: TypedFieldProps) {
  const { path, kind, label, meaning, hint = '', isOff = false, children } = props;
  const { errors, source } = useDraft();
  const id = fieldId(pointerTo(path));
  const wrong = errors.get(pointerTo(path));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Value key={source} {...props} id={id} hint={hint} isOff={isOff} isWrong={wrong !== undefined} kind={kind} />
      {children}
      <p class="hint" id={`${id}-about`}>
        {withoutMarks(meaning)}
      </p>
      {wrong === undefined ? null : (
        <p class="outcome refused" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

/** Meanings name members and choices as the reference shows them; here their words have no underscores. */
const withoutMarks = (text: string): string => text.replace(/`([^`]*)`/g, (_, name: string) => plainWords(name));

interface ValueProps extends TypedFieldProps {
  readonly id: string;
  readonly isWrong: boolean;
}

function Value({ path, kind, hint, isOff, isWrong, id }: ValueProps) {
  const { body, set, suggestions } = useDraft();
  const [typed, setTyped] = useState(typedOf(valueAt(body, path)));
  const take = (text: string) => {
    setTyped(text);
    set(path, kind === 'sport' ? text.trim() : valueTyped(kind, text));
  };
  const described = {
    'aria-describedby': isWrong ? `${id}-wrong ${id}-about` : `${id}-about`,
    'aria-invalid': isWrong,
  };
  const choices = kind === 'sport' ? null : choicesOf(kind);
  if (choices !== null)
    return (
      <select
        id={id}
        value={typed}
        disabled={isOff}
        {...described}
        onChange={({ currentTarget }) => take(currentTarget.value)}
      >
        <option value="" />
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {kind === 'sport' ? choice : choiceText(kind, choice)}
          </option>
        ))}
      </select>
    );
  const list = suggestions[kind] ?? [];
  const suggests: object = list.length === 0 ? {} : { list: `${id}-list` };
  return (
    <>
      <input
        id={id}
        value={isOff ? '' : typed}
        placeholder={hint}
        disabled={isOff}
        {...suggests}
        {...described}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      {list.length === 0 ? null : (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** A choice of one of several members, and its value. */
function OneOfField({ path, member }: { readonly path: Path; readonly member: RuleMember | PlainMember }) {
  const { body, set, errors } = useDraft();
  const id = fieldId(pointerTo(path));
  const value = valueAt(body, path);
  const inner = membersInside(member.kind);
  const chosen =
    typeof value === 'string' ? value : inner.find(({ shown }) => valueAt(value, [shown]) !== undefined)?.shown;
  const [open, setOpen] = useState(chosen ?? '');
  const current = inner.find(({ shown }) => shown === (chosen ?? open));
  const choose = (name: string) => {
    setOpen(name);
    set(path, name === 'each' ? 'each' : undefined);
  };
  const wrong = errors.get(pointerTo(path));
  return (
    <div class="field">
      <label for={id}>{labelOf(member)}</label>
      <select
        id={id}
        value={chosen ?? open}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="" />
        {member.kind === 'outcome' ? <option value="each">each one by itself</option> : null}
        {inner.map((one) => (
          <option key={one.shown} value={one.shown}>
            by its {labelOf(one).toLowerCase()}
          </option>
        ))}
      </select>
      <p class="hint" id={`${id}-about`}>
        {withoutMarks(member.meaning)}
      </p>
      {wrong === undefined ? null : <p class="outcome refused">{wrong}</p>}
      {current === undefined ? null : (
        <RuleField key={current.shown} path={[...path, current.shown]} member={current} />
      )}
    </div>
  );
}
