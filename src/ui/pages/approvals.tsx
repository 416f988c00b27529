import { useRef, useState } from 'preact/hooks';
import type { WireApproval, WireBook, WireDecision } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { Act } from '../parts/act.tsx';
import { ByEnding } from '../parts/by-ending.tsx';
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
import { useLiveBar, useReading, useSelected } from '../parts/use-store.js';
import { dollarText, microOf, plainDecimal, sumOf } from '../state/amounts.js';
import { isWaiting } from '../state/reduce.js';
import { eventText, onPage } from '../state/words.js';

const MAY_APPROVE = ['orders:paper', 'orders:live'] as const;

const APPROVALS = {
  noun: 'approvals',
  page: 'approvals',
  path: '/v1/approvals',
  words: ({ decision: { name, at }, state }: WireApproval) => `${name}, ${state}, ${at.slice(0, 16)}`,
};

/** Bets that wait for a person, and those that did. */
export function ApprovalsPage() {
  const [text] = useSelected(({ of }) => of);
  if (text === undefined) return <Approvals />;
  return (
    <ByEnding text={text} list={APPROVALS}>
      {(id) => <Approvals id={id} />}
    </ByEnding>
  );
}

function Approvals({ id }: { readonly id?: string }) {
  const approvals = useSelected(({ known }) => known.approvals);
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
          Nothing waits for you. A strategy that is set to ask before each bet asks here:{' '}
          <Link to="strategies">see your strategies</Link>.
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
  const { expires_at: expiresAt } = approval;
  // Once somebody approves it, the approval has what was decided then: the card stays what was asked for.
  const { current: decision } = useRef(approval.decision);
  const name = useSelected(({ known }) => known.strategies.get(decision.strategy_id)?.name);
  const path = `/v1/exchange/markets/${encodeURIComponent(decision.market_id)}/book?token=${decision.token}&venue=${decision.venue}`;
  const book = useReading(path, (signal) => api<WireBook>(path, { signal }), 2000);
  // By the time of the market: on a recording an approval ends in the time of the recording.
  const best = book.value?.asks[0]?.price ?? null;
  const left = book.value === null ? null : ageText(Date.parse(expiresAt) - Date.parse(book.value.now));
  const isBegun = hasBegun(decision, book.value);
  return (
    <Card title={`${decision.name}, by ${name ?? 'a strategy'}`}>
      <p>{onPage(decision.reason)}</p>
      {isBegun && isWaiting(approval) ? (
        <p class="note warn" role="status">
          The game has begun. A bet that its rules make before the start only is withdrawn within seconds; any other is
          decided by the prices of now.
        </p>
      ) : null}
      <dl>
        <AskedFacts asked={decision} best={best} />
        <Fact name="State">
          {isWaiting(approval) ? (
            `waits, ${left === null ? 'until' : `expires in ${left}, at`} ${expiresAt.slice(11, 19)}`
          ) : (
            <Badge tone={toneOfAnswer(approval)}>{approval.state}</Badge>
          )}
        </Fact>
        {approval.decision.id === decision.id ? null : (
          <Fact name={`Decided at ${approval.decision.at.slice(11, 19)}`}>
            <Link
              to={approval.order_id === null ? pathTo('approvals', approval.id) : pathTo('orders', approval.order_id)}
            >
              {decidedText(approval.decision)}
            </Link>
          </Fact>
        )}
      </dl>
      <details>
        <summary>Why it wants to bet</summary>
        <DecisionRules rules={decision.rules} />
      </details>
      <p class="acts">
        <AnswerAct approval={approval} asked={decision} best={best} verb="approve" />
        <AnswerAct approval={approval} asked={decision} best={best} verb="reject" />
      </p>
    </Card>
  );
}

/** Whether the game has begun since it was asked, by the time of its market. */
function hasBegun({ at, inputs }: WireDecision, book: WireBook | null): boolean {
  const startsAt = Date.parse(inputs['starts_at'] ?? '');
  return book !== null && Date.parse(at) <= startsAt && startsAt <= Date.parse(book.now);
}

