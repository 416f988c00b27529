import type { WireOrder } from '../../adapters/http/answers.js';
import { ORDER_STATUSES } from '../../core/order/lifecycle.js';
import { api, type ListPage } from '../net/api.js';
import { Act } from '../parts/act.tsx';
import { ByEnding, OfAskedStrategy } from '../parts/by-ending.tsx';
import { Export } from '../parts/export.tsx';
import { Badge, Empty, Moment, Money, Plain, Trouble, toneOf } from '../parts/figures.tsx';
import { Link, pathTo, useAsked } from '../parts/link.tsx';
import { AskedChoice, Filters, TradeFilters, TradePages, useListPage, useTradeFilters } from '../parts/listed.tsx';
import { OrderDetail } from '../parts/order-detail.tsx';
import { columnsWithVenue, DataTable, type Sorting } from '../parts/table.tsx';
import { useMoneyNames, useSelected } from '../parts/use-store.js';
import { sumOf } from '../state/amounts.js';
import { withNews } from '../state/listed-orders.js';
import { isResting, RESTING } from '../state/reduce.js';
import { eventText } from '../state/words.js';

/** What the list shows, and the statuses that it asks for. */
const SHOWN: readonly (readonly [status: string, words: string])[] = [
  ['', 'all'],
  [RESTING.join(), 'working'],
  ...ORDER_STATUSES.map((status) => [status, status.replace('_', ' ')] as const),
];
const EVERY_MS = 10_000;

/** Orders, a page at a time as the server has them, and as they change. */
export const OrdersPage = () => (
  <OfAskedStrategy>
    <Orders />
  </OfAskedStrategy>
);

function Orders() {
  const paper = useSelected((state) => state.paper);
  const open = useSelected(({ of }) => of[0] ?? null);
  const { rows, next, problem, isRead, sorting } = useOrders();
  return (
    <>
      <Filters>
        <AskedChoice name="status" label="Show" options={SHOWN} />
        <TradeFilters />
        <CancelShown orders={rows.filter(isResting)} paper={paper} />
      </Filters>
      <Export first="orders" />
      {open === null ? null : <OneOrder id={open} />}
      <Trouble text={problem} />
      {rows.length > 0 ? <OrderTable rows={rows} sorting={sorting} /> : isRead ? <NoOrders /> : <p>Reading…</p>}
      <TradePages next={next} sorting={sorting} time="Placed" />
    </>
  );
}

const ORDERS = {
  noun: 'orders',
  page: 'orders',
  path: '/v1/exchange/orders',
  words: ({ side, name, status, placed_at }: WireOrder) => `${side} ${name}, ${status}, ${placed_at.slice(0, 16)}`,
};

const OneOrder = ({ id }: { readonly id: string }) => (
  <ByEnding text={id} list={ORDERS}>
    {(whole) => <OrderDetail key={whole} id={whole} />}
  </ByEnding>
);

/** The page of orders that the address asks for. The first one has what happened since, too: an event carries the whole order. */
function useOrders() {
  const { get } = useAsked();
  const known = useSelected(({ known: { orders } }) => orders);
  const { sorting, filters: some } = useTradeFilters('Placed');
  const filters = { ...some, status: get('status') };
  const { value, problem } = useListPage<ListPage<WireOrder>>('/v1/exchange/orders', filters, EVERY_MS);
  const isFirst = get('after') === '';
  // The name of a market is the server's to resolve, so that later orders of it come with the next reading.
  const rows = value === null ? [] : withNews(value, isFirst && filters.market_id === '' ? known : new Map(), filters);
  return { rows, next: value?.next_cursor ?? null, problem, isRead: value !== null, sorting };
}

const NoOrders = () => (
  <Empty>
    No orders here. Choose another filter, or <Link to="markets">place a paper order in a market</Link>.
  </Empty>
);

function OrderTable({ rows, sorting }: { readonly rows: readonly WireOrder[]; readonly sorting: Sorting }) {
  const { query } = useAsked();
  return (
    <DataTable<WireOrder>
      caption="Orders"
      rows={rows}
      sorting={sorting}
      keyOf={({ id }) => id}
      columns={columnsWithVenue(rows, [
        {
          name: 'Placed',
          by: 'server',
          cell: ({ id, placed_at }) => (
            <Link to={`${pathTo('orders', id)}${query}`}>
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
        {
          name: 'Size',
          num: true,
          cell: ({ size_usdc }) => <Money value={size_usdc} />,
        },
        { name: 'Filled', num: true, cell: ({ filled_size_usdc }) => <Money value={filled_size_usdc} /> },
        { name: 'Fees', num: true, cell: ({ fees_usdc }) => <Money value={fees_usdc} /> },
        { name: 'Back', num: true, cell: ({ return_usdc }) => <Money value={return_usdc} /> },
        { name: 'Act', cell: (row) => <CancelOne order={row} /> },
      ])}
    />
  );
}

function CancelOne({ order }: { readonly order: WireOrder }) {
  const { badge } = useMoneyNames();
  return (
    <Act<WireOrder>
      label="Cancel"
      scopes={['orders:cancel']}
      isOffered={isResting(order)}
      confirm="Cancel this order"
      send={(idempotencyKey) => api(`/v1/exchange/orders/${order.id}/cancel`, { method: 'POST', idempotencyKey })}
      outcome={({ id }, { known }, since) => {
        const event = known.events.find((one) => Number(one.seq) > since && one.data.order?.id === id);
        return event === undefined
          ? null
          : `${eventText(event)}: the order is ${event.data.order?.status.replaceAll('_', ' ')}.`;
      }}
    >
      <p>
        {badge(order.paper)}: what is left of {order.side} {order.name}, <Money value={order.size_usdc} /> USDC at{' '}
        <Plain value={order.price} />. What filled, <Plain value={order.filled_shares} /> of{' '}
        <Plain value={order.shares} /> shares, stays.
      </p>
    </Act>
  );
}

/** Cancels all of them, one request each with a key of its own. */
function CancelShown({ orders, paper }: { readonly orders: readonly WireOrder[]; readonly paper: boolean }) {
  const { badge } = useMoneyNames();
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
      scopes={['orders:cancel']}
      confirm={count === 1 ? 'Cancel 1 order' : `Cancel ${count} orders`}
      forbidden={count === 0 ? 'None of these orders rests.' : null}
      send={send}
      outcome={({ ids, refused }, { known }) => {
        const left = ids.filter((id) => isResting(known.orders.get(id) ?? { status: 'cancelled' })).length;
        return left > refused ? null : `${ids.length - left} are over, ${left} still work.`;
      }}
    >
      <p>
        {badge(paper)}: {count} resting orders for <Money value={sumOf(orders.map(({ size_usdc }) => size_usdc))} />{' '}
        USDC. What filled stays.
      </p>
    </Act>
  );
}
