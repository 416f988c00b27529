import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { WireStrategy } from '../../adapters/http/answers.js';
import { rowsOf } from '../net/api.js';
import { Empty, Trouble } from './figures.tsx';
import { goTo, Link, pathTo, useAsked } from './link.tsx';
import { useReading, useStore } from './use-store.js';

/** The last characters of an id, 8 or more of them: as commands take them. */
const ENDING = /^[0-9a-f-]{8,35}$/i;
/** So many of the newest are looked through, as commands do. */
const MOST = 1000;

interface Identified {
  readonly id: string;
}

/** A list in which something is looked for by the end of its id. */
export interface IdentifiedList<Row extends Identified> {
  /** What one of them is called, and its page. */
  readonly noun: string;
  readonly page: string;
  /** Where they are listed, newest first. */
  readonly path: string;
  readonly words: (row: Row) => string;
}

/** Strategies by their ids. */
export const STRATEGY_IDS: IdentifiedList<WireStrategy> = {
  noun: 'strategies',
  page: 'strategies',
  path: '/v1/strategies',
  words: ({ name, version }) => `${name}, version ${version}`,
};

/**
 * Shows a thing by its id, or finds it by the last characters of that; where several end so, they are listed. The address then has
 * the whole id, and the rest of it as it was, such as `/edit`; `addressOf` says otherwise.
 */
export function ByEnding<Row extends Identified>(props: {
  readonly text: string;
  readonly list: IdentifiedList<Row>;
  readonly addressOf?: (id: string) => string;
  readonly children: (id: string) => ComponentChildren;
}) {
  const { text, children, ...rest } = props;
  return ENDING.test(text) ? <Search key={text} ending={text.toLowerCase()} {...rest} /> : children(text);
}

/** Shows what the address filters by a strategy, which may be named by the last characters of its id: the address then has the whole id. */
export function OfAskedStrategy({ children }: { readonly children: ComponentChildren }) {
  const { of, page } = useStore().state;
  const { query, get } = useAsked();
  const addressOf = (id: string) => {
    const wanted = new URLSearchParams(query);
    wanted.set('strategy', id);
    return `${pathTo(page, ...of)}?${wanted}`;
  };
  return (
    <ByEnding text={get('strategy')} list={STRATEGY_IDS} addressOf={addressOf}>
      {() => children}
    </ByEnding>
  );
}

function Search<Row extends Identified>(props: {
  readonly ending: string;
  readonly list: IdentifiedList<Row>;
  readonly addressOf?: (id: string) => string;
}) {
  const { ending, list } = props;
  const { noun, page, path, words } = list;
  const store = useStore();
  const { of, query } = store.state;
  const { addressOf = (id) => `${pathTo(page, id, ...of.slice(1))}${query}` } = props;
  const { value, problem } = useReading(`${path} ${ending}`, () => rowsOf<Row>(path, MOST));
  const found = (value ?? []).filter(({ id }) => id.endsWith(ending));
  const [only] = found;
  useEffect(() => {
    if (found.length === 1 && only !== undefined) goTo(store, addressOf(only.id), { isSame: true });
  }, [only?.id]);
  if (value === null) return problem === null ? <p>Looking for {ending}…</p> : <Trouble text={problem} />;
  if (found.length === 0)
    return (
      <Empty>
        None of the newest {value.length} has an id that ends in {ending}. See <Link to={page}>all of them</Link>.
      </Empty>
    );
  return (
    <section class="card">
      <p>
        Several ids of {noun} end in {ending}:
      </p>
      <ul>
        {found.map((row) => (
          <li key={row.id}>
            <Link to={addressOf(row.id)}>{words(row)}</Link> <code>{row.id}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
