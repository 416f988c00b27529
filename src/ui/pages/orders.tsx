import { useState } from 'preact/hooks';
import type { WireOrder } from '../../adapters/http/answers.js';
import { api, type ListPage } from '../net/api.js';
import { Act } from '../parts/act.tsx';
import { Badge, Empty, Moment, Money, Plain, Trouble, toneOf } from '../parts/figures.tsx';
import { Link, pathTo } from '../parts/link.tsx';
import { OrderDetail } from '../parts/order-detail.tsx';
import { DataTable } from '../parts/table.tsx';
import { useSelected } from '../parts/use-store.js';
import { sumOf } from '../state/amounts.js';
import { isResting } from '../state/reduce.js';

/** How many orders are read at first: where fewer come, there are no older ones. */
const READ_AT_FIRST = 300;

const SHOWN = ['all', 'working', 'filled', 'settled', 'denied', 'rejected', 'cancelled', 'expired', 'unknown'] as const;

/** Orders, newest first, as they change. */
export function OrdersPage() {
  const paper = useSelected((state) => state.paper);
  const orders = useSelected(({ known }) => known.orders);
  const strategies = useSelected(({ known }) => known.strategies);
  const [shown, setShown] = useState<(typeof SHOWN)[number]>('all');
  const [strategy, setStrategy] = useState('');
  const open = useSelected(({ of }) => of[0] ?? null);
  const older = useOlder(paper);
  const all = [...older.rows.filter(({ id }) => !orders.has(id)), ...orders.values()];
  const rows = all
    .filter((order) => order.paper === paper && (strategy === '' || order.strategy_id === strategy))
    .filter((order) => shown === 'all' || (shown === 'working' ? isResting(order) : order.status === shown))
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Show{' '}
          <select value={shown} onChange={(event) => setShown(event.currentTarget.value as typeof shown)}>
            {SHOWN.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Strategy{' '}
          <select value={strategy} onChange={(event) => setStrategy(event.currentTarget.value)}>
            <option value="">any</option>
            {[...strategies.values()].map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <CancelShown orders={rows.filter(isResting)} paper={paper} />
      </form>
      {open === null ? null : <OrderDetail key={open} id={open} />}
      {rows.length === 0 ? <NoOrders /> : <OrderTable rows={rows} />}
      <Trouble text={older.problem} />
      {older.isEnd || orders.size < READ_AT_FIRST ? null : (
        <button type="button" onClick={older.more}>
          Load older orders
        </button>
      )}
    </>
  );
}

const NoOrders = () => (
  <Empty>
    No orders here. Choose another filter, or <Link to="markets">place a paper order in a market</Link>.
  </Empty>
);

function OrderTable({ rows }: { readonly rows: readonly WireOrder[] }) {
  return (
    <DataTable<WireOrder>
      caption="Orders, newest first"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Placed',
          cell: ({ id, placed_at }) => (
            <Link to={pathTo('orders', id)}>
              <Moment at={placed_at} />
            </Link>
          ),
        },
        { name: 'Status', cell: (row) => <Badge tone={toneOf(row)}>{row.status.replace('_', ' ')}</Badge> },
        { name: 'Side', cell: ({ side }) => side },
        {
          name: 'Outcome',
          cell: (row) => (
            <span title={row.question_snapshot ?? ''}>
              <Link to={pathTo('markets', row.venue, row.market_id)}>{row.name}</Link>
            </span>
          ),
        },
        { name: 'Price', num: true, cell: ({ price }) => <Plain value={price} /> },
        { name: 'Size', num: true, cell: ({ size_usdc }) => <Money value={size_usdc} /> },
        { name: 'Filled', num: true, cell: ({ filled_size_usdc }) => <Money value={filled_size_usdc} /> },
        { name: 'Fees', num: true, cell: ({ fees_usdc }) => <Money value={fees_usdc} /> },
        { name: 'Back', num: true, cell: ({ return_usdc }) => <Money value={return_usdc} /> },
        { name: '', cell: (row) => <CancelOne order={row} /> },
      ]}
    />
  );
}

function CancelOne({ order }: { readonly order: WireOrder }) {
  return (
    <Act<WireOrder>
      label="Cancel"
      isOffered={isResting(order)}
      confirm="Cancel this order"
      send={(idempotencyKey) => api(`/v1/exchange/orders/${order.id}/cancel`, { method: 'POST', idempotencyKey })}
      outcome={({ id }, { known }, since) => {
        const event = known.events.find((one) => Number(one.seq) > since && one.data.order?.id === id);
        return event === undefined
          ? null
          : `${event.type}, event ${event.seq}: the order is ${event.data.order?.status}.`;
      }}
    >
      <p>
        {order.paper ? 'PAPER' : 'LIVE'}: what is left of {order.side} {order.name}, <Money value={order.size_usdc} />{' '}
        USDC at <Plain value={order.price} />. What filled stays.
      </p>
    </Act>
  );
}

/** Cancels all of them, one request each with a key of its own. */
function CancelShown({ orders, paper }: { readonly orders: readonly WireOrder[]; readonly paper: boolean }) {
  const count = orders.length;
  const send = async (idempotencyKey: string) => {
    const cancelled = await Promise.allSettled(
      orders.map(({ id }) =>
        api(`/v1/exchange/orders/${id}/cancel`, { method: 'POST', idempotencyKey: `${idempotencyKey}-${id}` }),
      ),
    );
    return { ids: orders.map(({ id }) => id), refused: cancelled.filter(({ status }) => status === 'rejected').length };
  };
  return (
    <Act
      label={`Cancel what is shown (${count})`}
      confirm={count === 1 ? 'Cancel 1 order' : `Cancel ${count} orders`}
      forbidden={count === 0 ? 'None of these orders rests.' : null}
      send={send}
      outcome={({ ids, refused }, { known }) => {
        const left = ids.filter((id) => isResting(known.orders.get(id) ?? { status: 'cancelled' })).length;
        return left > refused ? null : `${ids.length - left} are over, ${left} still work.`;
      }}
    >
      <p>
        {paper ? 'PAPER' : 'LIVE'}: {count} resting orders for{' '}
        <Money value={sumOf(orders.map(({ size_usdc }) => size_usdc))} /> USDC. What filled stays.
      </p>
    </Act>
  );
}

/** Orders before those that are known, a page at a time. */
function useOlder(paper: boolean) {
  const [state, setState] = useState<{
    rows: readonly WireOrder[];
    cursor: string | null;
    problem: string | null;
    isEnd: boolean;
  }>({
    rows: [],
    cursor: null,
    problem: null,
    isEnd: false,
  });
  const more = async () => {
    const after = state.cursor === null ? '' : `&cursor=${state.cursor}`;
    try {
      const page = await api<ListPage<WireOrder>>(`/v1/exchange/orders?limit=100&paper=${paper}${after}`);
      const rows = [...state.rows, ...page.data];
      setState({ rows, cursor: page.next_cursor, problem: null, isEnd: page.next_cursor === null });
    } catch (error) {
      setState({ ...state, problem: String(error) });
    }
  };
  return { ...state, more: () => void more() };
}
