import { useState } from 'preact/hooks';
import type { WireMarket } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import { Badge, Empty, Moment, Trouble } from '../parts/figures.tsx';
import { Link, pathTo } from '../parts/link.tsx';
import { MarketDetail } from '../parts/market-detail.tsx';
import { DataTable } from '../parts/table.tsx';
import { useReading, useSelected } from '../parts/use-store.js';

/** Finds a market, shows its book, and takes a paper order. */
export function MarketsPage() {
  const [text, setText] = useState('');
  const [searched, setSearched] = useState('');
  const [venue, id] = useSelected(({ of }) => of);
  const found = useReading(`markets ${searched}`, (signal) =>
    api<{ data: readonly WireMarket[]; warnings: readonly { detail: string }[] }>(
      `/v1/exchange/markets?limit=50${searched === '' ? '' : `&text=${encodeURIComponent(searched)}`}`,
      { signal },
    ),
  );
  const search = (event: Event) => {
    event.preventDefault();
    setSearched(text.trim());
  };
  return (
    <>
      <search>
        <form class="filters" onSubmit={search}>
          <label>
            Words of the question, event or outcome{' '}
            <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
          <button type="submit" class="main">
            Search
          </button>
        </form>
      </search>
      <Trouble text={found.problem} />
      {venue === undefined || id === undefined ? null : <MarketDetail key={`${venue} ${id}`} venue={venue} id={id} />}
      {found.value?.warnings.map(({ detail }) => (
        <Empty key={detail}>{detail}</Empty>
      ))}
      {found.value?.data.length === 0 && found.value.warnings.length === 0 ? (
        <Empty>No market has these words. Use fewer of them.</Empty>
      ) : null}
      {found.value === null || found.value.data.length === 0 ? null : <Found rows={found.value.data} />}
    </>
  );
}

function Found({ rows }: { readonly rows: readonly WireMarket[] }) {
  const name = (row: WireMarket) => (
    <Link to={pathTo('markets', row.venue, row.id)}>{row.question ?? row.slug ?? row.id}</Link>
  );
  return (
    <DataTable<WireMarket>
      caption="Markets"
      rows={rows}
      keyOf={({ venue, id }) => `${venue} ${id}`}
      columns={[
        { name: 'Question', cell: name },
        { name: 'Event', cell: ({ event }) => event?.title ?? '—' },
        { name: 'Sport', cell: ({ sport, league }) => [sport, league].filter((one) => one !== null).join(', ') },
        { name: 'Starts', cell: ({ starts_at }) => <Moment at={starts_at} /> },
        {
          name: 'Status',
          cell: ({ status }) => (
            <Badge tone={status === 'in_play' ? 'good' : ''}>{(status ?? '—').replace('_', ' ')}</Badge>
          ),
        },
        { name: 'Venue', cell: ({ venue }) => venue },
      ]}
    />
  );
}
