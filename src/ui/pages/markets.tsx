import type { ComponentChildren } from 'preact';
import type { WireHolding, WireListedMarket } from '../../adapters/http/answers.js';
import { MARKET_STATUSES } from '../../core/market/lifecycle.js';
import { MARKET_KINDS } from '../../core/market/market.js';
import type { ListPage } from '../net/api.js';
import { ageText, Badge, Empty, Moment, Plain, Trouble } from '../parts/figures.tsx';
import { Link, pathTo, useAsked } from '../parts/link.tsx';
import { AskedChoice, AskedText, Filters, Pager, useListPage } from '../parts/listed.tsx';
import { MarketDetail } from '../parts/market-detail.tsx';
import { columnsWithVenue, DataTable } from '../parts/table.tsx';
import { useSelected } from '../parts/use-store.js';
import { plainWords } from '../state/strategy-draft.js';
import { shownPortfolio } from './overview.tsx';

/** Prices are asked for with the page, for its rows alone. */
const ROWS = 25;
const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;

interface MarketPage extends ListPage<WireListedMarket> {
  readonly warnings: readonly { readonly detail: string }[];
}

/** Finds markets with their prices, shows the book of one, and takes a paper order. */
export function MarketsPage() {
  const [venue, id] = useSelected(({ of }) => of);
  const { get } = useAsked();
  const day = Date.parse(`${get('day')}T00:00:00Z`);
  const filters = {
    prices: 'true',
    venue: get('venue'),
    text: get('text'),
    sport: get('sport'),
    league: get('league'),
    kind: get('kind'),
    status: get('status'),
    starts_after: Number.isNaN(day) ? '' : new Date(day).toISOString(),
    starts_before: Number.isNaN(day) ? '' : new Date(day + DAY_MS).toISOString(),
  };
  const { value, problem } = useListPage<MarketPage>('/v1/exchange/markets', filters, EVERY_MS, ROWS);
  const rows = value?.data ?? [];
  return (
    <>
      <MarketFilters rows={rows} />
      <Trouble text={problem} />
      {venue === undefined || id === undefined ? null : <MarketDetail key={`${venue} ${id}`} venue={venue} id={id} />}
      {value?.warnings.map(({ detail }) => (
        <Empty key={detail}>{detail}</Empty>
      ))}
      {value === null && problem === null ? <p>Reading…</p> : null}
      {value?.data.length === 0 && value.warnings.length === 0 ? (
        <Empty>
          {value.next_cursor === null
            ? 'No market is like this. Use fewer words, or other filters.'
            : 'No market of those that were looked through is like this. Go on to the next ones.'}
        </Empty>
      ) : null}
      {rows.length === 0 ? null : <Found rows={rows} />}
      <Pager next={value?.next_cursor ?? null} names={['First', 'Next']} />
    </>
  );
}

function MarketFilters({ rows }: { readonly rows: readonly WireListedMarket[] }) {
  const known = (name: 'sport' | 'league') =>
    [...new Set(rows.map((row) => row[name]))].filter((one) => one !== null).sort();
  return (
    <search>
      <Filters>
        <AskedText name="text" label="Words of the question, event or outcome" type="search" />
        <AskedText name="sport" label="Sport" known={known('sport')} />
        <AskedText name="league" label="League" known={known('league')} />
        <AskedChoice
          name="kind"
          label="Kind"
          options={[['', 'any'], ...[...MARKET_KINDS, 'other'].map((one) => [one, plainWords(one)] as const)]}
        />
        <AskedText name="day" label="Day" type="date" />
        <AskedChoice
          name="status"
          label="Status"
          options={[['', 'any'], ...MARKET_STATUSES.map((one) => [one, one.replace('_', ' ')] as const)]}
        />
        <button type="submit" class="main">
          Search
        </button>
      </Filters>
    </search>
  );
}