/** A bet as it was asked for, beside the best offer of now. */
function AskedFacts({ asked, best }: { readonly asked: WireDecision; readonly best: string | null }) {
  return (
    <>
      {asked.question === null ? null : <Fact name="Market">{asked.question}</Fact>}
      <Fact name="Costs, fees included">
        <Money value={asked.cost_usdc} />
      </Fact>
      <Fact name="Odds">
        <ChosenOdds value={asked.odds} />
      </Fact>
      <Fact name="Payout, if it wins">
        <Money value={asked.shares} />
      </Fact>
      <Fact name="Gains, if it wins">
        <Gain value={winOf(asked)} />
      </Fact>
      <Fact name="Loses, if it does not">
        <Money value={asked.cost_usdc} />
      </Fact>
      <Fact name="Pays at most, a share">
        <Plain value={asked.price} />
      </Fact>
      <Fact name="Best offer then">
        <Plain value={asked.inputs['best_ask']} />
      </Fact>
      <Fact name="Best offer now">
        <Plain value={best} />
      </Fact>
      {asked.edge === null ? null : (
        <Fact name="Edge then">
          <Plain value={asked.edge} />
        </Fact>
      )}
    </>
  );
}

/** What was decided, in a few words. */
const decidedText = ({ verdict, reason, cost_usdc: cost, price }: WireDecision): string =>
  verdict === 'skip' || cost === null || price === null
    ? onPage(reason)
    : `${dollarText(microOf(cost))} USDC at ${plainDecimal(price)} or better`;

/** A text as a sentence: with one full stop. */
const ended = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

interface AnswerProps {
  readonly approval: WireApproval;
  readonly asked: WireDecision;
  /** The best offer of now; null where it is not known. */
  readonly best: string | null;
  readonly verb: 'approve' | 'reject';
}

function AnswerAct({ approval, asked, best, verb }: AnswerProps) {
  const { id } = approval;
  // The offer that was seen when the form was opened.
  const [seen, setSeen] = useState(best);
  // From then on the book may have moved because of this very bet.
  const [sent, setSent] = useState<{ readonly best: string | null } | null>(null);
  const isBarred = useSelected(({ settings, known }) => {
    const isPaper = known.strategies.get(asked.strategy_id)?.automation_paper ?? true;
    return verb === 'approve' && !isPaper && !settings.ui_trading;
  });
  const forbidden = useLiveBar(isBarred);
  const outcome = (_: WireApproval, { known }: UiState) => {
    const event = known.events.find((one) => one.data.approval?.id === id && one.type !== 'approval.waiting');
    const decision = event?.data.approval?.decision;
    if (event === undefined || decision === undefined) return null;
    const [before, after] = [decidedText(asked), decidedText(decision)];
    return `${eventText(event)}${before === after ? '.' : `: ${ended(after)} It asked for ${ended(before)}`}`;
  };
  return (
    <Act<WireApproval>
      label={verb === 'approve' ? 'Approve' : 'Reject'}
      scopes={verb === 'approve' ? MAY_APPROVE : [...MAY_APPROVE, 'orders:cancel']}
      isOffered={isWaiting(approval)}
      confirm={verb === 'approve' ? 'Place this bet' : 'Order nothing'}
      forbidden={forbidden}
      opened={() => {
        setSeen(best);
        setSent(null);
      }}
      send={(idempotencyKey) => {
        setSent({ best });
        return api(`/v1/approvals/${id}/${verb}`, { method: 'POST', idempotencyKey });
      }}
      outcome={outcome}
    >
      <p>
        {asked.name}: for <Money value={asked.cost_usdc} /> USDC at <Plain value={asked.price} /> or better.
        {verb === 'approve'
          ? ' It is decided again at the prices of now, and never takes more money than this.'
          : ' Nothing is ordered.'}
      </p>
      {verb === 'approve' ? (
        <Offers then={asked.inputs['best_ask'] ?? null} seen={seen} now={(sent ?? { best }).best} />
      ) : null}
    </Act>
  );
}

/** The best offer when the bet was asked for, when it was read, and whether it has moved since. */
function Offers({ then, seen, now }: Record<'then' | 'seen' | 'now', string | null>) {
  const isMoved = seen !== null && now !== null && now !== seen;
  return (
    <>
      <p>
        Best offer: <Plain value={then} /> when it asked, <Plain value={seen} /> when you opened this.
      </p>
      {isMoved ? (
        <p class="note warn" role="status">
          The price has moved since: the best offer is <Plain value={now} /> now.
        </p>
      ) : null}
    </>
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
      { name: 'Why', cell: ({ decision }) => (decision.verdict === 'skip' ? onPage(decision.reason) : '—') },
    ]}
  />
);
