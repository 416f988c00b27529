import { useRef, useState } from 'preact/hooks';
import type { WireHolding } from '../../adapters/http/answers.js';
import { Aged, ageText, Badge, Empty, Gain, Moment, Money, Plain } from '../parts/figures.tsx';
import { Link, pathTo } from '../parts/link.tsx';
import { useMarkets } from '../parts/markets-read.js';
import { SellAct } from '../parts/sell.tsx';
import { columnsWithVenue, DataTable, GroupedTable, type ShownColumn, useSorting } from '../parts/table.tsx';
import { useSelected } from '../parts/use-store.js';
import { microOf, sumOf } from '../state/amounts.js';
import { feedFor } from '../state/marks.js';
import { groupsOf, type PositionGroup } from '../state/outcomes.js';
import { shownPortfolio } from './overview.tsx';

/** How many groups are drawn at first; drawing all of a thousand positions at once would be slow. */
const GROUPS = 25;

/** What is held, by event, and what every outcome would bring. */
export function PositionsPage() {
  const held = useSelected(shownPortfolio);
  const [most, setMost] = useState(GROUPS);
  const [, redraw] = useState(0);
  const positions = useWithOpen(held?.row.positions ?? []);
  const sorting = useSorting('');
  const markets = useMarkets(positions, most * 4);
  if (held === null) return <p>Reading…</p>;
  if (positions.length === 0)
    return (
      <Empty>
        You hold nothing. <Link to="markets">Find a market</Link> and buy, or let a{' '}
        <Link to="strategies">strategy</Link> bet.
      </Empty>
    );
  const groups = groupsOf(positions, markets);
  return (
    <Aged since={held.readAt} staleMs={30_000}>
      <p class="summary">
        {positions.length} {positions.length === 1 ? 'position' : 'positions'}, cost{' '}
        <Money value={sumOf(positions.map(({ cost_usdc }) => cost_usdc))} /> before fees, worth{' '}
        <Money value={held.row.value_usdc} /> USDC, unrealised <Gain value={held.row.unrealised_usdc} />
        {held.row.unmarked_positions > 0 ? `; ${held.row.unmarked_positions} have no price and count at cost` : ''}.
      </p>
      <Positions groups={groups} most={most} closed={() => redraw((count) => count + 1)} />
      {groups.length > most && sorting.column === '' ? (
        <button type="button" onClick={() => setMost(most + GROUPS)}>
          Show {Math.min(GROUPS, groups.length - most)} more of {groups.length} events
        </button>
      ) : null}
    </Aged>
  );
}

/** Positions, with those that are gone while a form about one is open: what became of a sale of all stays to be read. */
function useWithOpen(now: readonly WireHolding[]): readonly WireHolding[] {
  const shown = useRef(now);
  if (document.querySelector('main dialog[open]') === null) shown.current = now;
  else {
    const rows = new Map(now.map((row) => [nameOf(row), row]));
    const kept = shown.current.map((row) => rows.get(nameOf(row)) ?? row);
    const known = new Set(kept.map(nameOf));
    shown.current = [...kept, ...now.filter((row) => !known.has(nameOf(row)))];
  }
  return shown.current;
}

const nameOf = ({ venue, market_id, token }: WireHolding): string => `${venue} ${market_id} ${token}`;

/** One table, so that every event has the same columns; under each event what its outcomes would bring, unless the reader sorts all of them. */
function Positions(props: {
  readonly groups: readonly PositionGroup[];
  readonly most: number;
  /** Called when the form of a sale was closed: what was sold goes then. */
  readonly closed: () => void;
}) {
  const { groups, most, closed } = props;

  const paper = useSelected((state) => state.paper);
  const sorting = useSorting('');
  const isSorted = sorting.column !== '';
  const titles = new Map(groups.flatMap(({ title, positions }) => positions.map((row) => [row, title] as const)));
  const figure = (name: string, member: HeldFigure, Shown: typeof Money): ShownColumn<WireHolding> => ({
    name,
    num: true,
    by: (row) => amountOrNull(row[member]),
    cell: (row) => <Shown value={row[member]} />,
  });
  const rows = groups.flatMap(({ positions }) => positions);
  const table = {
    keyOf: nameOf,
    sorting,
    columns: columnsWithVenue<WireHolding>(rows, [
      { name: 'Outcome', cell: (row) => <Outcome row={row} title={isSorted ? '' : (titles.get(row) ?? '')} /> },
      { name: 'Shares', num: true, cell: ({ shares }) => <Plain value={shares} /> },
      { name: 'Average', num: true, cell: ({ average_price }) => <Plain value={average_price} /> },
      { name: 'Mark', num: true, cell: (row) => <Mark held={row} /> },
      figure('Cost', 'cost_usdc', Money),
      figure('Value', 'value_usdc', Money),
      figure('Unrealised', 'unrealised_usdc', Gain),
      figure('Payout', 'shares', Money),
      ...(paper ? [{ name: 'Act', cell: (row: WireHolding) => <SellAct held={row} closed={closed} /> }] : []),
    ]),
  };
  if (!isSorted)
    return (
      <GroupedTable<WireHolding>
        {...table}
        caption="Positions by event"
        groups={groups
          .slice(0, most)
          .map((group) => ({ key: group.key, heading: <Heading group={group} />, rows: group.positions }))}
      />
    );
  return (
    <>
      <DataTable<WireHolding> {...table} caption="Positions" rows={rows} />
      <p>
        <button type="button" onClick={() => sorting.choose('', true)}>
          By event
        </button>
      </p>
    </>
  );
}

type HeldFigure = 'cost_usdc' | 'value_usdc' | 'unrealised_usdc' | 'shares';

const amountOrNull = (text: string | null): bigint | null => (text === null ? null : microOf(text));

function Heading({ group: { title, startsAt, outcomes } }: { readonly group: PositionGroup }) {
  return (
    <>
      <b>{title}</b>{' '}
      {startsAt === null ? null : (
        <span class="hint">
          starts <Moment at={startsAt} />
        </span>
      )}
      <span class="ifwins">
        {outcomes.map(({ label, profit }) => (
          <span key={label}>
            If {label} <Gain value={profit} />
          </span>
        ))}
      </span>
    </>
  );
}

/** A mark; grey with its age where the book that it comes from cannot be traded on. */
function Mark({ held }: { readonly held: WireHolding }) {
  const feed = useSelected(({ feeds, paper }) => feeds[paper ? 'paper' : 'live']);
  const age = useSelected(({ now }) => {
    const book = feedFor(feed?.books, held);
    if (feed === null || book === undefined || book.fresh || book.age_ms === null) return null;
    return ageText(book.age_ms + Math.max(0, now - feed.readAt));
  });
  if (age === null) return <Plain value={held.mark_price} />;
  return (
    <span class="stale">
      <Plain value={held.mark_price} /> <small>{age} old</small>
    </span>
  );
}

function Outcome({ row, title }: { readonly row: WireHolding; readonly title: string }) {
  return (
    <>
      <Link to={pathTo('markets', row.venue, row.market_id)}>{row.outcome_label ?? row.token}</Link>{' '}
      {row.question === title ? null : <small>{row.question}</small>}
      {row.redeemable_usdc === '0' ? null : (
        <Badge tone="warn">
          redeem <Money value={row.redeemable_usdc} />
        </Badge>
      )}
    </>
  );
}
