import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { api, type ListPage } from '../net/api.js';
import { useAsked } from './link.tsx';
import { type Sorting, useSorting } from './table.tsx';
import { type Reading, useReading, useSelected } from './use-store.js';

/** How many rows of a list one request asks for. */
export const PAGE_ROWS = 50;

/** The page of a list that the address asks for, by its filters and its cursor; read anew as often as given while it is the first one. */
export function useListPage<Page extends ListPage<unknown>>(
  path: string,
  filters: Readonly<Record<string, string>>,
  everyMs?: number,
  limit = PAGE_ROWS,
): Reading<Page> {
  const after = useAsked().get('after');
  const query = new URLSearchParams({ limit: `${limit}` });
  for (const [name, value] of Object.entries({ ...filters, cursor: after })) if (value !== '') query.set(name, value);
  const asked = `${path}?${query}`;
  return useReading(asked, (signal) => api<Page>(asked, { signal }), after === '' ? everyMs : undefined);
}

/** What the first page of a list and the one after this are called. */
type PagerNames = readonly [first: string, next: string];

/** Goes to the next page of a list, or back to its first one. */
export function Pager(props: { readonly next: string | null; readonly names?: PagerNames }) {
  const { next, names: [first, later] = NEWEST_FIRST } = props;
  const { get, ask } = useAsked();
  const isFirst = get('after') === '';
  if (isFirst && next === null) return null;
  return (
    <nav class="acts pager" aria-label="Pages of this list">
      <button type="button" disabled={isFirst} onClick={() => ask({ after: '' })}>
        ← {first}
      </button>
      <button type="button" disabled={next === null} onClick={() => ask({ after: next ?? '' })}>
        {later} →
      </button>
    </nav>
  );
}

const NEWEST_FIRST = ['Newest', 'Older'] as const;
const OLDEST_FIRST = ['Oldest', 'Newer'] as const;

/** What the address asks of orders or bets: by `TradeFilters`, and from which end by the heading of their `time`. */
export function useTradeFilters(time: string) {
  const paper = useSelected((state) => state.paper);
  const { get } = useAsked();
  const sorting = useSorting(time);
  const [after, before] = momentsOfDays(get('from'), get('to'));
  const filters = {
    paper: `${paper}`,
    strategy_id: get('strategy'),
    market_id: get('market'),
    placed_after: after,
    placed_before: before,
    order: isOldestFirst(sorting, time) ? 'oldest' : '',
  } as const;
  return { sorting, filters };
}

const isOldestFirst = ({ column, isDown }: Sorting, time: string): boolean => column === time && !isDown;

/** The foot of a page of orders or bets, which the server sorts by their `time`, or by another column, whose pages are called so. */
export function TradePages(props: {
  readonly next: string | null;
  readonly sorting: Sorting;
  readonly time: string;
  readonly other?: PagerNames;
}) {
  const { next, sorting, time, other } = props;
  return <Pager next={next} names={other ?? (isOldestFirst(sorting, time) ? OLDEST_FIRST : NEWEST_FIRST)} />;
}

/** A filter of the address that is one of some values; the first option is the one without a filter. */
export function AskedChoice(props: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, words: string])[];
}) {
  const { name, label, options } = props;
  const { get, ask } = useAsked();
  const value = get(name);
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => ask({ [name]: currentTarget.value })}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
        {options.some(([one]) => one === value) ? null : <option value={value}>{value}</option>}
      </select>
    </label>
  );
}

/** A filter of the address that is typed in: it holds once the field is left, or Enter is pressed. */
export function AskedText(props: {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'search' | 'date';
  /** What may be typed, to choose from. */
  readonly known?: readonly string[];
}) {
  const { name, label, type = 'text', known = [] } = props;
  const { get, ask } = useAsked();
  const value = get(name);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);
  return (
    <label>
      {label}{' '}
      <input
        ref={field}
        type={type}
        defaultValue={value}
        list={known.length === 0 ? undefined : `known-${name}`}
        onChange={({ currentTarget }) => {
          if (currentTarget.value.trim() !== value) ask({ [name]: currentTarget.value.trim() });
        }}
      />
      {known.length === 0 ? null : (
        <datalist id={`known-${name}`}>
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
}

/** The filters of a list. */
export const Filters = ({ children }: { readonly children: ComponentChildren }) => (
  <form class="filters" onSubmit={(event) => event.preventDefault()}>
    {children}
  </form>
);

/** The moments between which a day of the address lies, as filters of two names; empty where it asks for none. */
function momentsOfDays(from: string, to: string): readonly [after: string, before: string] {
  const [first, last] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  return [
    Number.isNaN(first) ? '' : new Date(first - 1).toISOString(),
    Number.isNaN(last) ? '' : new Date(last + DAY_MS).toISOString(),
  ];
}

const DAY_MS = 86_400_000;

/** The filters that lists of orders and of bets share: strategy, market and days. */
export function TradeFilters() {
  const strategies = useSelected(({ known }) => known.strategies);
  return (
    <>
      <AskedChoice
        name="strategy"
        label="Strategy"
        options={[['', 'any'], ...[...strategies.values()].map(({ id, name }) => [id, name] as const)]}
      />
      <AskedText name="market" label="Market (id or slug)" />
      <AskedText name="from" label="From" type="date" />
      <AskedText name="to" label="To" type="date" />
    </>
  );
}
