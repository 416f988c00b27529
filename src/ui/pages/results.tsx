import { api } from '../net/api.js';
import { EquityPlot, useHistory } from '../parts/equity.tsx';
import { Card, Empty, Fact, Gain, Money, Trouble } from '../parts/figures.tsx';
import { DataTable } from '../parts/table.tsx';
import { useReading, useSeen } from '../parts/use-store.js';
import { microOf } from '../state/amounts.js';
import type { PortfolioRow } from '../state/wire.js';
import { shownPortfolio } from './overview.tsx';

interface Earned {
  readonly name: string;
  readonly sport: string;
  readonly row: PortfolioRow;
}

/** What was earned: over time, by strategy, and by the sport of the strategies. */
export function ResultsPage() {
  const paper = useSeen((state) => state.paper);
  const held = useSeen(shownPortfolio);
  const history = useHistory(paper, null);
  return (
    <div class="cards">
      <section class="card wide">
        <h2>{paper ? 'PAPER' : 'LIVE'} equity and drawdown</h2>
        <Trouble text={history.problem} />
        <EquityPlot points={history.value ?? []} />
      </section>
      {held === null ? null : <Sums row={held.row} />}
      <ByStrategy paper={paper} />
    </div>
  );
}

const Sums = ({ row }: { readonly row: PortfolioRow }) => (
  <Card title="All time">
    <dl>
      <Fact name="Realised">
        <Gain value={row.realised_usdc} />
      </Fact>
      <Fact name="Unrealised">
        <Gain value={row.unrealised_usdc} />
      </Fact>
      <Fact name="Fees">
        <Money value={row.fees_usdc} />
      </Fact>
      <Fact name="Profit">
        <b>
          <Gain value={row.profit_usdc} />
        </b>
      </Fact>
    </dl>
  </Card>
);

function ByStrategy({ paper }: { readonly paper: boolean }) {
  const strategies = useSeen(({ known }) => known.strategies);
  const ids = [...strategies.keys()].sort();
  const read = (signal: AbortSignal) =>
    Promise.all(
      ids.map(async (id): Promise<Earned> => {
        const row = await api<PortfolioRow>(`/v1/portfolio?paper=${paper}&strategy_id=${id}`, { signal });
        const { name = id, sport = '' } = strategies.get(id) ?? {};
        return { name, sport, row };
      }),
    );
  const earned = useReading(`earned ${paper} ${ids}`, read, 10_000);
  const rows = earned.value ?? [];
  if (ids.length === 0)
    return (
      <Card title="By strategy">
        <Empty>No strategy yet: results by strategy and sport appear with the first.</Empty>
      </Card>
    );
  return (
    <>
      <Card title="By strategy" wide>
        <Trouble text={earned.problem} />
        <EarnedTable caption="Profit by strategy" rows={rows} />
      </Card>
      <Card title="By sport of the strategy">
        <Sports rows={rows} />
      </Card>
    </>
  );
}

const EarnedTable = ({ caption, rows }: { readonly caption: string; readonly rows: readonly Earned[] }) => (
  <DataTable<Earned>
    caption={caption}
    rows={rows}
    keyOf={({ name, row }) => row.strategy_id ?? name}
    columns={[
      { name: 'Strategy', cell: ({ name }) => name },
      { name: 'Sport', cell: ({ sport }) => sport },
      { name: 'Realised', num: true, cell: ({ row }) => <Gain value={row.realised_usdc} /> },
      { name: 'Unrealised', num: true, cell: ({ row }) => <Gain value={row.unrealised_usdc} /> },
      { name: 'Fees', num: true, cell: ({ row }) => <Money value={row.fees_usdc} /> },
      { name: 'Profit', num: true, cell: ({ row }) => <Gain value={row.profit_usdc} /> },
    ]}
  />
);

function Sports({ rows }: { readonly rows: readonly Earned[] }) {
  const sums = new Map<string, bigint>();
  for (const { sport, row } of rows) sums.set(sport, (sums.get(sport) ?? 0n) + microOf(row.profit_usdc));
  return (
    <dl>
      {[...sums].map(([sport, profit]) => (
        <Fact key={sport} name={sport}>
          <Gain value={profit} />
        </Fact>
      ))}
    </dl>
  );
}
