import { useMemo, useRef, useState } from 'preact/hooks';
import type { WireMarket, WireStrategy } from '../../adapters/http/answers.js';
import type { RuleMember } from '../../core/strategy/rules/rule-member.js';
import { membersOf, RULES, type RulePart } from '../../core/strategy/rules/rule-members.js';
import { api, type WrongMember } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { Act } from '../parts/act.tsx';
import { StakeBounds, Withdrawn } from '../parts/draft-hints.tsx';
import { AsJson } from '../parts/draft-json.tsx';
import { type DraftMeaning, Meaning, useExplained } from '../parts/explained.tsx';
import { Card, Empty } from '../parts/figures.tsx';
import { goTo, Link, pathTo } from '../parts/link.tsx';
import { DraftContext, fieldId, RuleField, TypedField } from '../parts/rule-field.tsx';
import { ChangedMember } from '../parts/strategy-why.tsx';
import { useLiveBar, useReading, useSelected, useStore } from '../parts/use-store.js';
import { WouldBet } from '../parts/would-bet.tsx';
import { changesBetween } from '../state/changes.js';
import {
  AUTOMATION_WORDS,
  BASIC_LABELS,
  bodyOfStrategy,
  type DraftBody,
  EMPTY,
  type Json,
  MONEY_WORDS,
  type Path,
  pointerTo,
  suggestedFor,
  valueAt,
  withValue,
} from '../state/strategy-draft.js';

/** Makes a strategy, or changes one: its members, what they mean in sentences, and what it would bet now. */
export function StrategyForm(props: {
  /** The strategy that is changed; null where one is made. */
  readonly id: string | null;
  /** The strategy whose members it begins with. */
  readonly from: string | null;
}) {
  const { id, from } = props;
  const strategy = useSelected(({ known }) => (from === null ? undefined : known.strategies.get(from)));
  if (from !== null && strategy === undefined)
    return (
      <Empty>
        There is no strategy with this id; it may be archived. See <Link to="strategies">all strategies</Link>.
      </Empty>
    );
  if (strategy === undefined) return <Form begun={EMPTY} changes={null} />;
  const body = bodyOfStrategy(strategy);
  if (id !== null) return <Form key={id} begun={body} changes={strategy} />;
  return <Form key={from} begun={{ ...body, name: `${strategy.name}, a copy`.slice(0, 80) }} changes={null} />;
}

interface FormProps {
  readonly begun: DraftBody;
  /** The strategy that is changed; null where one is made. */
  readonly changes: WireStrategy | null;
}

function Form({ begun, changes }: FormProps) {
  const { settings } = useStore().state;
  // What was begun stays, whatever events say of the strategy meanwhile: the service refuses to change a version that is not the last.
  const [base] = useState(changes);
  const [state, setState] = useState({ body: paperOnlyBy(settings) === null ? begun : onPaper(begun), source: 0 });
  const { body, source } = state;
  const missing = missingIn(body);
  const review = useRef<HTMLElement>(null);
  const explained = useExplained(missing.length === 0 ? body : null);
  const suggestions = useSuggestions();
  const draft = useMemo(
    () => ({
      body,
      source,
      suggestions,
      errors: byPointer(explained.errors),
      set: (path: Path, value: Json | undefined) =>
        setState((was) => ({ ...was, body: withValue(was.body, path, value) })),
    }),
    [body, source, suggestions, explained.errors],
  );
  return (
    <DraftContext.Provider value={draft}>
      <div class="beside">
        <div>
          <Basics paperOnlyBy={paperOnlyBy(settings)} base={base} />
          {SECTIONS.map((section) => (
            <Section key={section.title} {...section} />
          ))}
          <AsJson body={body} take={(taken) => setState({ body: taken, source: source + 1 })} />
          <button type="button" class="toReview main" onClick={() => review.current?.scrollIntoView()}>
            To the review
          </button>
        </div>
        <aside aria-label="What it means" ref={review}>
          <Review body={body} base={base} missing={missing} explained={explained} />
        </aside>
      </div>
    </DraftContext.Provider>
  );
}

interface ReviewProps {
  readonly body: DraftBody;
  readonly base: WireStrategy | null;
  /** What every strategy has, and this one has not yet. */
  readonly missing: readonly string[];
  readonly explained: DraftMeaning;
}

