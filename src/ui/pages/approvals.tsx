import { useRef } from 'preact/hooks';
import type { WireApproval, WireBook, WireDecision } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { Act } from '../parts/act.tsx';
import { DecisionRules } from '../parts/decision.tsx';
import {
  ageText,
  Badge,
  Card,
  ChosenOdds,
  Empty,
  Fact,
  Gain,
  Moment,
  Money,
  Plain,
  type Tone,
  toneOf,
} from '../parts/figures.tsx';
import { Link, pathTo } from '../parts/link.tsx';
import { DataTable } from '../parts/table.tsx';
import { useReading, useSelected } from '../parts/use-store.js';
import { microOf, sumOf } from '../state/amounts.js';
import { isWaiting } from '../state/reduce.js';

const MAY_APPROVE = ['orders:paper', 'orders:live'] as const;

/** Bets that wait for a person, and those that did. */
export function ApprovalsPage() {
  const approvals = useSelected(({ known }) => known.approvals);
  const [id] = useSelected(({ of }) => of);
  const all = [...approvals.values()];
  const rows = (id === undefined ? all : all.filter((one) => one.id === id)).sort((a, b) => (a.id < b.id ? 1 : -1));
  // An approval that was answered here keeps its place, with its outcome.
  const shown = useRef(new Set<string>());
  for (const { id } of rows.filter(isWaiting)) shown.current.add(id);
  const waiting = rows.filter(({ id }) => shown.current.has(id));
  const over = rows.filter(({ id }) => !shown.current.has(id));
  return (
    <>
      {id === undefined ? null : (
        <p>
          <Link to="approvals">All approvals</Link>
        </p>
      )}
      {id !== undefined && rows.length === 0 ? <Empty>There is no approval with this id.</Empty> : null}
      {id === undefined && waiting.length === 0 ? (
        <Empty>
          Nothing waits for you. A strategy with <code>automation: "approve"</code> asks here before each bet.
        </Empty>
      ) : null}
      <div class="cards">
        {waiting.map((approval) => (
          <Waiting key={approval.id} approval={approval} />
        ))}
      </div>
      {over.length === 0 ? null : <Over rows={over} />}
    </>
  );
}

const toneOfAnswer = ({ state }: Pick<WireApproval, 'state'>): Tone => (state === 'approved' ? 'good' : '');

function Waiting({ approval }: { readonly approval: WireApproval }) {
  const { decision, expires_at: expiresAt } = approval;
  const name = useSelected(({ known }) => known.strategies.get(decision.strategy_id)?.name);
  const path = `/v1/exchange/markets/${encodeURIComponent(decision.market_id)}/book?token=${decision.token}&venue=${decision.venue}`;
  const book = useReading(path, (signal) => api<WireBook>(path, { signal }), 2000);
  // By the time of the market: on a recording an approval ends in the time of the recording.
  const left = book.value === null ? null : ageText(Date.parse(expiresAt) - Date.parse(book.value.now));
  return (
    <Card title={`${decision.name}, ${name ?? 'a strategy'}`}>
      <p>{decision.reason}</p>
      <dl>
        {decision.question === null ? null : <Fact name="Market">{decision.question}</Fact>}
        <Fact name="Costs">
          <Money value={decision.cost_usdc} />
        </Fact>
        <Fact name="Odds">
          <ChosenOdds value={decision.odds} />
        </Fact>
        <Fact name="Gains, if it wins">
          <Gain value={winOf(decision)} />
        </Fact>
        <Fact name="Loses, if it does not">
          <Money value={decision.cost_usdc} />
        </Fact>
        <Fact name="Pays at most, a share">
          <Plain value={decision.price} />
        </Fact>
        <Fact name="Best offer then">
          <Plain value={decision.inputs['best_ask']} />
        </Fact>
        <Fact name="Best offer now">
          <Plain value={book.value?.asks[0]?.price} />
        </Fact>
        <Fact name="Edge then">
          <Plain value={decision.edge} />
        </Fact>
        <Fact name="State">
          {isWaiting(approval) ? (
            `waits, ${left === null ? 'until' : `expires in ${left}, at`} ${expiresAt.slice(11, 19)}`
          ) : (
            <Badge tone={toneOfAnswer(approval)}>{approval.state}</Badge>
          )}
        </Fact>
      </dl>
      <details>
        <summary>Why it wants to bet</summary>
        <DecisionRules rules={decision.rules} />
      </details>
      <p class="acts">
        <AnswerAct approval={approval} verb="approve" />
        <AnswerAct approval={approval} verb="reject" />
      </p>
    </Card>
  );
}

