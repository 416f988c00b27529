import { useState } from 'preact/hooks';
import { credentialHeaders, refusalIn } from '../net/api.js';
import { Trouble } from './figures.tsx';
import { useMoneyNames, useSelected } from './use-store.js';

const TABLES = {
  bets: 'Bets that ended',
  orders: 'Orders',
  journal: 'Every movement of money, with the profit of each sale and result',
} as const;

type TableName = keyof typeof TABLES;

/** Downloads a table of a period as CSV. */
export function Export({ first }: { readonly first: TableName }) {
  const { badge } = useMoneyNames();
  const paper = useSelected((state) => state.paper);
  const [what, setWhat] = useState<TableName>(first);
  const [from, setFrom] = useState('');
  const [through, setThrough] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const query = new URLSearchParams({
    paper: `${paper}`,
    ...(from !== '' && { from: `${from}T00:00:00Z` }),
    ...(through !== '' && { to: `${dayAfter(through)}T00:00:00Z` }),
  });
  const path = `/v1/export/${what}.csv?${query}`;
  const download = (event: MouseEvent) => {
    // A session goes with a link by itself; a key that only the page knows does not.
    if (Object.keys(credentialHeaders()).length === 0) return;
    event.preventDefault();
    saveWithKey(path, `stakeport-${what}.csv`).then(
      () => setProblem(null),
      (error: unknown) => setProblem(String(error)),
    );
  };
  return (
    <details>
      <summary>Export {badge(paper)} as CSV</summary>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Table{' '}
          <select value={what} onChange={({ currentTarget }) => setWhat(currentTarget.value as TableName)}>
            {Object.entries(TABLES).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <Day name="From" value={from} onDay={setFrom} />
        <Day name="Through" value={through} onDay={setThrough} />
        <a class="button" href={path} download onClick={download}>
          Download
        </a>
      </form>
      <Trouble text={problem} />
      <p class="hint">
        Days are of UTC; without one, all of it. Profit is by average cost, after the fees of both sides.
      </p>
    </details>
  );
}

const Day = (props: { readonly name: string; readonly value: string; readonly onDay: (day: string) => void }) => (
  <label>
    {props.name}{' '}
    <input type="date" value={props.value} onInput={({ currentTarget }) => props.onDay(currentTarget.value)} />
  </label>
);

const DAY_MS = 86_400_000;

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

async function saveWithKey(path: string, name: string): Promise<void> {
  const response = await fetch(path, { headers: credentialHeaders() });
  if (!response.ok) throw await refusalIn(response);
  const href = URL.createObjectURL(await response.blob());
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