/** What it would bet now, what it means, and the way to make it. */
function Review({ body, base, missing, explained }: ReviewProps) {
  return (
    <>
      <Card title="On the markets of now">
        <WouldBet
          path="/v1/strategies/evaluate"
          body={{ strategy: body, ...(base === null ? {} : { strategy_id: base.id }) }}
          label="What would it bet now?"
        />
      </Card>
      <Card title="What it would do">
        {missing.length === 0 ? (
          <Meaning explained={explained} />
        ) : (
          <p>What it would do is told here, once it has {listText(missing)}.</p>
        )}
        <p class="acts">
          <Save
            body={body}
            base={base}
            isReady={missing.length === 0 && explained.isCurrent && explained.sentences.length > 0}
          />
          <Link to={base === null ? 'strategies' : pathTo('strategies', base.id)} isButton>
            Change nothing
          </Link>
        </p>
      </Card>
    </>
  );
}

/** What every strategy has, and this one has not yet. */
function missingIn(body: DraftBody): readonly string[] {
  const has = (...path: Path) => (valueAt(body, path) ?? '') !== '';
  return [
    ...(has('name') ? [] : ['a name']),
    ...(has('sport') ? [] : ['a sport']),
    ...(has('bankroll_cap') ? [] : ['a bankroll']),
    ...(has('stake_cap') ? [] : ['the most that a bet may cost']),
    ...(has('rules', 'sizing', 'method') && has('rules', 'sizing', 'value') ? [] : ['a size of its bets']),
    ...(has('rules', 'outcome') || (valueAt(body, ['automation']) ?? 'off') === 'off' ? [] : ['an outcome to bet on']),
  ];
}

const listText = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Why strategies that are made here trade on paper only; null where they may use real money. */
function paperOnlyBy({ live, ui_trading: uiTrading }: UiState['settings']): string | null {
  if (!live) return 'the server trades on paper only (LIVE_TRADING=off).';
  return uiTrading ? null : 'the server runs without UI_TRADING=on.';
}

const onPaper = (body: DraftBody): DraftBody => ({
  ...body,
  paper_only: true,
  ...('automation_paper' in body ? { automation_paper: true } : {}),
});

function byPointer(errors: readonly WrongMember[]): ReadonlyMap<string, string> {
  // What is wrong with an item of a list is shown at the list.
  return new Map(errors.map(({ pointer, detail }) => [pointer.replace(/\/\d+$/, ''), detail]));
}

/** Members of a strategy outside of its rules. */
function Basics({
  paperOnlyBy: why,
  base,
}: {
  readonly paperOnlyBy: string | null;
  readonly base: WireStrategy | null;
}) {
  return (
    <Card title="The strategy">
      <div class="fields">
        <TypedField
          path={['name']}
          kind="name"
          label={BASIC_LABELS.name}
          meaning="What you call it: 1 to 80 characters."
        />
        <TypedField
          path={['sport']}
          kind="sport"
          label={BASIC_LABELS.sport}
          meaning="The sport of the markets that it bets on."
          hint="soccer"
        />
        <TypedField
          path={['bankroll_cap']}
          kind="text"
          label={BASIC_LABELS.bankroll_cap}
          meaning="The most that it may have at work at once: open orders and what it holds."
        />
        <TypedField
          path={['stake_cap']}
          kind="text"
          label={BASIC_LABELS.stake_cap}
          meaning="The most that one bet may cost."
        />
        <Words path={['automation']} label={BASIC_LABELS.automation} words={AUTOMATION_WORDS} />
      </div>
      {base === null ? null : <Withdrawn base={base} />}
      {why === null ? (
        <Words path={['paper_only']} label={BASIC_LABELS.paper_only} words={MONEY_WORDS} />
      ) : (
        <p class="hint">It trades on paper only: {why}</p>
      )}
    </Card>
  );
}

function Words<Value extends string | boolean>(props: {
  readonly path: Path;
  readonly label: string;
  readonly words: readonly (readonly [Value, string])[];
}) {
  const { path, label, words } = props;
  return (
    <DraftContext.Consumer>
      {(draft) => (
        <fieldset class="choices" id={fieldId(pointerTo(path))}>
          <legend>{label}</legend>
          {words.map(([value, text]) => (
            <label key={text} class="tick">
              <input
                type="radio"
                name={path.join('/')}
                checked={(valueAt(draft?.body, path) ?? words[0]?.[0]) === value}
                onChange={() => draft?.set(path, value)}
              />{' '}
              {text}
            </label>
          ))}
        </fieldset>
      )}
    </DraftContext.Consumer>
  );
}

interface SectionProps {
  readonly title: string;
  /** Parts of the rules, or single members of them. */
  readonly names: readonly (keyof typeof RULES)[];
  /** Whether every strategy needs something of it. */
  readonly isOpen?: boolean;
}

