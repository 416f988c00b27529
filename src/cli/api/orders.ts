import type { Command } from 'commander';
import type { WireList, WireOrder, WireOrderEvent } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import { print } from '../print.js';
import type { ApiClient } from './client/api-client.js';
import { knownId, knownOption, ORDER, STRATEGY } from './known-id.js';
import { momentShown, moneyShown } from './output/shown.js';
import { type Detail, detailsOf, type TableColumn, tableOf, withVenue } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, segment, withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show, showOfMarket } from './remote-command.js';

interface ListOptions extends RemoteOptions, PageOptions {
  readonly status?: string;
  readonly market?: string;
  readonly strategy?: string;
  readonly venue?: string;
  readonly paper?: boolean;
  readonly live?: boolean;
}

const NAME_WIDTH = 60;

/** What a list shows of an order. */
const ORDER_COLUMNS: readonly TableColumn<WireOrder>[] = [
  { title: 'id', of: ({ id }) => shortId(id) },
  { title: 'placed', of: ({ placed_at: at }) => momentShown(at) },
  { title: 'money', of: moneyShown, painted: true },
  { title: 'side', of: ({ side }) => side },
  { title: 'outcome', of: ({ name }) => name, most: NAME_WIDTH },
  { title: 'price', of: ({ price }) => price, right: true },
  { title: 'shares at limit', of: ({ shares }) => shares, right: true },
  { title: 'filled', of: ({ filled_shares: shares }) => shares, right: true },
  { title: 'status', of: ({ status }) => status, painted: true },
];

/** Prints the orders of a command of several: a line of JSON each, or a table, which says so where there are none. */
export function printOrders(
  orders: readonly { readonly order: WireOrder; readonly text: string }[],
  { json }: { readonly json?: boolean },
  none: string,
): void {
  const placed = orders.map(({ order }) => order);
  const lines =
    json === true ? orders.map(({ text }) => text) : [tableOf(withVenue(ORDER_COLUMNS, placed), placed, none)];
  for (const text of lines) print(text);
}

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
    ['--market <market>', 'only of this market: its slug, its id, or words of it'],
    ['--strategy <strategy>', 'only under this strategy: its name or its id'],
    ['--venue <name>', 'only at this venue'],
    ['--paper', 'only orders on paper'],
    ['--live', 'only orders with real money; both kinds are listed when neither is named'],
    ...PAGE_OPTIONS,
  ]).action((options: ListOptions) => {
    const { status, market, strategy, venue, paper, live } = options;
    const money = paper === live ? undefined : paper === true;
    const request = async (market_id: string | undefined, api: ApiClient) => {
      const strategy_id = await knownOption(api, STRATEGY, strategy);
      const query = { status, market_id, strategy_id, venue, paper: money, ...pageQuery(options) };
      return { path: ORDER.path, query };
    };
    const view = ({ data }: WireList<WireOrder>) => tableOf(withVenue(ORDER_COLUMNS, data), data, 'No orders.');
    return market === undefined
      ? show(options, (api) => request(market, api), view)
      : showOfMarket(options, { market, venue }, request, view);
  });
}

/** `stakeport order ID`. */
export function orderCommand(): Command {
  return remoteCommand('order', 'show an order', 'stakeport order 01a1fda4-6ddc-764a-baa1-d184dfa92254 --events')
    .argument('<id>', 'the id of the order, or its last 8 characters as stakeport orders shows them')
    .option('--events', 'show what happened to it instead, oldest first')
    .action((id: string, { events, ...options }: RemoteOptions & { events?: boolean }) => {
      const { missing } = ORDER;
      const pathOf = async (api: ApiClient) => `${ORDER.path}/${segment(await knownId(api, ORDER, id))}`;
      if (events !== true)
        return show<WireOrder>(options, async (api) => ({ path: await pathOf(api), missing }), orderShown);
      const request = async (api: ApiClient) => ({
        path: `${await pathOf(api)}/events`,
        query: { limit: '100' },
        missing,
      });
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
    ...(order.strategy_id === null
      ? []
      : [['strategy', `${shortId(order.strategy_id)} v${order.strategy_version}`] as const]),
    ...(returned === null ? [] : [['returned', `${returned} USDC`] as const]),
    ...(order.error === null ? [] : [['error', order.error] as const]),
  ];
  return [
    ['id', order.id],
    ['money', moneyShown(order)],
    ['status', order.status],
    ['order', `${order.side} ${order.name}`],
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