function Found({ rows }: { readonly rows: readonly WireListedMarket[] }) {
  const { query } = useAsked();
  const held = useSelected(shownPortfolio);
  const own = heldByMarket(held?.row.positions ?? []);
  const newest = rows.reduce((last, { prices }) => (prices !== null && prices.at > last ? prices.at : last), '');
  return (
    <DataTable<WireListedMarket>
      caption="Markets"
      rows={rows}
      keyOf={({ venue, id }) => `${venue} ${id}`}
      columns={columnsWithVenue(rows, [
        {
          name: 'Question',
          cell: (row) => (
            <>
              <Link to={`${pathTo('markets', row.venue, row.id)}${query}`}>{row.question ?? row.slug ?? row.id}</Link>{' '}
              {row.event === null || row.event.title === row.question ? null : <small>{row.event.title}</small>}
            </>
          ),
        },
        { name: 'Outcomes', cell: (row) => <Quotes row={row} shown={(one) => labelOf(row, one.token)} /> },
        { name: 'Bid', num: true, cell: (row) => <Quotes row={row} shown={({ bid }) => <Plain value={bid} />} /> },
        { name: 'Ask', num: true, cell: (row) => <Quotes row={row} shown={({ ask }) => <Plain value={ask} />} /> },
        {
          name: 'Spread',
          num: true,
          cell: ({ prices }) => (
            <>
              <Plain value={prices?.spread} /> {prices?.fresh === false ? <Badge tone="warn">stale</Badge> : null}
              <Older at={prices?.at ?? null} newest={newest} />
            </>
          ),
        },
        { name: 'You hold', cell: ({ venue, id }) => <Own held={own.get(`${venue} ${id}`) ?? []} /> },
        { name: 'Sport', cell: ({ sport, league }) => [sport, league].filter((one) => one !== null).join(', ') },
        {
          name: 'Starts',
          cell: ({ starts_at }) => <Moment at={starts_at} />,
        },
        {
          name: 'Status',
          cell: ({ status }) => (
            <Badge tone={status === 'in_play' ? 'good' : ''}>{(status ?? '—').replace('_', ' ')}</Badge>
          ),
        },
      ])}
    />
  );
}

/** Beyond this, prices are told to be older than others beside them. */
const OLDER_MS = 30_000;

/** How much older prices are than the newest of the list, in the time of the markets. */
function Older({ at, newest }: { readonly at: string | null; readonly newest: string }) {
  const ms = at === null ? 0 : Date.parse(newest) - Date.parse(at);
  return ms < OLDER_MS ? null : <small>{ageText(ms)} older</small>;
}

type Quote = NonNullable<WireListedMarket['prices']>['outcomes'][number];

const labelOf = ({ outcomes }: WireListedMarket, token: Quote['token']): string =>
  outcomes?.find((outcome) => outcome.token === token)?.label ?? token;

const UNPRICED: readonly Quote[] = [
  { token: 'YES', bid: null, ask: null },
  { token: 'NO', bid: null, ask: null },
];

/** A line for each outcome. */
const Quotes = (props: { readonly row: WireListedMarket; readonly shown: (quote: Quote) => ComponentChildren }) => (
  <>
    {(props.row.prices?.outcomes ?? UNPRICED).map((quote) => (
      <span class="line" key={quote.token}>
        {props.shown(quote)}
      </span>
    ))}
  </>
);

const Own = ({ held }: { readonly held: readonly WireHolding[] }) => (
  <>
    {held.map(({ token, outcome_label, shares }) => (
      <span class="line" key={token}>
        <Plain value={shares} /> {outcome_label ?? token}
      </span>
    ))}
  </>
);

function heldByMarket(positions: readonly WireHolding[]): ReadonlyMap<string, readonly WireHolding[]> {
  const found = new Map<string, WireHolding[]>();
  for (const position of positions) {
    const key = `${position.venue} ${position.market_id}`;
    found.set(key, [...(found.get(key) ?? []), position]);
  }
  return found;
}