function AnswerAct({ approval, verb }: { readonly approval: WireApproval; readonly verb: 'approve' | 'reject' }) {
  const { id, decision } = approval;
  const isLive = useSelected(({ settings, known }) => {
    const isPaper = known.strategies.get(decision.strategy_id)?.automation_paper ?? true;
    return verb === 'approve' && !isPaper && !settings.ui_trading;
  });
  const outcome = (_: WireApproval, { known }: UiState) => {
    const event = known.events.find((one) => one.data.approval?.id === id && one.type !== 'approval.waiting');
    const decision = event?.data.approval?.decision;
    const why = decision?.verdict === 'skip' ? `: ${decision.reason}` : '.';
    return event === undefined ? null : `${event.type}, event ${event.seq}${why}`;
  };
  return (
    <Act<WireApproval>
      label={verb === 'approve' ? 'Approve' : 'Reject'}
      scopes={verb === 'approve' ? MAY_APPROVE : [...MAY_APPROVE, 'orders:cancel']}
      isOffered={isWaiting(approval)}
      confirm={verb === 'approve' ? 'Place this bet' : 'Order nothing'}
      forbidden={isLive ? 'Real money is at risk: the server runs without UI_TRADING=on.' : null}
      send={(idempotencyKey) => api(`/v1/approvals/${id}/${verb}`, { method: 'POST', idempotencyKey })}
      outcome={outcome}
    >
      <p>
        {decision.name}: for <Money value={decision.cost_usdc} /> USDC at <Plain value={decision.price} /> or better.
        {verb === 'approve'
          ? ' It is decided again at the prices of now, and never takes more money than this.'
          : ' Nothing is ordered.'}
      </p>
    </Act>
  );
}

/** What a bet gains where its outcome wins: each share pays 1 USDC. */
const winOf = ({ shares, cost_usdc: cost }: WireDecision): bigint | null =>
  shares === null || cost === null ? null : microOf(shares) - microOf(cost);

/** The state of the order of an approval, and what it gained or lost once there is a result. */
function Became({ approval: { order_id: id } }: { readonly approval: WireApproval }) {
  const order = useSelected(({ known }) => known.orders.get(id ?? ''));
  if (order === undefined) return <>{id === null ? 'no order' : '—'}</>;
  const { status, return_usdc: returned, filled_size_usdc: filled, fees_usdc: fees } = order;
  if (returned === null) return <Badge tone={toneOf(order)}>{status.replace(/_/g, ' ')}</Badge>;
  return (
    <>
      {status.replace(/_/g, ' ')} <Gain value={sumOf([returned]) - sumOf([filled, fees])} />
    </>
  );
}

const Over = ({ rows }: { readonly rows: readonly WireApproval[] }) => (
  <DataTable<WireApproval>
    caption="Bets that waited"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      {
        name: 'Asked',
        cell: ({ id, decision }) => (
          <Link to={pathTo('approvals', id)}>
            <Moment at={decision.at} />
          </Link>
        ),
      },
      { name: 'State', cell: ({ state }) => <Badge tone={toneOfAnswer({ state })}>{state}</Badge> },
      { name: 'Outcome', cell: ({ decision }) => decision.name },
      { name: 'Cost', num: true, cell: ({ decision }) => <Money value={decision.cost_usdc} /> },
      { name: 'By', cell: ({ decided_by }) => decided_by ?? '—' },
      { name: 'Odds', num: true, cell: ({ decision }) => <ChosenOdds value={decision.odds} /> },
      { name: 'What became of it', cell: (row) => <Became approval={row} /> },
      { name: 'Why', cell: ({ decision }) => (decision.verdict === 'skip' ? decision.reason : '—') },
    ]}
  />
);
