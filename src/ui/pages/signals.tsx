import { useRef } from 'preact/hooks';
import type { WireMarket, WireSignal } from '../../adapters/http/answers.js';
import { api, type ListPage } from '../net/api.js';
import { isOnTape } from '../net/ui-store.js';
import { Act } from '../parts/act.tsx';
import { Badge, Empty, Moment, Plain, Trouble } from '../parts/figures.tsx';
import { Link, pathTo, useAsked } from '../parts/link.tsx';
import { AskedText, Filters, PAGE_ROWS, Pager, useListPage } from '../parts/listed.tsx';
import { useMarkets, useMarketTime } from '../parts/markets-read.js';
import { DataTable } from '../parts/table.tsx';
import { useSelected } from '../parts/use-store.js';

const EVERY_MS = 10_000;
const TIME_MS = 30_000;

/** What models say of markets, a page at a time as the server has it. */
export function SignalsPage() {
  const { query, get } = useAsked();
  const filters = { name: get('model'), market_id: get('market') };
  const { value, problem, again } = useListPage<ListPage<WireSignal>>('/v1/signals', filters, EVERY_MS);
  // What is removed stays while its form says so.
  const shown = useRef<readonly WireSignal[]>([]);
  if (document.querySelector('main dialog[open]') === null) shown.current = value?.data ?? [];
  return (
    <>
      <Filters>
        <AskedText name="model" label="Model" />
        <AskedText name="market" label="Market (id or slug)" />
      </Filters>
      <Trouble text={problem} />
      {value === null && problem === null ? <p>Reading…</p> : null}
      {value?.data.length === 0 ? (
        <Empty>
          {query === ''
            ? 'No model has said anything. A strategy whose rules name a model bets by what it says.'
            : 'Nothing is said like this. Choose another model or market.'}
        </Empty>
      ) : null}
      {shown.current.length === 0 ? null : <Said rows={shown.current} removed={again} />}
      <Pager next={value?.next_cursor ?? null} names={['First', 'Next']} />
      <p class="hint">
        Models say what they hold probable by the API, or from a file on a terminal:{' '}
        <code>stakeport signals import model.csv --name elo-2 --expires 2h</code>, with a row an outcome and the columns
        market_id, outcome and probability.
      </p>
    </>
  );
}

interface SaidProps {
  readonly rows: readonly WireSignal[];
  /** Called after one was removed. */
  readonly removed: () => void;
}

/** By the name of the model and the id of the market, as the server sorts them. */
function Said({ rows, removed }: SaidProps) {
  const markets = useMarkets(rows, PAGE_ROWS);
  const told = useMarketTime(rows[0], TIME_MS);
  const real = useSelected((state) => (isOnTape(state) ? null : Math.floor(state.now / TIME_MS) * TIME_MS));
  const now = told ?? real;
  return (
    <DataTable<WireSignal>
      caption="Signals"
      rows={rows}
      keyOf={({ name, venue, market_id }) => `${name} ${venue} ${market_id}`}
      columns={[
        { name: 'Model', cell: ({ name }) => name },
        { name: 'Market', cell: (row) => <Named row={row} market={markets.get(row.market_id)} /> },
        {
          name: 'Says',
          cell: ({ probabilities }) =>
            Object.entries(probabilities).map(([label, probability]) => (
              <span class="line" key={label}>
                {label} <Plain value={probability} />
              </span>
            )),
        },
        { name: 'Said at', cell: ({ updated_at }) => <Moment at={updated_at} /> },
        {
          name: 'Expires',
          cell: ({ expires_at: at }) => (
            <>
              <Moment at={at} /> {now !== null && Date.parse(at) <= now ? <Badge tone="warn">expired</Badge> : null}
            </>
          ),
        },
        { name: 'Source', cell: ({ source }) => source ?? <span class="none">—</span> },
        { name: 'Act', cell: (row) => <RemoveAct row={row} closed={removed} /> },
      ]}
    />
  );
}

/** A market by its question and its game; by its id before it is read, and where the server shows it no longer. */
function Named({
  row: { venue, market_id: id },
  market,
}: {
  readonly row: WireSignal;
  readonly market: WireMarket | undefined;
}) {
  const [question, event] = [market?.question ?? id, market?.event?.title];
  return (
    <>
      <Link to={pathTo('markets', venue, id)}>{question}</Link>{' '}
      {event === undefined || event === question ? null : <small>{event}</small>}
    </>
  );
}

function RemoveAct({ row, closed }: { readonly row: WireSignal; readonly closed: () => void }) {
  const { name, venue, market_id: id } = row;
  const path = `/v1/signals/${encodeURIComponent(name)}/${encodeURIComponent(id)}?venue=${encodeURIComponent(venue)}`;
  return (
    <Act<WireSignal>
      label="Delete"
      scopes={['strategies:write']}
      confirm="Delete this signal"
      closed={closed}
      send={() => api(path, { method: 'DELETE' })}
      outcome={() => `Deleted: ${name} says nothing of this market any more.`}
    >
      <p>
        Nothing is decided with it any more: a strategy whose rules need it makes no bet in this market, until {name}{' '}
        says something of it again.
      </p>
    </Act>
  );
}