const SECTIONS: readonly SectionProps[] = [
  { title: 'What to bet on', names: ['match', 'outcome'], isOpen: true },
  { title: 'How much', names: ['sizing'], isOpen: true },
  { title: 'At what price', names: ['filter'] },
  { title: 'When', names: ['phase', 'window'] },
  { title: 'How often', names: ['limits'] },
  { title: 'When to sell', names: ['exit'] },
  { title: 'How it is ordered', names: ['order'] },
  { title: 'Where the probability comes from', names: ['signal'] },
];

function Section({ title, names, isOpen = false }: SectionProps) {
  return (
    <DraftContext.Consumer>
      {(draft) => (
        <details
          class="card section"
          open={isOpen || names.some((name) => valueAt(draft?.body, ['rules', name]) !== undefined)}
        >
          <summary>{title}</summary>
          <div class="fields">
            {names.map((name) => (
              <Entry key={name} name={name} />
            ))}
          </div>
          {names.includes('sizing') ? <StakeBounds /> : null}
        </details>
      )}
    </DraftContext.Consumer>
  );
}

/** A member of the rules, or the members of a part of them. The sport of its markets is that of the strategy. */
function Entry({ name }: { readonly name: keyof typeof RULES }) {
  const entry = RULES[name];
  if ('kind' in entry) {
    const meaning = 'meaning' in entry ? entry.meaning : '';
    const member = { kind: entry.kind, shown: name, meaning, sentence: () => null } as RuleMember;
    return <RuleField path={['rules', name]} member={member} />;
  }
  return (
    <>
      {membersOf(name as RulePart)
        .filter(([, { shown }]) => name !== 'match' || shown !== 'sport')
        .map(([, member]) => (
          <RuleField key={member.shown} path={['rules', name, member.shown]} member={member} />
        ))}
    </>
  );
}

/** Makes the strategy, or its next version. */
function Save({
  body,
  base,
  isReady,
}: {
  readonly body: DraftBody;
  readonly base: WireStrategy | null;
  readonly isReady: boolean;
}) {
  const store = useStore();
  const { settings } = store.state;
  const forbidden = useLiveBar(base !== null && !base.paper_only && settings.live && !settings.ui_trading);
  const send = async (idempotencyKey: string) => {
    const { sport: _, ...patch } = body;
    const saved =
      base === null
        ? await api<WireStrategy>('/v1/strategies', { method: 'POST', body, idempotencyKey })
        : await api<WireStrategy>(`/v1/strategies/${base.id}`, {
            method: 'PATCH',
            body: patch,
            ifVersion: base.version,
          });
    goTo(store, pathTo('strategies', saved.id));
    return saved;
  };
  const changed = base === null ? [] : changesBetween(bodyOfStrategy(base), body);
  return (
    <Act<WireStrategy>
      label={base === null ? 'Create strategy' : `Save as version ${base.version + 1}`}
      confirm={base === null ? 'Create it' : 'Save it'}
      forbidden={forbidden}
      ready={isReady && (base === null || changed.length > 0)}
      send={send}
      outcome={(saved) => `Version ${saved.version} is on record.`}
    >
      {isReady ? null : <p>Something is missing or wrong: it is named beside the form.</p>}
      {base !== null && changed.length === 0 ? <p>Nothing was changed.</p> : null}
      <ul>
        {changed.map((one) => (
          <ChangedMember key={one.member} change={one} />
        ))}
      </ul>
      <p>{MADE[String(valueAt(body, ['automation']))] ?? MADE['off']}</p>
      {base === null ? null : <Withdrawn base={base} />}
    </Act>
  );
}

const MADE: Readonly<Record<string, string>> = {
  off: 'It bets nothing by itself.',
  approve: 'It asks on the page Approvals before each bet.',
  auto: 'It bets by itself from then on.',
};

/** Words of the markets that are known, which fields suggest. */
function useSuggestions() {
  const { value } = useReading('markets known', (signal) =>
    api<{ data: readonly WireMarket[] }>('/v1/exchange/markets?limit=100', { signal }),
  );
  return useMemo(() => {
    const rows = value?.data ?? [];
    const words = (of: (row: WireMarket) => string | null | undefined) => [
      ...new Set(rows.flatMap((row) => of(row) ?? [])),
    ];
    return {
      sport: words(({ sport }) => sport),
      names: words(({ league }) => league),
      texts: words(({ event }) => event?.slug),
      marketKinds: suggestedFor('marketKinds'),
    };
  }, [value]);
}
