import type { Command } from 'commander';
import type { WireList, WireOrder, WireOrderEvent } from '../../adapters/http/answers.js';
import { print } from '../print.js';
import type { ApiClient } from './client/api-client.js';
import { momentShown, moneyShown, outcomeShown } from './output/shown.js';
import { type Detail, detailsOf, type TableColumn, tableOf } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, segment, withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show } from './remote-command.js';

interface ListOptions extends RemoteOptions, PageOptions {
  readonly status?: string;
  readonly market?: string;
  readonly strategy?: string;
  readonly venue?: string;
  readonly paper?: boolean;
  readonly live?: boolean;
}

/** The path of orders in the API. */
export const ORDERS_PATH = '/v1/exchange/orders';

/** The way out where there is no such order. */
export const NO_ORDER = 'There is no such order, or it is not yours. Yours are in: stakeport orders';

const MARKET_WIDTH = 40;

/** What a list shows of an order. */
export const ORDER_COLUMNS: readonly TableColumn<WireOrder>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'placed', of: ({ placed_at: at }) => momentShown(at) },
  { title: 'money', of: ({ paper }) => moneyShown(paper), painted: true },
  { title: 'side', of: ({ side }) => side },
  { title: 'outcome', of: ({ token, outcome_label: label }) => outcomeShown(token, label), most: MARKET_WIDTH },
  { title: 'market', of: ({ market_slug: slug, market_id: id }) => slug ?? id, most: MARKET_WIDTH },
  { title: 'price', of: ({ price }) => price, right: true },
  { title: 'shares', of: ({ shares }) => shares, right: true },
  { title: 'filled', of: ({ filled_shares: shares }) => shares, right: true },
  { title: 'status', of: ({ status }) => status, painted: true },
];

const EVENT_COLUMNS: readonly TableColumn<WireOrderEvent>[] = [
  { title: 'seq', of: ({ seq }) => seq, right: true },
  { title: 'at', of: ({ at }) => momentShown(at) },
  { title: 'what', of: ({ type }) => type },
  { title: 'details', of: ({ data, reason }) => reason ?? wordsOfData(data) },
];

/** `stakeport orders`. */
export function ordersCommand(): Command {
  const command = remoteCommand(
    'orders',
    'list orders, newest first',
    'stakeport orders --status open',
    'stakeport orders --market home-away --live',
  );
  return withOptions(command, [
    ['--status <status>', 'only with this status, such as open, filled or denied'],
    ['--market <id>', 'only of this market: its slug, or its id'],
    ['--strategy <id>', 'only under this strategy'],
    ['--venue <name>', 'only at this venue'],
    ['--paper', 'only orders on paper'],
    ['--live', 'only orders with real money; both kinds are listed when neither is named'],
    ...PAGE_OPTIONS,
  ]).action((options: ListOptions) => {
    const { status, market, strategy, venue, paper, live } = options;
    const money = paper === live ? undefined : paper === true;
    const filter = { status, market_id: market, strategy_id: strategy, venue, paper: money };
    const query = { ...filter, ...pageQuery(options) };
    return show<WireList<WireOrder>>(options, { path: ORDERS_PATH, query }, ({ data }) =>
      tableOf(ORDER_COLUMNS, data, 'No orders.'),
    );
  });
}

/** `stakeport order ID`. */
export function orderCommand(): Command {
  return remoteCommand('order', 'show an order', 'stakeport order 01a1fda4-6ddc-764a-baa1-d184dfa92254 --events')
    .argument('<id>', 'the id of the order, as stakeport orders shows it')
    .option('--events', 'show what happened to it instead, oldest first')
    .action((id: string, { events, ...options }: RemoteOptions & { events?: boolean }) => {
      const path = `${ORDERS_PATH}/${segment(id)}`;
      if (events !== true) return show<WireOrder>(options, { path, missing: NO_ORDER }, orderShown);
      const request = { path: `${path}/events`, query: { limit: '100' }, missing: NO_ORDER };
      return show<WireList<WireOrderEvent>>(options, request, ({ data }) => tableOf(EVENT_COLUMNS, data, 'No events.'));
    });
}

/** An order with all that a person asks about it. */
export const orderShown = (order: WireOrder): string => detailsOf(detailsOfOrder(order));

/** Prints an order that a request answered with: as the API says it, or in details. */
export function printOrder({ json }: RemoteOptions, answer: Awaited<ReturnType<ApiClient['request']>>): void {
  print(json === true ? answer.text : orderShown(answer.body as WireOrder));
}

function detailsOfOrder(order: WireOrder): readonly Detail[] {
  const { filled_size_usdc: filled, return_usdc: returned, expires_at: expires } = order;
  const optional: readonly Detail[] = [
    ...(expires === null ? [] : [['expires', momentShown(expires)] as const]),
    ...(order.strategy_id === null ? [] : [['strategy', `${order.strategy_id} v${order.strategy_version}`] as const]),
    ...(returned === null ? [] : [['returned', `${returned} USDC`] as const]),
    ...(order.error === null ? [] : [['error', order.error] as const]),
  ];
  return [
    ['id', order.id],
    ['money', moneyShown(order.paper)],
    ['status', order.status],
    ['order', `${order.side} ${outcomeShown(order.token, order.outcome_label)}`],
    ['market', order.market_slug ?? order.market_id],
    ['question', order.question_snapshot],
    ['venue', order.venue],
    ['limit', `${order.price} a share, ${order.time_in_force}${order.post_only ? ', post only' : ''}`],
    ['size', `${order.size_usdc} USDC, ${order.shares} shares`],
    ['filled', `${filled ?? '0'} USDC, ${order.filled_shares} shares`],
    ['fees', `${order.fees_usdc} USDC`],
    ...optional,
    ['placed', momentShown(order.placed_at)],
    ['changed', momentShown(order.updated_at)],
  ];
}

const wordsOfData = (data: WireOrderEvent['data']): string =>
  Object.entries(data)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
