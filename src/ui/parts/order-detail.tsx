import { useEffect, useState } from 'preact/hooks';
import type { WireDecision, WireOrder, WireOrderEventWithChange } from '../../adapters/http/answers.js';
import { api, rowsOf } from '../net/api.js';
import { type ChainCheck, sha256Hex, verifyEvents } from '../state/chain.js';
import { eventName, factsText, refusalOnPage } from '../state/words.js';
import { DecisionRules } from './decision.tsx';
import { Badge, Card, Fact, Moment, Money, Plain, Trouble, toneOf } from './figures.tsx';
import { Link, pathTo } from './link.tsx';
import { DataTable } from './table.tsx';
import { useMoneyNames, useReading, useSelected } from './use-store.js';

/** No order has more. */
const MOST_EVENTS = 10_000;

/** One order: what it is, what happened to it, and the decision that placed it. */
export function OrderDetail({ id }: { readonly id: string }) {
  const { badge } = useMoneyNames();
  const newest = useSelected(({ known }) => known.orders.get(id));
  const read = useReading(`order ${id}`, (signal) => api<WireOrder>(`/v1/exchange/orders/${id}`, { signal }));
  const order = newest ?? read.value;
  const events = useReading(`events ${id} ${order?.updated_at} ${order?.status}`, () =>
    rowsOf<WireOrderEventWithChange>(`/v1/exchange/orders/${id}/events?changes=true`, MOST_EVENTS),
  );
  if (order === null) return <Trouble text={read.problem} />;
  return (
    <Card title={`Order of ${order.placed_at.slice(0, 19).replace('T', ' ')}`} wide>
      <p>
        <Badge tone={order.paper ? 'paper' : 'live'}>{badge(order.paper)}</Badge>{' '}
        <Badge tone={toneOf(order)}>{order.status.replace('_', ' ')}</Badge> {order.side}{' '}
        <Link to={pathTo('markets', order.venue, order.market_id)}>{order.name}</Link>{' '}
        <Link to="orders" isButton>
          Close
        </Link>
      </p>
      {order.error === null ? null : <p class="note warn">{refusalOnPage(order.error)}</p>}
      <dl class="grid">
        <Fact name="Limit">
          <Plain value={order.price} />
        </Fact>
        <Fact name="Shares">
          <Plain value={order.filled_shares} /> filled, <Plain value={order.shares} /> at its limit
        </Fact>
        <Fact name="Spent or got">
          <Money value={order.filled_size_usdc} />
        </Fact>
        <Fact name="Fees">
          <Money value={order.fees_usdc} />
        </Fact>
        <Fact name="In force">{order.time_in_force}</Fact>
        <Fact name="Venue">{order.venue}</Fact>
      </dl>
      <p class="hint">
        Id <code>{order.id}</code>
      </p>
      <Trouble text={events.problem} />
      <Chain id={id} events={events.value} />
      <History events={events.value ?? []} />
      {order.decision_id === null ? (
        <p class="hint">A client placed it: no strategy decided.</p>
      ) : (
        <Decided id={order.decision_id} />
      )}
    </Card>
  );
}

/** Says whether the hashes are right, as this page computes them. */
function Chain({ id, events }: { readonly id: string; readonly events: readonly WireOrderEventWithChange[] | null }) {
  const [check, setCheck] = useState<ChainCheck | null>(null);
  useEffect(() => {
    let isOver = false;
    if (events !== null && isSecureContext)
      void verifyEvents(id, events, sha256Hex).then((found) => isOver || setCheck(found));
    return () => {
      isOver = true;
    };
  }, [id, events]);
  if (!isSecureContext) return <p class="hint">Hashes are verified on pages over https, or of this machine.</p>;
  if (check === null) return <p class="hint">Verifying the hashes…</p>;
  if (check.fault === null)
    return (
      <p>
        <Badge tone="good">verified</Badge> {check.verified} events, each chained to the one before by its hash.
      </p>
    );
  return (
    <p class="note bad" role="alert">
      The history of this order was changed: {check.fault}. {check.verified} events before it are verified. Run{' '}
      <code>stakeport audit</code>.
    </p>
  );
}

/** Each event names the one before it by its hash: `stakeport audit` proves the chains of all orders. */
function History({ events }: { readonly events: readonly WireOrderEventWithChange[] }) {
  return (
    <DataTable<WireOrderEventWithChange>
      caption="Events of the order, chained by hash"
      rows={events}
      keyOf={({ seq }) => String(seq)}
      columns={[
        { name: 'Event', cell: ({ seq, type }) => `${seq} ${eventName(`order.${type}`)}` },
        { name: 'At', cell: ({ at }) => <Moment at={at} /> },
        { name: 'What', cell: ({ reason, data }) => (reason === null ? factsText(data) : refusalOnPage(reason)) },
        { name: 'Hash before', cell: ({ seq }) => <Hash of={events.find((one) => one.seq === seq - 1)?.hash} /> },
        { name: 'Hash', cell: ({ hash }) => <Hash of={hash} /> },
      ]}
    />
  );
}

const Hash = ({ of }: { readonly of: string | undefined }) =>
  of === undefined ? <span class="none">—</span> : <code title={of}>{of.slice(0, 8)}</code>;

function Decided({ id }: { readonly id: string }) {
  const decision = useReading(`decision ${id}`, (signal) => api<WireDecision>(`/v1/decisions/${id}`, { signal }));
  if (decision.value === null) return <Trouble text={decision.problem} />;
  return (
    <details>
      <summary>Why the strategy placed it</summary>
      <DecisionRules rules={decision.value.rules} />
    </details>
  );
}
