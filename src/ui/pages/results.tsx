import type { WirePortfolio } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import { EquityPlot, useHistory } from '../parts/equity.tsx';
import { Card, Empty, Fact, Gain, Money, Trouble } from '../parts/figures.tsx';
import { DataTable } from '../parts/table.tsx';
import { useReading, useSelected } from '../parts/use-store.js';
import { microOf } from '../state/amounts.js';
import { shownPortfolio } from './overview.tsx';

interface Earned {
  readonly name: string;
  readonly sport: string;
  readonly league: string;
  readonly row: WirePortfolio;
}

/** What was earned: over time, by strategy, and by the sport of the strategies. */
export function ResultsPage() {
  const paper = useSelected((state) => state.paper);
  const held = useSelected(shownPortfolio);
  const history = useHistory(paper, null);
  return (
    <div class="cards">
      <section class="card wide">
        <h2>{paper ? 'PAPER' : 'LIVE'} equity and drawdown</h2>
        <Trouble text={history.problem} />
        <EquityPlot points={history.value} />
      </section>
      {held === null ? <Card title="All time">Reading…</Card> : <AllTime row={held.row} />}
      <ByStrategy paper={paper} total={held?.row.profit_usdc ?? null} />
    </div>
  );
}

const AllTime = ({ row }: { readonly row: WirePortfolio }) => (
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

function ByStrategy({ paper, total }: { readonly paper: boolean; readonly total: string | null }) {
  const strategies = useSelected(({ known }) => known.strategies);
  const ids = [...strategies.keys()].sort();
  const read = (signal: AbortSignal) =>
    Promise.all(
      ids.map(async (id): Promise<Earned> => {
        const row = await api<WirePortfolio>(`/v1/portfolio?paper=${paper}&strategy_id=${id}`, { signal });
        const { name = id, sport = '', rules } = strategies.get(id) ?? {};
        const leagues = [rules?.match.league ?? []].flat();
        return { name, sport, league: leagues.length === 0 ? 'any' : leagues.join(', '), row };
      }),
    );
  const earned = useReading(`earned ${paper} ${ids}`, read, 10_000);
  const rows = earned.value ?? [];
  if (ids.length === 0)
    return (
      <Card title="By strategy">
        <Empty>No strategy yet: results by strategy, sport and league appear with the first.</Empty>
      </Card>
    );
  return (
    <>
      <Card title="By strategy" wide>
        <Trouble text={earned.problem} />
        {earned.value === null && earned.problem === null ? (
          <p>Reading…</p>
        ) : (
          <EarnedTable caption="Profit by strategy" rows={rows} />
        )}
      </Card>
      <Card title="By sport of the strategy">
        <Sums by={({ sport }) => sport} rows={rows} total={total} />
      </Card>
      <Card title="By league of the strategy">
        <Sums by={({ sport, league }) => `${sport}, ${league}`} rows={rows} total={total} />
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
      { name: 'League', cell: ({ league }) => league },
      { name: 'Realised', num: true, cell: ({ row }) => <Gain value={row.realised_usdc} /> },
      { name: 'Unrealised', num: true, cell: ({ row }) => <Gain value={row.unrealised_usdc} /> },
      { name: 'Fees', num: true, cell: ({ row }) => <Money value={row.fees_usdc} /> },
      { name: 'Profit', num: true, cell: ({ row }) => <Gain value={row.profit_usdc} /> },
    ]}
  />
);

interface SumsProps {
  readonly rows: readonly Earned[];
  readonly by: (earned: Earned) => string;
  /** The profit of the account. */
  readonly total: string | null;
}

/** Profit by what strategies are about. What no strategy earned that is there now has a line of its own. */
function Sums({ rows, by, total }: SumsProps) {
  const sums = new Map<string, bigint>();
  for (const earned of rows) sums.set(by(earned), (sums.get(by(earned)) ?? 0n) + microOf(earned.row.profit_usdc));
  const rest = [...sums.values()].reduce((left, one) => left - one, microOf(total ?? '0'));
  return (
    <dl>
      {[...sums].map(([name, profit]) => (
        <Fact key={name} name={name}>
          <Gain value={profit} />
        </Fact>
      ))}
      <Fact name="By hand, or by strategies that are gone">
        <Gain value={total === null || rows.length === 0 ? null : rest} />
      </Fact>
    </dl>
  );
}
